#!/usr/bin/env bash
# Runs cluster/slurm/ on a cluster of its own: one controller and four nodes on this machine, on the loopback
# interface, with all their state in a directory that is removed at the end. Shows:
#   * a run of 64 parts, while two nodes die half-way, is merged to the bytes of one machine. All processes of one
#     node are killed with -9; of the other only the daemons, so its part is played on while Slurm starts it anew;
#   * a sequential run is played in waves and stops at the same block, with the same bytes;
#   * a part whose time limit comes near saves itself, is queued again and goes on;
#   * a line that can't work is refused before it is submitted, and the same line again plays nothing twice.
#
# Needs root, and Slurm with munge (on Debian: apt-get install slurm-wlm munge); says "not run" and succeeds where
# it has none. Builds nothing: FAIRHAVEN_BIN is the program, target/debug/fairhaven by default. MATCHES is the size
# of the run of 64 parts.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
export FAIRHAVEN_BIN
FAIRHAVEN_BIN=$(realpath "${FAIRHAVEN_BIN:-target/debug/fairhaven}")
matches=${MATCHES:-384k}

not_run() {
    echo "slurm.sh: not run: $*"
    exit 0
}
[ "$(id -u)" = 0 ] || not_run "needs root"
for tool in slurmctld slurmd sbatch munged; do
    command -v "$tool" >/dev/null || not_run "no $tool (on Debian: apt-get install slurm-wlm munge)"
done
[ -x "$FAIRHAVEN_BIN" ] || { echo "slurm.sh: no program at $FAIRHAVEN_BIN; run \`cargo build\`" >&2; exit 2; }

place=$(mktemp -d)
chmod 755 "$place"

# Scripts of tasks that run on a node, by their process ids. A step daemon wipes its own environment, so it is found as
# the parent of its script.
tasks() { # pattern of node numbers
    local process
    for process in $(pgrep -f "slurm_script .*$place|slurm_script $FAIRHAVEN_BIN" || true); do
        if grep -qsz "^SLURM_CONF=$place/" "/proc/$process/environ" &&
            grep -qsz "^SLURMD_NODENAME=node$1\$" "/proc/$process/environ"; then
            echo "$process"
        fi
    done
}

parent() { # pid
    sed -n 's/^PPid:\t//p' "/proc/$1/status"
}

