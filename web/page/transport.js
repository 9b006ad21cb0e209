// Where a page gets its match from: this one asks the program that serves it. A page whose engine lives in the browser has
// another module of this name, with the same methods and the same answers (docs/page.md).

/** Something was not done; `status` says why: 412 the match has gone on, 409 the rules, 500 the match can't go on, 403 no
 * key. */
export class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

/** Nobody answers. */
export class Gone extends Error {}

const base = new URL('api/', document.baseURI);
/** By seat, which state of the match was shown last. */
const tags = new Map();

async function call(path, options = {}) {
  let response;
  try {
    response = await fetch(new URL(path, base), { cache: 'no-store', redirect: 'error', ...options });
  } catch (error) {
    throw new Gone(String(error));
  }
  if (response.status === 304) return { response, value: null };
  let value = null;
  try {
    value = await response.json();
  } catch (error) {
    throw new Gone(String(error));
  }
  if (response.status === 503) throw new Gone(value.error);
  if (!response.ok) throw new Refused(response.status, value.error ?? 'the program says nothing');
  // What is no fault of the page has no status of its own, so that no console complains of it.
  if (value.refused) throw new Refused(value.refused, value.error);
  return { response, value };
}

const get = async (path) => (await call(path)).value;

function post(path, body) {
  const headers = { 'Content-Type': 'application/json', 'If-Match': tags.get(body.seat) ?? '"v0"' };
  return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function change(path, body) {
  const { response, value } = await post(path, body);
  tags.set(body.seat, response.headers.get('ETag'));
  return value;
}

export const transport = {
  /** Who sits where: { game, names, persons, seats, record, resume }, or { game, title, names } of a match to watch. */
  table: () => get('table'),
  /** The game, its rules, and the catalogue of words and places. */
  describe: () => get('game'),
  /** What a seat is shown; null if nothing has changed since it was shown last. `since` 0 asks for all. */
  async shown(seat, since) {
    const tag = since > 0 ? tags.get(seat) : undefined;
    const headers = tag ? { 'If-None-Match': tag } : {};
    const { response, value } = await call(`shown?seat=${seat}&since=${since}`, { headers });
    if (value) tags.set(seat, response.headers.get('ETag'));
    return value;
  },
  /** Does what stands at a place of the game's list; answers what the seat is shown then. */
  choose: (seat, place, since) => change('choose', { seat, place, since }),
  /** Does an action as records write it. */
  chooseWritten: (seat, action, since) => change('choose', { seat, action, since }),
  /** Takes the last choice back. */
  undo: (seat, since) => change('undo', { seat, since }),
  /** Deals the next match, once this one is over: the same seats and rules, the next seed. */
  again: (seat) => change('again', { seat }),
  /** What a search would do: { adviser, searches, actions }. It takes seconds. */
  why: async (seat) => (await post('why', { seat })).value,
  /** How a match that is over went for a seat: { lines }. It takes seconds. */
  verdict: async (seat) => (await post('verdict', { seat })).value,
  /** A match to watch, by the eyes of a seat or of `all`. */
  match: (eyes) => get(`match?eyes=${eyes}`),
  /** Each seat's chance to win: { chances }, or { judged } while it is computed. */
  chances: () => get('chances'),
  /** What choices cost: { mistakes, judge, judged }, or { judged } while it is computed. */
  mistakes: () => get('mistakes'),
};
