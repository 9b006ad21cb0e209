#!/usr/bin/env bash
# Plays the ladder of Struggle for Catan: one of the stronger against all others of the weaker, at tables of 2, 3, 4
# and 6 players.
#
# Usage: reports/ladder/struggle.sh [OUT]; runs go to OUT (out/ladder-struggle), ladder-struggle.csv beside this script.
#   FAIRHAVEN      a binary to use; built in release mode if not given
#   MATCHES        matches of each rung without a search (default 6,000)
#   MCTS           matches of the rung with a search at three players (default 150), half as many at others
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/ladder
out=${1:-out/ladder-struggle}
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi
mkdir -p "$out"
table=$out/ladder-struggle.csv
echo "rung,players,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$table"
rung() { # name, stronger, weaker, matches at three players, matches at others
  for players in 3 2 4 6; do
    local others=$3 matches=${5:-$4}
    [ "$players" != 3 ] || matches=$4
    for _ in $(seq 3 "$players"); do others=$others,$3; done
    "$FAIRHAVEN" simulate struggle --seed 20267 --force --quiet --agents "$2,$others" --players "$players" \
      --matches "$matches" --out "$out/$1-$players"
    grep ',win_rate,' "$out/$1-$players/agents.csv" | sed "s/^/$1,$players,/" >>"$table"
  done
}
rung greedy-random greedy random "${MATCHES:-6000}"
rung heuristic-greedy heuristic greedy "${MATCHES:-6000}"
search=${MCTS:-150}
rung mcts1000-heuristic mcts:iterations=1000 heuristic "$search" "$((search / 2))"
cp "$table" $here/ladder-struggle.csv
