#!/usr/bin/env bash
# How much stronger is the search than it was? One mcts alone among others with the nets of 25 November 2026, which lie
# in reports/ladder/earlier/ (base CATAN has the same one still): with 200 iterations each, and in the time that 1,000
# iterations took that day. That time is made up for by iterations: 1,000 times as many decisions a user second as the
# program of 658e356 made, by ../throughput/README.md and what it says of later changes. Half an hour on two cores; name
# games.
#
# Usage: reports/ladder/earlier.sh [OUT] [GAME...]; rows are added to OUT/earlier.csv (out/earlier), the table beside this
# script.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/earlier}
games=${*:2}
. reports/common.sh
alone() { # game, players, iterations of the new one, of the others, matches, further arguments
    local game=$1 players=$2 others="mcts:iterations=$4" matches=$5 agents seat
    [ ! -e "reports/ladder/earlier/$game.toml" ] || others+=":net=reports/ladder/earlier/$game.toml"
    agents="mcts:iterations=$3"
    for ((seat = 1; seat < players; seat++)); do agents+=",$others"; done
    local name=$game-$3-$4
    play "$name" simulate "$game" --players "$players" --agents "$agents" --matches "$matches" --seed 20266 "${@:6}"
    grep ',win_rate,' "$out/$name/agents.csv" | head -1 | sed "s/^/$game,$players,$3,$4,/" >>"$out/earlier.csv"
}
both() { # game, players, iterations in the time of 1,000, matches with 200, matches in that time, further arguments
    alone "$1" "$2" 200 200 "$4" "${@:6}"
    alone "$1" "$2" "$3" 1000 "$5" "${@:6}"
}
mkdir -p "$out"
[ -e "$out/earlier.csv" ] || echo "game,players,iterations,others,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$out/earlier.csv"
for game in ${games:-on-the-road base struggle two-player boats}; do
    case $game in
        on-the-road) both "$game" 4 1200 1200 800 --set side=b ;;
        base) alone "$game" 4 1230 1000 320 ;;
        struggle) both "$game" 4 1690 600 320 ;;
        two-player) both "$game" 2 1370 2000 1000 ;;
        boats) both "$game" 4 1560 400 240 ;;
    esac
done
