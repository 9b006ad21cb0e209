// The worker of a page, with an engine of a few lines and a store that is slow: somebody chooses while the record of the
// move before is still being kept, and the others move on all the same. Word: web/static/.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A match in which the others take three steps after each choice. */
const ENGINE = `
export default async () => {};
export const begin = () => {};
class Match {
  left = 3;
  choices = 0;
  step() { this.left -= this.left > 0 ? 1 : 0; return this.left > 0; }
  choose() { this.left = 3; this.choices += 1; }
  is_over() { return false; }
  record() { return String(this.choices); }
  sitting() { return JSON.stringify({ game: "toy", names: [] }); }
  shown() { return JSON.stringify({ asked: this.left === 0, choices: this.choices }); }
  free() {}
}
export const SeatedMatch = { deal: () => new Match() };
`;
const KEPT = `
export const records = [];
export const freeName = async () => "toy-1";
export const keep = async ({ record }) => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  records.push(record);
};
`;

const place = await mkdtemp(join(tmpdir(), "worker-"));
await mkdir(join(place, "engine"));
await cp(join(process.argv[2], "worker.js"), join(place, "worker.js"));
await writeFile(join(place, "package.json"), '{ "type": "module" }');
await writeFile(join(place, "engine", "engine.js"), ENGINE);
await writeFile(join(place, "kept.js"), KEPT);

const calls = new Map();
let last = 0;
globalThis.navigator ??= {};
globalThis.self = { postMessage: ({ id, ...answer }) => calls.get(id)(answer) };
await import(join(place, "worker.js"));
const call = (name, ...words) => new Promise((resolve) => {
  last += 1;
  calls.set(last, resolve);
  self.onmessage({ data: { id: last, call: name, words } });
});

assert.equal((await call("deal", {})).reason, undefined);
for (let choices = 1; choices <= 5; choices += 1) {
  let [scene, looks] = [null, 0];
  while (!scene?.shown.asked) {
    scene = (await call("shown", 1, 0)).value;
    assert.ok(looks < 200, `nobody moves after ${choices - 1} choices`);
    looks += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // The record is not kept yet.
  const { value, reason } = await call("choose", 1, 0, 0, scene.version);
  assert.equal(reason, undefined);
  assert.equal(value.shown.choices, choices);
}
const { records } = await import(join(place, "kept.js"));
while (records.at(-1) !== "5") await new Promise((resolve) => setTimeout(resolve, 5));
await rm(place, { recursive: true });
console.log("A choice while the record is being kept: the match goes on");
