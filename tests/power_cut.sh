#!/usr/bin/env bash
# Cuts the power under the program, at any moment of a run and right after its end, and shows that nothing is
# lost that should be there.
#
# A disk is an image file with ext4, mounted through a loop device. What the program has written, but not
# synced, lies in the memory of the system, not in the image. So a copy of the image while it is mounted is
# what a power cut leaves. A copy counts only if the image did not change meanwhile (it is compared after it
# was made), so it is the disk at one moment. ext4 is mounted so that it helps as little as it can
# (`noauto_da_alloc`: no data is written at a rename), and in two ways: `soon` commits names every second,
# while data waits for half a minute, so a run that is not synced leaves names of empty files; `late` commits
# nothing by itself for ten minutes and does not order data before names, so such a run is gone.
#
# Each copy is checked by e2fsck, mounted, and read:
#   * a file of the user's, and a run that was published before, are what they were;
#   * after exit code 0, at once and seconds later, the result is there, byte for byte;
#   * at any moment of a command, either nothing can be seen of it, or the result is there, byte for byte,
#     or `resume` (for `merge`: the same command) ends with the same bytes. It never refuses. A run that `--force`
#     replaces is whole until the result is in its place; what is left in it then, `resume` removes.
#
# The last step shows that the script can fail: with a shim that ignores fsync and fdatasync, results must be
# found missing after exit code 0, and a table that the manifest vouches for must be found empty.
#
# Needs root and loop devices; says so and succeeds where it has none. Builds nothing: FAIRHAVEN_BIN is the
# program, target/debug/fairhaven by default. CUTS is the number of moments examined for each command.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${FAIRHAVEN_BIN:-target/debug/fairhaven}")
cuts=${CUTS:-8}

[ "$(id -u)" = 0 ] || { echo "power_cut.sh: skipped: needs root"; exit 0; }
command -v mkfs.ext4 >/dev/null || { echo "power_cut.sh: skipped: needs mkfs.ext4"; exit 0; }
[ -x "$program" ] || { echo "power_cut.sh: no program at $program; run \`cargo build\`" >&2; exit 2; }

# In memory if possible: a disk of memory keeps what it was given, and is copied in milliseconds.
place=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
disk=$place/disk
look=$place/look
mkdir "$disk" "$look" "$place/whole" "$place/cuts"
player=

clean_up() {
    [ -z "$player" ] || kill -KILL "$player" 2>/dev/null || true
    cd /
    for mounted in "$disk" "$look"; do
        mountpoint -q "$mounted" && umount -l "$mounted"
    done
    # A loop device of `mount -o loop` goes with its mount.
    rm -rf "$place"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

fail() {
    echo "power_cut.sh: $*" >&2
    exit 1
}

# The commands, and what they leave under the same name. They are small: most of their time is spent on
# saving, and on publishing.
kinds=(csv zst published stopped forced compare balance sweep merge learn)
declare -A line=(
    [csv]="simulate on-the-road --agents builder,random --matches 120 --rows csv --save-every 0 --quiet --out csv"
    [zst]="simulate on-the-road --agents builder,random --matches 120 --rows zst --save-every 0 --quiet --out zst"
    [published]="simulate on-the-road --agents builder --matches 20 --rows zst --quiet --out published"
    [stopped]="resume stopped --save-every 0 --quiet"
    [forced]="simulate on-the-road --agents builder --matches 40 --save-every 0 --quiet --force --out forced"
    [compare]="compare on-the-road --rules-b side=b --agents builder --matches 300 --save-every 0 --quiet --out compare"
    [balance]="balance on-the-road --choice metropolis --set side=b --estimands forced --blocks 80
        --levels builder --save-every 0 --quiet --out balance"
    [sweep]="sweep on-the-road --agents builder --field robber.hand_limit --values 5..7 --blocks 200
        --save-every 0 --quiet --out sweep"
    [merge]="merge part.1 part.2 --quiet --out merge"
    [learn]="learn base --matches 20 --save-every 0 --quiet --out learn"
)
# A run that Ctrl-C has stopped: its rows were packed, and are unpacked to be continued.
stopped="simulate on-the-road --agents builder,random --matches 400 --rows zst --save-every 0 --quiet --out stopped"
# An earlier run that stands where another is put by force.
earlier="simulate on-the-road --agents builder --matches 60 --quiet --out forced"
before=(
    "simulate on-the-road --agents builder --matches 40 --rows csv --quiet --out before"
    "simulate on-the-road --agents builder --matches 80 --rows csv --quiet --shard 1/2 --out part.1"
    "simulate on-the-road --agents builder --matches 80 --rows csv --quiet --shard 2/2 --out part.2"
)

# Calls the program in a directory with a line of arguments.
call() { # directory line
    # shellcheck disable=SC2086 # the line is to be split
    (cd "$1" && exec "$program" $2 >>"$place/log" 2>&1)
}

# The files of a run, and its manifest apart from the times in it. The lock of a process that is gone may
# have outlived it.
same() { # one other
    if [ -f "$1" ]; then
        cmp -s "$1" "$2"
        return
    fi
    diff -rq -x manifest.json -x lock "$1" "$2" >>"$place/log" 2>&1 || return 1
    cmp -s <(timeless "$1") <(timeless "$2")
}

timeless() { # run
    sed '/^  "wall": {/,/^  }/d; /^  "checksum":/d' "$1/manifest.json"
}

# Mounts an image; the options say how much the file system does by itself.
on() { # mode image directory
    local options=loop,noauto_da_alloc
    case $1 in
        soon) options=$options,data=ordered,commit=1 ;;
        late) options=$options,data=writeback,commit=600 ;;
    esac
    mount -o "$options" "$2" "$3"
}

