#!/usr/bin/env bash
# How much of a result is luck in each game, and how many matches does judging luck save? Two minutes on two cores.
#
# Usage: reports/luck/run.sh [OUT]; runs go to OUT (out/luck), tables beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/luck
out=${1:-out/luck}
. reports/common.sh
rm -f "$here/shares.csv" "$here/saved.csv"
# Adds the rows of a table to a table of all games, with the game and the agents in front.
add() {
  local run=$1 table=$2 to=$3 game=$4 agents=$5
  [ -f "$here/$to" ] || sed -n "1s|^|game,agents,|p" "$out/$run/$table" > "$here/$to"
  sed "1d;s|^|$game,$agents,|" "$out/$run/$table" >> "$here/$to"
}
shares() {
  local game=$1 blocks=$2 players=$3 mixed=$4
  play "$game-equal" luck "$game" --agents heuristic --players "$players" --blocks "$blocks" --seed 16
  add "$game-equal" luck.csv shares.csv "$game" equal
  play "$game-mixed" luck "$game" --agents "$mixed" --blocks "$blocks" --seed 16
  add "$game-mixed" luck.csv shares.csv "$game" mixed
}
saved() {
  local game=$1 matches=$2 a=$3 b=$4
  # A width that no run reaches: all matches are played.
  play "$game-${b##*/}" compare "$game" "$a" "$b" --less-luck --until ci=0.01pp --matches "$matches" --seed 16
  add "$game-${b##*/}" compare.csv saved.csv "$game" "$a - $b"
}
levels() { echo "levels/$1/expert,levels/$1/hard,levels/$1/medium,levels/$1/easy"; }
shares on-the-road 2k 4 "$(levels on-the-road)"
draw on-the-road-mixed luck
shares two-player 2k 2 heuristic,levels/two-player/medium
shares base 400 4 "$(levels base)"
shares struggle 150 4 "$(levels struggle)"
shares boats 100 4 "$(levels boats)"
for game in on-the-road:6k two-player:4k base:3k struggle:3.6k boats:3.6k; do
  saved "${game%:*}" "${game#*:}" heuristic "levels/${game%:*}/hard"
done
for game in on-the-road:3k two-player:2k base:1.2k struggle:600 boats:600; do
  saved "${game%:*}" "${game#*:}" heuristic greedy
done
