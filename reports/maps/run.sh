#!/usr/bin/env bash
# What an island of base CATAN is worth to whom, and islands that are fair. Some forty minutes on two idle cores.
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

"$FAIRHAVEN" map make base --players 3 --fair 1pp --maps 600 --matches 64 --finalists 2 --certify 400k \
  --out "$out/base-3"
cp "$out/base-3/map.toml" $here/fair-base-3.toml
cp "$out/base-3/map_certified.csv" $here/certified-base-3.csv
cp "$out/base-3/manifest.json" $here/manifest-base-3.json
"$FAIRHAVEN" simulate base --players 3 --set map=$here/fair-base-3.toml --matches 100k --seed 2 --out "$out/fresh-base-3"
cp "$out/fresh-base-3/seats.csv" $here/fresh-base-3.csv
cp "$out/fresh-base-3/manifest.json" $here/manifest-fresh-base-3.json

# No map of these is fair: the command exits with 1.
"$FAIRHAVEN" map make base --players 4 --fair 1pp --maps 2000 --matches 64 --finalists 3 --certify 400k \
  --out "$out/base-4" || true
cp "$out/base-4/map_certified.csv" $here/certified-base-4.csv
cp "$out/base-4/manifest.json" $here/manifest-base-4.json
