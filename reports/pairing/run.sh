#!/usr/bin/env bash
# Measures what common luck saves: for a change of price, for a change of one agent's parameter, and for two
# agents in the design of `compare`. A few minutes on two cores.
#
# Usage: reports/pairing/run.sh [OUT]; runs go to OUT (out/pairing), tables beside this script.
#   FAIRHAVEN   a binary to use; built in release mode if not given
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/pairing
out=${1:-out/pairing}
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi
common="--set side=b --seed 20264 --quiet --force"
"$FAIRHAVEN" compare on-the-road --rules-b metropolis.cost.wool=2 --agents heuristic \
  --matches 80k $common --out "$out/price"
"$FAIRHAVEN" sweep on-the-road --agents heuristic,greedy,greedy,greedy --param haste \
  --values 0.5,0.6 --blocks 10k $common --out "$out/parameter"
"$FAIRHAVEN" compare on-the-road heuristic heuristic:haste=0.6 --win0=-0.005 --win1 0.005 \
  --matches 80k $common --out "$out/agents"
cp "$out/price/pairing.csv" "$here/price.csv"
cp "$out/parameter/pairing.csv" "$here/parameter.csv"
cp "$out/agents/compare.csv" "$here/agents.csv"
