// Plays the runs of a list in Node by the engine of a folder, and compares their digests with those of the native program.
// Words: the folder, and the list, a run a line: game, agents, matches, seed, digests.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { runs } from "./runs.mjs";

const [folder, list] = process.argv.slice(2);
const engine = await import(pathToFileURL(`${folder}/engine.mjs`));
engine.initSync({ module: await readFile(`${folder}/engine_bg.wasm`) });
engine.begin();
let failed = 0;
for (const { name, words, due } of await runs(list)) {
  const start = performance.now();
  const found = engine.digests(...words);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`Node: ${name}, ${seconds} s: ${found === due ? "as the native program" : "OTHER DIGESTS"}`);
  failed += Number(found !== due);
}
process.exitCode = failed ? 1 : 0;
