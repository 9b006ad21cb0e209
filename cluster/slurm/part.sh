#!/usr/bin/env bash
# One part of a run: a task of the array job that submit.sh submits.
#
#   part.sh PROGRAM PARTS FOLDER COMMAND...
#
# A part that lands again, after a node died or a time limit came near, goes on from its last save.
set -uo pipefail
cd "$SLURM_SUBMIT_DIR" || exit 2
program=$1 parts=$2 part=$3/part-$SLURM_ARRAY_TASK_ID
shift 3
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# Plays the part, or goes on with it. A signal is passed on as Ctrl-C: the program saves, and ends with 130.
play() {
    local line=("$@" --shard "$SLURM_ARRAY_TASK_ID/$parts" --out "$part")
    if [ -e "$part/manifest.json" ] || [ -e "$part.partial/manifest.json" ]; then
        line=(resume "$part")
        echo "on $SLURMD_NODENAME: resume $part"
    fi
    "$program" "${line[@]}" --threads "${SLURM_CPUS_ON_NODE:-1}" --quiet 2>"$said" &
    child=$!
    wait "$child"
    code=$?
    # A signal ends `wait`, not the program.
    while kill -0 "$child" 2>/dev/null; do
        wait "$child"
        code=$?
    done
    cat "$said" >&2
}

again='' child=''
trap 'again=yes; kill -INT "$child" 2>/dev/null' USR1
trap 'kill -INT "$child" 2>/dev/null' TERM INT
play "$@"
# A node that is only out of reach may still be playing the part; then it is waited for, and resumed after it.
while [ "$code" = 2 ] && grep -Eq 'process [0-9]+ is writing|being written by process' "$said"; do
    sleep 10
    play "$@"
done
if [ "$code" = 130 ] && [ -n "$again" ]; then
    scontrol requeue "$SLURM_JOB_ID"
    sleep 60 # until Slurm ends this task
fi
exit "$code"
