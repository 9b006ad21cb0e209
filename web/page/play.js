// A match of people: one page for one seat, or for several that take turns before one browser.

import { ActionList } from './actions.js';
import { ask, by, h, pause, replace } from './dom.js';
import { News } from './news.js';
import { offerForm } from './offer.js';
import { follow as followPlaces } from './places.js';
import { Table } from './table.js';
import { Gone, Refused, transport } from './transport.js';
import { Zoom } from './zoom.js';
import { agentName, capital, counts, gameName, inFull, many, percent, plain } from './words.js';

/** Between two looks at the match, in milliseconds: at first, and later on. */
const [SOON, LATER] = [80, 300];
const page = {
  about: null, described: null, table: null, list: null, zoom: null,
  /** The seat whose cards are on the page; null behind the screen between two players. */
  seat: null,
  shown: null,
  /** The last action that was sent as records write it. */
  written: null,
  busy: false,
  /** Words of what happened that are on the page. */
  steps: 0,
  news: null,
  verdict: false,
  /** The place on the board that the keyboard was at last, and whether it is still meant to be there. */
  near: null,
  onBoard: false,
  /** Why the match can't go on. */
  fault: null,
};

/** What is wrong stays until something is done; that nobody answers, until somebody does. */
let isGone = false;
const trouble = (...words) => {
  isGone = false;
  replace(by('trouble'), words.length > 0 && h('p', {}, words));
};
const isOurs = (seat) => page.about.seats.includes(seat);
const several = () => page.about.seats.length > 1;

/** Runs something that asks the program, and says what went wrong; false if it did. */
async function tried(work) {
  try {
    await work();
    if (isGone) trouble();
    return true;
  } catch (error) {
    if (error instanceof Gone) gone();
    else if (error instanceof Refused && error.status === 500) broken(error.message);
    else if (error instanceof Refused) trouble(refused(error));
    else throw error;
    return false;
  }
}

function refused(error) {
  if (error.status === 412) return 'The match has gone on since; here it is as it stands now.';
  if (error.status === 409 && error.message.includes('must hold what it would give')) return lacking();
  if (error.status === 409) return `Nothing is done: ${error.message}.`;
  return error.message;
}

/** What one lacks of what one would give. */
function lacking() {
  const { hand } = page.shown.view.island ?? page.shown.view;
  const lacks = counts(page.written?.give).filter(([kind, count]) => count > (hand?.[kind] ?? 0));
  const has = lacks.map(([kind]) => (hand?.[kind] ? `only ${hand[kind]} ${kind}` : `no ${kind}`));
  return has.length > 0 ? `You have ${has.join(' and ')}.` : 'You don’t hold all that you would give.';
}

function gone() {
  if (isGone) return;
  const resume = page.about?.resume;
  trouble('The program does not answer. ', resume
    ? ['Nothing is lost: the record has every choice. If it was ended, go on with ', h('code', {}, resume), ' and the address that it prints. This page asks again by itself.']
    : 'Start it again, and take the address that it prints.');
  isGone = true;
}

/** An agent has failed: nothing goes on here, and the record stays. */
function broken(reason) {
  if (page.fault) return;
  page.fault = reason;
  const { resume } = page.about ?? {};
  trouble(`The match can’t go on here. ${capital(reason)}. Nothing that was chosen is lost.`, resume && [' To try again: ', h('code', {}, resume)]);
  if (by('match').hidden) return;
  by('status').textContent = 'The match can’t go on here.';
  by('do').hidden = true;
}

function headline(shown) {
  if (shown.outcome) return 'The match is over.';
  // Whose turn it is, beside who is asked: a trade is answered in the turn of another seat.
  const current = (shown.view.island ?? shown.view).current;
  const whose = current === page.seat ? 'your turn' : `turn of seat ${current}`;
  const turn = shown.turn === 0 ? 'Before the first turn' : `Turn ${shown.turn}, ${whose}`;
  if (shown.asked === page.seat) return `${turn}. It is your choice: ${shown.table.question}.`;
  if (shown.asked !== null) return `${turn}. Seat ${shown.asked} is asked: ${shown.table.question}.`;
  return `${turn}: the others play …`;
}

