#!/usr/bin/env bash
# Plays the ladder of Struggle for Catan: one of the stronger against all others of the weaker, at tables of 2, 3, 4
# and 6 players. Forty minutes on one core, nearly all of them for the searches.
#
# Usage: reports/ladder/struggle.sh [OUT]; runs go to OUT (out/ladder-struggle), ladder-struggle.csv beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/ladder
out=${1:-out/ladder-struggle}
. reports/common.sh
mkdir -p "$out"
table=$out/ladder-struggle.csv
echo "rung,players,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$table"
rung() { # name, stronger, weaker, matches at 3, 2, 4 and 6 players, of those that are played
  local name=$1 stronger=$2 weaker=$3
  shift 3
  for players in 3 2 4 6; do
    [ $# -gt 0 ] || break
    local agents=$stronger
    for _ in $(seq 2 "$players"); do agents=$agents,$weaker; done
    "$FAIRHAVEN" simulate struggle --seed 20267 --force --quiet --allow-oracle --agents "$agents" \
      --players "$players" --matches "$1" --out "$out/$name-$players"
    shift
    grep ',win_rate,' "$out/$name-$players/agents.csv" | sed "s/^/$name,$players,/" >>"$table"
  done
}
rung greedy-random greedy random 3k 3k 3k 3k
rung heuristic-greedy heuristic greedy 3k 3k 3k 3k
rung mcts1000-heuristic mcts:iterations=1000:judgement=weights heuristic 150 150 240 150
rung oracle200-mcts200 oracle:iterations=200:judgement=weights mcts:iterations=200:judgement=weights 120
cp "$table" $here/ladder-struggle.csv
