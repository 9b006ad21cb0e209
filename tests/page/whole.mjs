// Whole matches: of each game by the mouse, one by the keyboard alone, one from the list alone; reloaded in the middle.

import { byList, byMouse, check, dice, place, playOn, ready, read, serve, seedOf, sound, visit } from './support.mjs';

const GAMES = [['on-the-road', 2], ['struggle', 2], ['base', 3], ['two-player', 2], ['boats', 3]];

async function reloaded(page) {
  const seen = () => page.evaluate(() => ['status', 'hand', 'seats', 'actions'].map((id) => document.getElementById(id).innerText).join('\n'));
  await ready(page);
  const before = await seen();
  await page.reload();
  await ready(page);
  check(await seen() === before, 'after a reload the page is another one');
}

export function mouse(browser) {
  return GAMES.map(([game, players]) => [`a match of ${game} by the mouse, reloaded in the middle`, async () => {
    const directory = place();
    const served = await serve(directory, `play ${game} --players ${players} --seed ${seedOf} --agents expert --out one.jsonl`);
    const page = await visit(browser, served.addresses[0]);
    const random = dice(seedOf);
    const choices = await playOn(page, async (one, made) => {
      if (made === 12) await reloaded(one);
      else await byMouse(one, random);
    });
    await page.waitForSelector('.verdict', { timeout: 120000 });
    const verdict = await page.textContent('.verdict');
    check(['Luck: ', 'Mistakes: ', 'Turning point: '].every((words) => verdict.includes(words)), verdict);
    sound(page, directory, 'one.jsonl');
    await page.context().close();
    await served.stop('SIGINT');
    return `${choices} choices`;
  }]);
}

/** Presses Tab until something has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
}

export const keyboard = (browser) => ['a match by the keyboard alone', async () => {
  const directory = place();
  const served = await serve(directory, `play base --players 3 --seed ${seedOf} --agents expert --out one.jsonl`);
  const page = await visit(browser, served.addresses[0]);
  await ready(page);
  // The skip link leads to the list; the board is one stop of Tab, and arrows go over it.
  await page.keyboard.press('Tab');
  check(await page.evaluate(() => document.activeElement.className === 'skip'), 'the first stop is no skip link');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  check(await page.evaluate(() => document.activeElement.id === 'find'), 'the skip link does not lead to the list');
  await page.reload();
  await ready(page);
  for (let piece = 0; piece < 2; piece += 1) {
    await ready(page);
    await page.evaluate(() => document.activeElement?.blur());
    await tabTo(page, '.target');
    const before = await page.evaluate(() => document.activeElement.dataset.place);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const after = await page.evaluate(() => document.activeElement.dataset.place);
    check(piece === 1 || before !== after, 'arrows go nowhere');
    await page.keyboard.press(piece === 0 ? 'Enter' : 'Space');
    await page.waitForTimeout(100);
  }
  await tabTo(page, '#find');
  const choices = await playOn(page, async (one) => {
    const words = await one.$$eval('#actions .act', (all) => all.map((entry) => entry.lastElementChild.textContent));
    const short = ['roll', 'refuse', 'end turn'].find((entry) => words.includes(entry));
    check(await one.evaluate(() => document.activeElement.id === 'find'), 'the focus was lost');
    await one.keyboard.type(short ?? '1');
    await one.keyboard.press('Enter');
    await one.waitForTimeout(20);
  });
  sound(page, directory, 'one.jsonl');
  await page.context().close();
  await served.stop('SIGINT');
  return `${choices} choices`;
}];

export const list = (browser) => ['a match from the list alone, with why, take back, and an offer of one’s own', async () => {
  const directory = place();
  const served = await serve(directory, `play on-the-road --players 3 --seed ${seedOf} --agents expert --out one.jsonl`);
  const page = await visit(browser, served.addresses[0]);
  await ready(page);
  await page.click('#offer summary');
  const held = await page.$eval('#hand .tile .name', (name) => name.textContent.toLowerCase());
  const wanted = held === 'ore' ? 'wool' : 'ore';
  await page.fill(`[name=give-${held}]`, '1');
  await page.fill(`[name=want-${wanted}]`, '1');
  await page.selectOption('[name=to]', '2');
  await page.click('#offer button[type=submit]');
  await page.waitForFunction(() => document.getElementById('news').textContent.includes('to seat 2'));
  check(read(directory, 'one.jsonl').includes('"to":2'), 'the offer is not in the record');
  await ready(page);
  await page.click('#why');
  await page.waitForSelector('.advice li', { timeout: 120000 });
  await page.click('#undo');
  await page.waitForFunction(() => document.getElementById('trouble').textContent.includes('Nothing is done'));
  const choices = await playOn(page, (one) => byList(one));
  sound(page, directory, 'one.jsonl');
  await page.context().close();
  await served.stop('SIGINT');
  return `${choices} choices`;
}];
