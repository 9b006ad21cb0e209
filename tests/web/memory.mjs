// Plays match after match in one engine, as a page does that is never closed: its memory must not grow. Words: folder of the
// engine, matches a game.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder, matches] = process.argv.slice(2);
/** What a later match may take beyond the tenth part that was played first: longer matches have longer records. */
const MORE = 4 << 20;

const engine = await import(pathToFileURL(`${folder}/engine.mjs`));
const { memory } = engine.initSync({ module: await readFile(`${folder}/engine_bg.wasm`) });
engine.begin();
for (const { name } of JSON.parse(engine.offer()).games) {
  let open = engine.SeatedMatch.deal(JSON.stringify({ game: name, agents: "greedy", seats: [1], seed: "1" }));
  let early = 0;
  for (let played = 0; played < Number(matches); played += 1) {
    for (let choice = 0; ; choice += 1) {
      while (open.step());
      const shown = JSON.parse(open.shown(1, 4_000_000_000));
      if (shown.outcome) break;
      const [{ entries }] = shown.groups;
      open.choose(1, entries[(choice * 7) % entries.length].place);
    }
    const next = open.next();
    open.free();
    open = next;
    if (played + 1 === Math.ceil(matches / 10)) early = memory.buffer.byteLength;
  }
  open.free();
  const late = memory.buffer.byteLength;
  console.log(`Node: memory of the engine with ${name}: ${early >> 10} KiB after a tenth of ${matches} matches, ${late >> 10} KiB after all`);
  assert.ok(late <= early + MORE, `${name}: the engine grows`);
}
