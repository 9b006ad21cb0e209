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
    this.stayAtEnd();
  }

  /** Where the end was in sight it stays so when the width changes, and the lines break elsewhere. */
  stayAtEnd() {
    const { box } = this;
    let [width, isAtEnd] = [box.clientWidth, true];
    box.addEventListener('scroll', () => {
      if (box.clientWidth === width) isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 4;
    });
    new ResizeObserver(() => {
      width = box.clientWidth;
      if (isAtEnd) box.scrollTop = box.scrollHeight;
    }).observe(box);
  }

  clear() {
    this.box.replaceChildren();
    this.turn = null;
    this.last = null;
  }

  /** Adds the steps from the `first`th; what happened since `lastChoice` is new. */
  add(told, first, lastChoice) {
    const from = Math.max(0, told.length - NEWS_MAX);
    this.line.remove();
    told.slice(from).forEach((step, idx) => {
      this.tell(step, step.words, first + from + idx, lastChoice);
      // What the next turn began with stands under it.
      if (step.opens) this.tell({ actor: step.actor, turn: step.turn + 1 }, step.opens, first + from + idx, lastChoice);
    });
    while (this.box.children.length > 2 * NEWS_MAX) this.box.firstElementChild.remove();
    this.mark(lastChoice);
    stopAtLast(this.box);
  }

  /** A step, under its turn. Steps of which the same is told are one line. */
  tell({ turn, actor }, words, number, lastChoice) {
    if (words === '') return;
    const { last } = this;
    if (last?.turn === turn && last.words === words && number !== lastChoice) {
      last.times += 1;
      last.step.append(h('span', {}, ` (${last.times} times)`));
      if (last.times > 2) last.step.lastChild.previousSibling.remove();
      return;
    }
    if (turn !== this.turn) {
      this.turn = turn;
      this.box.append(h('h3', {}, turn === 0 ? 'Before the first turn' : `Turn ${turn}`));
    }
    const step = h('p', { class: actor === null ? '' : `seat-${actor} told`, 'data-step': number }, withPlaces(words));
    this.box.append(step);
    this.last = { turn, words, step, times: 1 };
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
