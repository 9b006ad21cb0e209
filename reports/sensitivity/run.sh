#!/usr/bin/env bash
# Moves every default that the rules' text leaves open by a step either way, with A sides and with B sides
# up. About ten minutes on two cores.
#
# Usage: reports/sensitivity/run.sh [OUT]; runs go to OUT (out/sensitivity), tables beside this script.
#   FAIRHAVEN   a binary to use; built in release mode if not given
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/sensitivity
out=${1:-out/sensitivity}
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi
for side in a b; do
  "$FAIRHAVEN" sensitivity on-the-road --set side=$side --agents heuristic --seed 20263 \
    --blocks 20k --quiet --force --out "$out/$side"
  cp "$out/$side/sensitivity.csv" "$here/sensitivity-$side.csv"
  cp "$out/$side/effects.csv" "$here/effects-$side.csv"
  cp "$out/$side/manifest.json" "$here/manifest-$side.json"
done