# Copies the image as the power cut would leave it. Fails if the disk was written to meanwhile.
cut() { # image copy
    cp --sparse=always "$1" "$2" && cmp -s "$1" "$2"
}

# The same, again until it succeeds.
cut_now() { # image copy
    for _ in {1..200}; do
        if cut "$1" "$2"; then return; fi
    done
    fail "the disk never came to rest"
}

# After a cut the file system is whole, and so is what was there before.
restart() { # copy
    local code=0
    e2fsck -fp "$1" >>"$place/log" 2>&1 || code=$?
    [ "$code" -le 1 ] || fail "e2fsck says $code about $1"
    mount -o loop "$1" "$look"
    [ "$(cat "$look/thesis.txt")" = "years of work" ] || fail "$1: thesis.txt is lost"
    local name
    for name in before part.1 part.2; do
        same "$look/$name" "$place/whole/$name" || fail "$1: the run \`$name\` of before is lost"
    done
}

# Whether the result of a command is there; if it is not, whether it is brought about. Says what was found.
finish() { # kind
    local kind=$1 found=nothing run=$look/$1
    if [ -e "$run.partial/manifest.json" ] || grep -qs '"complete": false' "$run/manifest.json"; then
        found=unfinished
    elif [ -e "$run/replaced.partial" ]; then
        found=unremoved
    elif [ "$kind" = forced ] && same "$run" "$place/whole/earlier"; then
        found=earlier
    elif [ -e "$run" ]; then
        found=result
    elif compgen -G "$run.*" >/dev/null; then
        found=beginnings
    fi
    if [ "$kind,$found" = forced,unfinished ]; then
        # Until the result is in its place, the run that it replaces is whole.
        same "$run" "$place/whole/earlier" || same "$run.partial/replaced.partial" "$place/whole/earlier" || return 1
    fi
    case $found,$kind in
        result,*) ;;
        unfinished,merge) call "$look" "${line[$kind]}" || return 1 ;;
        unfinished,* | unremoved,forced) call "$look" "resume $kind --quiet" || return 1 ;;
        *) call "$look" "${line[$kind]}" || return 1 ;;
    esac
    same "$run" "$place/whole/$kind" || return 1
    echo "$found"
}

# Begins the run that is resumed, and stops it by Ctrl-C.
stop_one() {
    # shellcheck disable=SC2086
    (cd "$disk" && exec "$program" $stopped >>"$place/log" 2>&1) &
    player=$!
    until [ -e "$disk/stopped.partial/sums.bin" ]; do sleep 0.01; done
    kill -INT "$player"
    wait "$player" || true
    player=
    grep -q '"complete": false' "$disk/stopped/manifest.json" || fail "the run was not stopped"
}

