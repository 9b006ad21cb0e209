#!/usr/bin/env bash
# Which cards at the start even the seats of On the Road and of Struggle for Catan? The smallest compensation by `solve
# --target seats`, certified on fresh deals. About ten minutes on two idle cores.
#
# Usage: reports/seats/run.sh [OUT]; runs go to OUT (out/seats), tables beside this script.
#   CERTIFY   matches of each certified change (default 60k)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/seats
out=${1:-out/seats}
. reports/common.sh
mkdir -p "$out"
# A run that finds no change ends with 1, which is an answer.
seats() { # run, matches of each certified change, words of a command
  local name=$1 certify=$2
  shift 2
  play "$name" solve "$@" --certify "${CERTIFY:-$certify}" || [ $? = 1 ]
  keep "$name" finalists candidates
}
seats struggle-4 60k struggle --players 4 --agent greedy --target 'seats < 3pp' --fields hand_start=3..4 --finalists 3
seats struggle-3 60k struggle --players 3 --agent greedy --target 'seats < 3pp' --fields hand_start=3..5 --blocks 2k \
  --finalists 3
seats on-the-road-4 60k on-the-road --players 4 --target 'seats < 5pp' --fields hand_start=2..4 --finalists 4
seats on-the-road-3 60k on-the-road --players 3 --target 'seats < 4pp' --fields hand_start=4..6 --finalists 3
