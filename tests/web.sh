#!/usr/bin/env bash
# The engine in browsers: builds target/web/, plays 1,000 matches a game in Node and in Chromium, whose digests must be those
# of the native program; plays a match of each game in the page; and measures sizes and the time to the first move. Where a
# tool is missing it says "not run", and why.
set -euo pipefail
cd "$(dirname "$0")/.."

not_run() {
    echo "not run: $*"
    exit 0
}
command -v node >/dev/null || not_run "no Node (on Debian: apt-get install nodejs npm)"
command -v npm >/dev/null || not_run "no npm (on Debian: apt-get install npm)"
target=wasm32-unknown-unknown
if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ] && ! rustup target add "$target" && [ ! -x /usr/bin/wasm-ld ]; then
    not_run "no standard library for $target (rustup target add $target)"
fi
took() {
    printf '%s: %d s\n' "$1" "$((SECONDS - since))"
    since=$SECONDS
}
since=$SECONDS
web/build.sh
took "built target/web/"

# What is native, and what Node says.
cargo test --quiet --test cli --no-run
program=$PWD/target/debug/fairhaven
tests=$PWD/target/web-tests
rm -rf "$tests"/{native,engine}
mkdir -p "$tests"/{native,engine}
cp tests/web/* "$tests/"
cp target/web/engine/engine_bg.wasm "$tests/engine/"
cp target/web/engine/engine.js "$tests/engine/engine.mjs"
took "built the native program"

# GAME AGENTS MATCHES: levels without a search, searches, and one agent in all seats.
runs=(
    "on-the-road greedy,random 1000" "base greedy,random 1000" "struggle greedy,random 1000"
    "two-player greedy,random 1000" "boats greedy,random 1000"
    "on-the-road heuristic 100" "base heuristic,greedy 100" "struggle heuristic,greedy 100"
    "two-player heuristic,greedy 100" "boats heuristic,greedy 20"
    "on-the-road mcts:iterations=50,greedy,random 30" "base mcts:iterations=50,greedy,random 9"
    "struggle mcts:iterations=50,greedy,random 30" "two-player mcts:iterations=50,greedy 10"
    "boats mcts:iterations=50,greedy,random 3"
)
seed=31
for run in "${runs[@]}"; do
    read -r game agents matches <<<"$run"
    out=$tests/native/$game-$agents
    "$program" simulate "$game" --agents "$agents" --matches "$matches" --seed "$seed" --quiet --out "$out"
    echo "$run $seed $(od -An -v -tx1 "$out/digests.bin" | tr -d ' \n')"
done >"$tests/native.txt"
took "played ${#runs[@]} runs natively"
node "$tests/digests.mjs" "$tests/engine" "$tests/native.txt"
took "played them in Node"

node "$tests/worker.mjs" web/static
node "$tests/hostile.mjs" "$tests/engine"
took "sent it what anybody may send"

# Matches one after the other: FAIRHAVEN_MATCHES of each game, 30 if not given.
node "$tests/memory.mjs" "$tests/engine" "${FAIRHAVEN_MATCHES:-30}"
took "played match after match"

# A match of each game, chosen in the page's way and typed at the terminal but for the last choice: the same record.
rm -rf "$tests/records"
mkdir -p "$tests/records"
node "$tests/records.mjs" "$tests/engine" "$tests/records" 11
for typed in "$tests"/records/*.typed; do
    game=$(basename "$typed" .typed)
    out=$tests/records/$game-typed.jsonl
    head -n -1 "$typed" | "$program" play "$game" --agents beginner --seat 2 --seed 11 --out "$out" \
        >"$tests/records/$game.txt"
    cmp --bytes="$(stat --format=%s "$out")" "$tests/records/$game.jsonl" "$out"
    [ "$(wc -l <"$out")" -ge "$(wc -l <"$typed")" ]
done
took "typed them at the terminal: the same records"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || not_run "no Chromium (on Debian: apt-get install chromium); Node agrees"
if ! (cd "$tests" && timeout 120 npm ci --silent --no-audit --no-fund); then
    not_run "npm can't fetch playwright-core; Node agrees"
fi
node "$tests/browser.mjs" target/web "$tests/native.txt" "$browser"
took "played in Chromium"
node "$tests/sizes.mjs" target/web
