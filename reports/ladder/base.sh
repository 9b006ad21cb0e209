#!/usr/bin/env bash
# Plays the ladder of base CATAN: one of the stronger against three of the weaker, and one against one with
# the base rules for two (unofficial). About half an hour on two cores, most of it for the search with a
# time budget, which other work on the machine weakens.
#
# Usage: reports/ladder/base.sh [OUT]; runs go to OUT (out/ladder-base), ladder-base.csv beside this script.
#   MCTS, TIMED    matches of each search rung (default 800, 80)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/ladder
out=${1:-out/ladder-base}
. reports/common.sh
mkdir -p "$out"
table=$out/ladder-base.csv
echo "rung,players,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$table"
rung() { # name, stronger, weaker, matches
  for players in 4 2; do
    local others=$3
    [ "$players" = 2 ] || others=$3,$3,$3
    "$FAIRHAVEN" simulate base --seed 20265 --force --quiet --agents "$2,$others" --players "$players" \
      --matches "$4" --out "$out/$1-$players"
    grep ',win_rate,' "$out/$1-$players/agents.csv" | sed "s/^/$1,$players,/" >>"$table"
  done
}
rung greedy-random greedy random 4k
rung heuristic-greedy heuristic greedy 20k
rung mcts200-heuristic mcts:iterations=200:judgement=weights heuristic "${MCTS:-800}"
rung mcts1000-heuristic mcts:iterations=1000:judgement=weights heuristic "${MCTS:-800}"
rung mcts50ms-heuristic mcts:iterations=0:time_ms=50:judgement=weights heuristic "${TIMED:-80}"
cp "$table" $here/ladder-base.csv
