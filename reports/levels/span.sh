#!/usr/bin/env bash
# What the shipped levels span beside other agents: alone among `greedy`, and one against one against the planner.
# Usage: reports/levels/span.sh [OUT]; runs go to OUT (out/span), the table to span.csv beside this script. A minute on
# two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/levels
out=${1:-out/span}
. reports/common.sh
mkdir -p "$out"
: >"$out/span.csv"
row() { # game, level, others, matches, words of the command
  "$FAIRHAVEN" simulate "$1" --agents "levels/$1/$2,$3" --matches "$4" --seed 1 "${@:5}" --force --quiet --out "$out/run"
  [ -s "$out/span.csv" ] || sed -n '1s/^/game,others,rules,/p' "$out/run/agents.csv" >"$out/span.csv"
  awk -v of="$1,${3//,/ },${*:5}" -F, '$1 ~ /^levels/ && $2 == "win_rate" { print of "," $0 }' "$out/run/agents.csv" \
    >>"$out/span.csv"
}
for game in on-the-road base struggle two-player boats; do
  others=greedy,greedy,greedy
  if [ $game = two-player ]; then others=greedy; fi
  # The levels of Struggle for Catan were found by these rules.
  rules=
  if [ $game = struggle ]; then rules="--set preset=dear_town_hall"; fi
  # shellcheck disable=SC2086 # two words or none
  for level in beginner easy medium hard expert; do row $game $level $others 4k $rules; done
done
row base beginner greedy 4k --players 2
row base beginner greedy 4k --players 2 --set trade.proposals_max=0
for level in beginner easy medium hard; do
  row base $level heuristic 4k --players 2
  row base $level heuristic 4k --players 2 --set trade.proposals_max=0
done
cp "$out/span.csv" $here/
