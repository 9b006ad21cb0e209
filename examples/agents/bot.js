// A guest for any game of Fairhaven: it builds if it can, and otherwise does anything else. Node, without packages.
//
//     fairhaven simulate base --agents "exec:node bot.js,random,random,random" --matches 400
//
// The messages are described in docs/protocol.md.

"use strict";
const readline = require("node:readline");

// Actions that build or buy something, by the word in `do`: the best first.
const BUILDING = ["city", "settlement", "build", "road", "boat", "buy"];

// A stream of random numbers (mulberry32) from the first half of a seed's 32 digits.
function stream(seed) {
  let state = (parseInt(seed.slice(0, 8), 16) ^ parseInt(seed.slice(8, 16), 16)) >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

// The place in the legal list of what is done.
function choose(legal, below) {
  for (const word of BUILDING) {
    const places = [...legal.keys()].filter((at) => legal[at].do === word);
    if (places.length > 0) return places[below(places.length)];
  }
  return below(legal.length);
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const streams = new Map(); // One for each match that is open.
const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      // Without offers, the list is short.
      say({ type: "ready", protocol: 1, name: "bot.js", list: "no_offers" });
      break;
    case "match":
      // All luck comes from the seed, so that the match can be played again.
      streams.set(message.match, stream(message.seed));
      break;
    case "decide": {
      const index = choose(message.legal, streams.get(message.match));
      say({ type: "choose", id: message.id, index });
      break;
    }
    case "over":
      streams.delete(message.match);
      break;
    case "bye":
      lines.close();
      break;
  }
});
