// What somebody means by what they type: the rules of the terminal (src/sim/guests/menu.rs, with which tests/data/find.json compares it).

const FILLERS = new Set(['a', 'all', 'an', 'and', 'at', 'by', 'card', 'cards', 'for', 'from', 'hex', 'in', 'of', 'seat', 'the', 'to', 'with']);
const NEEDLESS = new Set(['a', 'an', 'and', 'at', 'the', 'to']);
/** Words before the number of a place of a board. */
const PLACES = new Set(['at', 'from', 'hex', 'to']);
/** Words that say that a typed number is that of a place. */
const NAMES_PLACE = new Set(['at', 'place']);

const tokens = (text) => text.toLowerCase().split(/[\s,;.+:]+/).filter((word) => word !== '');

/** Whether a typed word is a word of an action or its beginning; numbers are never cut. */
const isMeant = (typed, word) => (/^[0-9]/.test(word) ? typed === word : word.startsWith(typed));

/** How many words that matter were not typed; -1 if the action doesn't have all that was typed, in its order. */
function left(typed, action) {
  const rest = typed.filter((word) => !NEEDLESS.has(word) || action.includes(word));
  let [at, missing] = [0, 0];
  for (const word of action) {
    if (at < rest.length && isMeant(rest[at], word)) at += 1;
    else if (!FILLERS.has(word)) missing += 1;
  }
  return at === rest.length ? missing : -1;
}

/** The same words with numbers of things that follow one another in one order: `1 lumber + 1 brick` is `1 brick + 1 lumber`. */
function sorted(words) {
  const all = [];
  for (let at = 0; at < words.length;) {
    const things = [];
    while (isNumber(words[at]) && at + 1 < words.length && !isNumber(words[at + 1])) {
      things.push([words[at + 1], words[at]]);
      at += 2;
    }
    const order = ([a, few], [b, many]) => (a === b ? compare(few, many) : compare(a, b));
    all.push(...things.sort(order).flatMap(([thing, count]) => [count, thing]));
    if (things.length === 0) all.push(words[at++]);
  }
  return all;
}

const isNumber = (word) => /^[0-9]+$/.test(word ?? '');
const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** Entries that name a place or a card by a number which is none of the list, if that is all that was typed. */
export function naming(entries, text) {
  const [word, ...more] = tokens(text);
  if (more.length > 0 || !/^[0-9]+$/.test(word ?? '') || find(entries, text).one) return [];
  return entries.filter((entry) => tokens(entry.words).includes(word));
}

/** The numbers of the places of a board that an entry names. */
function placesOf({ words }) {
  const all = tokens(words);
  return all.filter((word, at) => at > 0 && PLACES.has(all[at - 1]) && /^[0-9]+$/.test(word));
}

/** The last entry that names a place, and its number; null if there is none. */
export function lastPlace(entries) {
  const entry = entries.findLast((one) => placesOf(one).length > 0);
  return entry ? { entry, place: placesOf(entry).at(-1) } : null;
}

/** Whether a number that was typed alone, and is on the list, is also that of a place which other entries name. */
export function isPlaceToo(entries, text, meant) {
  const [word, ...more] = tokens(text);
  return more.length === 0 && /^[0-9]+$/.test(word ?? '') && entries.some((entry) => entry !== meant && placesOf(entry).includes(word));
}

/** The entries that fit what was typed, and the one that is meant, if there is one. */
export function find(entries, text) {
  const typed = tokens(text);
  if (typed.length === 0) return { fitting: text.trim() === '' ? entries : [], one: null };
  if (typed.length === 1 && /^[0-9]+$/.test(typed[0])) {
    const one = entries.find((entry) => entry.number === Number(typed[0])) ?? null;
    return { fitting: one ? [one] : [], one };
  }
  if (typed.length === 2 && NAMES_PLACE.has(typed[0]) && /^[0-9]+$/.test(typed[1])) {
    const fitting = entries.filter((entry) => placesOf(entry).includes(typed[1]));
    return { fitting, one: fitting.length === 1 ? fitting[0] : null };
  }
  const fitting = (order) => entries.map((entry) => [entry, left(order(typed), order(tokens(entry.words)))]).filter(([, count]) => count >= 0);
  let found = fitting((words) => words);
  // Cards of a price or an offer may stand in any order.
  if (found.length === 0) found = fitting(sorted);
  const whole = found.filter(([, count]) => count === 0);
  const one = found.length === 1 ? found[0][0] : whole.length === 1 ? whole[0][0] : null;
  return { fitting: found.map(([entry]) => entry), one };
}
