#!/usr/bin/env bash
# `--out` on a mount point, as a container's volume is: nothing can be renamed onto it, so the run is written
# inside. Shows, on a disk of its own:
#   * runs end there with the same bytes as elsewhere, beside lost+found and files of the user's, which stay;
#   * a run that is killed there, even while its files move up, is resumed, and ends with the same bytes;
#   * --force replaces a run, killed or not; merge writes there, too;
#   * a disk that can't be written to is refused before the first match;
#   * a full disk ends the run with a word about it, and the run is resumed once there is room.
#
# Needs root; says so and succeeds where it is not. Builds nothing: FAIRHAVEN_BIN is the program,
# target/debug/fairhaven by default.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${FAIRHAVEN_BIN:-target/debug/fairhaven}")

[ "$(id -u)" = 0 ] || { echo "mount_points.sh: skipped: needs root"; exit 0; }
command -v mkfs.ext4 >/dev/null || { echo "mount_points.sh: skipped: needs mkfs.ext4"; exit 0; }
[ -x "$program" ] || { echo "mount_points.sh: no program at $program; run \`cargo build\`" >&2; exit 2; }

place=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
disk=$place/disk
mkdir "$disk"
cd "$place"

clean_up() {
    cd /
    if mountpoint -q "$disk"; then umount -l "$disk"; fi
    rm -rf "$place"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

fail() {
    echo "mount_points.sh: $*" >&2
    tail -3 "$place/log" >&2
    ls -la "$disk" "$disk"/run.partial >&2 || true
    exit 1
}

# The program succeeds.
call() {
    "$program" "$@" >>"$place/log" 2>&1 || fail "exit code $?: $*"
}

# The program refuses, with exit code 2 and a message that has the words.
refused() { # words arguments
    local words=$1 code=0 said
    shift
    said=$("$program" "$@" 2>&1) || code=$?
    [ "$code" = 2 ] || fail "exit code $code, not 2: $*: $said"
    [[ $said == *"$words"* ]] || fail "no \`$words\` in: $said"
    [[ $said != *panicked* ]] || fail "$said"
}

# The files of a run and its manifest, apart from command and times; nothing else lies there but what is the
# disk's and the user's.
same() { # one other
    diff -rq -x manifest.json -x lost+found -x thesis.txt "$1" "$2" >>"$place/log" 2>&1 &&
        cmp -s <(timeless "$1") <(timeless "$2")
}

timeless() { # run
    sed '/^  "command": \[/,/^  \]/d; /^  "wall": {/,/^  }/d; /^  "checksum":/d' "$1/manifest.json"
}

# A fresh disk, with a file of the user's.
fresh() { # ext4 | tmpfs
    if mountpoint -q "$disk"; then umount "$disk"; fi
    case $1 in
        tmpfs) mount -t tmpfs -o size=64M fairhaven "$disk" ;;
        ext4)
            truncate -s 64M image
            mkfs.ext4 -qF -m 0 image
            mount -o loop image "$disk"
            ;;
    esac
}

# Kills a command at a moment of its own; it may have ended by then.
kill_after() { # seconds arguments
    local seconds=$1 child
    shift
    "$program" "$@" >>"$place/log" 2>&1 &
    child=$!
    sleep "$seconds"
    kill -KILL "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
}

run=(simulate on-the-road --agents builder,random --matches 200 --save-every 0 --quiet)
earlier=(simulate on-the-road --agents builder --matches 30 --rows csv --quiet)

call "${earlier[@]}" --out earlier
for form in csv zst; do call "${run[@]}" --rows "$form" --out "whole.$form"; done
call simulate on-the-road --agents builder --matches 60 --quiet --out joined
for part in 1 2; do
    call simulate on-the-road --agents builder --matches 60 --quiet --shard "$part/2" --out "part.$part"
done

for kind in tmpfs ext4; do
    fresh "$kind"
    call "${run[@]}" --rows csv --out "$disk"
    same "$disk" whole.csv || fail "$kind: the run on a mount point is another"
    refused "--force" "${run[@]}" --out "$disk"
    call "${run[@]}" --rows zst --force --out "$disk"
    same "$disk" whole.zst || fail "$kind: --force leaves another run"
    call resume "$disk" --quiet
    call analyze "$disk" --quiet
    call verify "$disk"
    same "$disk" whole.zst || fail "$kind: resume, analyze and verify have changed it"
    echo "years of work" >"$disk/thesis.txt"
    refused "thesis.txt" "${run[@]}" --force --out "$disk"

    fresh "$kind"
    call merge part.1 part.2 --quiet --out "$disk"
    same "$disk" joined || fail "$kind: merge on a mount point is another"
    call merge part.2 part.1 --quiet --force --out "$disk"
    same "$disk" joined || fail "$kind: merge --force on a mount point is another"
    echo "$kind: run and merge write on a mount point"
