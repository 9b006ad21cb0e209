// The list of all that may be done: in groups, numbered as in a terminal, found by a number or words.

import { by, h, replace } from './dom.js';
import { find, isPlaceToo, lastPlace, naming } from './find.js';
import { placesIn } from './places.js';
import { inFull, many } from './words.js';

/** More entries than this under a heading are folded until they are asked for. */
const LONG = 24;

/** The list, which calls `choose(entry)`, or `command(words)` for other words: `undo`, `why`, an action as JSON. */
export class ActionList {
  constructor({ choose, command }) {
    this.choose = choose;
    this.command = command;
    this.groups = [];
    this.box = by('find');
    this.list = by('actions');
    this.found = by('found');
    this.box.addEventListener('input', () => this.draw());
    this.list.addEventListener('scroll', () => this.hint());
    new ResizeObserver(() => this.hint()).observe(this.list);
    by('finder').addEventListener('submit', (event) => {
      event.preventDefault();
      this.enter();
    });
  }

  get entries() {
    return this.groups.flatMap((group) => group.entries);
  }

  show(groups) {
    this.groups = groups;
    this.box.value = '';
    this.box.disabled = groups.length === 0;
    this.draw();
  }

  /** Says something about what was typed. */
  say(words) {
    this.found.textContent = words;
  }

  enter() {
    const typed = this.box.value.trim();
    if (typed === '') return;
    if (['?', 'h', 'help'].includes(typed.toLowerCase())) {
      this.say('Type the number of an action or words of it; undo takes your last choice back, why asks a search.');
      return;
    }
    if (typed.startsWith('{') || ['undo', 'why'].includes(typed.toLowerCase())) {
      this.box.value = '';
      this.command(typed);
      return;
    }
    const { fitting, one } = find(this.entries, typed);
    if (one) this.choose(one);
    else if (fitting.length > 1) this.say(`${many(fitting.length, 'action')} fit; which one?`);
    else if (naming(this.entries, typed).length === 0) this.say(`No action fits. Type a number from 1 to ${this.entries.length}, or words of an action. What the list lacks is not allowed now, or can’t be paid.`);
  }

  draw() {
    const typed = this.box.value.trim();
    const { fitting, one } = find(this.entries, typed);
    const isFiltered = typed !== '';
    // A number of a place that the list does not have shows what needs its word, too.
    const named = naming(this.entries, typed);
    const shown = new Set([...fitting, ...named]);
    replace(this.list, this.groups.map((group) => this.group(group, shown, isFiltered)));
    this.hint();
    if (!isFiltered) this.say(this.groups.length === 0 ? '' : `${many(this.entries.length, 'action')}.${this.placeHint()}`);
    else if (one) this.say(`Enter does: ${inFull(one)}.${isPlaceToo(this.entries, typed, one) ? ` The place is typed: place ${one.number}` : ''}`);
    else if (named.length > 0) this.say(`The list has no ${typed}. A place needs its word, too: ${named[0].words}`);
    else this.say(fitting.length === 0 ? 'No action fits.' : `${many(fitting.length, 'action')} fit.`);
  }

  /** Says so where entries are hidden below what is seen of the list. */
  hint() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    this.list.classList.toggle('more', scrollHeight - scrollTop - clientHeight > 44);
  }

  /** How a place is typed, where a number might be taken for one. */
  placeHint() {
    const last = lastPlace(this.entries);
    return last ? ` A number is one of this list; a place is typed: place ${last.place}` : '';
  }

  group({ heading, entries }, shown, isFiltered) {
    const here = entries.filter((entry) => shown.has(entry));
    if (here.length === 0) return null;
    const buttons = () => h('ul', { class: 'plain entries' }, here.map((entry) =>
      h('li', {}, h('button', { type: 'button', class: 'act', 'data-places': placesIn(entry.words), onclick: () => this.choose(entry) },
        h('span', { class: 'number' }, entry.number), h('span', {}, inFull(entry))))));
    if (entries.length <= LONG || (isFiltered && here.length <= 4 * LONG)) {
      return h('section', { class: 'group' }, h('h3', {}, heading), buttons());
    }
    // Written when it is unfolded: a list of offers may have a hundred entries.
    const details = h('details', { class: 'group' },
      h('summary', {}, h('span', { class: 'heading' }, heading), ` (${here.length})`));
    details.addEventListener('toggle', () => {
      if (details.open && details.children.length === 1) details.append(buttons());
      this.hint();
    });
    return details;
  }
}
