#!/usr/bin/env bash
# How strength falls with temperature and with lapses: the win rate of a lone agent against `heuristic`, at tables of
# four (CATAN for two: one against one). Usage: reports/levels/curves.sh [OUT [GAME...]]; the rates are copied beside
# this script, those of the games not named stay as they are.
# FAIRHAVEN is the program, if it is built already.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/levels}
program=${FAIRHAVEN:-./target/release/fairhaven}
[ -n "${FAIRHAVEN:-}" ] || cargo build --release
games=${*:2}
games=${games:-on-the-road base struggle two-player boats}
mkdir -p "$out"
table="$out/curves.csv"
grep -vE "^(${games// /|})," reports/levels/curves.csv > "$table"
curve() { # game, agent, parameter, matches, values
    local rivals=heuristic,heuristic,heuristic value
    [ "$1" != two-player ] || rivals=heuristic
    for value in $5; do
        "$program" simulate "$1" --agents "$2:$3=$value,$rivals" \
            --matches "$4" --seed 20262 --force --quiet --out "$out/run"
        grep "^$2:$3=$value,win_rate," "$out/run/agents.csv" | cut -d, -f3- |
            sed "s/^/$1,$2,$3,$value,/" >> "$table"
    done
}
for game in $games; do
    matches=1200
    case $game in on-the-road | two-player) matches=4k ;; esac
    curve "$game" heuristic temperature $matches "0 0.001 0.002 0.005 0.01 0.02 0.05 0.1"
    curve "$game" heuristic lapse $matches "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"
    curve "$game" mcts:iterations=50 temperature 300 "0 0.01 0.05 0.2 1"
    curve "$game" mcts:iterations=50 lapse 300 "0.5 1"
done
cp "$table" reports/levels/curves.csv
