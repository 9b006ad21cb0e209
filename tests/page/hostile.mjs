// A page of another origin, and records that somebody has made up.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { call, check, place, read, ready, serve, visit } from './support.mjs';

/** It knows port and token, which it should not, and tries what a page can try. */
const evil = (address) => `<!DOCTYPE html><title>evil</title>
<iframe id="frame" src="${address}"></iframe>
<form id="form" method="post" action="${address}api/choose" enctype="text/plain" target="hidden"><input name='{"seat":1,"place":0,"x":"' value='"}'></form>
<iframe name="hidden"></iframe>
<script src="${address}play.js"></script>
<script type="module">
const body = '{"seat":1,"place":0}';
const said = [];
const tries = [
  ['read', () => fetch('${address}api/shown?seat=1&since=0')],
  ['read blindly', () => fetch('${address}api/shown?seat=1&since=0', { mode: 'no-cors' })],
  ['post', () => fetch('${address}api/choose', { method: 'POST', body, headers: { 'Content-Type': 'application/json', 'If-Match': '"v0"' } })],
  ['post blindly', () => fetch('${address}api/choose', { method: 'POST', body, mode: 'no-cors' })],
  ['beacon', () => Promise.resolve({ type: String(navigator.sendBeacon('${address}api/choose', body)) })],
];
for (const [name, attempt] of tries) {
  try { const got = await attempt(); said.push(name + ': ' + got.type + ' ' + (got.type === 'opaque' ? '' : await got.text?.())); } catch (error) { said.push(name + ': refused'); }
}
try { document.getElementById('form').submit(); } catch {}
await new Promise((done) => setTimeout(done, 600));
document.title = 'done';
window.said = said;
</script>`;

export const origin = (browser) => ['a hostile page of another origin reads and changes nothing', async () => {
  const directory = place();
  const served = await serve(directory, 'play on-the-road --players 2 --seed 1 --agents greedy --out one.jsonl');
  const [address] = served.addresses;
  const before = read(directory, 'one.jsonl');
  const other = http.createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(evil(address)));
  await new Promise((done) => other.listen(0, '127.0.0.1', done));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  await page.waitForFunction(() => document.title === 'done', undefined, { timeout: 30000 });
  const said = await page.evaluate(() => window.said);
  check(said.slice(0, 4).every((one) => one.endsWith(': refused') || one.startsWith('read blindly: opaque') || one.startsWith('post blindly: opaque')), said.join('\n'));
  const frames = page.frames().filter((frame) => frame.url().startsWith(address));
  for (const frame of frames) check(await frame.locator('#board').count() === 0, 'the page is shown in a frame');
  check(read(directory, 'one.jsonl') === before, 'the record has changed');
  // The same host name with another port is another origin, and so is a name that leads here.
  const named = await context.newPage();
  const answer = await named.goto(address.replace('127.0.0.1', 'localhost'));
  check(answer.status() === 403, `localhost is answered with ${answer.status()}`);
  await context.close();
  other.close();
  await served.stop('SIGINT');
  return said.join('; ');
}];

