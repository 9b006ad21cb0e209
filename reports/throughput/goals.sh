#!/usr/bin/env bash
# Measures two programs against each other: what a match costs now, and what it cost before (goals.csv).
#
# Instructions and mispredicted branches are counted by callgrind on one thread (its model of a branch
# predictor), by the difference of two run lengths. Both are multiples of 1024, since `simulate` then counts in
# 1024 chunks and the cost of a chunk cancels, as start-up and tables do. Where nothing is counted, they are
# those of the rounds of `bench` that count nothing (`play_bare`). User seconds are of runs in turns, OLD and
# NEW in each round, so that a slow moment of the machine falls on both: what counts is the ratio within a
# round (median, least to most).
#
# Usage: reports/throughput/goals.sh OLD NEW [OUT]   binaries to compare; writes OUT/goals.csv, this folder by default
#   ROUNDS  rounds of user seconds (default 7)
#   ONLY    measure only cases whose name contains this
#
# Needs valgrind. Takes a quarter of an hour.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,16p' "$0" >&2; exit 2; }
command -v valgrind >/dev/null || { echo "goals.sh: valgrind is missing" >&2; exit 2; }
old=$(realpath "$1") new=$(realpath "$2")
out=$(mkdir -p "${3:-$here}" && cd "${3:-$here}" && pwd)
rounds=${ROUNDS:-7}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=$work/goals.csv
echo "case,unit,old,new,ratio,least,most" >"$table"

simulate=(simulate --players 4 --seed 1 --quiet --save-every 1000000)

wanted() { [[ $1 == *"${ONLY:-}"* ]]; }

# Runs a program under callgrind; prints instructions and mispredicted branches.
callgrind() { # options of callgrind -- command
  local options=()
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  rm -rf "$work/run"
  valgrind --tool=callgrind --branch-sim=yes --callgrind-out-file="$work/callgrind" "${options[@]}" \
    "$@" >"$work/said" 2>"$work/log" || { cat "$work/log" >&2; exit 2; }
  # Events: instructions; conditional branches, mispredicted; indirect ones, mispredicted.
  awk '/^(summary|totals):/ { print $2, $4 + $6; exit }' "$work/callgrind"
}

# Adds the rows of a case from four figures: instructions and branches of OLD, then of NEW, by match and decision.
add() { # case decisions old_instructions old_branches new_instructions new_branches
  echo "$2 $3 $4 $5 $6" | awk -v name="$1" '{
    printf "%s,instructions a match,%.0f,%.0f,%.3f,,\n", name, $2, $4, $4 / $2
    printf "%s,instructions a decision,%.1f,%.1f,%.3f,,\n", name, $2 / $1, $4 / $1, $4 / $2
    printf "%s,mispredicted branches a match,%.0f,%.0f,%.3f,,\n", name, $3, $5, $5 / $3
  }' >>"$table"
}

# A case of `simulate` by the difference of two run lengths.
count() { # case few many arguments...
  local name=$1 few=$2 many=$3 program matches figures="" decisions=""
  shift 3
  wanted "$name" || return 0
  for program in "$old" "$new"; do
    for matches in "$few" "$many"; do
      figures+=" $(callgrind -- "$program" "${simulate[@]}" --threads 1 --matches "$matches" --out "$work/run" "$@")"
    done
  done
  decisions=$(sed -n 's/.*"decisions": \([0-9]*\).*/\1/p' "$work/run/manifest.json" | head -1)
  # shellcheck disable=SC2046,SC2086
  add "$name" $(echo "$decisions $many $figures" | awk -v few="$few" -v many="$many" '{
    n = many - few
    printf "%.4f %.2f %.2f %.2f %.2f", $1 / $2, ($5 - $3) / n, ($6 - $4) / n, ($9 - $7) / n, ($10 - $8) / n
  }')
}

# A case of `bench` with nothing counted: seven rounds of as many matches as `bench` says.
bare() { # case arguments...
  local name=$1 program figures=""
  shift
  wanted "$name" || return 0
  for program in "$old" "$new"; do
    figures+=" $(callgrind '--toggle-collect=*play_bare*' -- "$program" bench "$@" --threads 1 --seconds 10)"
    figures+=" $(awk '/What a round/ { on = 1 } on && $1 == "random" { print $2, $3; exit }' "$work/said")"
  done
  # shellcheck disable=SC2046,SC2086
  add "$name" $(echo "$figures" | awk '{
    printf "%.4f %.2f %.2f %.2f %.2f", $8, $1 / (7 * $3), $2 / (7 * $3), $5 / (7 * $7), $6 / (7 * $7)
  }')
}

# User seconds of a run.
seconds() { # command...
  local TIMEFORMAT=%U
  rm -rf "$work/run"
  { time "$@" --out "$work/run" >"$work/log" 2>&1; } 2>&1
}

# A case's user seconds in turns.
time_both() { # case matches arguments...
  local name=$1 matches=$2 a b
  shift 2
  wanted "$name" || return 0
  for _ in $(seq "$rounds"); do
    a=$(seconds "$old" "${simulate[@]}" --threads 1 --matches "$matches" "$@")
    b=$(seconds "$new" "${simulate[@]}" --threads 1 --matches "$matches" "$@")
    echo "$a $b"
  done | awk '{ print $1, $2, $2 / $1 }' | sort -k3,3g | awk -v name="$name" '
    { old[NR] = $1; new[NR] = $2; ratio[NR] = $3 }
    END {
      middle = int((NR + 1) / 2)
      printf "%s,user seconds,%.2f,%.2f,%.3f,%.3f,%.3f\n", name, old[middle], new[middle],
        ratio[middle], ratio[1], ratio[NR]
    }' >>"$table"
}

side_b=(on-the-road --set side=b)
quiet=(base --set trade.proposals_max=0)
count "On the Road builder" 10240 51200 "${side_b[@]}" --agents builder
count "On the Road random" 1024 4096 on-the-road --agents random
bare "base random without offers (nothing counted)" "${quiet[@]}" --agents random
count "base random without offers" 1024 2048 "${quiet[@]}" --agents random
bare "base random with offers (nothing counted)" base --agents random
time_both "On the Road builder" 60000 "${side_b[@]}" --agents builder
time_both "On the Road builder with rows" 60000 "${side_b[@]}" --agents builder --rows csv
time_both "On the Road random" 20000 on-the-road --agents random
time_both "base random without offers" 6000 "${quiet[@]}" --agents random
time_both "base random with offers" 1000 base --agents random
time_both "On the Road heuristic" 4000 on-the-road --agents heuristic
time_both "base heuristic" 150 base --agents heuristic
time_both "On the Road mcts:200" 20 on-the-road --agents mcts:iterations=200
time_both "base mcts:200" 6 base --agents mcts:iterations=200
mv "$table" "$out/goals.csv"
