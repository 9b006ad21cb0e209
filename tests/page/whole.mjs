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

export const places = (browser) => ['places that are named light up, and have numbers', async () => {
  const served = await serve(place(), 'play base --seed 3 --agents expert');
  const page = await visit(browser, served.addresses[0]);
  await ready(page);
  const rings = () => page.$$eval('.pointer circle', (all) => all.length);
  check(await page.$$eval('.target .spot', (all) => all.every((one) => one.textContent === one.parentElement.dataset.place.slice(1))), 'a place has another number');
  check(await page.$$eval('.numbers', (all) => all.length) === 0, 'all numbers are shown unasked');
  await page.check('#numbers');
  check(await page.$$eval('.numbers text', (all) => all.length) === 72 + 19, 'not all places have numbers');
  await page.click('#actions summary');
  await page.hover('#actions .act');
  check(await rings() === 1, 'a place of the list does not light up');
  await page.focus('#actions .act:focus, #find');
  check(await rings() === 0, 'it stays lit');
  await page.focus('#actions .act');
  check(await rings() === 1, 'a place of the list does not light up by the keyboard');
  check((await page.textContent('#primer-words')).startsWith('Aim: '), 'nobody says how it is played');
  check((await page.textContent('#cue')).startsWith('54 places on the board are ringed'), await page.textContent('#cue'));
  await page.fill('#find', 'settlement 20');
  await page.press('#find', 'Enter');
  await ready(page);
  // A number of a place that the list does not have shows what has it.
  const [road] = await page.$$eval('#actions .act', (all) => all.map((one) => one.lastElementChild.textContent));
  const edge = road.replace('road at ', '');
  await page.fill('#find', `place ${edge}`);
  check((await page.textContent('#found')).startsWith(`Enter does: ${road}`), await page.textContent('#found'));
  await page.fill('#find', edge);
  check((await page.textContent('#found')).endsWith(`A place needs its word, too: ${road}`), await page.textContent('#found'));
  check(await page.$$eval('#actions .act', (all) => all.length) === 1, 'others are shown as well');
  await page.fill('#find', '');
  await byList(page);
  await ready(page);
  // What comes to lie below a mouse that stands still is pointed at as well.
  await page.mouse.move(1, 1);
  await page.waitForTimeout(200);
  await page.focus('#news .place[tabindex="0"]');
  check(await rings() === 1, 'a place of the news does not light up');
  await page.keyboard.press('ArrowUp');
  check(await page.evaluate(() => document.activeElement.className === 'place') && await rings() === 1, 'arrows go nowhere in the news');
  check(await page.$$eval('#news .new-line', (all) => all.length) === 1, 'what is new is not marked');
  check((await page.textContent('#prices')).includes('Settlement 1 brick + 1 lumber + 1 wool + 1 grain'), await page.textContent('#prices'));
  check(page.faults.length === 0, page.faults.join('\n'));
  await page.context().close();
  await served.stop('SIGINT');
  return '';
}];

export const again = (browser) => ['a turn does not go on by itself while there is a way back', async () => {
  const served = await serve(place(), 'play base --seed 1 --agents medium');
  const page = await visit(browser, served.addresses[0]);
  await ready(page);
  const more = () => page.$eval('#actions', (list) => list.classList.contains('more'));
  await page.click('#actions summary');
  await page.waitForFunction(() => document.querySelectorAll('#actions .act').length > 40);
  check(await more(), 'nothing says that the list goes on');
  await page.$eval('#actions', (list) => { list.scrollTop = list.scrollHeight; });
  await page.waitForFunction(() => !document.getElementById('actions').classList.contains('more'));
  // What is asked next is another question each time.
  const act = async () => {
    const before = await page.textContent('#question');
    while (await page.textContent('#question') === before) {
      await byList(page);
      await page.waitForTimeout(20);
      await ready(page);
    }
  };
  for (let piece = 0; piece < 4; piece += 1) await act();
  const entries = () => page.$$eval('#actions .act', (all) => all.map((one) => one.lastElementChild.textContent).join());
  check(await entries() === 'roll', await entries());
  check(await page.isEnabled('#undo'), 'the last road can not be taken back');
  await page.click('#undo');
  await page.waitForFunction(() => document.querySelectorAll('#actions .act').length > 1);
  check((await entries()).startsWith('road at'), await entries());
  for (let piece = 0; piece < 2; piece += 1) await act();
  // Who would give more than it has is told what it has.
  await page.click('#offer summary');
  await page.fill('[name=give-brick]', '2');
  await page.fill('[name=want-ore]', '1');
  await page.click('#offer button[type=submit]');
  await page.waitForSelector('#trouble p');
  check(await page.textContent('#trouble') === 'You have only 1 brick.', await page.textContent('#trouble'));
  await page.context().close();
  await served.stop('SIGINT');
  return '';
}];

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
    await ready(page);
    await page.waitForTimeout(100);
    // The keyboard stays on the board, near the place that was chosen, as long as there are places to choose.
    const place = await page.evaluate(() => document.activeElement.dataset?.place ?? null);
    check(place !== null, 'the keyboard has lost its place on the board');
    if (piece === 0) check(place[0] === 'e', `after a settlement a road is laid, not ${place}`);
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
  // The best first.
  const wins = await page.$$eval('.advice li', (all) => all.map((one) => Number(one.textContent.split(': wins ')[1].split(' ')[0])));
  check(wins.length > 1 && wins.every((share, at) => at === 0 || share <= wins[at - 1]), `why is not sorted: ${wins}`);
  // An offer was heard by others: one reason, and no button.
  check(await page.isDisabled('#undo'), 'an offer can be taken back');
  check(await page.textContent('#undo-why') === 'Others have heard your last choice.', await page.textContent('#undo-why'));
  const choices = await playOn(page, (one) => byList(one));
  sound(page, directory, 'one.jsonl');
  await page.context().close();
  await served.stop('SIGINT');
  return `${choices} choices`;
}];