/** What the page is asked, and what was said to its own offer. */
function drawQuestion(shown, mine) {
  const { question, lines } = shown.table;
  by('question').textContent = mine ? `${capital(question)}.` : '';
  replace(by('proposal'), mine && shown.answered && shown.phase !== 'choose' && h('p', { class: 'proposal' }, `Your offer was answered. ${shown.answered}`),
    page.table.proposal(lines, mine));
  by('cue').textContent = mine ? page.table.cue(shown.groups.flatMap((group) => group.entries)) : '';
  for (const id of ['why', 'undo']) by(id).disabled = !mine;
  by('undo').disabled = !mine || shown.no_way_back !== null;
  by('undo-why').textContent = mine && shown.no_way_back ? `${capital(shown.no_way_back)}.` : '';
}

/** What has the focus, so that it can be given back to what stands in its place after the page was drawn anew. */
function hold() {
  const held = document.activeElement;
  const place = held?.closest?.('.target')?.dataset.place;
  if (place) [page.near, page.onBoard] = [place, true];
  const card = held?.closest?.('[data-card]')?.dataset.card;
  return () => {
    if (document.activeElement !== document.body && document.activeElement !== by('do')) return;
    if (page.onBoard) document.querySelector('.target[tabindex="0"]')?.focus();
    else if (card) document.querySelector(`[data-card="${CSS.escape(card)}"]`)?.focus();
  };
}

function drawBoard() {
  const { shown } = page;
  const entries = shown.groups.flatMap((group) => group.entries);
  const { near } = page;
  page.zoom.hold();
  replace(by('board'), page.table.board({ view: shown.view, entries, prices: shown.table.prices, pick, near, isNumbered: by('numbers').checked }));
  page.zoom.fit();
}

async function draw(shown) {
  const first = shown.steps - shown.told.length;
  // What was taken back is told no more: all is told again.
  if (first > 0 && shown.steps < page.steps) {
    page.shown = null;
    page.steps = 0;
    return look();
  }
  if (first === 0) {
    page.news.clear();
    if (page.steps > 0) await meet();
  }
  const giveBack = hold();
  page.shown = shown;
  page.news.add(shown.told, first, shown.last_choice);
  page.steps = shown.steps;
  kept();
  const mine = shown.asked === page.seat;
  const entries = shown.groups.flatMap((group) => group.entries);
  by('status').textContent = headline(shown);
  by('status').dataset.state = shown.outcome ? 'over' : mine ? 'asked' : 'waits';
  document.title = `${mine ? '● ' : ''}${gameName(page.about.game)} – Fairhaven`;
  drawBoard();
  replace(by('hand'), page.table.hand({ view: shown.view, entries, pick }));
  replace(by('prices'), page.table.prices(shown.table.prices));
  replace(by('seats'), page.table.seats(shown.table.lines, { own: page.seat, asked: shown.asked }));
  replace(by('lines'), page.table.rest(shown.table.lines));
  drawQuestion(shown, mine);
  page.list.show(shown.groups);
  replace(by('offer'), offerForm({ shown, catalogue: page.described.catalogue, write }));
  by('do').hidden = shown.outcome !== null;
  replace(by('advice'));
  if (shown.outcome) over(shown.outcome);
  else [by('end').hidden, page.verdict] = [true, false];
  giveBack();
  return undefined;
}

async function look() {
  const shown = await transport.shown(page.seat, page.steps);
  if (shown) await draw(shown);
}

/** Changes the match, and shows what follows; a second click while one is under way does nothing. */
async function act(change) {
  if (page.busy || page.fault) return;
  page.busy = true;
  trouble();
  document.body.classList.add('busy');
  const inList = by('find') === document.activeElement;
  await tried(async () => {
    try {
      await draw(await change());
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 412) throw error;
      await look();
      throw error;
    }
  });
  page.busy = false;
  document.body.classList.remove('busy');
  settle(inList);
}

/** The focus stays where people type; where what had it is gone, it goes to what may be done. */
function settle(inList) {
  handOver();
  if (page.shown?.outcome || by('match').hidden) return;
  if (inList) by('find').focus();
  else if (document.activeElement === document.body) by('do').focus({ preventScroll: true });
}

