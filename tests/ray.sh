#!/usr/bin/env bash
# Runs cluster/ray/fairhaven_ray.py on four Ray nodes on this machine. Shows:
#   * a run of 64 parts, while a node and all that it plays are killed with -9 half-way, is merged to the bytes of one
#     machine: with parts on shared storage, and with parts that are carried home;
#   * a sequential run is played in waves and stops at the same block, with the same bytes;
#   * a line that can't work is refused before it reaches the cluster, and the same line again plays nothing twice.
#
# Needs Python 3.10 to 3.13 with venv. Installs the packages that cluster/ray/requirements.txt locks below target/ray/,
# which is kept; says "not run" and succeeds where they can't be had. Builds nothing: FAIRHAVEN_BIN is the program,
# target/debug/fairhaven by default. MATCHES is the size of the run of 64 parts.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
export FAIRHAVEN_BIN
FAIRHAVEN_BIN=$(realpath "${FAIRHAVEN_BIN:-target/debug/fairhaven}")
matches=${MATCHES:-1600k}
[ -x "$FAIRHAVEN_BIN" ] || { echo "ray.sh: no program at $FAIRHAVEN_BIN; run \`cargo build\`" >&2; exit 2; }

not_run() {
    echo "ray.sh: not run: $*"
    exit 0
}
python=$root/target/ray/bin/python
if ! "$python" -c 'import ray.cluster_utils' 2>/dev/null; then
    mkdir -p target
    python3 -m venv --clear target/ray >/dev/null 2>&1 || not_run "no python3 with venv"
    "$python" -m pip install --quiet --require-hashes -r cluster/ray/requirements.txt >target/ray/pip.log 2>&1 ||
        not_run "pip could not install Ray: $(tail -n 1 target/ray/pip.log)"
fi

place=$(mktemp -d)
# Ray keeps a token in the home directory.
export HOME=$place RAY_TMPDIR=$place RAY_USAGE_STATS_ENABLED=0
clean_up() {
    local process
    exec {orders}>&- || true
    sleep 1
    # Whatever belongs to this cluster has its directory in its environment.
    for process in $(pgrep -f 'ray|fairhaven|python' || true); do
        if grep -qsz "^RAY_TMPDIR=$place\$" "/proc/$process/environ"; then kill -KILL "$process" || true; fi
    done
    cd /
    rm -rf "$place"
}
fail() {
    echo "ray.sh: $*" >&2
    tail -n 5 "$place"/*.log >&2 || true
    exit 1
}
cd "$place"
mkfifo orders answers
"$python" "$root/tests/ray_cluster.py" <orders >answers 2>cluster.log &
disown
exec {orders}>orders {answers}<answers
trap clean_up EXIT
trap 'exit 130' INT TERM
read -r -t 240 address <&"$answers" || fail "the cluster did not come up"

play() {
    "$python" "$root/cluster/ray/fairhaven_ray.py" --address "$address" "$@" >>play.log 2>&1
}

# Refused before anything is played.
refused() { # words arguments
    local words=$1 code=0
    shift
    play "$@" || code=$?
    [ "$code" = 2 ] || fail "exit code $code, not 2: $*"
    [[ $(tail -n 3 play.log) == *"$words"* ]] || fail "no \`$words\` in: $(tail -n 3 play.log)"
}

# The files of a run, and its manifest apart from command and times.
same() { # one other
    diff -rq -x manifest.json "$1" "$2" >>diff.log 2>&1 && cmp -s <(timeless "$1") <(timeless "$2")
}

timeless() { # run
    sed '/^  "command": \[/,/^  \]/d; /^  "wall": {/,/^  }/d; /^  "checksum":/d' "$1/manifest.json"
}

complete() { # parts
    find "$1" -mindepth 2 -maxdepth 2 -path '*/part-*/manifest.json' -not -path '*.partial/*' 2>/dev/null | wc -l
}

run=(simulate on-the-road --agents builder --seed 5 --matches "$matches")
refused 'which `merge` looks at' --parts 4 --out no -- compare on-the-road builder greedy --matches 1m
refused "martian" --parts 4 --out no -- simulate martian --agents builder --matches 1m
refused "this script sets it" --parts 4 --out no -- "${run[@]}" --out elsewhere
"$FAIRHAVEN_BIN" "${run[@]}" --out alone --quiet

# A directory with signs that a shell could take for something else.
odd="it's a \"whole\" \$x"
play --parts 64 --every 2 --out "$odd" -- "${run[@]}" --save-every 0 &
playing=$!
for _ in {1..900}; do
    [ "$(complete "$odd.parts")" -lt 32 ] || break
    sleep 0.2
done
echo kill >&"$orders"
read -r -t 90 died <&"$answers" || fail "no node was killed"
wait "$playing" || fail "exit code $? of the run"
same "$odd" alone || fail "the merged run is another than that of one machine"
echo "64 parts, a node killed with $died half-way: the bytes of one machine"

# Again: nothing is played.
before=$(stat -c %Y-%i "$odd.parts"/part-*/sums.bin)
play --parts 64 --out "$odd" -- "${run[@]}" --save-every 0 || fail "exit code $? when run again"
[ "$before" = "$(stat -c %Y-%i "$odd.parts"/part-*/sums.bin)" ] || fail "parts were played twice"
same "$odd" alone || fail "run again, the run is another"
refused "parts of another run" --parts 64 --out "$odd" -- "${run[@]}" --seed 6

# Without shared storage: few parts, each carried home several times; another node is killed meanwhile.
play --parts 6 --carry 1 --every 2 --out carried -- "${run[@]}" --save-every 0 &
playing=$!
sleep 4
echo kill >&"$orders"
read -r -t 90 died <&"$answers" || fail "no node was killed"
wait "$playing" || fail "exit code $? of the run that is carried home"
carried=$(sed -n 's/.*carried home \([0-9]*\) times$/\1/p' play.log | tail -n 1)
[ "$carried" -ge 12 ] || fail "6 parts were carried home only $carried times"
same carried alone || fail "the run that was carried home is another than that of one machine"
echo "6 parts carried home $carried times, a node killed with $died half-way: the bytes of one machine"

duel=(compare on-the-road builder greedy --seed 4 --matches 200k --until ci=1pp)
play --parts 6 --wave-blocks 6k --out duel -- "${duel[@]}" || fail "exit code $? of the run in waves"
"$FAIRHAVEN_BIN" "${duel[@]}" --out duel-alone --quiet
same duel duel-alone || fail "the run in waves is another than that of one machine"
waves=$(find duel.parts -maxdepth 1 -name 'wave-*' | wc -l)
[ "$waves" -gt 1 ] || fail "one wave shows nothing"
echo "compare in $waves waves of 6 parts: stops at the same block with the bytes of one machine"

# A search, whose next wave depends on what it has found, by the other way of storage.
search=(tune on-the-road greedy:lapse=1 --param lapse=0..1 --players 3 --matches 240)
play --parts 2 --wave-blocks 1k --carry 5 --out search -- "${search[@]}" || fail "exit code $? of the search"
"$FAIRHAVEN_BIN" "${search[@]}" --out search-alone --quiet
same search search-alone || fail "the search in waves is another than that of one machine"
echo "tune in $(find search.parts -maxdepth 1 -name 'wave-*' | wc -l) waves of 2 parts: the bytes of one machine"
echo "ray.sh: all of it holds"
