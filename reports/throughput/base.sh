#!/usr/bin/env bash
# Measures base CATAN: timings by `bench` (bench-base.txt) and machine instructions (instructions-base.csv).
# peers.sh compares it with other programs.
#
# Instructions are counted by callgrind in the rounds of `bench` that count nothing (`play_bare`), so they are
# those of rules, legal lists and agents alone, forced decisions included.
#
# Usage: reports/throughput/base.sh [OUT]    writes into OUT, this folder by default
#   SECONDS_EACH  seconds an agent in bench (default 8)
#   FAIRHAVEN     a binary to measure; built in release mode if not given
#
# Needs cargo and valgrind.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
seconds=${SECONDS_EACH:-8}
command -v valgrind >/dev/null || { echo "base.sh: valgrind is missing" >&2; exit 2; }
cd "$root"
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi
FAIRHAVEN=$(realpath "$FAIRHAVEN")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quiet=(--set trade.proposals_max=0)

# Figures of the row of an agent in a table of `bench`, by the table's title.
cells() { # file title agent
  awk -v title="$2" -v agent="$3" 'index($0, title) { on = 1 } on && $1 == agent { $1 = ""; print; exit }' "$1"
}

{
  echo "machine: $(lscpu | sed -n 's/^Model name: *//p' | head -1), $(lscpu | sed -n 's/^CPU(s): *//p') cores;" \
    "$("$FAIRHAVEN" --version), load before $(cut -d' ' -f1 /proc/loadavg)"
  printf '\nWithout offers between players (--set trade.proposals_max=0)\n'
  "$FAIRHAVEN" bench base "${quiet[@]}" --seconds "$seconds"
  printf '\nWith offers\n'
  "$FAIRHAVEN" bench base --seconds "$seconds"
} >"$work/bench-base.txt"
mv "$work/bench-base.txt" "$out/bench-base.txt"

# Instructions of rounds that count nothing.
table=$work/instructions-base.csv
echo "agent,offers,matches,decisions,forced,listed_per_decision,per_match,per_decision" >"$table"
count() { # agent offers seconds, further arguments of bench
  local agent=$1 offers=$2 seconds=$3
  shift 3
  valgrind --tool=callgrind --toggle-collect='*play_bare*' --callgrind-out-file="$work/callgrind" \
    "$FAIRHAVEN" bench base --agents "$agent" --threads 1 --seconds "$seconds" "$@" >"$work/counted" 2>"$work/log"
  local all
  all=$(sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' "$work/log")
  # Seven rounds of so many matches each.
  cells "$work/counted" "What a round" "$agent" | awk -v agent="$agent" -v offers="$offers" -v all="$all" '{
    matches = 7 * $1; decisions = matches * $2
    printf "%s,%s,%d,%d,%.3f,%s,%.0f,%.1f\n", agent, offers, matches, decisions, $3 / 100, $5,
      all / matches, all / decisions
  }' >>"$table"
}
count random no 10 "${quiet[@]}"
count random yes 10
count greedy no 10 "${quiet[@]}"
count heuristic no 10 "${quiet[@]}"
mv "$table" "$out/instructions-base.csv"

cat "$out"/{bench-base.txt,instructions-base.csv}
