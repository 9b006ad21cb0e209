#!/usr/bin/env bash
# Measures random matches of base CATAN beside other programs: 4 players, no trade between players, one core.
#
# The programs take turns with ours, so that a slow moment of the machine falls on both, and what counts is
# the ratio within a round: ours with nothing counted, and ours with all statistics, each over the peer's.
# peers.csv has the rounds; medians and ranges of the ratios are printed.
#
# Usage: reports/throughput/peers.sh [OUT]    writes OUT/peers.csv, in this folder by default
#   CATANATRON  a Python that has catanatron 3.2.1: python3 -m venv v; v/bin/pip install catanatron==3.2.1
#   FASTCATAN   a command that plays random matches in fastCatan (C++), built with -O3 from its repository
#   SORINMD     a command that plays random matches in sorinMD/MCTS (Java)
#   PEERS       further programs, a line each: NAME COMMAND
#   ROUNDS      rounds with each (default 7)
#   SECONDS_EACH  seconds of our rounds, for both figures together (default 2)
#   FAIRHAVEN   a binary to measure; built in release mode if not given
#
# A command is run by bash with ROUND set to the number of the round, from 1, and ends its output with a line
# whose last word is its matches a second. It should play for a second or more, and time matches alone, not
# its start. A program that is not given is left out.
#
# Needs cargo or FAIRHAVEN, and Python 3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
rounds=${ROUNDS:-7}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "peers.sh: $1" >&2
  exit 2
}

cat >"$work/theirs.py" <<'PY'
import os, time
from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer
colors = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
first, count = 100 * int(os.environ["ROUND"]), 60
start = time.perf_counter()
for seed in range(first, first + count):
    Game([RandomPlayer(color) for color in colors], seed=seed).play()
print(count / (time.perf_counter() - start))
PY

# The peers' names and commands.
names=()
commands=()
peer() { # name command
  names+=("$1")
  commands+=("$2")
}
left_out() { # name how
  echo "peers.sh: $1 is left out; $2" >&2
}
if [ -n "${CATANATRON:-}" ]; then
  "$CATANATRON" -c 'import catanatron' 2>/dev/null ||
    fail "$CATANATRON has no catanatron; run: $CATANATRON -m pip install catanatron==3.2.1"
  peer catanatron "$(printf '%q ' "$CATANATRON" "$work/theirs.py")"
else
  left_out catanatron "set CATANATRON to a Python after: pip install catanatron==3.2.1"
fi
if [ -n "${FASTCATAN:-}" ]; then
  peer fastcatan "$FASTCATAN"
else
  left_out fastcatan "build it from its repository, and set FASTCATAN to a command that prints matches a second"
fi
if [ -n "${SORINMD:-}" ]; then
  peer sorinmd "$SORINMD"
else
  left_out sorinmd "build github.com/sorinMD/MCTS, and set SORINMD to a command that prints matches a second"
fi
while read -r name command; do
  [ -z "$name" ] || peer "$name" "$command"
done <<<"${PEERS:-}"
[ ${#names[@]} -gt 0 ] || fail "no program to compare with; the head of this script says how to name one"
for name in "${names[@]}"; do
  [[ $name =~ ^[A-Za-z0-9_.-]+$ ]] || fail "\`$name\` is no name; use letters, digits, _, . and -"
done

if [ -z "${FAIRHAVEN:-}" ]; then
  (cd "$root" && cargo build --release --quiet)
  FAIRHAVEN=${CARGO_TARGET_DIR:-$root/target}/release/fairhaven
fi

# Matches a second: of a peer, and ours, bare and counted.
theirs() { # name command
  local rate
  rate=$(ROUND=$round bash -c "$2" | awk 'END { print $NF }') || fail "$1 failed"
  awk -v rate="$rate" 'BEGIN { exit !(rate + 0 > 0) }' ||
    fail "$1 ended with \`$rate\`, not with its matches a second"
  echo "$rate"
}
ours() {
  "$FAIRHAVEN" bench base --agents random --threads 1 --set trade.proposals_max=0 \
    --seconds "${SECONDS_EACH:-2}" --json |
    python3 -c 'import json, sys
agent = json.load(sys.stdin)["agents"][0]
print(*(agent[way]["matches_per_s"]["median"] for way in ("one_thread_bare", "one_thread")))'
}

table=$work/peers.csv
echo "peer,round,peer_matches_per_s,bare_matches_per_s,counted_matches_per_s,ratio_bare,ratio_counted" >"$table"
for round in $(seq "$rounds"); do
  for idx in "${!names[@]}"; do
    rate=$(theirs "${names[idx]}" "${commands[idx]}")
    ours=$(ours)
    read -r bare counted <<<"$ours"
    awk -v name="${names[idx]}" -v round="$round" -v rate="$rate" -v bare="$bare" -v counted="$counted" 'BEGIN {
      printf "%s,%d,%.2f,%.0f,%.0f,%.2f,%.2f\n", name, round, rate, bare, counted, bare / rate, counted / rate
    }' >>"$table"
  done
done
mv "$table" "$out/peers.csv"

python3 - "$out/peers.csv" <<'PY'
import csv, statistics, sys
rounds = {}
for row in csv.DictReader(open(sys.argv[1])):
    rounds.setdefault(row["peer"], []).append(row)
for peer, rows in rounds.items():
    def spread(column):
        ratios = [float(row[column]) for row in rows]
        return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    print(f"{peer}: ours over it {spread('ratio_bare')} with nothing counted,",
          f"{spread('ratio_counted')} with all statistics; median (least to most) of {len(rows)} rounds")
PY
