// How it looks: screenshots at three widths, nothing wider than the window, and no serious finding of axe.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { byMouse, check, dice, pictures, place, playOn, ready, serve, visit } from './support.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GAMES = ['on-the-road', 'struggle', 'base', 'two-player', 'boats'];

async function photograph(page, name) {
  for (const width of [360, 768, 1024, 1600]) {
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize({ width, height: width < 700 ? 740 : 1000 });
      await page.emulateMedia({ colorScheme, reducedMotion: width === 360 ? 'reduce' : 'no-preference' });
      await page.screenshot({ path: path.join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      const found = await page.evaluate(() => document.documentElement.scrollWidth);
      check(found <= width, `${name} is ${found} wide in a window of ${width}`);
    }
  }
}

async function inspect(page, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
    const grave = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
    const words = grave.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    check(grave.length === 0, `${name}, ${colorScheme}: ${words.join('\n')}`);
  }
}

/** Two frames: what was scrolled is told to the page at the beginning of a frame, and so is a new width. */
const frames = (page) => page.waitForFunction(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
}));

/** Whoever has the last of the news in sight has it in every window. */
async function resize(page) {
  await page.$eval('#news', (box) => { box.scrollTop = box.scrollHeight; });
  await frames(page);
  const below = () => page.$eval('#news', (box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  for (const width of [1280, 400, 1600, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await frames(page);
    check(await below() < 4, `${await below()} pixels of the news are out of sight in a window of ${width}`);
  }
}

async function seen(page, name) {
  await inspect(page, name);
  await photograph(page, name);
  check(page.faults.length === 0, page.faults.join('\n'));
}

export const looks = (browser) => GAMES.map((game) => [`looks and axe: ${game}`, async () => {
  const served = await serve(place(), `play ${game} --seed 3 --agents expert`);
  const page = await visit(browser, served.addresses[0]);
  const random = dice(3);
  await seen(page, `${game}-begin`);
  await playOn(page, (one) => byMouse(one, random), 25);
  await ready(page);
  await resize(page);
  await seen(page, game);
  await page.context().close();
  await served.stop('SIGINT');
  return '';
}]);

export const watched = (browser) => ['looks and axe: a match that is watched, by its keys', async () => {
  const served = await serve(place(), 'watch on-the-road --agents expert,greedy,hard --seed 2');
  const page = await visit(browser, served.addresses[0]);
  await page.waitForSelector('.chart', { timeout: 120000 });
  await page.waitForSelector('.mistakes', { timeout: 120000 });
  const value = () => page.inputValue('#scrub');
  await page.evaluate(() => document.activeElement?.blur());
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  check(await value() === '1', `step ${await value()}`);
  await page.keyboard.press('End');
  check((await page.textContent('#status')).startsWith('The end'), 'not the end');
  await page.keyboard.press('Home');
  await page.selectOption('#speed', '20');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('Space');
  await page.waitForFunction(() => Number(document.getElementById('scrub').value) > 5);
  await page.keyboard.press('Space');
  await page.selectOption('#eyes', '2');
  await page.waitForFunction(() => document.querySelectorAll('#hand h3').length === 1);
  await page.selectOption('#eyes', 'all');
  await page.waitForFunction(() => document.querySelectorAll('#hand h3').length > 1);
  await page.fill('#scrub', '60');
  await seen(page, 'watch');
  await page.context().close();
  await served.stop('SIGINT');
  return '';
}];
