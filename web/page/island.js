// An island as a picture: hexes, numbers, harbours, pieces, robber and boats, and the places where something may be done.
// Every kind has a word beside its colour, every piece the number of its seat.

import { s } from './dom.js';
import { plain } from './words.js';

/** Half the length of an edge, in units of the picture. */
const HALF = 30;
const ROOT3 = Math.sqrt(3);

const at = ({ x, y }) => ({ x: x * HALF * ROOT3, y: y * HALF });
const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const round = (value) => Math.round(value * 10) / 10;
const points = (list) => list.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');

/** How often a sum of two dice comes up, of 36. */
const pips = (token) => 6 - Math.abs(7 - token);

/** The place of an action on the board, such as `v19`; null if it has none. */
export function placeOf(action) {
  if (action.vertex !== undefined) return `v${action.vertex}`;
  if (action.edge !== undefined) return `e${action.edge}`;
  if (action.hex !== undefined) return `h${action.hex}`;
  if (['move_boat', 'move_road'].includes(action.do)) return `e${action.to}`;
  return null;
}

/** The board of a catalogue, which does not change during a match. */
export class Island {
  constructor(catalogue) {
    const island = catalogue.island ?? catalogue;
    this.hexes = island.hexes.map((hex) => ({ ...at(hex), corners: hex.vertices }));
    this.vertices = island.vertices.map((vertex) => ({ ...at(vertex), hexes: vertex.hexes }));
    this.edges = island.edges.map(([a, b]) => [this.vertices[a], this.vertices[b]]);
    this.harbours = island.harbours;
    this.rivers = new Set(catalogue.rivers ?? []);
    const xs = this.vertices.map(({ x }) => x);
    const ys = this.vertices.map(({ y }) => y);
    const [left, top] = [Math.min(...xs) - 58, Math.min(...ys) - 42];
    this.box = [left, top, Math.max(...xs) + 58 - left, Math.max(...ys) + 42 - top].map(round).join(' ');
  }

  /** The picture of a view. `legal` are entries of the list by place; `pick(entries)` is called where one is chosen. */
  draw({ view, label, legal = new Map(), pick = () => {} }) {
    const island = view.island ?? view;
    const picture = s('svg', { viewBox: this.box, class: 'island', role: 'group', 'aria-label': label });
    picture.append(
      s('g', { 'aria-hidden': 'true' },
        island.hexes.map((hex, idx) => this.hex(hex, idx, island.robber === idx)),
        this.harbours.map((pair, idx) => this.harbour(pair, island.harbours[idx], island.hexes)),
        island.seats.map((seat, idx) => seat.roads.map((edge) => this.road(edge, idx + 1, 'road'))),
        (view.seats ?? []).map((seat, idx) => (seat.boats ?? []).map((edge) => this.boat(edge, idx + 1))),
        island.seats.map((seat, idx) => [
          seat.settlements.map((vertex) => this.building(vertex, idx + 1, 'settlement')),
          seat.cities.map((vertex) => this.building(vertex, idx + 1, 'city')),
        ])),
      this.targets(legal, pick));
    return picture;
  }

  hex({ terrain, token }, idx, hasRobber) {
    const { x, y, corners } = this.hexes[idx];
    const isOpen = terrain !== 'unexplored' && terrain !== 'sea';
    const words = terrain === 'unexplored' ? '?' : terrain === 'sea' ? '~ ~' : plain(terrain);
    return s('g', { class: `hex ${terrain}` },
      s('polygon', { points: points(corners.map((vertex) => this.vertices[vertex])) }),
      s('text', { x: round(x), y: round(y + (isOpen ? -24 : 6)), class: terrain === 'unexplored' ? 'fog' : 'kind' }, words),
      token && s('g', { class: pips(token) === 5 ? 'token often' : 'token' },
        s('circle', { cx: round(x), cy: round(y + 4), r: 17 }),
        s('text', { x: round(x), y: round(y + 8) }, token),
        Array.from({ length: pips(token) }, (_, pip) =>
          s('circle', { class: 'pip', cx: round(x + (pip - (pips(token) - 1) / 2) * 4.6), cy: round(y + 14.5), r: 1.5 }))),
      hasRobber && this.robber(x + (token ? 31 : 0), y + 10));
  }

  robber(x, y) {
    return s('g', { class: 'robber', transform: `translate(${round(x)} ${round(y)})` },
      s('path', { d: 'M-9 14 Q-9 -2 -4 -4 A6.5 6.5 0 1 1 4 -4 Q9 -2 9 14 Z' }),
      s('text', { x: 0, y: 9 }, 'R'));
  }

