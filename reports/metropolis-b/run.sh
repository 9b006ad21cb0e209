#!/usr/bin/env bash
# Plays the study of the B metropolises: every side forced, and every side removed, at three levels of play;
# then the forced choice again with each printed price that the rules' text leaves open a card up or down.
# About half an hour on two cores, nearly all of it for mcts.
#
# Usage: reports/metropolis-b/run.sh [OUT]; runs go to OUT (out/metropolis-b), tables beside this script.
#   FAIRHAVEN   a binary to use; built in release mode if not given
#   MCTS        blocks for mcts (default 1500)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/metropolis-b
out=${1:-out/metropolis-b}
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi
balance() { # name, blocks, further arguments
  local name=$1 blocks=$2
  shift 2
  "$FAIRHAVEN" balance on-the-road --choice metropolis --set side=b --seed 20262 \
    --blocks "$blocks" --quiet --force --out "$out/$name" "$@"
}
level() { # name, agent, blocks
  balance "$1" "$3" --levels "$2"
  for table in verdicts choices effects; do cp "$out/$1/$table.csv" "$here/$table-$1.csv"; done
  cp "$out/$1/manifest.json" "$here/manifest-$1.json"
}
level greedy greedy 40k
level heuristic heuristic 100k
level mcts mcts:iterations=100 "${MCTS:-1500}"

# The effects of the four sides under other prices, one line a price and side.
prices=$here/prices.csv
: >"$prices"
price() { # change
  balance "price-${1//=/-}" 10k --levels heuristic ${1:+--set "$1"}
  awk -v change="${1:-printed}" 'NR == 1 { header = "change," $0 } / *,effect,/ { print change "," $0 }
    END { print header > "/dev/stderr" }' "$out/price-${1//=/-}/choices.csv" \
    >>"$prices" 2>"$out/header"
}
price ""
for change in \
  road.cost.brick=0 road.cost.brick=2 road.cost.lumber=0 road.cost.lumber=2 \
  city.cost.grain=1 city.cost.grain=3 city.cost.ore=2 city.cost.ore=4 \
  knight.cost.wool=0 knight.cost.wool=2 knight.cost.ore=0 knight.cost.ore=2 \
  metropolis.cost.wool=2 metropolis.cost.wool=4 metropolis.cost.ore=0 metropolis.cost.ore=2; do
  price "$change"
done
cat "$out/header" "$prices" >"$out/prices.csv"
mv "$out/prices.csv" "$prices"
