#!/usr/bin/env bash
# Submits a run of Fairhaven to Slurm: its parts as an array job, and a job that merges them.
#
#   cluster/slurm/submit.sh --out DIR [--parts N] [--wave-blocks N] [sbatch options] -- COMMAND...
#
#   cluster/slurm/submit.sh --out out/whole --parts 64 --partition=long --cpus-per-task=8 -- \
#       simulate on-the-road --agents skilled --matches 100m
#
# --out DIR          where the result will be; the parts lie in DIR.parts until you remove them
# --parts N          parts, each a task of the array; 64 if not given
# --wave-blocks N    for a sequential run or a search: blocks of a wave; each has as many parts
# sbatch options     as --name=value, for all jobs: partition, account, time, cpus-per-task
#
# The program is FAIRHAVEN_BIN, or `fairhaven` on the path. DIR must be on storage that all nodes share. The same
# line again goes on with what is there. docs/cluster.md says what happens when a node dies.
set -euo pipefail
here=$(dirname "$(realpath "$0")")

fail() {
    echo "submit.sh: $*" >&2
    exit 2
}

parts=64 out='' blocks='' wave=whole options=()
while [ $# -gt 0 ]; do
    case $1 in --parts | --out | --wave-blocks | --wave) [ $# -gt 1 ] || fail "$1 needs a value" ;; esac
    case $1 in
        --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" && exit ;;
        --parts=* | --out=* | --wave-blocks=* | --wave=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
        --parts) parts=$2 && shift 2 ;;
        --out) out=$2 && shift 2 ;;
        --wave-blocks) blocks=$2 && shift 2 ;;
        --wave) wave=$2 && shift 2 ;; # merge.sh submits all waves but the first
        --) shift && break ;;
        --array* | --output* | --chdir* | --dependency*) fail "$1: this script sets it" ;;
        --*=* | --exclusive | --no-requeue) options+=("$1") && shift ;;
        *) fail "$1: an option of sbatch is written --name=value, and the command comes after --" ;;
    esac
done
[ $# -gt 0 ] || fail "no command after --, such as: -- simulate on-the-road --agents skilled --matches 100m"
[[ $parts =~ ^[1-9][0-9]*$ ]] || fail "--parts ${parts:-(nothing)}: not a number of parts"
[ -n "$out" ] || fail "--out DIR is needed"
for word; do
    case $word in
        --out | --out=* | --shard | --shard=* | --threads | --threads=* | --wave | --wave=* | --wave-blocks* | --after*)
            fail "$word in the command: this script sets it" ;;
    esac
done
command -v sbatch >/dev/null || fail "no sbatch: is Slurm installed here?"

out=$(realpath -m "$out")
[[ $out != *\\* ]] || fail "$out: sbatch can't write logs below a name with a backslash"
home=$out.parts
[ -e "$home/asked" ] || [ ! -e "$out/manifest.json" ] || fail "$out: there is a run already"
mkdir -p "$home/log" || exit 2
# One build for all parts, even if the program is built anew meanwhile.
program=$home/fairhaven
if [ ! -e "$program" ]; then
    found=$(command -v "${FAIRHAVEN_BIN:-fairhaven}") || fail "no program; give its path as FAIRHAVEN_BIN"
    cp "$found" "$program.new" && mv "$program.new" "$program"
fi

# The parts of one run only: what was asked is kept beside them.
asked=$(printf '%q ' "$parts" "${blocks:-whole}" "$@")
if [ -e "$home/asked" ]; then
    [ "$asked" = "$(cat "$home/asked")" ] || fail "$home has parts of another run: $(cat "$home/asked")
remove it, or give another --out"
fi

# Part I of PARTS is COMMAND... --shard I/PARTS --out FOLDER/part-I.
folder=$home
line=("$@")
if [ -n "$blocks" ]; then
    [ "$wave" != whole ] || wave=1
    folder=$home/wave-$wave
    line+=(--wave "$wave" --wave-blocks "$blocks")
    if [ "$wave" -gt 1 ]; then line+=(--after "$out"); fi
fi
mkdir -p "$folder"

# A wrong command is refused here, not by a hundred tasks: two seconds of it are tried.
if [ ! -e "$home/asked" ]; then
    trial=$(mktemp -d)
    trap 'rm -rf "$trial"' EXIT
    code=0
    trial_line=("${line[@]}" --shard "1/$parts" --threads 1 --quiet --out "$trial/part")
    timeout -s INT -k 5 2 "$program" "${trial_line[@]}" >"$trial/said" 2>&1 || code=$?
    [ "$code" != 2 ] || cat "$trial/said" >&2
    [ "$code" != 2 ] || fail "the command is refused. A sequential run or a search needs --wave-blocks."
    printf '%s\n' "$asked" >"$home/asked"
fi

# In the name of a log sbatch takes `%` for a pattern, and a backslash for the sign that there are none.
log=${home//%/%%}/log/$wave
common=(--parsable --open-mode=append --requeue "${options[@]}")
# Sixty seconds before a time limit a part saves itself and is queued again.
array=$(sbatch "${common[@]}" --job-name=fairhaven --array="1-$parts" --output="$log-part-%a.log" \
    --signal=B:USR1@60 "$here/part.sh" "$program" "$parts" "$folder" "${line[@]}")
again=(--parts "$parts" --out "$out" --wave-blocks "$blocks" "${options[@]}" -- "$@")
merge=$(sbatch "${common[@]}" --job-name=fairhaven-merge --output="$log-merge.log" \
    --dependency="afterok:${array%%;*}" --kill-on-invalid-dep=yes \
    "$here/merge.sh" "$here/submit.sh" "$program" "$parts" "$folder" "$out" "$wave" "${again[@]}")

echo "Submitted $parts parts as job ${array%%;*}, and the merge as job ${merge%%;*}."
echo "The result will be in $out"
echo "How far it is: $(printf %q "$program") status $(printf %q "$folder")"