const choose = ({ place }) => act(() => transport.choose(page.seat, place, page.steps));
const write = (action) => {
  page.written = action;
  return act(() => transport.chooseWritten(page.seat, action, page.steps));
};
const undo = () => (by('undo').disabled ? page.list.say(by('undo-why').textContent) : act(() => transport.undo(page.seat, page.steps)));
const again = () => act(() => transport.again(page.seat));

async function pick(entries) {
  if (entries.length === 1) return choose(entries[0]);
  const options = entries.map((entry) => ({ label: `${entry.number}. ${inFull(entry)}`, value: entry }));
  const entry = await ask('Which one?', options);
  return entry ? choose(entry) : undefined;
}

function command(typed) {
  const word = typed.toLowerCase();
  if (word === 'undo') return undo();
  if (word === 'why') return why();
  try {
    return write(JSON.parse(typed));
  } catch {
    return page.list.say('That is no action as records write it.');
  }
}

/** What a search would do: it takes seconds, and says so every second. */
async function why() {
  if (by('why').disabled) return;
  by('why').disabled = true;
  const [box, began] = [by('advice'), Date.now()];
  const words = h('p', {}, 'A search is thinking …');
  replace(box, words, h('progress', { 'aria-label': 'A search is thinking' }));
  const clock = setInterval(() => { words.textContent = `A search is thinking … ${Math.round((Date.now() - began) / 1000)} s`; }, 1000);
  const asked = page.shown;
  let advice = null;
  await tried(async () => { advice = await transport.why(page.seat); });
  clearInterval(clock);
  by('why').disabled = page.shown?.asked !== page.seat;
  replace(box, advice && page.shown && asked === page.shown && advised(advice));
}

function advised({ adviser, searches, actions }) {
  // What it has looked at most, the best first.
  const known = actions.slice(0, 5).filter(({ chance }) => chance !== null).sort((a, b) => b.chance.value - a.chance.value);
  const best = known[0]?.chance.value ?? 0;
  const entries = page.shown.groups.flatMap((group) => group.entries);
  const interval = (chance) => {
    const [low, high] = chance.interval ?? [chance.lo, chance.hi];
    // Of searches that agree to the last digit shown, no interval.
    return low === undefined || percent(low) === percent(high) ? '' : ` (${percent(low)} to ${percent(high)})`;
  };
  const hasInterval = known.some(({ chance }) => interval(chance) !== '');
  const tries = /iterations=(\d+)/.exec(adviser)?.[1];
  return h('section', { class: 'advice' }, h('h3', {}, 'What a search would do'),
    h('ol', { class: 'plain' }, known.map(({ action, chance, chosen }) => {
      const entry = entries.find(({ words }) => words === action);
      return h('li', {}, h('strong', {}, entry ? `${entry.number}. ${inFull(entry)}` : action),
        `: wins ${percent(chance.value)}${interval(chance)}`,
        best - chance.value > 0.0005 && `, ${(100 * (best - chance.value)).toFixed(1)} percentage points less`,
        `; first choice of ${chosen} of ${searches} searches`);
    })),
    h('p', { class: 'quiet' }, `${tries ? `A search of ${tries} tries` : 'A search'} (${adviser}), asked ${searches} times, knows what you know. It chooses what it has looked at most.`,
      hasInterval && ' What stands in brackets is an interval: how sure it is of its figure, not how right that is.'));
}

// Points that only their owner saw before the end.
function unseen(seat) {
  const count = page.shown?.hidden_points?.[seat - 1] ?? 0;
  return count === 0 ? '' : `, ${count} of them hidden until now`;
}

function over(outcome) {
  by('end').hidden = false;
  if (page.verdict) return;
  page.verdict = true;
  const name = (seat) => (seat === page.seat ? 'you' : agentName(page.about.names[seat - 1] ?? ''));
  const who = outcome.winner === page.seat ? 'You win.' : outcome.winner ? `Seat ${outcome.winner} (${name(outcome.winner)}) wins.` : `Nobody wins: ${plain(outcome.end)}.`;
  const words = h('p', {}, 'How it went is being judged …');
  replace(by('end-words'), h('p', { class: 'big' }, who),
    h('ul', { class: 'plain' }, outcome.points.map((points, idx) => h('li', {}, `Seat ${idx + 1} (${name(idx + 1)}): ${many(points, 'point')}${unseen(idx + 1)}`))),
    words);
  by('end-title').focus();
  tried(async () => {
    const { lines } = await transport.verdict(page.seat);
    words.replaceWith(h('div', { class: 'verdict' }, lines.map((line) => h('p', {}, line))));
  });
}

