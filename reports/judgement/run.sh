#!/usr/bin/env bash
# Do the planners' chances to win come true? All five games; about half an hour on two cores, most of it searches.
#
# Usage: reports/judgement/run.sh [OUT]; runs go to OUT (out/judgement), their tables beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/judgement
out=${1:-out/judgement}
. reports/common.sh
judge() { # name, then the words of the command
  local name=$1; shift
  play "$name" reliability "$@"
  cp "$out/$name/scores.csv" "$here/scores-$name.csv"
}
bins() { cp "$out/$1/reliability.csv" "$here/reliability-$1.csv"; }

judge on-the-road on-the-road --matches 20k; bins on-the-road
judge base base --matches 5k; bins base
for game in struggle two-player boats; do judge $game $game --matches 4k; bins $game; done
for game in on-the-road base; do
  judge $game-mcts $game --agents mcts:iterations=100:judgement=weights --matches 600; bins $game-mcts
done
judge on-the-road-judges on-the-road --matches 10k \
  --judges "$(printf ",mcts:judgement=weights%s" "" :fog=1.2 :fog=1.4 :fog=1.7 :judged_point=0.5 :judged_point=1 | cut -c 2-)"
cp "$out/on-the-road-judges/judges.csv" "$here/judges-on-the-road.csv"
for game in on-the-road base struggle two-player boats; do
  judge $game-net $game --matches 4k --seed 2 --judges heuristic,mcts; bins $game-net
  cp "$out/$game-net/judges.csv" "$here/judges-$game-net.csv"
  draw $game-net reliability
done
