#!/usr/bin/env bash
# What a seat is worth in base CATAN, and what of it comes from founding order and what from turn order: four
# equal players at three levels of play, with the first turn given to each of the four founders in turn. The
# sixteen numbers of a level come from four independent runs. About ten minutes on two cores, nearly all of
# it for mcts.
#
# Usage: reports/first-seat/run.sh [OUT]; runs go to OUT (out/first-seat), tables beside this script.
#   GREEDY, HEURISTIC, MCTS   matches of each run (default 40k, 20k, 600)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/first-seat
out=${1:-out/first-seat}
. reports/common.sh
mkdir -p "$out"
rows=$out/seats.csv
echo "level,first_turn,founded,turn,win_rate,n,se,ci95_lo,ci95_hi,ci_method" >"$rows"
level() { # name, agent, matches
  for first in 0 1 2 3; do
    # The printed game (first = 0) and the three others: other seeds, so that the runs are independent.
    play "$1-$first" simulate base --agents "$2" --players 4 --matches "$3" --seed $((20264 + first)) \
      --set first_turn=$first
    awk -F, -v level="$1" -v first=$first '$3 == "win_rate" {
      turn = ($1 - 1 - first + 4) % 4 + 1
      print level "," first "," $1 "," turn "," $4 "," $6 "," $7 "," $8 "," $9 "," $10
    }' "$out/$1-$first/seats.csv" >>"$rows"
  done
  cp "$out/$1-0/manifest.json" "$here/manifest-$1.json"
}
level greedy greedy "${GREEDY:-40k}"
level heuristic heuristic "${HEURISTIC:-20k}"
draw heuristic-0 seats
level mcts mcts:iterations=100:judgement=weights "${MCTS:-600}"
cp "$rows" "$here/seats.csv"

# A place is worth the mean over the four runs of what it won, less a quarter; each run has each place once,
# so the other order cancels. The four are independent: their squared standard errors add up. The interval is
# normal, 1.96 standard errors either way.
awk -F, 'NR > 1 {
    sum[$1, "founding", $3] += $5; var[$1, "founding", $3] += $7 ^ 2
    sum[$1, "turn", $4] += $5; var[$1, "turn", $4] += $7 ^ 2
  }
  END {
    print "level,order,place,worth,se,ci95_lo,ci95_hi"
    split("greedy heuristic mcts", levels, " "); split("founding turn", orders, " ")
    for (l = 1; l <= 3; l++) for (o = 1; o <= 2; o++) for (place = 1; place <= 4; place++) {
      key = levels[l] SUBSEP orders[o] SUBSEP place
      if (!(key in sum)) continue
      worth = sum[key] / 4 - 0.25; se = sqrt(var[key]) / 4
      printf "%s,%s,%d,%.6f,%.6f,%.6f,%.6f\n", levels[l], orders[o], place, worth, se,
        worth - 1.96 * se, worth + 1.96 * se
    }
  }' "$here/seats.csv" >"$here/orders.csv"
cat "$here/orders.csv"
