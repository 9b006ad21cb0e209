#!/usr/bin/env bash
# Merges the parts of a run once all are there; the dependent job that submit.sh submits.
#
#   merge.sh SUBMIT PROGRAM PARTS FOLDER OUT WAVE LINE...
#
# A sequential run that has not seen enough goes on with its next wave: LINE is what SUBMIT
# needs for it.
set -uo pipefail
cd "$SLURM_SUBMIT_DIR" || exit 2
submit=$1 program=$2 parts=$3 folder=$4 out=$5 wave=$6
shift 6

list=()
# What the waves before this one came to, or the whole if the run was submitted again.
if [ "$wave" != whole ] && [ -e "$out/manifest.json" ]; then list=("$out"); fi
for ((part = 1; part <= parts; part++)); do list+=("$folder/part-$part"); done

# By force: this job may have been killed after it had written the result, and run again.
"$program" merge "${list[@]}" --out "$out" --force --quiet
code=$?
if [ "$code" = 4 ]; then
    exec "$submit" --wave "$((wave + 1))" "$@"
fi
exit "$code"
