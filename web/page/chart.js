// Each seat's chance to win over a match: a line a seat, told apart by dashes and a label at its end, with mistakes on it.

import { s } from './dom.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 240, 68, 76, 16, 28];
/** Dashes by seat. */
const DASHES = ['none', '8 4', '2 4', '12 4 2 4', '5 3 5 8', '1 7'];

const x = (step, last) => LEFT + (WIDTH - LEFT - RIGHT) * (last === 0 ? 0 : step / last);
const y = (share) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);

/** Labels that would lie on one another are moved apart. */
function apart(ends) {
  const sorted = [...ends].sort((a, b) => a.at - b.at);
  for (let idx = 1; idx < sorted.length; idx += 1) sorted[idx].at = Math.max(sorted[idx].at, sorted[idx - 1].at + 17);
  // What is pushed out at the bottom pushes those above it up.
  let most = HEIGHT - BOTTOM + 4;
  for (const end of sorted.reverse()) {
    end.at = Math.min(end.at, most);
    most = end.at - 17;
  }
  return sorted;
}

/** The picture; `chances` by position, then seat, and `mistakes` as the program sends them. */
export function chart({ chances, mistakes = [], step, go }) {
  const last = chances.length - 1;
  const seats = chances[0].map((_, seat) => seat);
  const line = (seat) => chances.map((row, at) => `${x(at, last).toFixed(1)},${y(row[seat]).toFixed(1)}`).join(' ');
  const ends = apart(seats.map((seat) => ({ seat, at: y(chances[last][seat]) + 4 })));
  const now = s('line', { class: 'now', y1: TOP, y2: HEIGHT - BOTTOM });
  const picture = s('svg', { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': 'Chance to win over the match, a line for each seat' },
    [0, 0.25, 0.5, 0.75, 1].map((share) => [
      s('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share) }),
      s('text', { x: LEFT - 6, y: y(share) + 4, 'text-anchor': 'end' }, `${100 * share} %`)]),
    seats.map((seat) => s('polyline', { class: `curve seat-${seat + 1}`, points: line(seat), 'stroke-dasharray': DASHES[seat] })),
    ends.map(({ seat, at }) => s('text', { x: WIDTH - RIGHT + 6, y: at }, `seat ${seat + 1}`)),
    mistakes.map(({ decision, seat, action }) => s('path', {
      class: `mistake seat-${seat}`, transform: `translate(${x(decision + 1, last).toFixed(1)} ${y(chances[decision + 1][seat - 1]).toFixed(1)})`,
      d: 'M0 -6 L6 5 L-6 5 Z',
    }, s('title', {}, `Seat ${seat}: ${action}`))),
    s('text', { x: LEFT, y: HEIGHT - 6 }, 'deal'),
    s('text', { x: WIDTH - RIGHT, y: HEIGHT - 6, 'text-anchor': 'end' }, `step ${last}`),
    now);
  picture.addEventListener('click', (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    go(Math.max(0, Math.min(last, Math.round(((at - LEFT) / (WIDTH - LEFT - RIGHT)) * last))));
  });
  const move = (to) => {
    now.setAttribute('x1', x(to, last));
    now.setAttribute('x2', x(to, last));
  };
  move(step);
  return { picture, move };
}
