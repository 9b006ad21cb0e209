#!/usr/bin/env bash
# Measures what the agents that think cost in all five games: two programs against each other (agents.csv).
#
# Instructions a match are counted by callgrind on one thread, by the difference of two run lengths, N and 2 N matches:
# long enough that the tables at the end, whose intervals take longer the more was seen, don't count for much. Runs are
# not saved on the way, which goes by the clock.
# Of whole matches by a search alone, statistics included, the same difference gives instructions an iteration, and, of
# eight times as many matches, how many iterations and decisions that are not forced a user second has; for these OLD
# and NEW run in turns, ROUNDS times, and the medians are written. Each program is divided by its own counts.
#
# Usage: reports/throughput/agents.sh OLD NEW [OUT]   binaries to compare; writes OUT/agents.csv, this folder by default
#   ROUNDS  rounds of user seconds (default 5); 0 counts instructions alone
#   ONLY    measures only games whose name contains this
#
# Needs valgrind. Takes half an hour.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,16p' "$0" >&2; exit 2; }
command -v valgrind >/dev/null || { echo "agents.sh: valgrind is missing" >&2; exit 2; }
old=$(realpath "$1") new=$(realpath "$2")
out=$(mkdir -p "${3:-$here}" && cd "${3:-$here}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Fields of the rule set.
rules=()

# A run, with its directory.
simulate() { # program game players agents matches
  rm -rf "$work/run"
  "${wrap[@]}" "$1" simulate "$2" "${rules[@]}" --players "$3" --agents "$4" --matches "$5" --seed 1 --threads 1 --quiet \
    --save-every 1000000 --out "$work/run"
}

instructions() { # program game players agents matches
  local wrap=(valgrind --tool=callgrind --callgrind-out-file=/dev/null)
  simulate "$@" 2>&1 | sed -n 's/.*Collected : //p'
}

# Instructions that the second half of twice as many matches takes, by OLD and by NEW.
slopes() { # game players agents matches
  local program
  for program in "$old" "$new"; do
    echo $(($(instructions "$program" "${@:1:3}" $((2 * $4))) - $(instructions "$program" "${@:1:4}")))
  done
}

count() { # game players agents matches goal
  [[ $1 == *"${ONLY:-}"* ]] || return 0
  local figures
  mapfile -t figures < <(slopes "${@:1:4}")
  echo "$1,$2,$3,instructions a match,$((figures[0] / $4)),$((figures[1] / $4)),$5"
}

seconds() { # program game players agents matches
  local TIMEFORMAT=%U wrap=()
  { time simulate "$@" >/dev/null 2>&1; } 2>&1
}

# Decisions of the last run that are not forced, and iterations of its searches.
thought() { # matches
  awk -F, -v matches="$1" '
    FILENAME ~ /agents.csv/ { if ($2 == "iterations_mean") iterations = $3 * $5; next }
    $2 == "per_match" { came[$1] = $3 } $2 == "forced_share" { forced[$1] = $3 }
    END { for (kind in came) sum += came[kind] * (1 - forced[kind]); printf "%.0f %.0f\n", matches * sum, iterations }
  ' "$work/run/agents.csv" "$work/run/decisions.csv"
}

# What the second half of twice as many matches thinks: decisions and iterations.
more_thought() { # program game players agent matches
  seconds "$@" >/dev/null && thought "$5" >"$work/thought"
  seconds "${@:1:4}" $((2 * $5)) >/dev/null && thought $((2 * $5)) >>"$work/thought"
  awk 'NR == 1 { decisions = $1; iterations = $2 } END { print $1 - decisions, $2 - iterations }' "$work/thought"
}

# The median of a column of rates.
median() { # column
  cut -d' ' -f"$1" "$work/rates" | sort -g | sed -n "$(((${ROUNDS:-5} + 1) / 2))p"
}

search() { # game players iterations matches goal
  [[ $1 == *"${ONLY:-}"* ]] || return 0
  local agent=mcts:iterations=$3 many=$((8 * $4)) before after figures a b c d
  read -ra before < <(more_thought "$old" "$1" "$2" "$agent" "$4")
  read -ra after < <(more_thought "$new" "$1" "$2" "$agent" "$4")
  mapfile -t figures < <(slopes "$1" "$2" "$agent" "$4")
  echo "$1,$2,$agent,instructions an iteration,$((figures[0] / before[1])),$((figures[1] / after[1])),"
  [ "${ROUNDS:-5}" != 0 ] || return 0
  read -ra before < <(more_thought "$old" "$1" "$2" "$agent" "$many")
  read -ra after < <(more_thought "$new" "$1" "$2" "$agent" "$many")
  for _ in $(seq "${ROUNDS:-5}"); do
    a=$(seconds "$old" "$1" "$2" "$agent" "$many") b=$(seconds "$old" "$1" "$2" "$agent" $((2 * many)))
    c=$(seconds "$new" "$1" "$2" "$agent" "$many") d=$(seconds "$new" "$1" "$2" "$agent" $((2 * many)))
    echo "$a $b $c $d"
  done | awk -v i="${before[1]}" -v j="${after[1]}" -v k="${before[0]}" -v l="${after[0]}" \
    '{ print i / ($2 - $1), j / ($4 - $3), k / ($2 - $1), l / ($4 - $3) }' >"$work/rates"
  printf '%s,%s,%s,iterations a user second,%.0f,%.0f,%s\n' "$1" "$2" "$agent" "$(median 1)" "$(median 2)" "$5"
  printf '%s,%s,%s,decisions a user second,%.0f,%.0f,\n' "$1" "$2" "$agent" "$(median 3)" "$(median 4)"
}

{
  echo "game,players,agent,unit,before,now,goal"
  count base 4 heuristic 256 6000000
  count struggle 4 heuristic 64 15000000
  count two-player 2 heuristic 512 4000000
  count boats 4 heuristic 32 20000000
  count boats 4 random 128 8000000
  rules=(--set side=b)
  count on-the-road 4 builder 16384 45000
  rules=()
  search on-the-road 4 200 2 1000000
  search base 4 200 1 1000000
  search two-player 2 200 2 1000000
  search boats 4 200 1 500000
  search struggle 4 200 1 300000
} | tee "$work/agents.csv"
mv "$work/agents.csv" "$out/agents.csv"
