// Where a page gets its match from, if the engine lives in the browser: the methods and answers of the module of this name
// in web/page/, by a worker in place of a server. The address names the match: `#NAME` of one that is kept, or what is to
// be dealt.

import { Engine } from "./engine_client.js";
import * as kept from "./kept.js";

/** Something was not done; `status` says why: 412 the match has gone on, 409 the rules, 404 there is no such match. */
export class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

/** The engine has broken; it is begun again with the next call. */
export class Gone extends Error {}

const engine = new Engine();
/** Mistakes take seconds to find, in which another engine answers everything else. */
const judge = new Engine();
/** By seat, which state of the match was shown last. */
const versions = new Map();

const name = () => decodeURIComponent(location.hash.slice(1));

async function call(of, what, ...words) {
  try {
    return await of.call(what, ...words);
  } catch (error) {
    if (error.broken) throw new Gone(error.message);
    throw new Refused(error.status ?? 500, error.message);
  }
}

/** What the address asks to be dealt. */
function asked() {
  const words = new URLSearchParams(location.search);
  const numbers = (word) => words.get(word)?.split(",").map(Number);
  return {
    game: words.get("game"),
    agents: words.get("agents") ?? undefined,
    seats: numbers("seats"),
    players: numbers("players")?.[0],
    seed: words.get("seed") ?? undefined,
  };
}

/** Sits down: at a match that is kept, or at one that is dealt now, which the address names from then on. */
async function sit() {
  versions.clear();
  if (name()) return call(engine, "resume", name());
  const sitting = await call(engine, "deal", asked());
  history.replaceState(null, "", `${location.pathname}#${encodeURIComponent(sitting.name)}`);
  return sitting;
}

/** A call about the match that is played: an engine that was begun again takes it up from its record first. */
async function play(what, ...words) {
  if (engine.isNew) await sit();
  return call(engine, what, ...words);
}

function take(seat, answer) {
  if (answer === null) return null;
  versions.set(seat, answer.version);
  return answer.shown;
}

const change = async (what, seat, ...words) => take(seat, await play(what, seat, ...words, versions.get(seat)));

/** Saves the record as a file. */
async function download(event) {
  event.preventDefault();
  const { record } = await kept.match(name());
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([record], { type: "application/x-ndjson" }));
  link.download = `play-${name()}.jsonl`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Ways out of a page that has no server behind it. */
function addLinks() {
  const link = (words, href, act) => Object.assign(document.createElement("a"), { textContent: words, href, onclick: act });
  const links = document.createElement("nav");
  links.setAttribute("aria-label", "Matches");
  links.append(link("All matches", "./"), " · ", link("Download the record", "#", download));
  document.querySelector("header").append(links);
}
addLinks();

export const transport = {
  async table() {
    // Who sits where is asked again when the next match has begun.
    const isOpen = versions.size > 0 && !engine.isNew;
    const { game, names, persons } = isOpen ? await call(engine, "sitting") : await sit();
    const [record, resume] = ["this browser", "the page “All matches”"];
    return { game, names, persons, seats: persons, record, resume };
  },
  describe: () => (location.pathname.endsWith("watch.html") ? call(engine, "watched_described") : play("described")),
  shown: async (seat, since) => take(seat, await play("shown", seat, since, since > 0 ? versions.get(seat) : undefined)),
  choose: (seat, place, since) => change("choose", seat, place, since),
  chooseWritten: (seat, action, since) => change("write", seat, JSON.stringify(action), since),
  undo: (seat, since) => change("undo", seat, since),
  async again(seat) {
    const sitting = await play("again");
    history.replaceState(null, "", `${location.pathname}#${encodeURIComponent(sitting.name)}`);
    versions.clear();
    return take(seat, await call(engine, "shown", seat, 0));
  },
  why: (seat) => play("why", seat),
  verdict: (seat) => play("verdict", seat),
  match: (eyes) => call(engine, "watched", eyes === "all" ? 0 : Number(eyes)),
  chances: () => call(engine, "chances"),
  async mistakes() {
    await call(judge, "watch", name());
    return call(judge, "mistakes");
  },
};

if (location.pathname.endsWith("watch.html")) transport.table = () => call(engine, "watch", name());
