// Server or browser killed at any moment: the match goes on from its record, and nothing that was chosen is lost.

import { chromium } from 'playwright-core';
import fs from 'node:fs';
import path from 'node:path';
import { byMouse, call, check, dice, launch, place, ready, read, serve, seedOf, visit } from './support.mjs';

const KILLS = Number(process.env.FAIRHAVEN_KILLS ?? 20);

/** Whole lines of a record that may have been cut off within its last one. */
const whole = (text) => text.slice(0, text.lastIndexOf('\n') + 1);

export const kills = () => [`${KILLS} kills of server or browser`, async () => {
  const directory = place();
  const random = dice(seedOf);
  let [matches, servers, browsers, choices] = [0, 0, 0, 0];
  let [host, browser, served, page, name] = [null, null, null, null, null];
  const begin = async () => {
    if (!host) {
      host = await chromium.launchServer(launch);
      browser = await chromium.connect(host.wsEndpoint());
    }
    if (!served) {
      const isNew = name === null;
      if (isNew) {
        matches += 1;
        name = `match-${matches}.jsonl`;
      }
      served = await serve(directory, isNew
        ? `play on-the-road --players 3 --seed ${matches} --agents greedy --out ${name}` : `play --resume ${name}`);
    }
    page = await visit(browser, served.addresses[0]);
  };
  /** Plays until it is killed; errors are those of the kill. */
  const play = async () => {
    try {
      for (;;) {
        if (await ready(page, 5000) === 'over') return true;
        await byMouse(page, random);
        choices += 1;
      }
    } catch {
      return false;
    }
  };
  while (servers + browsers < KILLS) {
    await begin();
    // Half of the kills come while the page is loaded, or its first choice made; the others once it plays.
    if (random(2) === 0) await ready(page).catch(() => null);
    const playing = play();
    await new Promise((done) => setTimeout(done, 60 + random(500)));
    const isServer = random(4) > 0;
    const kept = whole(read(directory, name));
    if (isServer) {
      servers += 1;
      await served.stop('SIGKILL');
      await page.context().close().catch(() => {});
      served = null;
    } else {
      browsers += 1;
      host.process().kill('SIGKILL');
      host = null;
    }
    await playing;
    const now = whole(read(directory, name));
    check(now.startsWith(kept), 'a choice was lost');
    if (now.includes('"end":')) {
      call(directory, 'replay', '--check', name);
      if (served) await served.stop('SIGKILL');
      [served, name] = [null, null];
    }
  }
  // The last one is played to its end.
  await begin();
  for (;;) {
    if (await ready(page) === 'over') break;
    await byMouse(page, random);
  }
  call(directory, 'replay', '--check', name);
  await host.close();
  await served.stop('SIGINT');
  const left = fs.readdirSync(directory).filter((file) => path.extname(file) !== '.jsonl');
  check(left.length === 0, `left behind: ${left}`);
  return `${servers} of the server, ${browsers} of the browser, between ${choices} choices in ${matches} ${matches === 1 ? 'match' : 'matches'}`;
}];
