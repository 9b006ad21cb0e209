#!/usr/bin/env bash
# Is mcts with 1,000 iterations stronger than with 400? A sequential test; about twenty minutes on two cores.
#
# Usage: reports/iterations/run.sh [OUT]; the run goes to OUT (out/iterations), its table beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/iterations
out=${1:-out/iterations}
. reports/common.sh
"$FAIRHAVEN" compare on-the-road mcts:iterations=1000:judgement=weights mcts:iterations=400:judgement=weights --set side=b \
  --line-ups alone --look 1 --win0=-0.03 --win1 0.03 --matches 8k --seed 20264 --quiet --force --out "$out"
cp "$out/compare.csv" "$out/manifest.json" "$here/"
