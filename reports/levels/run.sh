#!/usr/bin/env bash
# Finds the shipped levels, certifies them on fresh deals, and lets the five play a tournament.
# Usage: reports/levels/run.sh [OUT] [PART...]; runs go to OUT (out/shipped), tables beside this script. Parts: shipped,
# and rates, which finds agents for three shares of matches; both if none is named. The files of `strategies/levels/`
# are those that `levels` writes, with a line of their own that says which of the five they are. Two hours on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/levels
out=${1:-out/shipped}
parts=${*:2}
parts=${parts:-shipped rates}
. reports/common.sh
mkdir -p "$out"
add() { # game, table of a run, table beside this script
  [ -s "$3" ] || sed -n '1s/^/game,/p' "$2" >"$3"
  sed -n "2,\$s/^/$1,/p" "$2" >>"$3"
}
shipped() { # game, rates from the weakest up, tolerance, blocks of the tournament
  "$FAIRHAVEN" levels "$1" --against heuristic --rates "$2" --tolerance "$3" --seed 14 --force --quiet --out "$out/$1"
  add "$1" "$out/$1/levels.csv" "$out/levels.csv"
  "$FAIRHAVEN" tournament "$1" levels/"$1"/{beginner,easy,medium,hard,expert} --anchor levels/"$1"/expert \
    --blocks "$4" --seed 15 --force --quiet --out "$out/$1-tournament"
  add "$1" "$out/$1-tournament/ratings.csv" "$out/ratings.csv"
  if [ "$1" = on-the-road ]; then draw "$1-tournament" ratings; fi
}
rates() { # game
  "$FAIRHAVEN" levels "$1" --against heuristic --rates 15,25,35 --seed 21 --force --quiet --out "$out/$1-rates"
  add "$1" "$out/$1-rates/levels.csv" "$out/rates.csv"
  draw "$1-rates" levels
  mkdir -p "$here/rates/$1"
  cp "$out/$1-rates"/level-*.toml "$here/rates/$1/"
}

for part in $parts; do
  case $part in
    shipped)
      rm -f "$out"/{levels,ratings}.csv
      shipped on-the-road 1.2,2.4,4.6,9.5 0.5pp 2k
      shipped base 2.6,5,9,14.5 0.8pp 500
      shipped struggle 6.2,9.3,13.5,18.5 0.8pp 500
      shipped two-player 9,15,24,36 1.2pp 2k
      shipped boats 2.6,5,9,14.5 0.8pp 500
      cp "$out"/{levels,ratings}.csv $here/
      ;;
    rates)
      rm -f "$out/rates.csv"
      rates on-the-road
      rates base
      cp "$out/rates.csv" $here/
      ;;
    *)
      echo "no part $part: shipped, rates" >&2
      exit 2
      ;;
  esac
done
