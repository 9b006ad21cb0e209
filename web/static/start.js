// The start page: which game, how many play, who sits where; and the matches that this browser keeps. It needs no engine,
// so it stands at once; a record that somebody brings is checked by one.

import { Engine } from "./engine_client.js";
import * as kept from "./kept.js";
import { by, h, replace } from "./dom.js";
import { capital, gameName, many } from "./words.js";

/** The largest record that is read. */
const RECORD_MAX = 8 << 20;

const upTo = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

function trouble(words) {
  replace(by("trouble"), words && h("p", {}, words));
}

/** Runs something, and says what went wrong. */
async function tried(work) {
  trouble("");
  try {
    await work();
  } catch (error) {
    trouble(error.message);
  }
}

/** Fills a list to choose from. */
function fill(id, values, chosen, words = String) {
  replace(by(id), values.map((value) => h("option", { value, selected: value === chosen }, words(value))));
}

/** Shows what can be chosen for the game that is chosen. */
function showChoices(games) {
  const game = games.find(({ name }) => name === by("game").value);
  by("about").textContent = `${capital(game.about)}. ${game.players[0] === game.players[1] ? game.players[0] : game.players.join(" to ")} players.`;
  fill("players", upTo(...game.players), game.usual);
  showChairs(game);
}

/** What a seat is called that a person takes. */
const PERSON = "person";

const chairs = () => [...document.querySelectorAll("#chairs select")].map(({ value }) => value);

/** A choice for each seat: what was chosen stays, and the first seat is a person's unless somebody says otherwise. */
function showChairs({ levels, level }) {
  const before = chairs();
  const wanted = (at) => before[at] ?? (at === 0 ? PERSON : level);
  const options = (at) => [PERSON, ...levels].map((value) =>
    h("option", { value, selected: value === wanted(at) }, value === PERSON ? "a person" : value));
  replace(by("chairs"), upTo(1, Number(by("players").value)).map((seat, at) =>
    h("p", {}, h("label", { for: `chair-${seat}` }, `Seat ${seat}`), " ", h("select", { id: `chair-${seat}` }, options(at)))));
}

/** Goes to the page of a match. */
function go(page, name) {
  location.href = `${page}#${encodeURIComponent(name)}`;
}

async function download(name) {
  const { record } = await kept.match(name);
  const link = h("a", { href: URL.createObjectURL(new Blob([record], { type: "application/x-ndjson" })), download: `play-${name}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function forget(name) {
  await kept.forget(name);
  await showKept();
  by("kept-title").scrollIntoView();
}

/** A button about a match. */
function button(words, name, act) {
  return h("button", { type: "button", class: "act", "aria-label": `${words}: ${name}`, onclick: () => tried(() => act(name)) }, words);
}

async function showKept() {
  const item = ({ name, game, names, over, changed }) => h("li", {},
    h("strong", {}, name), ` ${gameName(game)}, ${many(names.length, "player")}, ${over ? "over" : "not over"}, ${new Date(changed).toLocaleString()}`,
    h("div", { class: "row" },
      button(over ? "See the end" : "Go on", name, () => go("play.html", name)),
      over && button("Watch", name, () => go("watch.html", name)),
      button("Download", name, download), button("Forget", name, forget)));
  const matches = await kept.matches();
  replace(by("kept"), matches.length > 0 ? matches.map(item) : h("li", { class: "quiet" }, "None yet."));
}

/** A match of its own for whoever names no seed. */
function anySeed() {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}

function deal(event) {
  event.preventDefault();
  const words = new URLSearchParams(new FormData(by("deal")));
  const sitting = chairs();
  const people = sitting.flatMap((who, at) => (who === PERSON ? [at + 1] : []));
  if (people.length === 0) return trouble("Somebody must play: choose a person for one of the seats.");
  words.set("seats", people);
  const others = sitting.filter((who) => who !== PERSON);
  if (others.length > 0) words.set("agents", others);
  if (!words.get("seed")) words.set("seed", anySeed());
  location.href = `play.html?${words}`;
  return undefined;
}

/** Looks through records. */
const engine = new Engine();

async function load() {
  const [file] = by("file").files;
  if (!file) return;
  by("said").textContent = `${file.name} is being checked …`;
  try {
    if (file.size > RECORD_MAX) throw new Error("it is larger than any record of a match");
    await engine.call("load", await file.text());
    by("said").textContent = `${file.name} is kept here.`;
    await showKept();
  } catch (error) {
    by("said").textContent = `${file.name} is not taken up: ${error.message}.`;
  }
  by("file").value = "";
}

async function begin() {
  const { games } = await (await fetch(new URL("offer.json", import.meta.url))).json();
  fill("game", games.map(({ name }) => name), "base", (name) => games.find((game) => game.name === name).title);
  showChoices(games);
  const chosen = () => games.find(({ name }) => name === by("game").value);
  by("game").addEventListener("change", () => showChoices(games));
  by("players").addEventListener("change", () => showChairs(chosen()));
  by("deal").addEventListener("submit", deal);
  by("file").addEventListener("change", load);
  by("sit").disabled = false;
  await showKept();
}

tried(begin);
