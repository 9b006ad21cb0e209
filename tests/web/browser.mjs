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
  const about = await page.textContent("#about");
  if (!/^[A-Z].+\. \d( to \d)? players\.$/.test(about)) throw new Error(`${game} is introduced so: ${about}`);
  await page.fill("#seed", seed);
  const sat = performance.now();
  await page.click("#sit", { noWaitAfter: true });
  await page.locator("#actions > *").first().waitFor();
  return { loaded, first: loaded + performance.now() - sat };
}

/** Waits until the person is asked, or the match is over, and nothing is under way. */
const due = (page) => page.waitForFunction(() => !document.body.classList.contains("busy") &&
  (document.querySelector("#actions > *") || !document.querySelector("#end").hidden));

/** Clicks on the list of actions until the match is over; after some clicks, calls `middle`. */
async function clickThrough(page, middle) {
  for (let clicks = 0; clicks < 5000; clicks += 1) {
    await due(page);
    if (clicks === 10) await middle();
    const over = await page.evaluate((number) => {
      if (!document.querySelector("#end").hidden) return true;
      // Long lists are folded: they are offers, which others mostly refuse.
      const short = [...document.querySelectorAll("#actions section.group button")];
      if (short.length === 0) document.querySelectorAll("#actions details").forEach((list) => { list.open = true; });
      else short[(number * 7) % short.length].click();
      return false;
    }, clicks);
    if (over) return clicks;
    const unfolded = page.locator("#actions details[open] button");
    if (await unfolded.count()) await unfolded.nth(clicks % await unfolded.count()).click();
  }
  throw new Error("the match does not end");
}

/** A reload in the middle goes on where the match was. */
async function reload(page) {
  const news = () => page.locator("#news p").allTextContents();
  const before = await news();
  await page.reload();
  await due(page);
  assert.deepEqual((await news()).slice(0, before.length), before, "the match goes on after a reload");
}

async function playEachGame() {
  const firsts = [];
  for (const game of ["on-the-road", "base", "struggle", "two-player", "boats"]) {
    const page = await fresh();
    const { loaded, first } = await sitDown(page, game, "5");
    firsts.push(first);
    const start = performance.now();
    const clicks = await clickThrough(page, () => reload(page));
    const played = seconds(start);
    await page.locator(".verdict p").nth(3).waitFor();
    assert.match(await page.locator(".verdict").textContent(), /Luck: .*Mistakes: .*Turning point: /s);
    console.log(`Chromium: a match of ${game}: the start page after ${loaded.toFixed(0)} ms, the first move after ` +
      `${first.toFixed(0)} ms (goal: ${GOAL}); ${clicks} clicks in ${played} s, the verdict after ${seconds(start)} s`);
    if (game === "on-the-road") await watch(page);
    await page.context().close();
  }
  // A machine with other work may be slow at any one of them.
  const quickest = Math.min(...firsts);
  assert.ok(quickest < GOAL, `the first move came after ${quickest.toFixed(0)} ms at the quickest`);
}

/** A match that is over is on the start page's list, and can be watched. */
async function watch(page) {
  await page.goto(host.address);
  await page.getByRole("button", { name: /^Watch: / }).click();
  await page.locator("#chart svg").waitFor();
  await page.waitForFunction(() => !/looking for them/.test(document.querySelector("#mistakes").textContent));
}

/** Who sits where is chosen seat by seat, and the next match has the same people in the same seats. */
async function chooseSeats() {
  const page = await fresh();
  await page.goto(host.address);
  await page.locator("#sit:enabled").waitFor();
  await page.selectOption("#game", "on-the-road");
  await page.selectOption("#players", "3");
  assert.equal(await page.locator("#chairs select").count(), 3);
  for (const [seat, who] of [[1, "hard"], [2, "medium"], [3, "beginner"]]) await page.selectOption(`#chair-${seat}`, who);
  await page.click("#sit");
  assert.match(await page.textContent("#trouble"), /Somebody must play/);
  await page.selectOption("#chair-2", "person");
  await page.fill("#seed", "5");
  await page.click("#sit", { noWaitAfter: true });
  await page.locator("#actions > *").first().waitFor();
  const names = () => page.locator("#seats .who .name").allTextContents();
  assert.deepEqual(await names(), [" hard", " you", " beginner"]);
  await clickThrough(page, async () => {});
  const before = page.url();
  await page.click("#again");
  await page.locator("#actions > *").first().waitFor();
  assert.deepEqual(await names(), [" hard", " you", " beginner"]);
  assert.notEqual(page.url(), before, "the next match has a name of its own");
  await reload(page);
  await page.context().close();
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
  await chooseSeats();
  await refuseForged();
  assert.deepEqual(faults, []);
} catch (error) {
  // What went wrong in a page may be why something was waited for in vain.
  console.error(faults);
  throw error;
} finally {
  await browser.close();
  host.end();
}
