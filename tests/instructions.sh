#!/usr/bin/env bash
# Counts the instructions of whole commands with callgrind, and compares them with benches/instructions.csv: none may take
# 1 % more or less than its line says. A change that moves a line on purpose writes the table anew, and says so in its
# message: `BLESS=1 tests/instructions.sh`.
#
# Instructions don't depend on what else the machine does, but on the compiler: the table's first line names the one that
# it was made with, and by another one nothing is compared. FAIRHAVEN_BIN is the program, a release build:
# target/release/fairhaven by default. Without valgrind it says "not run".
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${FAIRHAVEN_BIN:-target/release/fairhaven}")
table=benches/instructions.csv
room=1 # per cent

command -v valgrind >/dev/null || { echo "not run: no valgrind"; exit 0; }

# The instructions of one case, as a line of the table.
count() {
    local found
    found=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" simulate "$1" --players "$2" --agents "$3" \
        --matches "$4" --seed 1 --threads 1 --quiet 2>&1 | sed -n 's/.*Collected : //p')
    echo "$1,$2,$3,$4,${found:-0}"
}
export -f count
export program

compiler="# $(rustc --version)"
found=$(mktemp)
trap 'rm -f "$found"' EXIT
# The longest cases stand first in the table, so that the last one to end is a short one.
sed 1,2d "$table" | tr , ' ' | cut -d' ' -f1-4 | xargs -P "$(nproc)" -L 1 bash -c 'count "$@"' count >"$found"
if [ "${BLESS:-}" = 1 ]; then
    cases=$(sed 1,2d "$table" | cut -d, -f1-4)
    {
        echo "$compiler"
        sed -n 2p "$table"
        for case in $cases; do grep "^$case," "$found"; done
    } >"$table.new"
    mv "$table.new" "$table"
    exit 0
fi
awk -F, -v room="$room" '
    NR == FNR { if (FNR > 2) due[$1 "," $2 "," $3 "," $4] = $5; next }
    {
        case_ = $1 "," $2 "," $3 "," $4
        change = 100 * ($5 / due[case_] - 1)
        word = change > room || change < -room ? "  moved" : ""
        moved += word != ""
        printf "%-12s %s players  %-20s %6d matches %14d instructions %+6.2f %%%s\n", $1, $2, $3, $4, $5, change, word
    }
    END { exit moved > 0 }' "$table" "$found" || moved=1
if [ "$(sed -n 1p "$table")" != "$compiler" ]; then
    echo "not compared: the table was made with another compiler"
elif [ "${moved:-}" = 1 ]; then
    echo "What a command costs has moved by more than $room %: see the header of tests/instructions.sh."
    exit 1
fi