export const record = (browser) => ['a hostile record: nothing of it is executed', async () => {
  const directory = place();
  const cuts = ['<img src=x onerror=window.hacked=1>', '</script><script>window.hacked=1</script>', '"><svg onload=window.hacked=1>', 'javascript:window.hacked=1//'];
  call(directory, 'simulate', 'on-the-road', '--agents', 'greedy', '--players', '4', '--matches', '1', '--quiet', '--out', 'run');
  const lines = call(directory, 'replay', 'run', '0.0', '--format', 'jsonl').split('\n');
  const header = JSON.parse(lines[0]);
  header.agents = cuts;
  fs.writeFileSync(path.join(directory, 'bad.jsonl'), [JSON.stringify(header), ...lines.slice(1)].join('\n'));
  const name = '<img src=x onerror=window.hacked=1>.jsonl';
  fs.copyFileSync(path.join(directory, 'bad.jsonl'), path.join(directory, 'bad2.jsonl'));
  fs.writeFileSync(path.join(directory, name.replaceAll('/', '')), fs.readFileSync(path.join(directory, 'bad.jsonl')));
  const served = await serve(directory, 'watch bad.jsonl');
  const page = await visit(browser, served.addresses[0]);
  await page.waitForSelector('#stage:not([hidden])');
  await page.waitForSelector('.chart', { timeout: 60000 });
  await page.selectOption('#eyes', '2');
  await page.waitForTimeout(300);
  check(await page.evaluate(() => window.hacked === undefined && document.images.length === 0), 'something was executed');
  check((await page.textContent('#seats')).includes('<img src=x'), 'the name is not shown as text');
  check(page.faults.length === 0, page.faults.join('\n'));
  await page.context().close();
  await served.stop('SIGINT');
  // A match of people with such names is not taken up, since agents are found by their names.
  header.agents = ['person', ...cuts.slice(1)];
  const begun = lines.slice(1).filter((line) => line.startsWith('{"chance"')).slice(0, 3);
  fs.writeFileSync(path.join(directory, 'begun.jsonl'), [JSON.stringify(header), ...begun, ''].join('\n'));
  const refused = await serve(directory, 'play --resume begun.jsonl').then(() => 'taken up', (error) => error.message);
  check(refused.includes('has ended'), refused);
  // The name of a file may be anything, and is part of the page.
  const odd = await serveWords(directory, ['play', 'on-the-road', '--players', '2', '--seed', '1', '--agents', 'greedy', '--out', name.replaceAll('/', '')]).catch((error) => error.message);
  check(String(odd).includes('there is'), String(odd));
  return 'names are text';
}];

const serveWords = async (directory, words) => call(directory, ...words, '--page', '--no-open');

export const dies = (browser) => ['a program dies in the midst of a match: the page says so, and the record stays', async () => {
  const directory = place();
  const bot = ['asked=0', 'while IFS= read -r line; do case $line in',
    '*\'"type":"hello"\'*) echo \'{"type":"ready","protocol":1,"name":"shell","list":"plain"}\';;',
    '*\'"type":"decide"\'*) asked=$((asked + 1)); [ $asked = 3 ] && exit 3; id=${line#*\\"id\\":}; id=${id%%,*}; echo "{\\"type\\":\\"choose\\",\\"id\\":$id,\\"index\\":0}";;',
    'esac; done', ''];
  fs.writeFileSync(path.join(directory, 'bot.sh'), bot.join('\n'));
  fs.writeFileSync(path.join(directory, 'bot.toml'), 'kind = "exec"\nabout = "a bot"\nprovenance = "a test"\n[parameters]\ncommand = ["sh", "bot.sh"]\n');
  const served = await serve(directory, 'play on-the-road --players 2 --seed 3 --agents bot.toml --out one.jsonl');
  const page = await visit(browser, served.addresses[0]);
  for (let made = 0; made < 50 && !(await page.textContent('#trouble')).includes('can’t go on'); made += 1) {
    if (await page.$eval('#status', (status) => status.dataset.state === 'asked')) await page.click('#actions .act', { timeout: 2000 }).catch(() => {});
    await page.waitForTimeout(60);
  }
  const said = await page.textContent('#trouble');
  check(said.includes('agent in seat 2 failed') && said.includes('kept in one.jsonl') && said.includes('--resume one.jsonl'), said);
  check(await page.isHidden('#do') && (await page.textContent('#status')).includes('can’t go on'), 'something may still be done');
  await page.reload();
  await page.waitForFunction(() => document.getElementById('trouble').textContent.includes('can’t go on'));
  check(page.faults.length === 0, page.faults.join('\n'));
  check(read(directory, 'one.jsonl').includes('"seat":1,"phase"'), 'the record is gone');
  await page.context().close();
  await served.stop('SIGINT');
  return said;
}];

export const empty = (browser) => ['the server is gone: the page says so, and how to go on', async () => {
  const directory = place();
  const served = await serve(directory, 'play on-the-road --players 2 --seed 1 --agents greedy --out one.jsonl');
  const page = await visit(browser, served.addresses[0]);
  await ready(page);
  await served.stop('SIGKILL');
  await page.fill('#find', '1');
  await page.press('#find', 'Enter');
  await page.waitForFunction(() => document.getElementById('trouble').textContent.includes('fairhaven play --resume one.jsonl --page'));
  await page.context().close();
  return '';
}];
