// The table of any game: what is drawn of it, and what lies in front of each seat.

import { hand, onTheRoad, priceList, struggle } from './cards.js';
import { h } from './dom.js';
import { Island, placeOf } from './island.js';
import { placesIn } from './places.js';
import { agentName, gameName, many } from './words.js';

/** A table that is drawn again with each view. */
export class Table {
  constructor({ game, catalogue }, names) {
    this.game = game;
    this.names = names;
    this.hasIsland = Boolean(catalogue.hexes ?? catalogue.island);
    this.island = this.hasIsland ? new Island(catalogue) : null;
  }

  /** The board, or the cards on the table. `near` is the place that the keyboard was at last. */
  board({ view, entries = [], prices = [], pick, near, isNumbered }) {
    if (this.island) {
      const legal = new Map();
      for (const entry of entries) {
        const place = placeOf(entry.action);
        if (place !== null) legal.set(place, [...(legal.get(place) ?? []), entry]);
      }
      const hint = legal.size > 0 ? ` ${legal.size} places to choose from: arrow keys go from one to the next.` : '';
      return [this.island.draw({ view, legal, pick, near, isNumbered, label: `The island of ${gameName(this.game)}.${hint}` })];
    }
    if (this.game === 'on-the-road') return onTheRoad({ view, entries, prices, pick });
    if (this.game === 'struggle') return struggle({ view, entries, prices, pick });
    return [h('p', {}, 'This game has no picture; the table in words is below.')];
  }

  /** Where one may click beside the list; nothing if that is nowhere. */
  cue(entries) {
    const count = this.island ? new Set(entries.map(({ action }) => placeOf(action)).filter((place) => place !== null)).size : 0;
    if (count > 0) return `${many(count, 'place')} on the board ${count === 1 ? 'is' : 'are'} ringed: choose there, or in the list.`;
    return document.querySelector('.tile.can') ? 'Cards with ▸ can be chosen where they lie, too.' : '';
  }

  /** What things cost, where they don't lie on the table. */
  prices(prices) {
    return this.hasIsland && prices.length > 0 && [h('h3', {}, 'Prices'), priceList(prices)];
  }

  /** Shows where some places are. */
  point(places) {
    this.island?.point(places);
  }

  hand(of) {
    return hand(of);
  }

  /** What is open of each seat, in the words of the terminal; `own` is the seat that looks on, 0 for nobody. */
  seats(lines, { own, asked, open }) {
    const found = lines.map((line) => /^Seat (\d+)([^:]*): (.*)$/.exec(line)).filter((match) => match !== null);
    return h('ul', { class: 'plain seats' }, found.map(([, number, aside, words]) => {
      const seat = Number(number);
      const name = this.names[seat - 1];
      const who = seat === own ? 'you' : aside.includes('neutral') ? 'neutral' : name ? agentName(name) : '';
      return h('li', { class: `seat seat-${seat}${seat === asked ? ' asked' : ''}` },
        h('span', { class: 'chip', 'aria-hidden': 'true' }, seat),
        h('div', {},
          h('p', { class: 'who' }, `Seat ${seat}`, who && h('span', { class: 'name' }, ` ${who}`),
            seat === asked && h('span', { class: 'now' }, ' to move')),
          h('p', {}, words),
          open?.(seat)));
    }));
  }

  /** The lines that nothing else on the page shows. */
  rest(lines) {
    const rest = lines.filter((line) => !/^((Seat \d+[^:]*|Your hand|Proposal|Answer): |Your hand is empty)/.test(line));
    const list = h('ul', { class: 'plain lines' }, rest.map((line) => h('li', { 'data-places': placesIn(line) }, line)));
    return this.hasIsland ? list : h('details', {}, h('summary', {}, 'The table in words'), list);
  }

  /** A trade that is under way; whoever is asked has read in the question what is proposed. */
  proposal(lines, isAsked) {
    return lines.filter((line) => (isAsked ? /^Answer: / : /^(Proposal|Answer): /).test(line)).map((line) => h('p', { class: 'proposal' }, line));
  }
}
