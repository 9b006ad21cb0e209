#!/usr/bin/env bash
# Plays the study of the B metropolises at three levels of play, four equal agents, side B. About ten
# minutes on two cores. Usage: reports/metropolis-b/run.sh [OUT]; the tables are copied beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/metropolis-b}
cargo build --release
level() { # name, agent, matches
    ./target/release/fairhaven simulate on-the-road --set side=b --seed 20262 --force --quiet \
        --agents "$2" --players 4 --matches "$3" --out "$out/$1"
    cp "$out/$1/cards.csv" "reports/metropolis-b/cards-$1.csv"
    cp "$out/$1/manifest.json" "reports/metropolis-b/manifest-$1.json"
}
level greedy greedy 200k
level heuristic heuristic 1m
level mcts mcts:iterations=100 "${MCTS:-1500}"