/** Between two players before one browser: nobody's cards are shown until the next one says so. */
function handOver() {
  const asked = page.shown?.asked;
  if (!several() || !asked || asked === page.seat || !isOurs(asked)) return;
  screen(asked);
}

function screen(seat) {
  page.seat = null;
  page.shown = null;
  page.steps = 0;
  for (const id of ['board', 'hand', 'prices', 'seats', 'lines', 'actions', 'offer', 'question', 'cue', 'proposal', 'undo-why', 'advice']) replace(by(id));
  page.news.clear();
  by('match').hidden = true;
  by('gate').hidden = false;
  by('gate-title').textContent = `Seat ${seat} is to move`;
  by('gate-words').textContent = 'Hand the screen over. Nobody’s cards are shown until you say so.';
  by('gate-open').onclick = () => open(seat).then(() => by('do').focus({ preventScroll: true }));
  by('gate-title').focus();
}

async function open(seat) {
  page.seat = seat;
  page.steps = 0;
  page.verdict = false;
  by('gate').hidden = true;
  by('match').hidden = false;
  by('where').textContent = `Seat ${seat} of ${page.about.names.length}`;
  await tried(look);
}

/** Looks again and again while others are to move; never while the page is hidden or something is under way. */
async function follow() {
  let wait = SOON;
  for (;;) {
    await pause(wait);
    if (page.fault) return;
    const idle = page.seat === null || page.busy || document.hidden;
    if (idle) {
      wait = LATER;
      continue;
    }
    const before = page.shown;
    // Somebody who plays the same seat elsewhere may have moved, so one's own turn is looked at as well, less often.
    await tried(look);
    handOver();
    const mine = page.shown?.asked === page.seat;
    // When the match is over, somebody else may begin the next one.
    const waits = mine || page.shown?.outcome;
    wait = page.shown !== before && !waits ? SOON : waits ? 4 * LATER : Math.min(2 * wait, LATER);
  }
}

/** Who sits where, and where the record is: another one with each match. */
async function meet() {
  page.about = await transport.table();
}

/** Where the record is, and how to go on with a match that is not over. */
function kept() {
  const { record, resume } = page.about;
  const later = page.shown?.outcome ? '' : ` To go on later: ${resume}`;
  by('kept').textContent = record ? `Every choice is kept in ${record}.${later}` : '';
}

/** What listens for as long as the page is open. */
function listen() {
  by('match').classList.toggle('cards', !page.table.hasIsland);
  by('why').addEventListener('click', why);
  by('undo').addEventListener('click', undo);
  by('again').addEventListener('click', again);
  by('numbers').addEventListener('change', drawBoard);
  by('numbers-box').hidden = !page.table.hasIsland;
  followPlaces(by('match'), (places) => page.table.point(places));
  by('match').addEventListener('focusin', ({ target }) => {
    page.onBoard = target.closest('.target') !== null || (page.onBoard && target === by('do'));
  });
}

async function begin() {
  await meet();
  page.described = await transport.describe();
  page.table = new Table(page.described, page.about.names);
  page.news ??= new News(by('news'));
  page.zoom ??= new Zoom(by('board'), by('zoom'), by('zoom-hint'));
  page.list ??= new ActionList({ choose, command });
  by('title').textContent = gameName(page.about.game);
  const { primer = [] } = page.described;
  by('primer').hidden = primer.length === 0;
  replace(by('primer-words'), primer.map((words) => h('p', {}, words)));
  if (!page.listens) listen();
  page.listens = true;
  const [first] = page.about.seats;
  if (!several()) return open(first);
  const { asked } = await transport.shown(first, 0);
  return screen(isOurs(asked) ? asked : first);
}

/** Until the program answers. */
async function start() {
  while (!await tried(begin)) {
    if (page.fault) return;
    await pause(2 * LATER);
  }
  follow();
}

start();
