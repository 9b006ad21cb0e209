// The engine in a worker: one match at a time, played step by step, and kept as it grows. A call is a message
// `{id, call, words}`; its answer is `{id, value}` or `{id, reason}`. While others play, notes `{note}` tell what the
// person is shown, and that somebody thinks.

import init, * as engine from "./engine/engine.js";
import * as kept from "./kept.js";

/** How often a person is shown what others do, in milliseconds. */
const SHOWN_EVERY = 150;

/** The match that is open: its name, the engine's part, and the seats of people. */
let at;

const file = new URL("./engine/engine_bg.wasm", import.meta.url);
const ready = init({ module_or_path: file }).then(() => engine.begin());

/** What came of a call that returns JSON. */
const read = (text) => JSON.parse(text);

/** The open match. */
function open() {
  if (!at) throw new Error("no match is open");
  return at;
}

/** Keeps the record as it is. */
async function keep() {
  const { name, table, sitting } = open();
  const { game, names } = sitting;
  await kept.keep({ name, game, names, over: table.is_over(), record: table.record() });
}

/** Sits down at a match. A match that another tab plays is left alone, since each would undo what the other keeps. */
async function sit(name, table) {
  if (at?.name !== name) {
    const release = await lock(name).catch((refused) => {
      table.free();
      throw refused;
    });
    at?.release();
    at?.table.free();
    at = { name, release };
  } else {
    at.table.free();
  }
  at = { ...at, table, sitting: read(table.sitting()) };
  await keep();
  return { name, ...at.sitting };
}

/** Takes the one right to play a match; gives what gives it back. Where browsers have no locks, nobody is kept out. */
function lock(name) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    navigator.locks.request(`fairhaven ${name}`, { ifAvailable: true }, (held) => {
      if (held) return new Promise((release) => resolve(release));
      reject(new Error(`${name} is played in another tab`));
      return undefined;
    });
  });
}

/** Lets messages in between two steps. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Plays until a person is asked or the match is over, and tells now and then what has happened. */
async function advance(seat, since) {
  const { table } = open();
  let told = performance.now();
  while (table.step()) {
    if (performance.now() - told < SHOWN_EVERY) continue;
    self.postMessage({ note: "step", shown: read(table.shown(seat, since)) });
    await pause();
    if (at?.table !== table) throw new Error("another match was opened");
    told = performance.now();
  }
  await keep();
  return read(table.shown(seat, since));
}

const calls = {
  offer: () => read(engine.offer()),
  matches: kept.matches,
  record: async (name) => (await kept.match(name))?.record,
  forget: kept.forget,
  async deal(asked) {
    const table = engine.SeatedMatch.deal(JSON.stringify(asked));
    return sit(await kept.freeName(asked.game), table);
  },
  async resume(name) {
    const match = await kept.match(name);
    if (!match) throw new Error(`no match ${name} is kept here`);
    return sit(name, engine.SeatedMatch.take_up(match.record));
  },
  async load(record) {
    const table = engine.SeatedMatch.take_up(record);
    return sit(await kept.freeName(read(table.sitting()).game), table);
  },
  sitting: () => ({ name: open().name, ...open().sitting }),
  described: () => read(open().table.described()),
  places: () => open().table.places() ?? null,
  shown: (seat, since) => read(open().table.shown(seat, since)),
  advance,
  async choose(seat, place) {
    open().table.choose(seat, place);
    await keep();
  },
  async choose_written(seat, action) {
    open().table.choose_written(seat, action);
    await keep();
  },
  async take_back(seat) {
    open().table.take_back(seat);
    await keep();
  },
  why: (seat) => read(open().table.why(seat)),
  verdict: (seat) => read(open().table.verdict(seat)),
  digests: (game, agents, matches, seed) => engine.digests(game, agents, matches, seed),
};

self.onmessage = async ({ data: { id, call, words } }) => {
  try {
    await ready;
    self.postMessage({ id, value: await calls[call](...words) });
  } catch (error) {
    // What is no refusal of ours leaves the engine in no state to go on.
    const broken = error instanceof WebAssembly.RuntimeError || /^panicked at /.test(error.message);
    self.postMessage({ id, reason: error.message, broken });
  }
};
