#!/usr/bin/env bash
# Resident memory of the program while it plays, every few seconds, with the matches that it has played: one
# curve for each kind of run that may use memory in a way of its own. About half an hour on two cores.
#
# Usage: reports/memory/run.sh [OUT]     writes OUT/memory.csv, this folder by default
#   FAIRHAVEN   a binary to measure; built in release mode if not given
#   QUICK, ROWS, FOUR, STUDY, SLOW   seconds of the curves (default 600, 240, 240, 240, 300); 0 leaves them out
#   EVERY       seconds from one sample to the next (default 5)
#   MATCHES     matches of the first curve, which may end before its time (default 100m)
#
# Needs Linux (/proc) and python3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
every=${EVERY:-5}
cd "$root"
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi
FAIRHAVEN=$(realpath "$FAIRHAVEN")
work=$(mktemp -d)
player=
trap '[ -z "$player" ] || kill "$player" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
table=memory.csv
echo "run,seconds,matches,resident_kib,anonymous_kib" >"$table"

# Matches that a run has saved: four bytes of digests for each chunk.
played() { # directory
  python3 - "$1" <<'PY'
import json, os, sys
run = sys.argv[1]
try:
    plan = json.load(open(run + "/manifest.json"))["plan"]
    chunks = os.path.getsize(run + "/digests.bin") // 4
    print(min(chunks * plan["chunk"], plan["blocks"]) * len(plan["matches_of_a_block"]))
except OSError:
    print(0)  # not begun, or just being published
PY
}

# Samples a run for a time, then stops it by Ctrl-C; the last sample is taken before that.
curve() { # name seconds arguments
  local name=$1 seconds=$2 start resident anonymous
  shift 2
  [ "$seconds" -gt 0 ] || return 0
  "$FAIRHAVEN" "$@" --quiet --out "$name" 2>>log &
  player=$!
  start=$SECONDS
  while kill -0 "$player" 2>/dev/null && [ $((SECONDS - start)) -lt "$seconds" ]; do
    read -r resident anonymous < <(awk '/^VmRSS/ { r = $2 } /^RssAnon/ { a = $2 } END { print r + 0, a + 0 }' \
      "/proc/$player/status" 2>/dev/null) || break
    [ "$resident" = 0 ] || echo "$name,$((SECONDS - start)),$(played "$name.partial"),$resident,$anonymous" >>"$table"
    sleep "$every"
  done
  kill -INT "$player" 2>/dev/null || true
  wait "$player" || true
  player=
  rm -rf "$name"
}

curve quick "${QUICK:-600}" simulate on-the-road --agents builder --matches "${MATCHES:-100m}"
curve rows "${ROWS:-240}" simulate on-the-road --agents builder --matches 100m --rows zst
curve four "${FOUR:-240}" simulate on-the-road --agents builder,drifter,greedy,random --matches 100m
curve study "${STUDY:-240}" balance on-the-road --choice metropolis --set side=b --levels builder --blocks 10m
curve slow "${SLOW:-300}" simulate base --agents mcts:iterations=100 --matches 100k
curve slow-1k "${SLOW:-300}" simulate base --agents mcts:iterations=100 --matches 1k
mv "$table" "$out/memory.csv"

# By curve: its first and last sample, the highest before and after half of the samples, and its last growth.
awk -F, 'NR > 1 { n[$1]++; order[$1, n[$1]] = $4; at[$1, n[$1]] = $2; last[$1] = $0; if (!($1 in seen)) { seen[$1]; names[++k] = $1 } }
  END {
    for (i = 1; i <= k; i++) {
      r = names[i]; first_half = second_half = 0; grown = 0
      for (j = 1; j <= n[r]; j++) {
        if (j <= n[r] / 2) { if (order[r, j] > first_half) first_half = order[r, j] }
        else if (order[r, j] > second_half) second_half = order[r, j]
        if (j > 1 && order[r, j] > most[r]) grown = at[r, j]
        if (order[r, j] > most[r]) most[r] = order[r, j]
      }
      split(last[r], end, ",")
      printf "%s: %d matches in %d s; highest %d KiB in the first half, %d KiB in the second; last growth at %d s\n",
        r, end[3], end[2], first_half, second_half, grown
    }
  }' "$out/memory.csv"
