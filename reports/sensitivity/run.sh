#!/usr/bin/env bash
# Moves every default that the rules' text leaves open by a step either way, with A sides and with B sides
# up. About ten minutes on two cores.
#
# Usage: reports/sensitivity/run.sh [OUT]; runs go to OUT (out/sensitivity), tables beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/sensitivity
out=${1:-out/sensitivity}
. reports/common.sh
for side in a b; do
  play $side sensitivity on-the-road --set side=$side --agents heuristic --seed 20263 --blocks 20k
  keep $side sensitivity effects
  draw $side sensitivity
done
