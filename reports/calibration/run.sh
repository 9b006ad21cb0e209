#!/usr/bin/env bash
# The figures of this folder: 2,000 simulations of each kind, at fixed seeds; about ten minutes on two
# cores, and some hours for the tables of all studies in all games (tables-*.csv). Usage: reports/calibration/run.sh [SIMULATIONS]
set -euo pipefail
cd "$(dirname "$0")/../.."
export FAIRHAVEN_SIMULATIONS=${1:-2000}
export FAIRHAVEN_REPORT=$PWD/reports/calibration
cargo test --release --package fairhaven-tests --test calibration
