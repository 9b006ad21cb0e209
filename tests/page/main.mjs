// All tests of the page, one after the other: what was done, and how long it took.

import { hot, next, two } from './people.mjs';
import { dies, empty, origin, record } from './hostile.mjs';
import { again, keyboard, list, mouse, places } from './whole.mjs';
import { kills } from './kills.mjs';
import { found } from './find.mjs';
import { fingers } from './fingers.mjs';
import { looks, watched } from './looks.mjs';
import { answers, many, room } from './measures.mjs';
import { open } from './support.mjs';

const browser = await open();
const only = process.env.FAIRHAVEN_ONLY;
const tests = [
  found(), origin(browser), record(browser), empty(browser), dies(browser), next(browser), ...mouse(browser), keyboard(browser), list(browser), places(browser), again(browser), two(browser), hot(browser),
  ...fingers(browser), ...looks(browser), watched(browser), kills(), answers(), room(), many(),
].filter(([name]) => !only || name.includes(only));
let failed = 0;
for (const [name, test] of tests) {
  const began = Date.now();
  try {
    const said = await test();
    console.log(`ok: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)${said ? `: ${said}` : ''}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}: ${error.stack}`);
  }
}
await browser.close();
console.log(failed === 0 ? `All ${tests.length} tests of the page passed.` : `${failed} tests of the page failed.`);
process.exit(failed === 0 ? 0 : 1);
