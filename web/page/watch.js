// A match that is watched: forward and back, by the eyes of a seat or with all cards open.

import { hand } from './cards.js';
import { chart } from './chart.js';
import { by, h, pause, replace } from './dom.js';
import { Table } from './table.js';
import { Gone, Refused, transport } from './transport.js';
import { agentName, gameName, many, percent, plain } from './words.js';

/** What happened before the step that is shown, so many steps of it. */
const NEWS = 30;

const page = {
  about: null, table: null, match: null, eyes: 'all', step: 0,
  chances: null, mistakes: [], chart: null, timer: null,
};

const name = (seat) => agentName(page.about.names[seat - 1] ?? '');
const last = () => page.match.steps.length - 1;

function trouble(error) {
  if (!(error instanceof Gone) && !(error instanceof Refused)) throw error;
  const words = error instanceof Gone
    ? 'The program does not answer. What is on the page stays; to look further, start it again.' : error.message;
  replace(by('trouble'), h('p', {}, words));
}

async function load(eyes) {
  page.match = await transport.match(eyes);
  page.eyes = eyes;
  by('scrub').max = last();
  go(Math.min(page.step, last()));
}

/** The cards of each seat, as far as these eyes see them. */
function hands(views) {
  return views.map((view) => {
    const own = view.island ?? view;
    return h('section', { class: 'lay' }, h('h3', {}, `Seat ${own.seat} ${name(own.seat)}`), hand({ view }));
  });
}

function go(step) {
  page.step = step;
  const now = page.match.steps[step];
  const [view] = now.views;
  const outcome = step === last() ? page.match.outcome : null;
  by('scrub').value = step;
  by('scrub').setAttribute('aria-valuetext', `step ${step} of ${last()}, turn ${now.now}`);
  by('status').textContent = outcome
    ? `The end, turn ${now.now}: ${outcome.winner ? `seat ${outcome.winner} (${name(outcome.winner)}) wins` : `nobody wins, ${plain(outcome.end)}`}.`
    : `Turn ${now.now}. Seat ${now.asked} (${name(now.asked)}) is asked: ${page.eyes === 'all' ? now.question.replace(/\byour\b/g, 'seat 1’s').replace(/\byou\b/g, 'seat 1') : now.question}.`;
  by('told').textContent = `${step} of ${last()}. ${toldOf(now)}`;
  replace(by('board'), page.table.board({ view }));
  replace(by('hand'), hands(now.views));
  const own = page.eyes === 'all' ? 0 : Number(page.eyes);
  replace(by('seats'), page.table.seats(now.lines.map((line) => (own ? line : line.replace(' (you)', ''))), { own, asked: now.asked }));
  // With all cards open nobody is addressed.
  const lines = own ? now.lines : now.lines.filter((line) => !/^(You |Your |The bank takes )/.test(line))
    .map((line) => line.replace(/: you (\w+)/, ': seat 1 $1s').replace(/\byou\b/g, 'seat 1'));
  replace(by('lines'), page.table.proposal(lines), page.table.rest(lines));
  replace(by('news'), page.match.steps.slice(Math.max(0, step - NEWS), step + 1).reverse()
    .filter((told) => toldOf(told) !== '').map((told) =>
      h('p', { class: told.actor ? `told seat-${told.actor}` : '' }, `${told.turn ? `Turn ${told.turn}. ` : ''}${toldOf(told)}`)));
  for (const id of ['first', 'back']) by(id).disabled = step === 0;
  for (const id of ['next', 'last']) by(id).disabled = step === last();
  page.chart?.move(step);
  if (page.chances) {
    by('chart-now').textContent = page.chances[step].map((chance, seat) => `seat ${seat + 1} ${percent(chance)}`).join(', ');
  }
}

/** What was told of a step; of cards that begin the next turn, too. */
const toldOf = ({ words, opens }) => [words, opens].filter(Boolean).join(' ');

