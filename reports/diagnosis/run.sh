#!/usr/bin/env bash
# What stands out in each of the five games, with the printed rules and equal agents: `diagnose`. Three minutes on two
# cores.
#
# Usage: reports/diagnosis/run.sh [OUT]; runs go to OUT (out/diagnosis), with a page of each, tables beside this script.
#   BLOCKS   deals of each run (default 1000)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/diagnosis
out=${1:-out/diagnosis}
. reports/common.sh
mkdir -p "$out"
look() { # run, words of the command
  local name=$1
  shift
  play "$name" diagnose "$@" --blocks "${BLOCKS:-1000}" --seed 37
  keep "$name" findings ways leads kingmaking prices strengths skill pace
  draw "$name"
}
look on-the-road-a on-the-road --players 4
look on-the-road-b on-the-road --players 4 --set side=b
cp "$out/on-the-road-b-svg/strengths.svg" "$here/strengths-on-the-road-b.svg"
look struggle struggle --players 4
look base base --players 4
look two-player two-player
look boats boats --players 4
