// The records that this browser keeps, in IndexedDB: each match from its first move on, under a name. Nothing leaves the
// browser.

const STORE = "matches";

/** What a request of the database has found, once it is done. */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let opened;

/** The store, for a transaction of a kind. */
async function store(kind) {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("fairhaven", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "name" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds the store of matches"));
  });
  return (await opened).transaction(STORE, kind).objectStore(STORE);
}

/** All matches without their records, the one that was played last first. */
export async function matches() {
  const all = await done((await store("readonly")).getAll());
  const short = all.map(({ record, ...match }) => ({ ...match, bytes: record.length }));
  return short.sort((a, b) => b.changed - a.changed);
}

/** A match with its record; nothing if there is none of that name. */
export async function match(name) {
  return done((await store("readonly")).get(name));
}

/** Keeps a match in place of what is kept under its name. */
export async function keep(match) {
  await done((await store("readwrite")).put({ ...match, changed: Date.now() }));
}

/** Forgets a match. */
export async function forget(name) {
  await done((await store("readwrite")).delete(name));
}

/** A name for a new match that nothing is kept under. */
export async function freeName(game) {
  const taken = new Set(await done((await store("readonly")).getAllKeys()));
  for (let number = 1; ; number += 1) {
    const name = `${game}-${number}`;
    if (!taken.has(name)) return name;
  }
}
