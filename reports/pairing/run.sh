#!/usr/bin/env bash
# Measures what common luck saves: for a change of price, for a change of one agent's parameter, and for two
# agents in the design of `compare`. A few minutes on two cores.
#
# Usage: reports/pairing/run.sh [OUT]; runs go to OUT (out/pairing), tables beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/pairing
out=${1:-out/pairing}
. reports/common.sh
play price compare on-the-road --rules-b metropolis.cost.wool=2 --agents heuristic \
  --matches 80k --set side=b --seed 20264
play parameter sweep on-the-road --agents heuristic,greedy,greedy,greedy --param haste \
  --values 0.5,0.6 --blocks 10k --set side=b --seed 20264
play agents compare on-the-road heuristic heuristic:haste=0.6 --win0=-0.005 --win1 0.005 \
  --matches 80k --set side=b --seed 20264
draw price rules
draw agents test path
cp "$out/price/pairing.csv" "$here/price.csv"
cp "$out/parameter/pairing.csv" "$here/parameter.csv"
cp "$out/agents/compare.csv" "$here/agents.csv"
