// What the page takes for meant is what the terminal does: the same words typed, the same actions found, as
// src/sim/guests/menu.rs reads them in its own test.

import fs from 'node:fs';
import { check } from './support.mjs';

export const found = () => ['words mean on the page what they mean in the terminal', async () => {
  const { find } = await import(process.env.FAIRHAVEN_FIND);
  let checked = 0;
  for (const { entries, typed } of JSON.parse(fs.readFileSync(process.env.FAIRHAVEN_CASES, 'utf8'))) {
    const list = entries.map((words, idx) => ({ number: idx + 1, words }));
    for (const [words, due] of typed) {
      const { fitting, one } = find(list, words);
      const numbers = (one ? [one] : fitting).map(({ number }) => number);
      check(numbers.join() === due.join(), `${JSON.stringify(words)} finds ${numbers}, in the terminal ${due}`);
      checked += 1;
    }
  }
  return `${checked} texts`;
}];
