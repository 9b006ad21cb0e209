#!/usr/bin/env bash
# What a part costs beside its matches, and what it takes to merge 100 and 1,000 of them. About ten minutes on two
# cores, most of it playing.
#
# Usage: reports/cluster/merge.sh [OUT]     writes OUT/parts.csv and OUT/merge.csv, this folder by default
#   FAIRHAVEN   a binary to measure; built in release mode if not given
#   CASES       the cases to measure, whose lines are added; all if not given
#   MATCHES     matches of the larger runs (default 2m)
#   TMPDIR      where parts are written: /dev/shm shows what the program takes, a disk also what syncing takes
#
# Needs GNU time as /usr/bin/time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=reports/common.sh
source reports/common.sh
FAIRHAVEN=$(realpath "$FAIRHAVEN")
table=$(realpath "${1:-$here}")
matches=${MATCHES:-2m}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Wall and CPU seconds and the largest resident memory of a command: "wall user system kib".
timed() { # words
  /usr/bin/time -f '%e %U %S %M' -o time "$@"
  tail -n 1 time
}

# Plays a run as parts, one after the other on two threads, and notes what a part took.
parts() { # case, parts, words of a command
  local case=$1 count=$2 wall user system kib
  shift 2
  mkdir "$case-$count"
  # shellcheck disable=SC2016 # the words are those of the inner shell
  read -r wall user system _ < <(timed bash -c 'count=$1 to=$2; shift 2
    for part in $(seq "$count"); do "$@" --shard "$part/$count" --out "$to/$part"; done' \
    parts "$count" "$case-$count" "$FAIRHAVEN" "$@" --quiet --threads 2)
  kib=$(du -sk --apparent-size "$case-$count" | cut -f 1)
  echo "$case,$count,$wall,$user,$system,$kib" >>"$table/parts.csv"
}

# Merges the parts of a run; a wave that decides nothing is as good (exit code 4).
merge() { # case, parts
  local wall user system kib rows
  sync
  read -r wall user system kib < <(timed "$FAIRHAVEN" merge "$1-$2"/* --quiet --out "$1-$2-whole" 2>/dev/null || true; true)
  rows=$(du -sk --apparent-size "$1-$2-whole" | cut -f 1)
  echo "$1,$2,$wall,$user,$system,$kib,$rows" >>"$table/merge.csv"
  rm -rf "${1:?}-$2" "$1-$2-whole"
}

[ -n "${CASES:-}" ] || echo "case,parts,wall_s,user_s,system_s,kib" >"$table/parts.csv"
[ -n "${CASES:-}" ] || echo "case,parts,wall_s,user_s,system_s,peak_kib,whole_kib" >"$table/merge.csv"

# Plays and merges 100 and 1,000 parts.
both() { # case, words of a command
  local case=$1 count
  shift
  case " ${CASES:-nothing plain csv zst test until} " in *" $case "*) ;; *) return ;; esac
  for count in 100 1000; do
    parts "$case" "$count" "$@"
    merge "$case" "$count"
  done
}

# Parts that play nothing worth speaking of; sums alone; rows.
both nothing simulate on-the-road --agents builder --matches 4k
both plain simulate on-the-road --agents builder --matches "$matches"
both csv simulate on-the-road --agents builder --matches "$matches" --rows csv
both zst simulate on-the-road --agents builder --matches "$matches" --rows zst
# A wave of 10,000 looks, at which a test or the width of an interval never stops.
wave=(--wave 1 --wave-blocks 40k)
both test compare on-the-road greedy greedy:lapse=0.001 --win1 0.01pp "${wave[@]}"
both until compare on-the-road builder drifter --until ci=0.01pp "${wave[@]}"
