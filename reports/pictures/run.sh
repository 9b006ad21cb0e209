#!/usr/bin/env bash
# Draws the picture of the README's first command. Usage: reports/pictures/run.sh [OUT]
#   FAIRHAVEN   a binary to use; built in release mode if not given
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/pictures}
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi
"$FAIRHAVEN" simulate on-the-road --agents heuristic --set side=b --matches 10k --quiet --force --out "$out/seats"
"$FAIRHAVEN" report "$out/seats" --output "$out/seats.html" --svg "$out/svg" --force
cp "$out/svg/seats.svg" reports/pictures/
