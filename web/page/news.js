// What happened, as it was told: steps under the turns in which they happened, and a line where what is new begins.

import { h } from './dom.js';
import { oneStop, stopAtLast, withPlaces } from './places.js';

/** What happened is kept on the page so far back. */
const NEWS_MAX = 400;

export class News {
  constructor(box) {
    this.box = box;
    this.line = h('p', { class: 'new-line' }, 'New since your last choice');
    this.clear();
    oneStop(box);
  }

  clear() {
    this.box.replaceChildren();
    this.turn = null;
  }

  /** Adds the steps from the `first`th; what happened since `lastChoice` is new. */
  add(told, first, lastChoice) {
    const from = Math.max(0, told.length - NEWS_MAX);
    this.line.remove();
    told.slice(from).forEach(({ turn, actor, words }, idx) => {
      if (words === '') return;
      if (turn !== this.turn) {
        this.turn = turn;
        this.box.append(h('h3', {}, turn === 0 ? 'Before the first turn' : `Turn ${turn}`));
      }
      this.box.append(h('p', { class: actor === null ? '' : `seat-${actor} told`, 'data-step': first + from + idx }, withPlaces(words)));
    });
    while (this.box.children.length > 2 * NEWS_MAX) this.box.firstElementChild.remove();
    this.mark(lastChoice);
    stopAtLast(this.box);
  }

  /** Draws the line between what was there when one last chose and what is new, and scrolls to it. */
  mark(lastChoice) {
    const isNew = (step) => lastChoice > 0 && Number(step.dataset.step) >= lastChoice;
    const steps = [...this.box.querySelectorAll('p[data-step]')];
    for (const step of steps) step.classList.toggle('new', isNew(step));
    const first = steps.find(isNew);
    if (first) {
      const before = first.previousElementSibling;
      this.box.insertBefore(this.line, before?.tagName === 'H3' ? before : first);
    }
    this.box.scrollTop = this.box.scrollHeight;
    if (first && this.line.offsetTop < this.box.scrollTop) this.box.scrollTop = this.line.offsetTop;
  }
}
