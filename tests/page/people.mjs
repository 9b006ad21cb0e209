// Several people: two browsers at one table, and one browser for two.

import { byMouse, check, dice, place, playOn, ready, seedOf, serve, sound, visit } from './support.mjs';

export const two = (browser) => ['two browsers at one table, each with its own hand', async () => {
  const directory = place();
  const served = await serve(directory, `play on-the-road --players 3 --seats 1,3 --seed ${seedOf} --agents expert --out one.jsonl`);
  const pages = [];
  for (const address of served.addresses.slice(0, 2)) pages.push(await visit(browser, address));
  const seen = [new Set(), new Set()];
  pages.forEach((page, idx) => page.on('response', async (response) => {
    if (!response.url().includes('/api/') || response.status() !== 200) return;
    const text = await response.text().catch(() => '{}');
    const { seat } = JSON.parse(text);
    if (seat) seen[idx].add(seat);
  }));
  const random = dice(seedOf);
  const side = (page) => playOn(page, (one) => byMouse(one, random));
  const choices = await Promise.all(pages.map(side));
  check([...seen[0]].join() === '1' && [...seen[1]].join() === '3', `seats that were sent: ${[...seen[0]]} and ${[...seen[1]]}`);
  for (const page of pages) sound(page, directory, 'one.jsonl');
  for (const page of pages) await page.context().close();
  await served.stop('SIGINT');
  return `${choices.join(' and ')} choices`;
}];

export const next = (browser) => ['the next match, of two browsers at one table', async () => {
  const directory = place();
  const served = await serve(directory, `play on-the-road --players 2 --seats 1,2 --seed ${seedOf} --out one.jsonl`);
  const pages = [];
  for (const address of served.addresses.slice(0, 2)) pages.push(await visit(browser, address));
  const random = dice(seedOf);
  await Promise.all(pages.map((page) => playOn(page, (one) => byMouse(one, random))));
  await pages[1].click('#again');
  // The other one is told of it.
  for (const page of pages) await page.waitForFunction(() => document.getElementById('status').dataset.state !== 'over');
  for (const page of pages) {
    check(await page.isHidden('#end'), 'the end of the last match is still there');
    check((await page.textContent('#kept')).includes(`play-on-the-road-${seedOf + 1}.jsonl`), await page.textContent('#kept'));
    check(await page.$$eval('#news p[data-step]', (steps) => steps.length < 5), 'the last match is still told');
  }
  await Promise.all(pages.map((page) => playOn(page, (one) => byMouse(one, random))));
  for (const page of pages) sound(page, directory, 'one.jsonl');
  sound(pages[0], directory, `play-on-the-road-${seedOf + 1}.jsonl`);
  for (const page of pages) await page.context().close();
  await served.stop('SIGINT');
  return '';
}];

export const hot = (browser) => ['one browser for two: nobody’s cards between turns', async () => {
  const directory = place();
  const served = await serve(directory, `play two-player --seats 1,2 --seed ${seedOf} --out one.jsonl`);
  const page = await visit(browser, served.addresses[2]);
  const random = dice(seedOf);
  let gates = 0;
  for (let made = 0; made < 40; made += 1) {
    if (await ready(page) !== 'gate') {
      await byMouse(page, random);
      continue;
    }
    gates += 1;
    const left = await page.evaluate(() => ['board', 'hand', 'seats', 'lines', 'actions', 'news', 'question', 'prices', 'undo-why', 'advice', 'offer', 'proposal']
      .map((id) => document.getElementById(id).innerText).join(''));
    check(left === '' && await page.isHidden('#match'), `behind the screen: ${left}`);
    await page.click('#gate-open');
  }
  check(gates > 4, `${gates} times the screen was up`);
  check(page.faults.length === 0, page.faults.join('\n'));
  await page.context().close();
  await served.stop('SIGINT');
  return `the screen was up ${gates} times`;
}];
