// A match as a list: what has happened, the table in words, and every legal action as a button under its heading. All of
// it can be used by keyboard alone and read by a screen reader; what is new is said once, in a live region.

/** Lists longer than this are folded. */
const LONG = 24;

const PARTS = `
<h1></h1>
<p class="who"></p>
<p id="now" role="status"></p>
<div class="columns">
<section aria-labelledby="table-title"><h2 id="table-title">Table</h2><pre class="board" hidden></pre><ul class="lines"></ul></section>
<section aria-labelledby="act-title"><h2 id="act-title" tabindex="-1">What you may do</h2><div class="groups"></div>
<p class="tools"><button type="button" data-do="why">Why?</button> <button type="button" data-do="undo">Undo</button>
<button type="button" data-do="download">Download the record</button> <button type="button" data-do="leave">Leave</button></p>
<div class="advice" role="status"></div></section>
<section aria-labelledby="log-title"><h2 id="log-title">What has happened</h2><ol class="log" tabindex="0" aria-label="All that has happened"></ol></section>
</div>`;

const percent = (share) => `${(100 * share).toFixed(1)} %`;

function element(kind, words, given = {}) {
  return Object.assign(document.createElement(kind), { textContent: words }, given);
}

/** Plays a match in a part of the page, and returns who hears what the engine says meanwhile. */
export async function play(root, { engine, sitting, title, download, leave }) {
  root.innerHTML = PARTS;
  const find = (what) => root.querySelector(what);
  const [seat] = sitting.persons;
  let told = 0;
  let busy = true;
  let last;

  find("h1").textContent = title;
  find(".who").textContent = sitting.names
    .map((name, at) => `Seat ${at + 1}: ${at + 1 === seat ? "you" : name}.`)
    .join(" ");

  const say = (words) => {
    find("#now").textContent = words;
  };

  /** Adds what is new to the log; what somebody else did is said. */
  function log(shown) {
    const fresh = shown.told.slice(Math.max(0, told - (shown.steps - shown.told.length)));
    const named = fresh.filter(({ words }) => words);
    find(".log").append(...named.map(({ turn, words }) => element("li", turn ? `Turn ${turn}: ${words}` : words)));
    told = shown.steps;
    find(".log").scrollTop = find(".log").scrollHeight;
    return named.filter(({ actor }) => actor !== seat).map(({ words }) => words);
  }

  function action({ number, words, place }) {
    return element("button", `${number}. ${words}`, { type: "button", onclick: () => act("choose", place), className: "action" });
  }

  function group({ heading, entries }) {
    const list = element("ul", "", { className: "actions" });
    list.append(...entries.map((entry) => {
      const item = document.createElement("li");
      item.append(action(entry));
      return item;
    }));
    const long = entries.length > LONG;
    const part = document.createElement(long ? "details" : "section");
    part.append(element(long ? "summary" : "h3", long ? `${heading}: ${entries.length}` : heading), list);
    return part;
  }

  function show(shown, asked = true) {
    last = shown;
    const news = log(shown);
    find(".board").hidden = !shown.table.board;
    find(".board").textContent = shown.table.board ?? "";
    find(".lines").replaceChildren(...shown.table.lines.map((line) => element("li", line)));
    find(".groups").replaceChildren(...(asked ? shown.groups.map(group) : []));
    const count = shown.groups.reduce((sum, { entries }) => sum + entries.length, 0);
    const turn = `Turn ${shown.turn}, ${shown.phase.replaceAll("_", " ")}`;
    const due = shown.outcome ? over(shown.outcome) : asked ? `You may do ${count} things.` : "The others play.";
    say(`${news.slice(-6).join(" ")} ${turn}. ${due}`.trim());
  }

  function over({ winner, points }) {
    const who = winner ? (winner === seat ? "You win" : `Seat ${winner} wins`) : "Nobody wins";
    return `${who}. Points by seat: ${points.join(", ")}.`;
  }

  /** Others play until this seat is asked, or the match is over. */
  async function goOn() {
    const shown = await engine.call("advance", seat, told);
    show(shown);
    if (shown.outcome) await judge();
    else find("#act-title").focus({ preventScroll: true });
  }

  async function judge() {
    find(".advice").textContent = "The match is looked into; that takes some seconds.";
    const { lines, agent, searches, judged } = await engine.call("verdict", seat);
    const source = `Mistakes are judged by ${agent} in ${searches} searches, at most ${judged} decisions.`;
    find(".advice").replaceChildren(...[...lines, source].map((line) => element("p", line)));
  }

  /** Does something, unless something is being done; what is refused is said. A broken engine is begun again. */
  async function once(work) {
    if (busy) return;
    busy = true;
    root.setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      say(`Not done: ${error.message}.`);
      if (error.broken) await engine.call("resume", sitting.name).then(goOn);
    } finally {
      busy = false;
      root.removeAttribute("aria-busy");
    }
  }

  const act = (call, ...words) => once(async () => {
    find(".advice").replaceChildren();
    await engine.call(call, seat, ...words);
    await goOn();
  });

  async function why() {
    find(".advice").textContent = "A search looks at it.";
    const { agent, searches, considered } = await engine.call("why", seat);
    const line = ({ action: words, chance, chosen }) => {
      const interval = chance.interval ? ` (${chance.interval.map(percent).join(" to ")})` : "";
      return element("li", `${words}: wins ${percent(chance.value)}${interval}; first choice of ${chosen} of ${searches} searches`);
    };
    const list = element("ol", "");
    list.append(...considered.filter(({ chance }) => chance).slice(0, 5).map(line));
    find(".advice").replaceChildren(element("p", `${agent}, asked ${searches} times, knows what you know. Chance to win (95 %):`), list,
      element("p", "Intervals say how sure the search is of its figures, not how right they are."));
  }

  async function undo() {
    find(".advice").replaceChildren();
    await engine.call("take_back", seat);
    const shown = await engine.call("shown", seat, 0);
    find(".log").replaceChildren();
    told = 0;
    show(shown);
    say("Your last choice is taken back.");
  }

  const tools = { why: () => once(why), undo: () => once(undo), download: () => download(sitting.name), leave };
  for (const tool of root.querySelectorAll("[data-do]")) tool.onclick = () => tools[tool.dataset.do]();

  busy = false;
  await once(goOn);
  return ({ note, shown }) => {
    if (note === "step" && last && !last.outcome) show(shown, false);
  };
}
