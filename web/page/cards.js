// Cards on a table: hands, rows, stacks and what lies in front of each seat. A card that something may be done with is a
// button.

import { h } from './dom.js';
import { capital, counts, many, plain } from './words.js';

/** A kind of card, of which there are some; a button if something may be done with it. */
export function tile({ kind, count, note, price, entries = [], pick, group = 'resource' }) {
  const inside = [
    h('span', { class: 'name' }, capital(plain(kind))),
    count !== undefined && h('span', { class: 'many' }, group === 'resource' ? `× ${count}` : count),
    note && h('span', { class: 'note' }, note),
    price && h('span', { class: 'note price' }, `costs ${price}`),
  ];
  const classes = `tile ${group} ${kind.replaceAll(' ', '-')}`;
  if (entries.length === 0) return h('div', { class: classes }, inside);
  const words = entries.length === 1 ? entries[0].words : `${many(entries.length, 'action')} with ${plain(kind)}`;
  return h('button', { type: 'button', class: `${classes} can`, 'data-card': kind, onclick: () => pick(entries) },
    inside, h('span', { class: 'cue' }, '▸ choose'), h('span', { class: 'unseen' }, `: ${words}`));
}

const withCard = (entries, card, does) => entries.filter(({ action }) => action.card === card && does.includes(action.do));

/** Cards that a seat holds, most of a kind told by words: what is discarded, given or returned is chosen here. */
export function hand({ view, entries = [], pick }) {
  const own = view.island ?? view;
  const held = counts(own.hand);
  const tiles = held.map(([kind, count]) =>
    tile({ kind, count, pick, entries: withCard(entries, kind, ['discard', 'give', 'return', 'extra']) }));
  const does = { knight: ['knight'], road_building: ['road_building'], year_of_plenty: ['year_of_plenty'], monopoly: ['monopoly'] };
  const cards = counts(own.cards).map(([kind, count]) => tile({
    kind, count, pick, group: 'development',
    note: own.fresh?.[kind] ? `${own.fresh[kind]} bought now` : null,
    entries: entries.filter(({ action }) => (does[kind] ?? []).includes(action.do)),
  }));
  if (tiles.length + cards.length === 0) return h('p', { class: 'quiet' }, 'No cards.');
  return h('div', { class: 'tiles' }, tiles, cards);
}

/** The price of a kind. */
const priceOf = (prices, kind) => prices.find((priced) => priced.kind === kind)?.price;

/** What there is to build on an island, whether it can be paid now or not. */
export const priceList = (prices) => h('ul', { class: 'plain prices' }, prices.map(({ kind, price, left }) =>
  h('li', {}, h('strong', {}, capital(plain(kind))), ` ${price}`, left !== null && h('span', { class: 'quiet' }, `, ${left} left`))));

/** The table of On the Road: the row, the metropolises and the decks. */
export function onTheRoad({ view, entries = [], prices = [], pick }) {
  const builds = (card) => withCard(entries, card, ['build']);
  const row = counts(view.row).map(([kind, count]) =>
    tile({ kind, count: `${count} in the row`, price: priceOf(prices, kind), group: 'building', entries: builds(kind), pick }));
  const unbuilt = view.unbuilt.map((name) => tile({
    kind: `metropolis_${name}`, price: priceOf(prices, `metropolis_${name}`), note: `side ${view.b_sides.includes(name) ? 'B' : 'A'}`, group: 'building',
    entries: builds(`metropolis_${name}`), pick,
  }));
  const events = counted((view.events ?? []).filter((event) => event !== null));
  return [
    section('The row', h('div', { class: 'tiles' }, row.length ? row : h('p', { class: 'quiet' }, 'Nothing is in the row.'))),
    unbuilt.length > 0 && section('Metropolises', h('div', { class: 'tiles' }, unbuilt)),
    section('Decks', h('div', { class: 'tiles' },
      stack('Draw pile', many(view.pile, 'card')),
      stack('Discards', many(view.discards_size, 'card'), view.discards),
      stack('Building deck', many(Object.values(view.deck).reduce((sum, count) => sum + count, 0), 'card'), view.deck),
      view.events && stack('Events left', many(view.events.filter((event) => event !== null).length, 'card'), events))),
  ];
}

/** How many of a kind the stack of Struggle for Catan has, or where it comes from. */
const leftOf = (kind, count) => {
  if (count === undefined) return 'on a settlement';
  return count === 0 && ['road', 'knight'].includes(kind) ? '0 left: taken from another player' : `${count} left`;
};

/** The table of Struggle for Catan: the market, the stacks and what may be built. */
export function struggle({ view, entries = [], prices = [], pick }) {
  const by = (test) => entries.filter(({ action }) => test(action));
  const market = counts(view.market).map(([kind, count]) =>
    tile({ kind, count, pick, entries: withCard(entries, kind, ['take']) }));
  const trades = by(({ do: does, with: partner }) => does === 'trade' && partner === 'market');
  const draws = by(({ do: does, with: partner }) => ['draw', 'extra'].includes(does) || (does === 'trade' && partner === 'stack'));
  const builds = (card) => withCard(entries, card, ['build']);
  const built = [['road', view.roads], ['knight', view.knights], ['settlement', view.settlements], ['city', undefined], ...counts(view.expansions)];
  return [
    section('Market', h('div', { class: 'tiles' }, market.length ? market : h('p', { class: 'quiet' }, 'The market is empty.'),
      trades.length > 0 && tile({ kind: 'trade', note: 'with the market', group: 'building', entries: trades, pick }))),
    section('To build', h('div', { class: 'tiles' }, built.map(([kind, count]) =>
      tile({ kind, count: leftOf(kind, count), price: priceOf(prices, kind), group: 'building', entries: builds(kind), pick })))),
    section('Stacks', h('div', { class: 'tiles' },
      draws.length > 0
        ? tile({ kind: 'draw stack', count: many(view.pile, 'card'), group: 'building', entries: draws, pick })
        : stack('Draw stack', many(view.pile, 'card')),
      stack('Discards', many(counts(view.discards).reduce((sum, [, count]) => sum + count, 0), 'card'), view.discards),
      stack('Unseen city sides', '', view.events),
      stack('Destiny', view.clockwise ? 'clockwise' : 'anticlockwise'))),
  ];
}

const counted = (words) => words.reduce((sum, word) => ({ ...sum, [word]: (sum[word] ?? 0) + 1 }), {});

const stack = (name, words, cards) => h('div', { class: 'tile stack' },
  h('span', { class: 'name' }, name), h('span', { class: 'many' }, words),
  cards && h('span', { class: 'note' }, counts(cards).map(([kind, count]) => `${count} ${plain(kind)}`).join(', ')));

const section = (title, ...inside) => h('section', { class: 'lay' }, h('h3', {}, title), inside);
