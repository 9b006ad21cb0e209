// What all tests of the page share: a program that serves, a browser, and hands that play.

import { chromium } from 'playwright-core';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const program = process.env.FAIRHAVEN_PROGRAM;
export const pictures = process.env.FAIRHAVEN_PICTURES;
export const seedOf = Number(process.env.FAIRHAVEN_SEED ?? 1);

/** Numbers that look random and are the same each time. */
export function dice(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function check(holds, words) {
  if (!holds) throw new Error(words);
}

/** A directory of its own, removed at the end. */
export function place() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'fairhaven-page-'));
  process.on('exit', () => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}

// A listener for each directory.
process.setMaxListeners(0);
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts the program; resolves once it serves. */
export async function serve(directory, line) {
  const words = [...line.split(' '), '--page', '--no-open'];
  const child = spawn(program, words, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let said = '';
  await new Promise((done, failed) => {
    child.stdout.on('data', (data) => {
      said += data;
      if (said.includes('Ctrl-C ends it.')) done();
    });
    child.stderr.on('data', (data) => { said += data; });
    child.on('exit', () => failed(new Error(`${line} has ended: ${said}`)));
  });
  child.removeAllListeners('exit');
  const ended = new Promise((done) => child.on('exit', (code) => {
    running.delete(child);
    done(code);
  }));
  const stop = (signal) => {
    child.kill(signal);
    return ended;
  };
  return { addresses: said.match(/http:\/\/\S+/g), id: child.pid, stop, said };
}

/** Calls the program to its end. */
export const call = (directory, ...words) => execFileSync(program, words, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
export const launch = { executablePath: process.env.FAIRHAVEN_BROWSER, headless: true, args: FLAGS };
export const open = () => chromium.launch(launch);

/** A page of its own, which must not complain and may not ask anybody else. */
export async function visit(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => page.faults.push(`dialog: ${dialog.message()}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/.test(message.text())) {
      page.faults.push(`console: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (origin !== new URL(address).origin) page.faults.push(`asks ${request.url()}`);
  });
  await page.goto(address);
  return page;
}

/** Waits until this page is asked, the screen between two players is up, or the match is over; says which. */
export async function ready(page, timeout = 60000) {
  const handle = await page.waitForFunction(() => {
    const is = (id) => { const one = document.getElementById(id); return one && !one.hidden; };
    if (document.body.classList.contains('busy')) return false;
    if (is('gate')) return 'gate';
    if (!is('match')) return false;
    const { state } = document.getElementById('status').dataset;
    if (state === 'over') return 'over';
    return state === 'asked' && document.querySelector('#actions').children.length > 0 ? 'asked' : false;
  }, undefined, { timeout, polling: 15 });
  return handle.jsonValue();
}

/** Which buttons end what would go on for long. */
const SHORT = ['roll', 'refuse', 'end turn', 'stop', 'keep', 'trade with nobody', 'decline'];

/** The words of the list that are to be seen. */
const listed = (page) => page.$$eval('#actions .act', (all) => all.map((one) => one.lastElementChild.textContent));

/** Clicks on something, unless the page has been drawn anew meanwhile: then whoever plays looks again. */
async function clickOn(page, element) {
  const gone = await element.scrollIntoViewIfNeeded().then(() => false, (error) => {
    if (/not attached/.test(error.message)) return true;
    throw error;
  });
  const box = gone ? null : await element.boundingBox();
  if (box === null) return;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** One choice with the mouse: a place on the board, a card, or an entry of the list. */
export async function byMouse(page, random) {
  const places = await page.$$('.target');
  const cards = await page.$$('.tile.can');
  const words = await listed(page);
  const short = words.findIndex((entry) => SHORT.includes(entry));
  const things = [...places, ...cards];
  if (things.length > 0 && (short < 0 || random(2) === 0)) await clickOn(page, things[random(things.length)]);
  else await byList(page, short);
  // Of several actions at one place a dialog asks which.
  const dialog = await page.$('dialog.ask .act');
  if (!dialog) return;
  await clickOn(page, dialog);
  await page.waitForFunction(() => document.querySelector('dialog.ask') === null);
  await page.waitForTimeout(30);
}

/** One choice from the list, which is unfolded if need be. */
export async function byList(page, entry = -1) {
  const folded = await page.$('#actions summary');
  if (folded && (await page.$$('#actions .act')).length === 0) await clickOn(page, folded);
  const buttons = await page.$$('#actions .act');
  if (buttons.length > 0) await clickOn(page, buttons[Math.max(entry, 0)]);
}

/** Plays until the match is over, or so many choices; says how many were made. */
export async function playOn(page, choose, most = 5000) {
  for (let made = 0; made < most; made += 1) {
    const state = await ready(page);
    if (state === 'over') return made;
    if (state === 'gate') await page.click('#gate-open');
    else await choose(page, made);
  }
  return most;
}

/** The page said nothing of faults, and the record keeps the rules. */
export function sound(page, directory, record) {
  check(page.faults.length === 0, page.faults.join('\n'));
  const said = call(directory, 'replay', '--check', record);
  check(said.startsWith('The record keeps the rules'), said);
}

export const read = (directory, name) => fs.readFileSync(path.join(directory, name), 'utf8');