  harbour([a, b], kind, hexes) {
    const [one, two] = [this.vertices[a], this.vertices[b]];
    const mid = middle(one, two);
    // Away from the land beside it.
    const beside = one.hexes.filter((hex) => two.hexes.includes(hex));
    const land = beside.find((hex) => hexes[hex].terrain !== 'sea') ?? beside[0];
    const from = this.hexes[land];
    const length = Math.hypot(mid.x - from.x, mid.y - from.y);
    const out = { x: mid.x + ((mid.x - from.x) / length) * 27, y: mid.y + ((mid.y - from.y) / length) * 25 };
    const words = kind === 'any' ? ['3:1', ''] : ['2:1', plain(kind)];
    return s('g', { class: 'harbour' },
      [one, two].map((end) => s('line', { x1: round(end.x), y1: round(end.y), x2: round(out.x), y2: round(out.y) })),
      s('rect', { x: round(out.x - 27), y: round(out.y - 16), width: 54, height: words[1] ? 33 : 22, rx: 7 }),
      s('text', { x: round(out.x), y: round(out.y) }, words[0]),
      words[1] && s('text', { x: round(out.x), y: round(out.y + 12.5), class: 'small' }, words[1]));
  }

  road(edge, seat, name) {
    const [a, b] = this.edges[edge];
    const [from, to] = [0.17, 0.83].map((share) => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }));
    const line = (kind) => s('line', { class: kind, x1: round(from.x), y1: round(from.y), x2: round(to.x), y2: round(to.y) });
    const mid = middle(a, b);
    return s('g', { class: `piece ${name} seat-${seat}` }, line('rim'), line('body'),
      s('text', { x: round(mid.x), y: round(mid.y + 3.5) }, seat));
  }

  boat(edge, seat) {
    const [a, b] = this.edges[edge];
    const mid = middle(a, b);
    return s('g', { class: `piece boat seat-${seat}`, transform: `translate(${round(mid.x)} ${round(mid.y)})` },
      s('path', { d: 'M-17 1 H17 L11 14 H-11 Z M-2 -1 V-17 L11 -2 Z' }),
      s('text', { x: 0, y: 12 }, seat));
  }

  building(vertex, seat, kind) {
    const { x, y } = this.vertices[vertex];
    const shape = kind === 'city' ? 'M-15 12 V-3 H-3 V-9 L5 -16 L13 -9 V12 Z' : 'M-10 10 V-3 L0 -12 L10 -3 V10 Z';
    return s('g', { class: `piece ${kind} seat-${seat}`, transform: `translate(${round(x)} ${round(y)})` },
      s('path', { d: shape }), s('text', { x: kind === 'city' ? 2 : 0, y: 8 }, seat));
  }

  /** Where a place lies. */
  spot(place) {
    const number = Number(place.slice(1));
    if (place[0] === 'v') return this.vertices[number];
    if (place[0] === 'h') return this.hexes[number];
    return middle(...this.edges[number]);
  }

  /** Places where something may be done: one stop of the Tab key, arrows go from place to place. */
  targets(legal, pick) {
    const group = s('g', { class: 'targets' });
    const all = [...legal].map(([place, entries], idx) => {
      const { x, y } = this.spot(place);
      const words = entries.length === 1 ? entries[0].words : `${entries[0].words}, and ${entries.length - 1} more`;
      const target = s('g', {
        class: `target ${place[0]}`, role: 'button', tabindex: idx === 0 ? 0 : -1, 'aria-label': words, 'data-place': place,
        transform: `translate(${round(x)} ${round(y)})`,
        onclick: () => pick(entries),
        onkeydown: (event) => {
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            pick(entries);
          } else if (event.key.startsWith('Arrow')) {
            event.preventDefault();
            step(spots, idx, event.key);
          }
        },
      }, s('title', {}, words),
      s('circle', { class: 'hit', r: place[0] === 'h' ? 44 : 22 }),
      s('circle', { class: 'mark', r: place[0] === 'h' ? 45 : place[0] === 'v' ? 10 : 8 }));
      return { target, x, y };
    });
    const spots = all;
    group.append(...all.map(({ target }) => target));
    return group;
  }
}

/** Moves the focus to the nearest place in a direction. */
function step(spots, from, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const here = spots[from];
  let best = null;
  for (const spot of spots) {
    const [x, y] = [spot.x - here.x, spot.y - here.y];
    const along = x * dx + y * dy;
    if (along < 1) continue;
    const cost = along + 2 * Math.abs(x * dy + y * dx);
    if (best === null || cost < best.cost) best = { spot, cost };
  }
  if (best === null) return;
  here.target.setAttribute('tabindex', -1);
  best.spot.target.setAttribute('tabindex', 0);
  best.spot.target.focus();
}
