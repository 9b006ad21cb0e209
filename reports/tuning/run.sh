#!/usr/bin/env bash
# Tunes an agent of each game and measures what was found once more, with another seed. About fifteen minutes on two
# cores. Usage: reports/tuning/run.sh [OUT]; the table and the strategies are copied beside this script. FAIRHAVEN
# names another program than the release build.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/tuning}
here=reports/tuning
. reports/common.sh
mkdir -p "$out"
echo "game,players,seed,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method,verdict" > "$out/tuning.csv"
row() { # game, players, seed, table
    grep ',win_difference,' "$4" | sed 's/^[^,]*,\(win_difference\)/\1/; s/^[^,]*,,\(win_difference\)/\1/; s/,,,\([^,]*\)$/,\1/' \
        | sed "s|^|$1,$2,$3,|" >> "$out/tuning.csv"
}
tune() { # game, players, agent, matches, matches of the second measurement, parameters
    local game=$1 players=$2 agent=$3 matches=$4 second=$5
    shift 5
    "$FAIRHAVEN" tune "$game" "$agent" "${@/#/--param=}" --players "$players" --matches "$matches" \
        --quiet --force --out "$out/$game" || true
    row "$game" "$players" 1 "$out/$game/tuned.csv"
    draw "$game"
    if [ ! -e "$out/$game/tuned.toml" ]; then return; fi
    cp "$out/$game/tuned.toml" "$here/$game.toml"
    "$FAIRHAVEN" compare "$game" "$here/$game.toml" "$agent" --players "$players" --seed 99 --until ci=2pp \
        --matches "$second" --quiet --force --out "$out/$game-again"
    row "$game" "$players" 99 "$out/$game-again/compare.csv"
}
tune on-the-road 4 heuristic 60k 100k swap_trust=0..1 deny=-1..2 trade_margin=-1..1 settlement_love=-2..2 city_growth=0..2
tune struggle 2 heuristic 6k 3k patience=0..1 deny=0..1.5 trade_hits=0..1
tune base 4 reports/weights/hand-set.toml 5k 1k income=0..0.2 site=0..0.1 route=0..2 army=0..2
tune two-player 2 heuristic 30k 40k token=0..0.2 rival=0..1.6 disrupted=0..0.2 hand=0..0.1 bank_trust=0..1 army=0..3
tune boats 4 reports/weights/hand-set.toml 5k 1k income=0..0.2 site=0..0.1 route=0..2 army=0..2
cp "$out/tuning.csv" $here/tuning.csv
