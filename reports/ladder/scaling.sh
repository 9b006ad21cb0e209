#!/usr/bin/env bash
# Does more thought help? One mcts with more iterations among others with fewer, at the usual table of each game, and
# one among heuristics; `again`: three of these steps on fresh deals; `hidden`: one oracle, which sees all hands, among
# searches with as many iterations; `offers`: one that does without trades with players, proposals or counters among
# searches that do not; `timed`: one with the learned judgement among those with the planner's, 50 ms a
# decision each. Hours on two cores; name parts.
#
# Usage: reports/ladder/scaling.sh [OUT] [PART...]; a part is a game, again, hidden, offers or timed. Rows are added to
# OUT/scaling.csv (out/scaling), the table beside this script.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/scaling}
parts=${*:2}
. reports/common.sh
step() { # game, seats, agent alone, the others, matches, further arguments
    local game=$1 seats=$2 alone=$3 others=$4 matches=$5 agents=$3 seat
    shift 5
    for ((seat = 1; seat < seats; seat++)); do agents+=",$others"; done
    local name=$game-$seats-${alone//[:=]/-}-${others//[:=]/-}-${SEED:-20264}
    "$FAIRHAVEN" simulate "$game" --players "$seats" --seed "${SEED:-20264}" --force --quiet --agents "$agents" \
        --matches "$matches" --out "$out/$name" "$@"
    tail -n +2 "$out/$name/agents.csv" | grep ',win_rate,' | head -1 | sed "s/^/$game,$seats,$others,${SEED:-20264},/" >>"$out/scaling.csv"
}
thoughts() { # game, seats, matches of the steps from 200 to 1,000, to 5,000, to 20,000 (0: not played), further arguments
    local game=$1 seats=$2 counts=("${@:3:3}") from=(200 1000 5000) to=(1000 5000 20000) at
    shift 5
    for at in 0 1 2; do
        [ "${counts[at]}" = 0 ] || step "$game" "$seats" "mcts:iterations=${to[at]}" "mcts:iterations=${from[at]}" "${counts[at]}" "$@"
    done
}
mkdir -p "$out"
[ -e "$out/scaling.csv" ] || echo "game,players,others,seed,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$out/scaling.csv"
for part in ${parts:-on-the-road base two-player struggle boats again hidden offers timed}; do
    case $part in
        on-the-road)
            for iterations in 200 1000 5000; do
                step on-the-road 4 "mcts:iterations=$iterations" heuristic 480 --set side=b
            done
            thoughts on-the-road 4 800 2400 160 --set side=b
            ;;
        base)
            step base 2 mcts:iterations=1000 heuristic 120
            step base 2 mcts:iterations=5000 heuristic 120
            step base 4 mcts:iterations=1000 heuristic 160
            step base 4 mcts:iterations=5000 heuristic 80
            thoughts base 4 240 80 0
            ;;
        two-player)
            thoughts two-player 2 1600 120 0
            ;;
        struggle) thoughts struggle 4 160 160 0 ;;
        boats) thoughts boats 4 800 800 0 ;;
        again)
            SEED=20265 step on-the-road 4 mcts:iterations=5000 mcts:iterations=1000 1200 --set side=b
            SEED=20265 step base 4 mcts:iterations=5000 mcts:iterations=1000 240
            SEED=20265 step two-player 2 mcts:iterations=5000 mcts:iterations=1000 1600
            ;;
        hidden)
            step on-the-road 4 oracle:iterations=1000 mcts:iterations=1000 1200 --set side=b --allow-oracle
            step two-player 2 oracle:iterations=1000 mcts:iterations=1000 1600 --allow-oracle
            step base 4 oracle:iterations=1000 mcts:iterations=1000 480 --allow-oracle
            step struggle 4 oracle:iterations=1000 mcts:iterations=1000 240 --allow-oracle
            step boats 4 oracle:iterations=1000 mcts:iterations=1000 400 --allow-oracle
            ;;
        offers)
            for kind in trade offer counter; do
                step on-the-road 4 "mcts:iterations=1000:without=$kind" mcts:iterations=1000 800 --set side=b
            done
            step base 4 mcts:iterations=400:without=trade mcts:iterations=400 240
            step base 4 mcts:iterations=400:without=offer mcts:iterations=400 960
            step base 4 mcts:iterations=400:without=counter mcts:iterations=400 960
            ;;
        timed)
            step on-the-road 4 mcts:iterations=0:time_ms=50 mcts:iterations=0:time_ms=50:judgement=weights 80 --set side=b
            step base 2 mcts:iterations=0:time_ms=50 mcts:iterations=0:time_ms=50:judgement=weights 60
            ;;
        *) echo "no part $part" >&2; exit 2 ;;
    esac
done
