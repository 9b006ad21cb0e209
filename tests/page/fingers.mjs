// Fingers on a narrow screen: each place of a board can be hit, and none is hit that was not meant.

import { check, place, read, ready, serve, visit } from './support.mjs';

/** What a place needs, in CSS pixels. */
const FINGER = 24;
const TOUCHED = 24;
const GAMES = ['base', 'two-player', 'boats', 'boats --players 6', 'base --players 6'];

/** The places that are in sight: where they lie, and how large they are. */
const places = (page) => page.$$eval('.target', (all) => all.map((target) => {
  const middle = target.querySelector('.mark').getBoundingClientRect();
  const hit = target.querySelector('.hit').getBoundingClientRect();
  const frame = document.getElementById('board').getBoundingClientRect();
  const [x, y] = [middle.x + middle.width / 2, middle.y + middle.height / 2];
  const seen = x > frame.left + 2 && x < frame.right - 2 && y > Math.max(frame.top, 0) + 2 && y < Math.min(frame.bottom, window.innerHeight) - 2;
  return { place: target.dataset.place, words: target.getAttribute('aria-label'), x, y, size: hit.width, seen };
}));

const large = (page) => page.$eval('#board', (board) => board.classList.contains('large'));
const nearest = (one, all) => Math.min(...all.filter((other) => other !== one).map((other) => Math.hypot(other.x - one.x, other.y - one.y)));

/** Until what was scrolled is on the screen. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** What `find` finds in the record: a tap becomes a click only some time after it, and a click a line. */
async function written(find) {
  for (let tries = 0; tries < 500; tries += 1) {
    const found = find();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
  return undefined;
}

export const fingers = (browser) => GAMES.map((game) => [`fingers at 360 pixels: ${game}`, async () => {
  const directory = place();
  const served = await serve(directory, `play ${game} --seed 3 --agents greedy --out one.jsonl`);
  const page = await visit(browser, served.addresses[0], { viewport: { width: 360, height: 740 }, hasTouch: true });
  let [touched, enlarged] = [0, 0];
  for (let asked = 0; touched < TOUCHED && asked < 400; asked += 1) {
    if (await ready(page) === 'over') break;
    const whole = await places(page);
    if (whole.length === 0) {
      await page.click('#actions .act >> nth=0');
      await page.waitForTimeout(30);
      continue;
    }
    const wanted = whole[(7 * asked) % whole.length].place;
    await page.$eval(`.target[data-place="${wanted}"]`, (target) => target.scrollIntoView({ block: 'center', inline: 'center' }));
    let all = await places(page);
    let one = all.find((other) => other.place === wanted);
    const before = read(directory, 'one.jsonl').split('\n').length;
    if (!await large(page) && nearest(one, all) < FINGER) {
      // Between it and its neighbour nothing is chosen: the board is made larger there.
      const other = all.reduce((best, next) => (next !== one && Math.hypot(next.x - one.x, next.y - one.y) < Math.hypot(best.x - one.x, best.y - one.y) ? next : best), all.find((next) => next !== one));
      await page.touchscreen.tap((one.x + other.x) / 2, (one.y + other.y) / 2);
      await page.waitForSelector('#board.large', { timeout: 1000 }).catch(() => {});
      check(await large(page), `${wanted} and ${other.place} lie close together, and nothing was made larger`);
      check(read(directory, 'one.jsonl').split('\n').length === before, 'a touch between two places has chosen one');
      enlarged += 1;
      await page.$eval(`.target[data-place="${wanted}"]`, (target) => target.scrollIntoView({ block: 'center', inline: 'center' }));
      all = await places(page);
      one = all.find((next) => next.place === wanted);
    }
    check(one.seen, `${wanted} can't be brought into sight`);
    for (const other of all.filter(({ seen }) => seen)) {
      check(other.size >= FINGER, `${other.place} is ${other.size.toFixed(1)} pixels wide`);
      check(nearest(other, all) >= FINGER, `${other.place} has a neighbour within ${nearest(other, all).toFixed(1)} pixels`);
    }
    await drawn(page);
    await page.touchscreen.tap(one.x, one.y);
    if (one.words.includes(' more')) await page.click('dialog.ask .act >> nth=0');
    const chosen = await written(() => read(directory, 'one.jsonl').split('\n').slice(before - 1).find((line) => line.includes('"seat":1,"phase"')));
    await ready(page);
    check(chosen?.includes(`:${wanted.slice(1)}`), `${wanted} was touched, and this was chosen: ${chosen}`);
    touched += 1;
    // Half of the time the whole board is shown again.
    if (asked % 2 === 0 && await large(page)) {
      await page.click('#zoom');
      check(!await large(page), 'the board can not be shown whole again');
    }
  }
  check(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, 'wider than the window');
  check(touched > 3, `only ${touched} places were touched`);
  check(page.faults.length === 0, page.faults.join('\n'));
  await page.context().close();
  await served.stop('SIGINT');
  return `${touched} places, the board made larger ${enlarged} times`;
}]);
