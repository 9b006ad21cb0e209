#!/usr/bin/env bash
# What an island of base CATAN is worth to whom, and islands that are fair. Some twenty minutes on two cores.
#
# Usage: reports/maps/run.sh [OUT]; runs go to OUT (out/maps), tables beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/maps
out=${1:-out/maps}
. reports/common.sh
mkdir -p "$out"
"$FAIRHAVEN" map judge base $here/island.toml --first 20,13 --blocks 400 --out "$out/judge"
cp "$out"/judge/{places,pairs,harbours,map_seats,map_spread}.csv $here
cp "$out/judge/manifest.json" $here/manifest-judge.json
"$FAIRHAVEN" report "$out/judge" --svg "$out/svg"
cp "$out"/svg/{map,place-ranks}.svg $here

"$FAIRHAVEN" map make two-player --fair 1pp --maps 96 --matches 200 --out "$out/two-player"
cp "$out/two-player/map.toml" $here/fair-two-player.toml
cp "$out/two-player/map_certified.csv" $here/certified-two-player.csv
cp "$out/two-player/manifest.json" $here/manifest-two-player.json
"$FAIRHAVEN" simulate two-player --set map=$here/fair-two-player.toml --matches 100k --seed 2 --out "$out/fresh"
cp "$out/fresh/seats.csv" $here/fresh-two-player.csv
cp "$out/fresh/manifest.json" $here/manifest-fresh.json

# None of these is fair: the command exits with 1.
make() { # players, maps, matches of each
  "$FAIRHAVEN" map make base --players "$1" --fair 1pp --maps "$2" --matches "$3" --out "$out/base-$1" || true
  cp "$out/base-$1/map_certified.csv" "$here/certified-base-$1.csv"
  cp "$out/base-$1/manifest.json" "$here/manifest-base-$1.json"
}
make 3 600 64
make 4 128 500
