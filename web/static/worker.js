// The engine in a worker: one match at a time, played step by step, and kept as it grows. A call is a message
// `{id, call, words}`; its answer is `{id, value}`, or `{id, reason, status}` with a status as in docs/page.md.

import init, * as engine from "./engine/engine.js";
import * as kept from "./kept.js";

/** How long steps are played before messages are looked at, in milliseconds. */
const SLICE = 25;
/** How long an answer waits for what the others do next; after that the page asks again. */
const PATIENCE = 400;
/** How often the record is kept while others play. */
const KEPT_EVERY = 500;

/** What is not done, and why: 409 the rules, 412 the match has gone on. */
class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

const file = new URL("./engine/engine_bg.wasm", import.meta.url);
const ready = init({ module_or_path: file }).then(() => engine.begin());

/** The match that is played: its name, the engine's part, who sits where, and a number that rises with each change. */
let at = null;
/** The match that is watched. */
let watched = null;

const read = (text) => JSON.parse(text);
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

function open() {
  if (!at) throw new Refused(404, "no match is open");
  if (at.fault) throw at.fault;
  return at;
}

async function keep({ name, table, sitting }) {
  const { game, names } = sitting;
  await kept.keep({ name, game, names, over: table.is_over(), record: table.record() });
}

/** Takes the one right to play a match: two tabs would undo what the other keeps. Where browsers have no locks, nobody is
 * kept out. */
function lock(name) {
  if (!navigator.locks) return Promise.resolve();
  return new Promise((resolve, reject) => {
    navigator.locks.request(`fairhaven ${name}`, { ifAvailable: true }, (held) => {
      if (!held) return reject(new Refused(409, `${name} is played in another tab`));
      resolve();
      // Held until this worker ends.
      return new Promise(() => {});
    });
  });
}

async function sit(name, table) {
  await lock(name);
  at?.table.free();
  at = { name, table, sitting: read(table.sitting()), version: 1, quiet: null, fault: null };
  await keep(at);
  goOn(at);
  return { name, ...at.sitting };
}

/** Plays until a person is asked or the match is over; meanwhile messages are answered. */
function goOn(match) {
  const ended = (fault) => Object.assign(match, { fault, quiet: null });
  match.quiet ??= play(match).then(() => ended(null), ended);
  return match.quiet;
}

async function play(match) {
  let [looked, saved] = [performance.now(), performance.now()];
  let kept = 0;
  // Somebody who was asked may choose while the record is being kept: then the others are to move again.
  while (kept !== match.version) {
    while (match.table.step()) {
      match.version += 1;
      if (performance.now() - looked < SLICE) continue;
      await pause();
      looked = performance.now();
      if (looked - saved > KEPT_EVERY) {
        await keep(match);
        saved = performance.now();
      }
    }
    kept = match.version;
    await keep(match);
  }
}

/** What a seat is shown, and which state of the match that is. */
function scene(seat, since) {
  const { table, version } = open();
  return { version, shown: read(table.shown(seat, since)) };
}

/** Changes the match, if it is as the page has it, and waits a moment for what follows. */
async function change(seat, since, known, work) {
  const match = open();
  if (match.version !== known) throw new Refused(412, "the match has gone on; look again");
  work(match.table);
  match.version += 1;
  await Promise.race([goOn(match), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  return scene(seat, since);
}

const calls = {
  /** Deals a match and sits down at it. */
  async deal(asked) {
    const table = engine.SeatedMatch.deal(JSON.stringify(asked));
    return sit(await kept.freeName(asked.game), table);
  },
  /** Goes on with a match that is kept. */
  async resume(name) {
    const match = await kept.match(name);
    if (!match) throw new Refused(404, `no match ${name} is kept in this browser`);
    return sit(name, engine.SeatedMatch.take_up(match.record));
  },
  /** Keeps a record that somebody brings, if it is one that can be taken up; gives its name. */
  async load(record) {
    const table = engine.SeatedMatch.take_up(record);
    const sitting = read(table.sitting());
    const name = await kept.freeName(sitting.game);
    await keep({ name, table, sitting });
    table.free();
    return name;
  },
  /** Deals the next match, once this one is over. */
  async again() {
    const { table, sitting, quiet } = open();
    await quiet;
    if (!table.is_over()) throw new Refused(409, "the match goes on");
    return sit(await kept.freeName(sitting.game), table.next());
  },
  sitting: () => open().sitting,
  described: () => read(open().table.described()),
  shown: (seat, since, known) => (known === open().version ? null : scene(seat, since)),
  choose: (seat, place, since, known) => change(seat, since, known, (table) => table.choose(seat, place)),
  write: (seat, action, since, known) => change(seat, since, known, (table) => table.choose_written(seat, action)),
  undo: (seat, since, known) => change(seat, since, known, (table) => table.take_back(seat)),
  why: (seat) => read(open().table.why(seat)),
  verdict: (seat) => read(open().table.verdict(seat)),
  /** Opens a match that is kept, to be watched. */
  async watch(name) {
    const match = await kept.match(name);
    if (!match) throw new Refused(404, `no match ${name} is kept in this browser`);
    watched?.free();
    watched = engine.WatchedMatch.open(match.record);
    return { game: match.game, title: name, names: read(watched.names()) };
  },
  watched_described: () => read(watched.described()),
  watched: (eyes) => read(watched.watched(eyes)),
  chances: () => read(watched.chances()),
  mistakes: () => read(watched.mistakes()),
  offer: () => read(engine.offer()),
  digests: (game, agents, matches, seed) => engine.digests(game, agents, matches, seed),
};

self.onmessage = async ({ data: { id, call, words } }) => {
  try {
    await ready;
    self.postMessage({ id, value: await calls[call](...words) });
  } catch (error) {
    // What is no refusal leaves the engine in no state to go on.
    const broken = error instanceof WebAssembly.RuntimeError || /^panicked at /.test(error.message);
    self.postMessage({ id, reason: error.message, status: error.status ?? 409, broken });
  }
};
