// Places of the board that words and actions name: they light up when one points at them.

import { h } from './dom.js';

/** What names a place: the words of actions, and of what happened. */
const NAMED = new RegExp([
  '(?:settlement|city)(?: of neutral seat \\d+)? at (?<vertex>\\d+)',
  '(?:road|boat)(?: of neutral seat \\d+)? at (?<edge>\\d+)',
  '(?:road|boat) from (?<from>\\d+) to (?<to>\\d+)',
  'hex (?<hex>\\d+)',
].join('|'), 'g');

const placesOf = ({ vertex, edge, from, to, hex }) =>
  [['v', vertex], ['e', edge], ['e', from], ['e', to], ['h', hex]].filter(([, number]) => number !== undefined)
    .map(([kind, number]) => kind + number);

/** The places in a text, such as `v19 e20`; the empty text if there are none. */
export const placesIn = (text) => [...text.matchAll(NAMED)].flatMap(({ groups }) => placesOf(groups)).join(' ');

/** A text of which the places are buttons that show where they are; the last one can be reached by Tab, arrow keys go on. */
export function withPlaces(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(NAMED)) {
    parts.push(text.slice(end, match.index),
      h('button', { type: 'button', class: 'place', tabindex: -1, 'data-places': placesOf(match.groups).join(' ') }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** Within an element, whatever is pointed at or has the focus shows its places; `point(places)` draws them. */
export function follow(element, point) {
  const show = ({ target }) => point(target.closest?.('[data-places]')?.dataset.places.split(' ').filter(Boolean) ?? []);
  for (const event of ['pointerover', 'focusin']) element.addEventListener(event, show);
  for (const event of ['pointerleave', 'focusout']) element.addEventListener(event, () => point([]));
}

/** Makes the places of a text one stop of the Tab key: up and down go from one to the next. */
export function oneStop(element) {
  element.addEventListener('keydown', (event) => {
    const to = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    const all = [...element.querySelectorAll('.place')];
    const at = all.indexOf(document.activeElement);
    if (to === undefined || at < 0 || !all[at + to]) return;
    event.preventDefault();
    all[at].tabIndex = -1;
    all[at + to].tabIndex = 0;
    all[at + to].focus();
  });
}

/** The newest place is the one that Tab reaches. */
export function stopAtLast(element) {
  const all = [...element.querySelectorAll('.place')];
  if (all.includes(document.activeElement)) return;
  for (const place of all) place.tabIndex = -1;
  if (all.length > 0) all.at(-1).tabIndex = 0;
}
