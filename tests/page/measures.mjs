// What it costs: how soon a choice is answered, and how much memory the server has. Printed; only that memory stays flat over
// many matches is judged.

import fs from 'node:fs';
import { check, place, serve } from './support.mjs';

const LEVELS = ['greedy', 'newcomer', 'beginner', 'medium', 'expert', 'master'];

const memory = (id) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${id}/status`, 'utf8'))[1]);

/** Plays by messages alone: what a browser sends, without one. */
async function play(address, most) {
  const headers = { Origin: new URL(address).origin, 'Content-Type': 'application/json' };
  const times = [];
  const look = async () => {
    const response = await fetch(`${address}api/shown?seat=1&since=100000`);
    return [await response.json(), response.headers.get('ETag')];
  };
  let [shown, tag] = await look();
  while (times.length < most && !shown.outcome) {
    if (shown.asked !== 1) {
      [shown, tag] = await look();
      continue;
    }
    const { place: chosen } = shown.groups[0].entries[0];
    const began = performance.now();
    const response = await fetch(`${address}api/choose`, {
      method: 'POST', headers: { ...headers, 'If-Match': tag }, body: JSON.stringify({ seat: 1, place: chosen, since: 100000 }),
    });
    [shown, tag] = [await response.json(), response.headers.get('ETag')];
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
}

export const answers = () => ['how soon a choice is answered, with all that the others do next', async () => {
  const rows = [];
  for (const game of ['on-the-road', 'base']) {
    for (const level of LEVELS) {
      const served = await serve(place(), `play ${game} --seed 5 --agents ${level}`);
      const times = await play(served.addresses[0], 60);
      const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(0);
      rows.push(`${game} against ${level}: half below ${at(0.5)} ms, nine of ten below ${at(0.9)} ms, all below ${at(1)} ms`);
      await served.stop('SIGKILL');
    }
  }
  return `\n  ${rows.join('\n  ')}`;
}];

/** How many matches one server plays, and what it may grow after the first tenth of them, in KiB. */
const MATCHES = Number(process.env.FAIRHAVEN_MATCHES ?? 30);
const MORE = 2 << 10;

export const many = () => [`memory of the server over ${MATCHES} matches`, async () => {
  const rows = [];
  for (const game of ['on-the-road', 'base']) {
    const served = await serve(place(), `play ${game} --seed 1 --agents greedy`);
    const [address] = served.addresses;
    let early = 0;
    for (let played = 1; played <= MATCHES; played += 1) {
      await play(address, 4000);
      if (played === Math.ceil(MATCHES / 10)) early = memory(served.id);
      const tag = (await fetch(`${address}api/shown?seat=1&since=100000`)).headers.get('ETag');
      const response = await fetch(`${address}api/again`, {
        method: 'POST', headers: { Origin: new URL(address).origin, 'Content-Type': 'application/json', 'If-Match': tag }, body: '{"seat":1}',
      });
      const begun = await response.json();
      check(!begun.refused && begun.told.length === begun.steps, JSON.stringify(begun).slice(0, 200));
    }
    const late = memory(served.id);
    rows.push(`${game}: ${early} KiB after a tenth, ${late} KiB after all`);
    check(late <= early + MORE, `${game}: it grows from ${early} to ${late} KiB`);
    await served.stop('SIGKILL');
  }
  return `\n  ${rows.join('\n  ')}`;
}];

export const room = () => ['memory of the server', async () => {
  const rows = [];
  for (const game of ['on-the-road', 'base']) {
    const [begun, ended] = [[], []];
    for (let seed = 1; seed <= 8; seed += 1) {
      const served = await serve(place(), `play ${game} --seed ${seed} --agents greedy`);
      begun.push(memory(served.id));
      await play(served.addresses[0], 2000);
      ended.push(memory(served.id));
      await served.stop('SIGKILL');
    }
    rows.push(`${game}: ${Math.max(...begun)} KiB at most after the deal, ${Math.max(...ended)} KiB at most after a match`);
  }
  const served = await serve(place(), 'play base --seed 1 --agents greedy');
  const look = () => fetch(`${served.addresses[0]}api/shown?seat=1&since=0`).then((response) => response.text());
  for (let times = 0; times < 200; times += 1) await look();
  const before = memory(served.id);
  for (let times = 0; times < 4000; times += 1) await look();
  rows.push(`4,000 requests: ${before} KiB before, ${memory(served.id)} KiB after`);
  await served.stop('SIGKILL');
  return `\n  ${rows.join('\n  ')}`;
}];