const move = (to) => go(Math.max(0, Math.min(last(), to)));

function run(isOn) {
  clearInterval(page.timer);
  page.timer = null;
  by('run').textContent = isOn ? 'Pause' : 'Play';
  if (!isOn) return;
  if (page.step === last()) go(0);
  page.timer = setInterval(() => {
    if (page.step < last()) go(page.step + 1);
    else run(false);
  }, 1000 / Number(by('speed').value));
}

function drawChart() {
  if (!page.chances) return;
  page.chart = chart({ chances: page.chances, mistakes: page.mistakes, step: page.step, go: move });
  replace(by('chart'), page.chart.picture);
  go(page.step);
}

function drawMistakes({ mistakes, judge, searches, judged }) {
  page.mistakes = mistakes;
  const cost = ({ cost: { value } }) => value;
  const sorted = [...mistakes].sort((a, b) => cost(b) - cost(a));
  replace(by('mistakes'),
    h('p', { class: 'quiet' }, `${many(mistakes.length, 'choice')} of ${judged} cost chance to win by the whole of the interval (${judge}, ${searches} searches). Triangles mark them above.`),
    h('ul', { class: 'plain mistakes' }, sorted.map((mistake) =>
      h('li', {}, h('button', { type: 'button', class: 'act', onclick: () => move(mistake.decision) },
        `Turn ${mistake.turn}, seat ${mistake.seat}: ${mistake.action} cost ${(100 * cost(mistake)).toFixed(1)} pp against ${mistake.better}`)))));
}

/** Asks until it is there. */
async function there(asked, done, waiting) {
  for (;;) {
    try {
      const found = await asked();
      if (!('judged' in found) || 'judge' in found || 'error' in found) return done(found);
      waiting?.(found.judged);
    } catch (error) {
      trouble(error);
    }
    await pause(700);
  }
}

function listen() {
  by('scrub').addEventListener('input', () => move(Number(by('scrub').value)));
  by('first').addEventListener('click', () => move(0));
  by('back').addEventListener('click', () => move(page.step - 1));
  by('next').addEventListener('click', () => move(page.step + 1));
  by('last').addEventListener('click', () => move(last()));
  by('run').addEventListener('click', () => run(page.timer === null));
  by('speed').addEventListener('change', () => page.timer !== null && run(true));
  by('eyes').addEventListener('change', () => load(by('eyes').value).catch(trouble));
  document.addEventListener('keydown', (event) => {
    if (event.target.closest('input, select') || event.altKey || event.ctrlKey || event.metaKey) return;
    // What has the focus is pressed by it.
    if (event.key === ' ' && event.target.closest('button, summary')) return;
    const to = { ArrowLeft: page.step - 1, ArrowRight: page.step + 1, Home: 0, End: last() }[event.key];
    if (to !== undefined) move(to);
    else if (event.key === ' ') run(page.timer === null);
    else return;
    event.preventDefault();
  });
}

async function begin() {
  page.about = await transport.table();
  page.table = new Table(await transport.describe(), page.about.names);
  by('title').textContent = gameName(page.about.game);
  by('where').textContent = page.about.title;
  document.title = `${page.about.title} – Fairhaven`;
  replace(by('eyes'), h('option', { value: 'all' }, 'all, cards open'),
    page.about.names.map((_, idx) => h('option', { value: idx + 1 }, `seat ${idx + 1} (${name(idx + 1)})`)));
  await load('all');
  by('stage').hidden = false;
  listen();
  there(transport.chances, ({ chances }) => { page.chances = chances; drawChart(); });
  there(transport.mistakes, (found) => {
    if (found.error) return replace(by('mistakes'), h('p', {}, found.error));
    drawMistakes(found);
    return drawChart();
  }, (judged) => replace(by('mistakes'), h('p', { class: 'quiet' }, `A search is looking for them … ${many(judged, 'choice')} so far.`)));
}

begin().catch(trouble);
