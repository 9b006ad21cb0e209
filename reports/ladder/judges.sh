#!/usr/bin/env bash
# How strong the judge is that `explain --mistakes` takes if none is named: alone at a table full of planners, on each
# game. `explain` prints what judges.csv says. Usage: reports/ladder/judges.sh [OUT]; runs go to OUT (out/judges), the
# table beside this script. Ten minutes on one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/ladder
out=${1:-out/judges}
. reports/common.sh
mkdir -p "$out"
rm -f "$out/judges.csv"
judge=mcts:iterations=2000
seed=20271
for game in two-player on-the-road base struggle boats; do
  others=heuristic,heuristic,heuristic players=4 matches=80
  if [ $game = two-player ]; then others=heuristic players=2 matches=120; fi
  "$FAIRHAVEN" simulate $game --agents $judge,$others --matches $matches --seed $seed --force --quiet --out "$out/$game"
  [ -s "$out/judges.csv" ] || sed -n '1s/^/game,players,others,seed,/p' "$out/$game/agents.csv" >"$out/judges.csv"
  awk -v of="$game,$players,heuristic,$seed" -v judge=$judge -F, '$1 == judge && $2 == "win_rate" { print of "," $0 }' \
    "$out/$game/agents.csv" >>"$out/judges.csv"
done
cp "$out/judges.csv" $here/
