// An island as a picture: hexes, numbers, harbours, pieces, robber and boats, and the places where something may be done.
// Every kind has a word beside its colour, every piece the number of its seat.

import { s } from './dom.js';
import { plain } from './words.js';

/** Half the length of an edge, in units of the picture. */
const HALF = 30;
const ROOT3 = Math.sqrt(3);

const at = ({ x, y }) => ({ x: x * HALF * ROOT3, y: y * HALF });
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
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
    const [left, top] = [Math.min(...xs) - 63, Math.min(...ys) - 46];
    this.box = [left, top, Math.max(...xs) + 63 - left, Math.max(...ys) + 46 - top].map(round).join(' ');
  }

  /** The picture of a view. `legal` are entries of the list by place; `pick(entries)` is called where one is chosen. The
   * keyboard begins at the place that is nearest to `near`. Places where something may be done have their numbers, the
   * others if `isNumbered`. */
  draw({ view, label, legal = new Map(), pick = () => {}, near = null, isNumbered = false }) {
    const island = view.island ?? view;
    this.signs = new Set(this.harbours.map((pair) => this.seaOf(pair, island.hexes)).filter((hex) => hex !== null));
    this.pointer = s('g', { class: 'pointer', 'aria-hidden': 'true' });
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
        ]),
        isNumbered && this.numbers(island, legal)),
      this.targets(legal, pick, near),
      this.pointer);
    return picture;
  }

  /** Shows where some places are, such as `v19`; none if the list is empty. */
  point(places) {
    this.pointer?.replaceChildren(...places.map((place) => {
      const { x, y } = this.spot(place);
      return s('circle', { cx: round(x), cy: round(y), r: { v: 19, e: 17, h: 49 }[place[0]] });
    }));
  }

  /** The numbers of the places where nothing may be done now: those of the others stand in their marks. */
  numbers(island, legal) {
    const built = new Set(island.seats.flatMap((seat) => [...seat.settlements, ...seat.cities]));
    const lies = new Set(island.seats.flatMap((seat) => seat.roads));
    // Above a building, but below it where an edge goes up from there: its number stands there.
    const isBelow = (vertex) => this.edges.some((_, edge) => {
      const [end, middle] = [this.spot(`v${vertex}`), this.spot(`e${edge}`)];
      return Math.abs(middle.x - end.x) < 1 && middle.y < end.y && apart(middle, end) < HALF + 1;
    });
    const number = (kind, idx, below) => {
      if (legal.has(kind + idx)) return null;
      const { x, y } = this.spot(kind + idx);
      return s('text', { class: kind, x: round(x), y: round(y + below) }, kind === 'h' ? `hex ${idx}` : idx);
    };
    return s('g', { class: 'numbers' },
      this.hexes.map((_, idx) => number('h', idx, 33)),
      this.edges.map(([a, b], idx) => number('e', idx, !lies.has(idx) ? 4 : a.x === b.x ? 16 : -9)),
      this.vertices.map((_, idx) => number('v', idx, !built.has(idx) ? 4 : isBelow(idx) ? 21 : -15)));
  }

  hex({ terrain, token }, idx, hasRobber) {
    const { x, y, corners } = this.hexes[idx];
    const isOpen = terrain !== 'unexplored' && terrain !== 'sea';
    const words = terrain === 'unexplored' ? '?' : terrain === 'sea' ? '~ ~' : plain(terrain);
    // A harbour's sign lies in the middle of its sea.
    const below = this.signs.has(idx) ? 38 : 6;
    return s('g', { class: `hex ${terrain}` },
      s('polygon', { points: points(corners.map((vertex) => this.vertices[vertex])) }),
      s('text', { x: round(x), y: round(y + (isOpen ? -24 : below)), class: terrain === 'unexplored' ? 'fog' : words.length > 5 ? 'kind long' : 'kind' }, words),
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
    // Far enough from the ends that pieces there are to be seen.
    const away = this.seaOf([a, b], hexes) === null ? [31, 31] : [42, 42];
    const out = { x: mid.x + ((mid.x - from.x) / length) * away[0], y: mid.y + ((mid.y - from.y) / length) * away[1] };
    const words = kind === 'any' ? ['3:1', ''] : ['2:1', plain(kind)];
    return s('g', { class: 'harbour' },
      [one, two].map((end) => s('line', { x1: round(end.x), y1: round(end.y), x2: round(out.x), y2: round(out.y) })),
      s('rect', { x: round(out.x - 27), y: round(out.y - 16), width: 54, height: words[1] ? 33 : 22, rx: 7 }),
      s('text', { x: round(out.x), y: round(out.y) }, words[0]),
      words[1] && s('text', { x: round(out.x), y: round(out.y + 12.5), class: 'small' }, words[1]));
  }

  /** The hex of sea that alone has the sign of a harbour; null if there is none, or it would have two. */
  seaOf([a, b], hexes) {
    const seas = ([one, two]) => this.vertices[one].hexes.filter((hex) => this.vertices[two].hexes.includes(hex) && hexes[hex].terrain === 'sea');
    const [sea] = seas([a, b]);
    const signs = this.harbours.filter((pair) => seas(pair)[0] === sea);
    return sea === undefined || signs.length > 1 ? null : sea;
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
    return s('g', { class: `piece boat seat-${seat}`, transform: `translate(${round(mid.x)} ${round(mid.y - 5)})` },
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
  targets(legal, pick, near) {
    const group = s('g', { class: 'targets' });
    const from = near ? this.spot(near) : null;
    const far = (place) => Math.hypot(this.spot(place).x - from.x, this.spot(place).y - from.y);
    const first = from ? [...legal.keys()].reduce((best, place, idx, places) => (far(place) < far(places[best]) ? idx : best), 0) : 0;
    // No place lies over another one: what is nearer is meant.
    const room = (place) => Math.min(...[...legal.keys()].filter((other) => other !== place).map((other) => apart(this.spot(place), this.spot(other)) / 2));
    const all = [...legal].map(([place, entries], idx) => {
      const { x, y } = this.spot(place);
      const isHex = place[0] === 'h';
      const words = entries.length === 1 ? entries[0].words : `${entries[0].words}, and ${entries.length - 1} more`;
      const target = s('g', {
        class: `target ${place[0]}`, role: 'button', tabindex: idx === first ? 0 : -1, 'aria-label': words, 'data-place': place,
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
      s('circle', { class: 'hit', r: round(Math.min(isHex ? 44 : 32, room(place))) }),
      s('circle', { class: 'mark', r: isHex ? 45 : place[0] === 'v' ? 11 : 10 }),
      s('text', { class: place.length > 3 ? 'spot long' : 'spot', y: isHex ? 38 : 4, 'aria-hidden': 'true' }, isHex ? `hex ${place.slice(1)}` : place.slice(1)));
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