done

# Kills at moments all over the run and its end; a run that is killed before it can be resumed is begun again.
fresh ext4
resumed=0
for form in csv zst; do
    for moment in 0.00 0.02 0.05 0.1 0.2 0.4 0.6 0.8 1.0 1.2; do
        kill_after "$moment" "${run[@]}" --rows "$form" --out "$disk"
        if [ -e "$disk/manifest.json" ] || [ -e "$disk/run.partial/manifest.json" ]; then
            # What comes there meanwhile stays.
            echo "years of work" >"$disk/thesis.txt"
            kill_after 0.05 resume "$disk" --quiet
            call resume "$disk" --quiet
            [ "$(cat "$disk/thesis.txt")" = "years of work" ] || fail "thesis.txt is lost"
            resumed=$((resumed + 1))
        else
            call "${run[@]}" --rows "$form" --out "$disk"
        fi
        same "$disk" "whole.$form" || fail "a run that was killed after $moment s ends as another"
        find "$disk" -mindepth 1 -maxdepth 1 -type f -delete
    done
done
[ "$resumed" -gt 0 ] || fail "no run was killed in time"
echo "ext4: $resumed runs that were killed on a mount point were resumed"

# The same where an earlier run is replaced: it stays whole until the new one is.
fresh ext4
for moment in 0.02 0.1 0.3 0.6 0.9 1.2; do
    call "${earlier[@]}" --out "$disk"
    kill_after "$moment" "${run[@]}" --rows csv --force --out "$disk"
    if [ -e "$disk/run.partial/manifest.json" ]; then
        call resume "$disk" --quiet
    elif same "$disk" earlier || [ -e "$disk/run.partial" ]; then
        call "${run[@]}" --rows csv --force --out "$disk"
    fi
    same "$disk" whole.csv || fail "a forced run that was killed after $moment s ends as another"
    find "$disk" -mindepth 1 -maxdepth 1 -type f -delete
done
echo "ext4: runs that replace another were killed and resumed"

# A disk that can't be written to is found out before the first match: a run of years ends at once.
years=(simulate on-the-road --agents builder --matches 1e10 --quiet)
fresh ext4
mount -o remount,ro "$disk"
refused "Read-only" "${years[@]}" --out "$disk"
refused "Read-only" "${years[@]}" --out "$disk/run"
refused "Read-only" learn base --matches 100m --out "$disk/mine"
refused "Read-only" merge part.1 part.2 --out "$disk"
mount -o remount,rw "$disk"
echo "ext4: a disk that can't be written to is refused at once"

# Only the directory itself can be written to.
if command -v setpriv >/dev/null; then
    mkdir -p closed/open
    chmod 755 "$place" closed
    chown 65534 closed/open
    nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    "${nobody[@]}" "$program" "${run[@]}" --rows csv --out closed/open || fail "closed/open: exit code $?"
    same closed/open whole.csv || fail "a run in a directory whose parent is closed is another"
    if "${nobody[@]}" "$program" "${years[@]}" --out closed/other 2>>"$place/log"; then
        fail "a closed directory is written to"
    fi
    echo "a directory whose parent can't be written to holds a run"
fi

# A full disk.
for kind in tmpfs ext4; do
    for room in 0 8 40 80; do
        fresh "$kind"
        # All room but a few KiB is taken, by a file in a directory that the disk may have anyway.
        mkdir -p "$disk/lost+found"
        cat /dev/zero >"$disk/lost+found/thesis" 2>>"$place/log" || true
        # Large writes leave the last few KiB.
        dd if=/dev/zero of="$disk/lost+found/thesis" bs=1k oflag=append conv=notrunc 2>>"$place/log" || true
        sync -f "$disk"
        truncate -s "-${room}K" "$disk/lost+found/thesis"
        refused "No space left" "${run[@]}" --rows csv --out "$disk"
        rm "$disk/lost+found/thesis"
        if [ -e "$disk/run.partial/manifest.json" ]; then
            call resume "$disk" --quiet
        else
            [ ! -e "$disk/run.partial" ] || fail "$kind, $room KiB: something useless is left"
            call "${run[@]}" --rows csv --out "$disk"
        fi
        same "$disk" whole.csv || fail "$kind, $room KiB: the run ends as another"
    done
    echo "$kind: a full disk ends a run, which is resumed once there is room"
done
echo "mount_points.sh: all of it holds"
