// The start page: which game, which level, where one sits; and the matches that this browser keeps.

import { Engine } from "./engine_client.js";
import { play } from "./table.js";

const find = (id) => document.getElementById(id);
let hears = () => {};
const engine = new Engine((note) => hears(note));

/** Names of games as people write them. */
const TITLES = {
  "on-the-road": "On the Road",
  base: "Base game",
  struggle: "Struggle for Catan",
  "two-player": "Two players",
  boats: "Boats",
};
const title = (game) => TITLES[game] ?? game;

function say(words) {
  find("said").textContent = words;
}

/** Fills a list to choose from. */
function fill(list, values, chosen, words = String) {
  list.replaceChildren(...values.map((value) => new Option(words(value), value, false, value === chosen)));
}

const upTo = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Shows what can be chosen for the game that is chosen. */
function showChoices(games) {
  const game = games.find(({ name }) => name === find("game").value);
  fill(find("level"), game.levels, game.level);
  fill(find("players"), upTo(...game.players), game.usual);
  showSeats();
}

function showSeats() {
  const seats = Number(find("players").value);
  fill(find("seat"), upTo(1, seats), Math.min(Number(find("seat").value) || 1, seats));
}

function button(words, about, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.setAttribute("aria-label", `${words} ${about}`);
  made.onclick = () => act().catch((error) => say(error.message));
  return made;
}

/** The matches that are kept here. */
async function showKept() {
  const matches = await engine.call("matches");
  const item = ({ name, game, names, over, changed }) => {
    const line = document.createElement("li");
    const when = new Date(changed).toLocaleString();
    const text = `${title(game)}, ${names.length} players, ${over ? "over" : "not over"}, ${when}. `;
    const forget = async () => {
      await engine.call("forget", name);
      await showKept();
    };
    line.append(text, button(over ? "Look at" : "Go on with", name, () => sit("resume", name)), " ",
      button("Download", name, () => download(name)), " ", button("Forget", name, forget));
    return line;
  };
  find("kept").replaceChildren(...matches.map(item));
  if (matches.length === 0) find("kept").append(Object.assign(document.createElement("li"), { textContent: "None yet." }));
}

/** Saves the record of a match as a file. */
async function download(name) {
  const record = await engine.call("record", name);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([record], { type: "application/x-ndjson" }));
  link.download = `play-${name}.jsonl`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Sits down: `call` opens the match. The address then names it, so that a reload goes on with it. */
async function sit(call, ...words) {
  const sitting = await engine.call(call, ...words);
  history.replaceState(null, "", `#${encodeURIComponent(sitting.name)}`);
  find("start").hidden = true;
  find("match").hidden = false;
  const leave = async () => {
    hears = () => {};
    history.replaceState(null, "", "#");
    find("match").hidden = true;
    find("start").hidden = false;
    await showKept();
    find("sit").focus();
  };
  hears = await play(find("match"), { engine, sitting, title: title(sitting.game), download, leave });
}

async function begin() {
  const offer = await engine.call("offer");
  fill(find("game"), offer.games.map(({ name }) => name), "base", title);
  find("game").onchange = () => showChoices(offer.games);
  find("players").onchange = showSeats;
  showChoices(offer.games);
  find("sit").disabled = false;
  find("deal").onsubmit = (event) => {
    event.preventDefault();
    const chosen = Object.fromEntries(new FormData(find("deal")));
    const seed = chosen.seed || String(crypto.getRandomValues(new Uint32Array(1))[0]);
    const asked = { game: chosen.game, agents: chosen.level, seat: Number(chosen.seat), players: Number(chosen.players), seed };
    sit("deal", asked).catch((error) => say(error.message));
  };
  find("file").onchange = async () => {
    const [file] = find("file").files;
    if (!file) return;
    const load = file.size > 8 << 20 ? Promise.reject(new Error("it is larger than any record")) : file.text();
    await load.then((record) => sit("load", record)).catch((error) => say(`${file.name} is not taken up: ${error.message}`));
    find("file").value = "";
  };
  say(`Ready: ${offer.program}.`);
  await showKept();
  const left = decodeURIComponent(location.hash.slice(1));
  if (left) await sit("resume", left).catch((error) => say(error.message));
}

begin().catch((error) => say(`The engine can't be loaded: ${error.message}`));
