#!/usr/bin/env bash
# Plays the study of the B metropolises: every side forced, removed, and left to one seat as the only one, at
# five ways of playing and by a search, and forced by a stronger search; then the restricted estimand again under other prices; then the smallest change of
# prices that makes the four worth the same; then, in ten minutes, what the page for a designer rests on. An hour and
# forty minutes on two idle cores.
#
# Usage: reports/metropolis-b/run.sh [OUT] [PART...]; runs go to OUT (out/metropolis-b), tables beside this
# script. Parts: levels, search, deeper, prices, solve, solve-search, page; all of them if none is named.
#   LEVELS      blocks for the five ways of playing (default 5k)
#   SEARCH      blocks for mcts (default 1200)
#   DEEPER      blocks for mcts with ten times as many iterations (default 1000)
#   PRICES      blocks for each change of prices (default 1500)
#   SOLVE, CERTIFY  blocks for each change before the first are dropped, and of those certified (default 200, 16k)
#   SOLVE_SEARCH  blocks of the two that mcts certifies (default 1200)
#   PAGE        blocks of balance and of each certified price, and matches of compare, for the page (default 2k, 3k, 40k)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/metropolis-b
out=${1:-out/metropolis-b}
parts=${*:2}
parts=${parts:-levels search deeper prices solve solve-search page}
. reports/common.sh
balance() { # name, blocks, further arguments
  local name=$1 blocks=$2
  shift 2
  "$FAIRHAVEN" balance on-the-road --choice metropolis --set side=b --seed 20262 \
    --blocks "$blocks" --quiet --force --out "$out/$name" "$@"
}

for part in $parts; do
  case $part in
    levels)
      balance levels "${LEVELS:-5k}" --levels greedy,heuristic,no-trade,warlord,surveyor
      keep levels verdicts choices restricted effects
      ;;
    search)
      balance search "${SEARCH:-1200}" --levels mcts:iterations=100 --estimands forced,restricted
      keep search verdicts choices restricted
      draw search forced restricted
      ;;
    deeper)
      balance deeper "${DEEPER:-1000}" --levels mcts:iterations=1000 --estimands forced
      keep deeper verdicts choices
      ;;
    prices)
      # What a side is worth to a seat that may build no other, under other prices: one line a change and
      # side, and one with the largest difference. First each printed price that the rules' text leaves open, a
      # card up or down; then prices of single sides, which only a designer can change.
      prices=$here/prices.csv
      header=
      : >"$out.rows"
      while read -r change; do
        name=price-$(tr -c 'a-z0-9\n' '-' <<<"${change:-printed}")
        sets=()
        for field in $change; do sets+=(--set "$field"); done
        balance "$name" "${PRICES:-1500}" --levels heuristic --estimands restricted "${sets[@]}"
        header="change,$(head -1 "$out/$name/restricted.csv")"
        grep ',effect,' "$out/$name/restricted.csv" | sed "s/^/${change:-printed},/" >>"$out.rows"
        # The keys of verdicts.csv are level, estimand, option, largest.
        grep ',largest_difference,' "$out/$name/verdicts.csv" |
          sed -E "s/^([^,]*),restricted,,([^,]*),/${change:-printed},\1,\2,/" >>"$out.rows"
      done <<'CHANGES'

road.cost.brick=0
road.cost.brick=2
road.cost.lumber=0
road.cost.lumber=2
city.cost.grain=1
city.cost.grain=3
city.cost.ore=2
city.cost.ore=4
knight.cost.wool=0
knight.cost.wool=2
knight.cost.ore=0
knight.cost.ore=2
metropolis.cost.wool=2
metropolis.cost.wool=4
metropolis.cost.ore=0
metropolis.cost.ore=2
metropolis.roads.extra.brick=1
metropolis.roads.extra.lumber=1
metropolis.roads.extra.wool=1
metropolis.roads.extra.grain=1
metropolis.roads.extra.ore=1
metropolis.cost.wool=2 metropolis.roads.extra.wool=1 metropolis.army.extra.wool=1 metropolis.route.extra.wool=1
metropolis.cost.wool=2 metropolis.roads.extra.wool=2 metropolis.army.extra.wool=1 metropolis.route.extra.wool=1
CHANGES
      { echo "$header"; cat "$out.rows"; } >"$prices"
      rm "$out.rows"
      ;;
    solve)
      # Dearer roads, cheaper knights, and a route that costs more or less; tuned again for each finalist.
      "$FAIRHAVEN" solve on-the-road --choice metropolis --set side=b --seed 20263 --quiet --force --out "$out/solve" \
        --agent heuristic --fields "$(paste -sd, <<<'metropolis.roads.extra.brick=0..1
metropolis.roads.extra.lumber=0..1
metropolis.roads.extra.wool=0..1
metropolis.knights.extra.wool=-1..0
metropolis.knights.extra.ore=-1..0
metropolis.route.extra.wool=-1..1')" \
        --blocks "${SOLVE:-200}" --finalists 6 --certify "${CERTIFY:-16k}" \
        --adapt haste=0..2 --adapt deny=-1..2 --adapt city_growth=0..2 --adapt-matches 20k || [ $? = 1 ]
      keep solve finalists candidates
      draw solve spreads
      ;;
    solve-search)
      # The nearest of those changes, played by a search.
      "$FAIRHAVEN" solve on-the-road --choice metropolis --set side=b --seed 20263 --quiet --force \
        --out "$out/solve-search" --agent mcts:iterations=100 --fields metropolis.roads.extra.brick=0..1 \
        --blocks 100 --finalists 1 --certify "${SOLVE_SEARCH:-1200}" || [ $? = 1 ]
      keep solve-search finalists
      draw solve-search spreads
      ;;
    page)
      # For people who play worse and better; a price, by all that is wanted of it; and what it costs everybody.
      read -r blocks certify matches <<<"${PAGE:-2k 3k 40k}"
      balance page-balance "$blocks" --levels easy,hard,expert --estimands forced,restricted
      keep page-balance verdicts choices restricted
      play page-price solve on-the-road --choice metropolis --set side=b --seed 20264 --target 1.5pp \
        --fields metropolis.roads.extra.brick=0..1 --blocks 100 --finalists 1 --certify "$certify" \
        --levels easy,hard --also short,close || [ $? = 1 ]
      keep page-price finalists front
      play page-brick compare on-the-road --set side=b --rules-b metropolis.roads.extra.brick=1 --seed 20265 \
        --matches "$matches" --levels easy,hard
      keep page-brick variants effects
      ;;
    *)
      echo "no part $part; there are levels, search, deeper, prices, solve, solve-search, page" >&2
      exit 2
      ;;
  esac
done
