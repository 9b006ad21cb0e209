#!/usr/bin/env bash
# How strength falls with temperature and with lapses: the win rate of a lone agent against three `heuristic`, four
# players, by game. Usage: reports/levels/curves.sh [OUT]; the rates are copied beside this script.
# FAIRHAVEN is the program, if it is built already.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/levels}
program=${FAIRHAVEN:-./target/release/fairhaven}
[ -n "${FAIRHAVEN:-}" ] || cargo build --release
mkdir -p "$out"
table="$out/curves.csv"
echo "game,agent,parameter,value,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" > "$table"
curve() { # game, agent, parameter, matches, values
    for value in $5; do
        "$program" simulate "$1" --agents "$2:$3=$value,heuristic,heuristic,heuristic" \
            --matches "$4" --seed 20262 --force --quiet --out "$out/run"
        grep "^$2:$3=$value,win_rate," "$out/run/agents.csv" | cut -d, -f3- |
            sed "s/^/$1,$2,$3,$value,/" >> "$table"
    done
}
lapses="0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"
curve on-the-road heuristic temperature 4k "0 0.001 0.002 0.005 0.01 0.02 0.05 0.1"
curve on-the-road heuristic lapse 4k "$lapses"
for game in base struggle; do
    curve $game heuristic temperature 1200 "0 0.001 0.002 0.005 0.01 0.02 0.05 0.1"
    curve $game heuristic lapse 1200 "$lapses"
done
for game in on-the-road base struggle; do
    curve $game mcts:iterations=50 temperature 300 "0 0.01 0.05 0.2 1"
    curve $game mcts:iterations=50 lapse 300 "0.5 1"
done
cp "$table" reports/levels/curves.csv
