#!/usr/bin/env bash
# Draws the picture of the README's first command. Usage: reports/pictures/run.sh [OUT]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/pictures}
. reports/common.sh
"$FAIRHAVEN" simulate on-the-road --agents heuristic --set side=b --matches 10k --quiet --force --out "$out/seats"
"$FAIRHAVEN" report "$out/seats" --output "$out/seats.html" --svg "$out/svg" --force
cp "$out/svg/seats.svg" reports/pictures/