# Many moments of one command.
moments() { # mode kind
    local mode=$1 kind=$2 number=0 image=$place/image shim=
    case $kind in
        published | forced | merge) shim=$slow ;;
    esac
    cp --sparse=always "$place/$mode.base" "$image"
    on "$mode" "$image" "$disk"
    rm -f "$place"/cuts/*
    # shellcheck disable=SC2086
    (cd "$disk" && LD_PRELOAD=$shim exec "$program" ${line[$kind]} >>"$place/log" 2>&1) &
    player=$!
    while kill -0 "$player" 2>/dev/null; do
        # Every other time the program is held, so that it does not write; between them, only moments at
        # which it happens not to are taken.
        local held=$((number % 2))
        [ "$held" = 0 ] || kill -STOP "$player" 2>/dev/null || true
        if cut "$image" "$place/cuts/$(printf %05d "$number")"; then
            number=$((number + 1))
        else
            rm -f "$place/cuts/$(printf %05d "$number")"
            [ "$held" = 1 ] || number=$((number + 1))
        fi
        [ "$held" = 0 ] || kill -CONT "$player" 2>/dev/null || true
    done
    wait "$player" || fail "$kind: exit code $?"
    player=
    umount "$disk"
    examine "$mode" "$kind" "$shim"
}

# Some of the copies: evenly over the run, and the last ones, when the result is published. Twice as many of
# commands that do little but publish.
examine() { # mode kind shim
    local all=("$place"/cuts/*) at copy found some=$cuts
    local -A counted=() chosen=()
    [ -z "$3" ] || some=$((2 * cuts))
    for ((at = 0; at < some; at++)); do
        if [ $((at % 2)) = 0 ]; then
            chosen[$((at * ${#all[@]} / some))]=1
        elif [ "${#all[@]}" -gt "$at" ]; then
            chosen[$((${#all[@]} - 1 - at / 2))]=1
        fi
    done
    for at in "${!chosen[@]}"; do
        copy=${all[$at]}
        restart "$copy"
        found=$(finish "$2") || {
            ls -la "$look" "$look/$2"* >&2
            tail -3 "$place/log" >&2
            fail "$1, $2: a cut at moment $at of ${#all[@]} is not mended"
        }
        umount "$look"
        counted[$found]=$((${counted[$found]:-0} + 1))
    done
    printf '%-5s %-10s %3d moments, of which examined:' "$1" "$2" "${#all[@]}"
    for found in "${!counted[@]}"; do printf ' %d %s' "${counted[$found]}" "$found"; done
    echo
}

# What is there after exit code 0: everything, without any help.
ends() { # mode
    local mode=$1 image=$place/image kind last
    cp --sparse=always "$place/$mode.base" "$image"
    on "$mode" "$image" "$disk"
    rm -f "$place"/cuts/*
    for kind in "${kinds[@]}"; do
        call "$disk" "${line[$kind]}" || fail "$kind: exit code $?"
        cut_now "$image" "$place/cuts/$kind"
    done
    for later in 1 3 8; do
        sleep "$later"
        cut_now "$image" "$place/cuts/$later"
    done
    umount "$disk"
    for last in "${kinds[@]}" 1 3 8; do
        restart "$place/cuts/$last"
        for kind in "${kinds[@]}"; do
            same "$look/$kind" "$place/whole/$kind" ||
                fail "$mode: \`$kind\` had ended with 0 before \`$last\`, and is lost"
            [ "$kind" != "$last" ] || break
        done
        umount "$look"
    done
    echo "$mode  all results are there after exit code 0, at once and up to 12 s later"
}

# Shims: under one the program syncs nothing; under the other each sync takes 15 ms longer, which spreads the
# steps of publishing, so that cuts fall between all of them.
shims() {
    command -v cc >/dev/null || return 1
    cc -shared -fPIC -x c -o "$place/blind.so" - <<'C'
int fsync(int file) { (void)file; return 0; }
int fdatasync(int file) { (void)file; return 0; }
C
    cc -shared -fPIC -x c -o "$place/slow.so" - <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
int fsync(int file) { usleep(15000); return (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { usleep(15000); return (int)syscall(SYS_fdatasync, file); }
C
}

# The same without syncing: the loss must be found.
unsynced() { # mode wait
    local image=$place/image
    cp --sparse=always "$place/$1.base" "$image"
    on "$1" "$image" "$disk"
    LD_PRELOAD=$place/blind.so call "$disk" "${line[csv]}" || fail "csv without syncing: exit code $?"
    sleep "$2"
    cut_now "$image" "$place/cuts/unsynced"
    umount "$disk"
    restart "$place/cuts/unsynced"
    ! same "$look/csv" "$place/whole/csv" || fail "$1: without syncing, nothing is found missing"
    local empty
    empty=$(find "$look" -path '*csv*' -type f -size 0 | wc -l)
    [ "$1" = late ] || [ "$empty" -gt 0 ] || fail "$1: without syncing, no empty file is found"
    umount "$look"
    echo "$1  without syncing, the loss is found ($empty empty files)"
}

slow=
if shims; then slow=$place/slow.so; fi

echo "power_cut.sh: results to compare with"
for words in "${before[@]}"; do call "$place/whole" "$words" || fail "$words: exit code $?"; done
call "$place/whole" "$earlier" || fail "$earlier: exit code $?"
mv "$place/whole/forced" "$place/whole/earlier"
for kind in "${kinds[@]}"; do
    words=${line[$kind]}
    [ "$kind" != stopped ] || words=$stopped
    call "$place/whole" "$words" || fail "$words: exit code $?"
done

for mode in soon late; do
    truncate -s 64M "$place/$mode.base"
    mkfs.ext4 -q -m 0 -N 512 -J size=4 -E lazy_itable_init=0,lazy_journal_init=0 "$place/$mode.base"
    on "$mode" "$place/$mode.base" "$disk" ||
        { echo "power_cut.sh: skipped: no image can be mounted here"; exit 0; }
    echo "years of work" >"$disk/thesis.txt"
    sync "$disk/thesis.txt" "$disk"
    for words in "${before[@]}"; do call "$disk" "$words" || fail "$words: exit code $?"; done
    call "$disk" "$earlier" || fail "$earlier: exit code $?"
    stop_one
    # The power is cut for the first time: everything after starts from what was left.
    cut_now "$place/$mode.base" "$place/cut"
    umount "$disk"
    mv "$place/cut" "$place/$mode.base"
    restart "$place/$mode.base"
    umount "$look"
    for kind in "${kinds[@]}"; do moments "$mode" "$kind"; done
    ends "$mode"
done
if [ -n "$slow" ]; then
    unsynced soon 3
    unsynced late 0
else
    echo "power_cut.sh: no C compiler, so a program that syncs nothing was not tried"
fi
echo "power_cut.sh: nothing was lost"
