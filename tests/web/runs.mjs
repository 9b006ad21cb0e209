// The list of runs and their digests that tests/web.sh has written.
import { readFile } from "node:fs/promises";

/** Each run: what it is called, the words of a call of the engine, and the digests that are due. */
export async function runs(list) {
  const lines = (await readFile(list, "utf8")).trim().split("\n");
  return lines.map((line) => {
    const [game, agents, matches, seed, due] = line.split(" ");
    if (!/^([0-9a-f]{8})+$/.test(due)) throw new Error(`no digests of ${game}`);
    return { name: `${matches} of ${game}, ${agents}`, words: [game, agents, Number(matches), seed], due };
  });
}
