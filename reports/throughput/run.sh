#!/usr/bin/env bash
# Measures throughput: matches and decisions a second (bench.txt), and instructions a match, a decision and
# a listed action (instructions.csv). Instructions are counted by callgrind on one thread for two run
# lengths; the difference leaves out start-up, warm-up and tables. Both lengths are multiples of 1024, since
# `simulate` then counts in 1024 chunks, and the cost of a chunk cancels, too: what is left is the cost of a
# match in a long run, statistics included. Sums are saved at the end only, since callgrind is slow and they
# are saved by the clock. Instructions do not depend on what else the machine does.
#
# Usage: reports/throughput/run.sh [OUT]     writes into OUT, this folder by default
#   SECONDS_EACH  seconds an agent and number of threads in bench (default 30)
#   UNIT          matches that the lengths are multiples of (default 1024; less only to try this script)
#   SEED          master seed (default 1)
#   FAIRHAVEN     a binary to measure; built in release mode if not given
#
# Needs cargo and valgrind.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
seconds=${SECONDS_EACH:-30}
unit=${UNIT:-1024}
seed=${SEED:-1}
game=on-the-road

command -v valgrind >/dev/null || { echo "run.sh: valgrind is missing" >&2; exit 2; }
cd "$root"
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi
FAIRHAVEN=$(realpath "$FAIRHAVEN")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

machine() {
  echo "machine: $(lscpu | sed -n 's/^Model name: *//p' | head -1)," \
    "$(lscpu | sed -n 's/^CPU(s): *//p') cores online," \
    "$(lscpu | sed -n 's/^Thread(s) per core: *//p') threads a core," \
    "$(lscpu | sed -n 's/^L2 cache: *//p') L2, $(lscpu | sed -n 's/^L3 cache: *//p') L3"
  echo "system: $(uname -sr), $(rustc --version 2>/dev/null || echo 'rustc unknown')," \
    "$("$FAIRHAVEN" --version), load before $(cut -d' ' -f1 /proc/loadavg)"
}

# Instructions that callgrind counts in a run, statistics included.
instructions() { # agent matches run
  valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" \
    "$FAIRHAVEN" simulate "$game" --agents "$1" --players 4 --matches "$2" --seed "$seed" \
    --threads 1 --quiet --save-every 1000000 --out "$work/$3" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 2; }
  sed -n 's/^\(summary\|totals\): *\([0-9]*\).*/\2/p' "$work/callgrind" | head -1
}

# Matches, decisions and listed actions of a run; the last is a sum over kinds of mean times how often.
played() { # run
  python3 - "$work/$1" <<'PY'
import csv, json, pathlib, sys
run = pathlib.Path(sys.argv[1])
done = json.loads((run / "manifest.json").read_text())["played"]
rows = list(csv.DictReader((run / "decisions.csv").open()))
of = {(row["decision"], row["metric"]): float(row["estimate"] or 0) for row in rows}
kinds = {kind for kind, _ in of}
listed = sum(of[kind, "per_match"] * of[kind, "legal_mean"] for kind in kinds)
print(done["matches"], done["decisions"], round(listed * done["matches"]))
PY
}

{ machine; echo; "$FAIRHAVEN" bench "$game" --seconds "$seconds" --seed "$seed"; } >"$work/bench.txt"
mv "$work/bench.txt" "$out/bench.txt"

table=$work/instructions.csv
echo "agent,matches,decisions,listed_actions,instructions,per_match,per_decision,per_listed_action" >"$table"
# A match of a search costs thousands of chunks: a few are enough.
while read -r agent few many of; do
  rm -rf "$work/few" "$work/many"
  few=$((few * of))
  many=$((many * of))
  base=$(instructions "$agent" "$few" few)
  total=$(instructions "$agent" "$many" many)
  read -r m0 d0 l0 <<<"$(played few)"
  read -r m1 d1 l1 <<<"$(played many)"
  # Only `random` reads the whole list and nothing else, so only there a listed action has a price.
  awk -v agent="$agent" -v i="$((total - base))" -v m="$((m1 - m0))" -v d="$((d1 - d0))" \
    -v l="$((l1 - l0))" 'BEGIN {
      printf "%s,%d,%d,%d,%.0f,%.0f,%.1f,%s\n", agent, m, d, l, i, i / m, i / d,
        agent == "random" ? sprintf("%.1f", i / l) : ""
    }' >>"$table"
done <<AGENTS
builder 1 5 $unit
drifter 1 5 $unit
random 1 3 $unit
greedy 1 2 $unit
heuristic 1 2 $unit
mcts:iterations=100 1 6 1
AGENTS
mv "$table" "$out/instructions.csv"
cat "$out/bench.txt" "$out/instructions.csv"
