#!/usr/bin/env bash
# Finds the shipped levels, certifies them on fresh deals, and lets the nine play each other.
# Usage: reports/levels/run.sh [OUT] [PART...]; runs go to OUT (out/shipped), tables beside this script. Parts: shipped,
# tournament, tables (neighbours at tables of other sizes, and without trades), kinds (which decisions a level gets
# wrong), and rates, which finds agents for three shares of matches; all if none is named. Each file of
# `strategies/levels/` is the one that `levels` writes against the level that it is measured against, with a line of its
# own that says which of the nine it is; the command of each stands in it, some with another tolerance. Two hours on
# two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/levels
out=${1:-out/shipped}
parts=${*:2}
parts=${parts:-shipped tournament tables kinds rates}
games="on-the-road base struggle two-player boats"
. reports/common.sh
mkdir -p "$out"
add() { # words before each row, table of a run, table beside this script
  [ -s "$3" ] || sed -n "1s/^/${4:-game},/p" "$2" >"$3"
  sed -n "2,\$s/^/$1,/p" "$2" >>"$3"
}
below() { # game, rate, tolerance: each level among the next stronger
  local above=expert level
  for level in hard medium easy beginner novice newcomer; do
    "$FAIRHAVEN" levels "$1" --agent heuristic --param overlook=0..0.98 --against "levels/$1/$above" --rates "$2" \
      --tolerance "$3" --matches 60000 --seed 14 --force --quiet --out "$out/$1-$level"
    add "$1,$level" "$out/$1-$level/levels.csv" "$out/levels.csv" game,level
    above=$level
  done
}
above() { # game, level, the level below it, matches: what a search wins alone
  local rivals=levels/$1/$3,levels/$1/$3,levels/$1/$3
  [ "$1" != two-player ] || rivals=levels/$1/$3
  "$FAIRHAVEN" simulate "$1" --agents "levels/$1/$2,$rivals" --matches "$4" --seed 31 --force --quiet --out "$out/$1-$2"
  grep "^levels/$1/$2,win_rate," "$out/$1-$2/agents.csv" | sed "s/^/$1,$3,/" >>"$out/above.csv"
}
tournament() { # game, blocks; with greedy and random
  "$FAIRHAVEN" tournament "$1" levels/"$1"/{newcomer,novice,beginner,easy,medium,hard,expert,master,grandmaster} greedy random \
    --anchor levels/"$1"/expert --blocks "$2" --seed 15 --force --quiet --out "$out/$1-tournament"
  add "$1" "$out/$1-tournament/ratings.csv" "$out/ratings.csv"
  if [ "$1" = on-the-road ]; then draw "$1-tournament" ratings; fi
}
neighbours() { # game, players, words that forbid trades
  local weak=newcomer strong rivals words
  for strong in novice beginner easy medium hard expert; do
    for words in "" "$3"; do
      if [ -z "$words" ] && [ "$2" = 4 ] && [ "$1" != two-player ]; then continue; fi
      rivals=$(printf ",levels/$1/$strong%.0s" $(seq 2 "$2"))
      # shellcheck disable=SC2086 # words of the command
      "$FAIRHAVEN" simulate "$1" --players "$2" --agents "levels/$1/$weak$rivals" --matches 4k --seed 16 $words \
        --force --quiet --out "$out/run"
      grep "^levels/$1/$weak,win_rate," "$out/run/agents.csv" | sed "s/^/$1,$2,$strong,$words,/" >>"$out/neighbours.csv"
    done
    weak=$strong
  done
}
kinds() { # game: mistakes of each level against itself, by what was done and what was better
  local level
  for level in newcomer novice beginner easy medium hard expert; do
    "$FAIRHAVEN" simulate "$1" --agents "levels/$1/$level" --matches 8 --seed 17 --force --quiet --out "$out/run"
    "$FAIRHAVEN" explain "$out/run" --mistakes --matches 2 --judge mcts:iterations=200 --searches 4 --top 100000 \
      --format json >"$out/run.json" 2>/dev/null
    python3 "$here/kinds.py" "$1" "$level" "$out/run.json" >>"$out/kinds.csv"
  done
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
      rm -f "$out/levels.csv"
      echo game,against,agent,metric,estimate,n_blocks,n,se,lo,hi,ci_method >"$out/above.csv"
      for game in $games; do
        case $game in
          two-player) below "$game" 29.7 2pp ;;
          boats) below "$game" 12.3 2pp ;;
          struggle) below "$game" 12.3 1.5pp ;;
          *) below "$game" 12.3 1pp ;;
        esac
        above "$game" master expert 800
        above "$game" grandmaster master 400
      done
      cp "$out"/{levels,above}.csv $here/
      ;;
    tournament)
      rm -f "$out/ratings.csv"
      tournament on-the-road 40
      for game in base struggle two-player; do tournament "$game" 8; done
      tournament boats 6
      cp "$out/ratings.csv" $here/
      ;;
    tables)
      echo game,players,against,rules,agent,metric,estimate,n_blocks,n,se,lo,hi,ci_method >"$out/neighbours.csv"
      for players in 2 3 4; do
        neighbours on-the-road $players "--set trade.proposals_max=0"
        neighbours base $players "--set trade.proposals_max=0"
      done
      cp "$out/neighbours.csv" $here/
      ;;
    kinds)
      echo game,level,kind,mistakes,share_of_cost >"$out/kinds.csv"
      for game in on-the-road base; do kinds $game; done
      cp "$out/kinds.csv" $here/
      ;;
    rates)
      rm -f "$out/rates.csv"
      rates on-the-road
      rates base
      cp "$out/rates.csv" $here/
      ;;
    *)
      echo "no part $part: shipped, tournament, tables, kinds, rates" >&2
      exit 2
      ;;
  esac
done