clean_up() {
    # Whatever was started for this cluster has its directory in its environment; and the parents of scripts.
    local script process
    for script in $(tasks .); do kill -KILL "$(parent "$script")" 2>/dev/null || true; done
    for process in $(pgrep -x 'slurm.*|munged|bash|fairhaven|sleep' || true); do
        if grep -qsz "^SLURM_CONF=$place/" "/proc/$process/environ"; then kill -KILL "$process" || true; fi
    done
    wait 2>/dev/null || true
    cd /
    rm -rf "$place"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

fail() {
    echo "slurm.sh: $*" >&2
    squeue --all >&2 || true
    tail -n 5 "$place"/*.log >&2 || true
    find "$place/out" -path '*/log/*' -size +0 -exec tail -n 5 {} + >&2 || true
    exit 1
}

# A port that nothing listens on, above those that the system hands out by itself.
port=$((61000 + RANDOM % 4000))
cat >"$place/slurm.conf" <<CONF
ClusterName=fairhaven
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$place/munge.socket,cred_expire=6
StateSaveLocation=$place/state
SlurmctldPidFile=$place/slurmctld.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdPidFile=$place/slurmd-%n.pid
SlurmdLogFile=$place/slurmd-%n.log
SlurmdSpoolDir=$place/spool-%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SlurmdTimeout=6
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
MinJobAge=2
NodeName=node[1-4] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 4))] CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
export SLURM_CONF=$place/slurm.conf

mkdir "$place/state" "$place/out"
(umask 077 && head -c 1024 /dev/urandom >"$place/munge.key")
# Each is disowned, so that bash says nothing about its end.
munged --foreground --force --key-file="$place/munge.key" --socket="$place/munge.socket" \
    --pid-file="$place/munged.pid" --log-file="$place/munged.log" --seed-file="$place/munged.seed" \
    >"$place/munged.out" 2>&1 &
disown
slurmctld -D >"$place/slurmctld.out" 2>&1 &
disown
start_node() { # number
    slurmd -D -N "node$1" >"$place/slurmd-$1.out" 2>&1 &
    node[$1]=$!
    disown
}
node=()
for number in 1 2 3 4; do start_node "$number"; done
for _ in {1..60}; do
    idle=$(sinfo --noheader --states=idle --format=%D 2>/dev/null || true)
    [ "$idle" != 4 ] || break
    sleep 1
done
[ "$idle" = 4 ] || fail "four nodes did not come up"

submit() {
    "$root/cluster/slurm/submit.sh" "$@" >>"$place/submit.log" 2>&1
}

# Waits until nothing is queued.
drain() {
    for _ in {1..600}; do
        [ -n "$(squeue --noheader)" ] || return 0
        sleep 1
    done
    fail "the queue is not empty after 600 s"
}

# The files of a run, and its manifest apart from command and times.
same() { # one other
    diff -rq -x manifest.json "$1" "$2" >>"$place/diff.log" 2>&1 && cmp -s <(timeless "$1") <(timeless "$2")
}

timeless() { # run
    sed '/^  "command": \[/,/^  \]/d; /^  "wall": {/,/^  }/d; /^  "checksum":/d' "$1/manifest.json"
}


cd "$place"
# A directory with all signs that a shell or sbatch could take for something else.
odd="out/it's %a \"whole\" \$x"
# A part is some seconds of thought, so that it can be caught in the middle.
run=(simulate on-the-road --agents heuristic --seed 5 --matches "$matches")

# Refused at once, and nothing is queued.
refused() { # words arguments
    local words=$1 code=0
    shift
    submit "$@" || code=$?
    [ "$code" = 2 ] || fail "exit code $code, not 2: $*"
    [[ $(tail -n 3 submit.log) == *"$words"* ]] || fail "no \`$words\` in: $(tail -n 3 submit.log)"
    [ -z "$(squeue --noheader)" ] || fail "something is queued: $*"
}
refused 'which `merge` looks at' --parts 4 --out out/no -- compare on-the-road builder greedy --matches 1m
refused "martian" --parts 4 --out out/no -- simulate martian --agents builder --matches 1m
refused "--out DIR is needed" --parts 4 -- "${run[@]}"
refused "this script sets it" --parts 4 --out out/no -- "${run[@]}" --out elsewhere
rm -rf out/no.parts

submit --parts 64 --out "$odd" -- "${run[@]}" --save-every 1 || fail "not submitted: $(tail -n 1 submit.log)"
complete() {
    find "$odd.parts" -mindepth 2 -maxdepth 2 -path '*/part-*/manifest.json' -not -path '*.partial/*' 2>/dev/null | wc -l
}
for _ in {1..2400}; do
    [ "$(complete)" -lt 24 ] || break
    sleep 0.2
done
[ "$(complete)" -ge 24 ] || fail "only $(complete) of 64 parts in eight minutes"

# The processes of a node, stopped in the middle of a part that has been saved: NODE, SCRIPT and PART are set.
catch() { # number
    local children
    for _ in {1..600}; do
        for script in $(tasks "$1"); do
            part="$odd.parts/part-$(tr '\0' '\n' <"/proc/$script/environ" | sed -n 's/^SLURM_ARRAY_TASK_ID=//p')"
            children=$(pgrep -P "$script") || continue
            # shellcheck disable=SC2086 # several process ids
            kill -STOP "$script" $children
            if [ -e "$part.partial/manifest.json" ] && [ ! -e "$part" ]; then return; fi
            # shellcheck disable=SC2086
            kill -CONT "$script" $children
        done
        sleep 0.02
    done
    fail "no part of node$1 was caught in the middle"
}
# A time limit comes near: the part saves itself and is queued again. Slurm's signal is sent here.
catch 1
saved=$(basename "$part")
mapfile -t children < <(pgrep -P "$script")
job=$(tr '\0' '\n' <"/proc/$script/environ" | sed -n 's/^SLURM_JOB_ID=//p')
# It waits for an answer of the step daemon.
scancel --batch --signal=USR1 "$job" &
kill -CONT "$script" "${children[@]}"
# The whole node: its daemons, the script and the program.
catch 2
died=$(basename "$part")
mapfile -t children < <(pgrep -P "$script")
kill -KILL "${node[2]}" "$(parent "$script")" "$script" "${children[@]}"
# The daemons only: the program plays on, slowly, and nobody watches it. It is stopped after its parent has ended, since
# the kernel ends stopped processes that lose theirs.
catch 3
lost=$(basename "$part")
mapfile -t children < <(pgrep -P "$script")
daemon=$(parent "$script")
kill -KILL "${node[3]}"
kill -CONT "$script" "${children[@]}"
kill -KILL "$daemon"
while [ "$(parent "$script")" = "$daemon" ]; do :; done
kill -STOP "$script" "${children[@]}" || fail "$lost has ended"
[ ! -e "$part" ] || fail "$lost was not caught in the middle"
for _ in {1..180}; do
    if grep -q "resume" "$odd.parts/log/whole-$lost.log"; then break; fi
    sleep 1
done
grep -q "resume" "$odd.parts/log/whole-$lost.log" || fail "Slurm did not start $lost anew in eight minutes"
kill -CONT "$script" "${children[@]}"
drain
for part in "$saved" "$died" "$lost"; do
    grep -q "resume" "$odd.parts/log/whole-$part.log" || fail "$part was not resumed"
done
"$FAIRHAVEN_BIN" "${run[@]}" --out out/alone --quiet
same "$odd" out/alone || fail "the merged run is another than that of one machine"
echo "64 parts, node2 killed with $died and node3 lost with $lost half-way, $saved queued again: the bytes of one machine"

# Submitted again: nothing is played, and the result stays.
before=$(stat -c %Y-%i "$odd.parts"/part-*/sums.bin)
submit --parts 64 --out "$odd" -- "${run[@]}" --save-every 1 || fail "not submitted again"
drain
[ "$before" = "$(stat -c %Y-%i "$odd.parts"/part-*/sums.bin)" ] || fail "parts were played twice"
same "$odd" out/alone || fail "submitted again, the run is another"
refused "parts of another run" --parts 64 --out "$odd" -- "${run[@]}" --seed 6
for number in 2 3; do start_node "$number"; done

# A sequential run: some waves, and the last of them beyond the stop.
duel=(compare on-the-road builder greedy --seed 4 --matches 200k --until ci=1pp)
submit --parts 6 --out out/duel --wave-blocks 6k -- "${duel[@]}" || fail "not submitted: $(tail -n 1 submit.log)"
drain
"$FAIRHAVEN_BIN" "${duel[@]}" --out out/duel-alone --quiet
same out/duel out/duel-alone || fail "the run in waves is another than that of one machine"
waves=$(find out/duel.parts -maxdepth 1 -name 'wave-*' | wc -l)
[ "$waves" -gt 1 ] || fail "one wave shows nothing"
echo "compare in $waves waves of 6 parts: stops at the same block with the bytes of one machine"
echo "slurm.sh: all of it holds"
