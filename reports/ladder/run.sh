#!/usr/bin/env bash
# Plays the ladder: one of the stronger against three of the weaker, 4 players, side B. About ten minutes
# on two cores. Usage: reports/ladder/run.sh [OUT]; the tables are copied beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/ladder}
cargo build --release
rung() { # name, stronger, weaker, matches
    ./target/release/fairhaven simulate on-the-road --set side=b --seed 20261 --force --quiet \
        --agents "$2,$3,$3,$3" --matches "$4" --out "$out/$1"
    tail -n +2 "$out/$1/agents.csv" | grep ',win_rate,' | sed "s/^/$1,/" >> "$out/ladder.csv"
}
mkdir -p "$out"
echo "rung,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" > "$out/ladder.csv"
rung greedy-random greedy random 8k
rung heuristic-greedy heuristic greedy 40k
rung mcts200-heuristic mcts:iterations=200:judgement=weights heuristic "${MCTS:-800}"
rung mcts1000-heuristic mcts:iterations=1000:judgement=weights heuristic "${MCTS:-800}"
rung mcts5000-heuristic mcts:iterations=5000:judgement=weights heuristic "${MCTS_LONG:-240}"
cp "$out/ladder.csv" reports/ladder/ladder.csv
