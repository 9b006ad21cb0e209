// Plays a match of each game in Node as a page does, choosing by the numbers of the list, and writes the numbers and the
// record: typed at the terminal of the native program, the numbers give the same record. Words: folder of the engine,
// folder to write to, seed.
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder, out, seed] = process.argv.slice(2);
const engine = await import(pathToFileURL(`${folder}/engine.mjs`));
engine.initSync({ module: await readFile(`${folder}/engine_bg.wasm`) });
engine.begin();
for (const { name } of JSON.parse(engine.offer()).games) {
  const open = engine.SeatedMatch.deal(JSON.stringify({ game: name, agents: "beginner", seats: [2], seed }));
  const numbers = [];
  for (;;) {
    while (open.step());
    const shown = JSON.parse(open.shown(2, 4_000_000_000));
    if (shown.outcome) break;
    const entries = shown.groups.flatMap((group) => group.entries);
    const { number, place } = entries[(numbers.length * 7) % Math.min(entries.length, 24)];
    numbers.push(number);
    open.choose(2, place);
  }
  await writeFile(`${out}/${name}.typed`, `${numbers.join("\n")}\n`);
  await writeFile(`${out}/${name}.jsonl`, open.record());
  console.log(`Node: a match of ${name} by ${numbers.length} choices`);
}
