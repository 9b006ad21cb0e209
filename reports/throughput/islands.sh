#!/usr/bin/env bash
# Measures the three games on an island beside one another, on one core, with all statistics: 4 players, 2 of CATAN for
# two. The games take turns, so that a slow moment of the machine falls on all of them; what counts is the ratio to base
# CATAN within a round.
#
# Usage: reports/throughput/islands.sh [OUT]    writes OUT/islands.csv, in this folder by default
#   ROUNDS      rounds (default 7)
#   SECONDS_EACH  seconds for each agent in a round, half of them with nothing counted (default 1)
#   FAIRHAVEN   a binary to measure; built in release mode if not given
#
# Needs cargo or FAIRHAVEN, and Python 3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
rounds=${ROUNDS:-7}
if [ -z "${FAIRHAVEN:-}" ]; then
  (cd "$root" && cargo build --release --quiet)
  FAIRHAVEN=${CARGO_TARGET_DIR:-$root/target}/release/fairhaven
fi
raw=$(mktemp)
trap 'rm -f "$raw"' EXIT
measure() { # round, name, words of a command
  local round=$1 name=$2
  shift 2
  "$FAIRHAVEN" bench "$@" --agents random,greedy,heuristic --threads 1 --seconds "${SECONDS_EACH:-1}" --json |
    python3 -c 'import json, sys
for agent in json.load(sys.stdin)["agents"]:
    rate = agent["one_thread"]["matches_per_s"]["median"]
    print(*sys.argv[1:], agent["name"], rate, agent["decisions_per_match"], sep=",")' "$round" "$name" >>"$raw"
}
for round in $(seq "$rounds"); do
  measure "$round" base base --players 4
  measure "$round" two-player two-player --players 2
  measure "$round" boats-shores boats --players 4
  measure "$round" boats-fog boats --players 4 --set scenario=fog
done
python3 - "$raw" >"$out/islands.csv" <<'PY'
import csv, statistics, sys
rates, lengths = {}, {}
for round, game, agent, rate, length in csv.reader(open(sys.argv[1])):
    rates.setdefault((game, agent), []).append(float(rate))
    lengths[game, agent] = float(length)
print("game,agent,decisions_per_match,matches_per_s,ratio_to_base,ratio_min,ratio_max,rounds")
for (game, agent), found in rates.items():
    ratios = [one / base for one, base in zip(found, rates["base", agent])]
    print(game, agent, f"{lengths[game, agent]:.1f}", f"{statistics.median(found):.0f}",
          f"{statistics.median(ratios):.3f}", f"{min(ratios):.3f}", f"{max(ratios):.3f}", len(found), sep=",")
PY
