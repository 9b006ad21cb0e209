#!/usr/bin/env bash
# What do siblings and points teach a net? Nets for On the Road, side B, are learned from planners' matches, each by other
# targets, and a search with each sits alone among three with the net that is built in. Some ten minutes on two cores.
#
# Usage: reports/ladder/nets.sh [OUT]; writes OUT/nets.csv and OUT/nets-examined.csv (out/nets), the tables beside this
# script.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/nets}
. reports/common.sh
search=mcts:iterations=200
mkdir -p "$out"
echo "labels,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$out/nets.csv"
echo "labels,judgement,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$out/nets-examined.csv"
net() { # name, matches, further arguments
    local name=$1 matches=$2
    shift 2
    "$FAIRHAVEN" learn on-the-road --net --from heuristic:temperature=0.005 --set side=b --matches "$matches" --seed 41 \
        --quiet --force --out "$out/$name" "$@"
    "$FAIRHAVEN" simulate on-the-road --set side=b --agents "$search:net=$out/$name/net.toml,$search,$search,$search" \
        --matches 1200 --seed 78 --quiet --force --out "$out/$name-alone"
    grep ',win_rate,' "$out/$name-alone/agents.csv" | head -1 | sed "s/^/$name,/" >>"$out/nets.csv"
    tail -n +2 "$out/$name/examined.csv" | sed "s/^/$name,/" >>"$out/nets-examined.csv"
}
net winners 48k
net points 48k --points 20
net siblings 4096 --siblings 4
