// What anybody may send to the engine, in Node: matches are played, judged, watched, and taken up where they were left; what
// makes no sense, or was altered, is refused with a reason and never breaks the engine. Words: folder of the engine.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const engine = await import(pathToFileURL(`${folder}/engine.mjs`));
engine.initSync({ module: await readFile(`${folder}/engine_bg.wasm`) });
engine.begin();
const { SeatedMatch, WatchedMatch } = engine;
const games = JSON.parse(engine.offer()).games.map(({ name }) => name);
const ALL = 4_000_000_000;
const read = (text) => JSON.parse(text);
const deal = (asked) => SeatedMatch.deal(JSON.stringify(asked));
const dealt = (game) => deal({ game, agents: "greedy", seats: [2], seed: "7" });

/** The reason why something is refused; anything else that goes wrong is a fault. */
function refused(work) {
  try {
    work();
  } catch (error) {
    assert.ok(!(error instanceof WebAssembly.RuntimeError) && !/panicked/.test(error.message), error.message);
    return error.message;
  }
  return null;
}

/** Plays on, calling `at` before each choice. */
function play(open, at = () => {}) {
  for (let number = 0; ; number += 1) {
    while (open.step());
    const shown = read(open.shown(2, ALL));
    if (shown.outcome) return number;
    at(number);
    const count = shown.groups.reduce((sum, { entries }) => sum + entries.length, 0);
    open.choose(2, number % count);
  }
}

/** A match to its end, taken up, asked about, judged and watched. */
function playWhole(game) {
  const open = dealt(game);
  assert.match(refused(() => open.verdict(2)), /not over/);
  const choices = play(open, (number) => {
    if (number === 2) assert.ok(read(open.why(2)).actions.length > 0);
    if (number !== 5) return;
    const again = SeatedMatch.take_up(open.record());
    for (const what of ["record", "sitting", "described"]) assert.equal(again[what](), open[what]());
    assert.equal(again.shown(2, 0), open.shown(2, 0));
    again.free();
  });
  assert.match(read(open.verdict(2)).lines.join(" "), /^Luck: .*Mistakes: .*Turning point: /);
  const { told } = read(open.shown(2, 0));
  const watched = WatchedMatch.open(open.record());
  for (const eyes of [0, 1, 2]) assert.equal(read(watched.watched(eyes)).steps.length, told.length);
  assert.equal(read(watched.chances()).chances.length, told.length);
  assert.notEqual(refused(() => watched.watched(7)), null);
  watched.free();
  const record = open.record();
  open.free();
  return { choices, record };
}

/** Records in which a byte, some bytes or the end are others. */
function alter(record, number) {
  const place = (number * 7919 * number) % record.length;
  if (number % 3 === 0) return record.slice(0, place);
  if (number % 3 === 1) return `${record.slice(0, place)}${'"{}[]:,0a9'[number % 10]}${record.slice(place + 1)}`;
  return `${record.slice(0, place)}${record.slice(place + 40)}`;
}

for (const game of games) {
  const start = performance.now();
  const { choices, record } = playWhole(game);
  let count = 0;
  for (let number = 1; number < 25; number += 1) {
    const altered = alter(record, number);
    count += Number(refused(() => SeatedMatch.take_up(altered).free()) !== null);
    refused(() => WatchedMatch.open(altered).free());
  }
  assert.ok(count > 8, `${game}: ${count} of 24 were refused`);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`Node: a match of ${game} by ${choices} choices, judged and watched; ${count} of 24 altered records refused; ${seconds} s`);
}

// Agents that a browser can't have, asked for and in a record.
const base = dealt("base");
while (base.step());
for (const [agent, part] of [
  ["exec:sh -c true", /can't start programs/], ["mcts:time_ms=50", /no clock/], ["mcts:iterations=10000000", /are the most/],
  ["mcts:trees=4", /one tree/], ["mcts:net=/etc/passwd", /net/], ["oracle", /sees all hands/], ["nobody", /no agent/],
  ["mcts:iterations=-1", /iterations/],
]) {
  assert.match(refused(() => deal({ game: "base", agents: agent })), part);
  assert.match(refused(() => SeatedMatch.take_up(base.record().replaceAll('"greedy"', JSON.stringify(agent)))), part);
}

// What makes no sense.
for (const asked of [
  "", "{}", "[1]", '{"game":"chess"}', '{"game":"base","players":0}', '{"game":"base","players":255}',
  '{"game":"base","seats":[0]}', '{"game":"base","seats":[1,5]}', '{"game":"base","seats":[]}', '{"game":"base","seed":"-1"}',
  '{"game":"base","agents":""}', '{"game":"base","agents":"easy,easy"}', '{"game":"base","rules":{}}', "[".repeat(1e6),
]) assert.notEqual(refused(() => SeatedMatch.deal(asked)), null, asked.slice(0, 40));
for (const record of ["", "\n", "{}", "null\n", '{"record":"fairhaven-match"}\n', "[".repeat(1e6), "x".repeat(9e6)]) {
  assert.notEqual(refused(() => SeatedMatch.take_up(record)), null, record.slice(0, 40));
}
const before = base.record();
for (const seat of [0, 1, 4, 200]) {
  for (const work of [() => base.choose(seat, 0), () => base.shown(seat, 0), () => base.why(seat), () => base.take_back(seat)]) {
    assert.notEqual(refused(work), null);
  }
}
for (const work of [
  () => base.choose(2, ALL), () => base.choose_written(2, '{"do":"end"}'), () => base.choose_written(2, "[".repeat(1e5)),
  () => base.take_back(2), () => engine.digests("chess", "random", 10, "1"), () => engine.digests("base", "random", 0, "1"),
  () => engine.digests("base", "random", ALL, "1"), () => engine.digests("base", "random", 1, "x"),
  () => engine.digests("two-player", "random,random,random", 1, "1"), () => engine.digests("base", "mcts:lapse=7", 1, "1"),
]) assert.notEqual(refused(work), null, String(work));
assert.equal(base.record(), before);

// Memory does not grow with matches.
const bytes = () => engine.initSync({ module: null }).memory.buffer.byteLength;
const many = (count) => {
  for (let number = 0; number < count; number += 1) {
    const open = dealt(games[number % games.length]);
    play(open);
    open.free();
  }
};
many(5);
const used = bytes();
many(15);
assert.ok(bytes() <= used + (1 << 20), `memory grew from ${used} to ${bytes()} bytes`);
console.log(`Node: nothing breaks the engine; its memory is ${(bytes() / 1e6).toFixed(1)} MB after 20 more matches`);
