// The folder of static files in Chromium: the digests of a list of runs, a match of each game in the page, a reload in the
// middle, a forged record, and the time from the address to the first move. Words: folder, list of runs, browser.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { runs } from "./runs.mjs";
import { serve } from "./server.mjs";

const GOAL = 2000;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const [folder, list, executablePath] = process.argv.slice(2);
const host = await serve(folder);
const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
const faults = [];

/** A page of a browser that has never been here. Whatever goes wrong in it, or is fetched elsewhere, is a fault. */
async function fresh() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(host.address) && !/^(data|blob):/.test(url)) faults.push(`fetched ${url}`);
  });
  page.setDefaultTimeout(60_000);
  return page;
}

const seconds = (start) => ((performance.now() - start) / 1000).toFixed(1);

/** The digests of all runs, by the worker that the page plays with. */
async function compareDigests() {
  const page = await fresh();
  await page.goto(host.address);
  for (const { name, words, due } of await runs(list)) {
    const start = performance.now();
    const found = await page.evaluate(async (words) => {
      const { Engine } = await import(new URL("engine_client.js", document.baseURI));
      globalThis.engine ??= new Engine();
      return globalThis.engine.call("digests", ...words);
    }, words);
    assert.equal(found, due, `Chromium: other digests of ${name}`);
    console.log(`Chromium: ${name}, ${seconds(start)} s: as the native program`);
  }
  await page.context().close();
}

/** Opens the start page and sits down; returns how long it took until something could be done, in milliseconds. */
async function sitDown(page, game, seed) {
  const start = performance.now();
  await page.goto(host.address, { waitUntil: "commit" });
  await page.locator("#sit:enabled").waitFor();
  const loaded = performance.now() - start;
  await page.selectOption("#game", game);
  await page.fill("#seed", seed);
  const sat = performance.now();
  await page.click("#sit");
  await page.locator("button.action").first().waitFor({ state: "attached" });
  return { loaded, first: loaded + performance.now() - sat };
}

/** Clicks on the list of actions until the match is over, some thousand times at most; after some, calls `middle`. */
async function clickThrough(page, middle) {
  for (let clicks = 0; clicks < 5000; clicks += 1) {
    if (clicks === 10) await middle();
    const over = await page.evaluate((number) => {
      const idle = () => !document.querySelector("#match").hasAttribute("aria-busy");
      const act = (done) => {
        if (/\bwins?\. Points/.test(document.querySelector("#now").textContent)) return done(true);
        const actions = [...document.querySelectorAll("button.action")];
        if (!idle() || actions.length === 0) return setTimeout(act, 5, done);
        // Long lists are offers, which others mostly refuse.
        const short = [...document.querySelectorAll("section > .actions button.action")];
        const some = short.length > 0 ? short : actions;
        some[(number * 7) % some.length].click();
        return done(false);
      };
      return new Promise(act);
    }, clicks);
    if (over) return clicks;
  }
  throw new Error("the match does not end");
}

async function playEachGame() {
  const firsts = [];
  for (const game of ["on-the-road", "base", "struggle", "two-player", "boats"]) {
    const page = await fresh();
    const { loaded, first } = await sitDown(page, game, "5");
    firsts.push(first);
    const start = performance.now();
    const clicks = await clickThrough(page, async () => {
      await page.waitForFunction(() => !document.querySelector("#match").hasAttribute("aria-busy"));
      const log = () => page.locator(".log li").allTextContents();
      const before = await log();
      await page.reload();
      await page.locator("button.action").first().waitFor({ state: "attached" });
      const after = await log();
      assert.deepEqual(after.slice(0, before.length), before, `${game}: the match goes on after a reload`);
    });
    await page.locator(".advice p").nth(3).waitFor();
    assert.match(await page.locator(".advice").textContent(), /Luck: .*Mistakes: .*Turning point: /s);
    console.log(`Chromium: a match of ${game}: the start page after ${loaded.toFixed(0)} ms, the first move after ` +
      `${first.toFixed(0)} ms (goal: ${GOAL}); ${clicks} clicks and the verdict in ${seconds(start)} s`);
    await page.context().close();
  }
  // A machine with other work may be slow at any one of them.
  const quickest = Math.min(...firsts);
  assert.ok(quickest < GOAL, `the first move came after ${quickest.toFixed(0)} ms at the quickest`);
}

/** A record that somebody has altered is refused in words, and the page goes on. */
async function refuseForged() {
  const page = await fresh();
  await page.goto(host.address);
  await page.locator("#sit:enabled").waitFor();
  for (const text of ["no record", '{"record":"fairhaven-match","version":2}\n', "[".repeat(1e6)]) {
    await page.setInputFiles("#file", { name: "forged.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.waitForFunction(() => /forged.jsonl is not taken up/.test(document.querySelector("#said").textContent));
    await page.evaluate(() => document.querySelector("#said").replaceChildren());
  }
  await page.context().close();
}

try {
  await compareDigests();
  await playEachGame();
  await refuseForged();
  assert.deepEqual(faults, []);
} finally {
  await browser.close();
  host.end();
}
