#!/usr/bin/env bash
# Lets one of our agents play at the table of the program Catanatron itself, by its protocol for players outside, and by
# both of its ways to show a position: at tables of two, three and four, against three of its bots. Each answer must be
# one of its playable actions, and each position must be the one that follows from what was done.
#
# Needs that program's package and Python with networkx: FAIRHAVEN_CATANATRON is the folder that holds `catanatron/`.
# Says "not run" and succeeds where it isn't set. Builds nothing: FAIRHAVEN_BIN is the program, target/debug/fairhaven by
# default. MATCHES is the number of matches of each kind.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(realpath "${FAIRHAVEN_BIN:-target/debug/fairhaven}")

not_run() {
    echo "catanatron.sh: not run: $*"
    exit 0
}
[ -n "${FAIRHAVEN_CATANATRON:-}" ] || not_run "FAIRHAVEN_CATANATRON is not set"
python3 -c 'import networkx' 2>/dev/null || not_run "needs python3 with networkx"
[ -x "$bin" ] || { echo "catanatron.sh: no program at $bin; run \`cargo build\`" >&2; exit 2; }

for bot in random weighted value; do
    for players in 2 3 4; do
        for view in whole own; do
            for agent in heuristic random; do
                printf '%s %s: ' "$bot" "$view"
                timeout 600 python3 tests/catanatron_host.py --matches "${MATCHES:-2}" --players "$players" \
                    --view "$view" --bot "$bot" "$bin" guest base --agent "$agent" --dialect catanatron
            done
        done
    done
done
printf 'friendly robber: '
timeout 600 python3 tests/catanatron_host.py --matches "${MATCHES:-2}" --friendly \
    "$bin" guest base --agent heuristic --dialect catanatron
echo "catanatron.sh: all matches were played to their end."
