#!/usr/bin/env bash
# Four questions about Struggle for Catan: are the expansions worth the same, what does the destiny card's
# direction do, and which of the questions that the rules leave open matter? And what is the first seat worth at
# each table?
#
# Usage: reports/struggle/run.sh [OUT] [PART...]; runs go to OUT (out/struggle), tables beside this script.
# Parts: expansions, destiny, sensitivity, seats; all of them if none is named.
#   EXPANSIONS, SENSITIVITY   blocks of each (default 1500, 400)
#   DESTINY     matches of each comparison, both rule sets counted (default 20k)
#   SEATS       matches at each table (default 3k)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/struggle
out=${1:-out/struggle}
parts=${*:2}
parts=${parts:-expansions destiny sensitivity seats}
. reports/common.sh

for part in $parts; do
  case $part in
    expansions)
      play expansions balance struggle --choice expansion --players 4 --levels greedy,heuristic \
        --estimands forced,removed,restricted --blocks "${EXPANSIONS:-1500}" --seed 20265
      keep expansions verdicts choices restricted effects
      draw expansions forced
      ;;
    destiny)
      # The card held still, pointing to the left or to the right, and the card as it is.
      still="--rules-a destiny.settlement_flips=false --rules-a destiny.brigands_flip=false"
      right="--rules-b destiny.settlement_flips=false --rules-b destiny.brigands_flip=false
        --rules-b destiny.start=counterclockwise"
      # shellcheck disable=SC2086 # Words of a command.
      play destiny-direction compare struggle --players 4 --agents heuristic $still $right \
        --matches "${DESTINY:-20k}" --seed 20267
      # shellcheck disable=SC2086
      play destiny-still compare struggle --players 4 --agents heuristic $still \
        --rules-b destiny.start=clockwise --matches "${DESTINY:-20k}" --seed 20268
      keep destiny-direction effects
      keep destiny-still effects
      ;;
    sensitivity)
      play defaults sensitivity struggle --players 4 --agents heuristic \
        --blocks "${SENSITIVITY:-400}" --seed 20269
      keep defaults sensitivity
      ;;
    seats)
      rows=$here/seats.csv
      header=
      : >"$out.rows"
      for players in 2 3 4 5 6; do
        play "seats-$players" simulate struggle --players $players --agents heuristic \
          --matches "${SEATS:-3k}" --seed $((20270 + players))
        header="players,$(head -1 "$out/seats-$players/seats.csv")"
        grep ',win_rate,' "$out/seats-$players/seats.csv" | sed "s/^/$players,/" >>"$out.rows"
        keep "seats-$players"
      done
      (echo "$header" && cat "$out.rows") >"$rows"
      ;;
    *)
      echo "no part $part: expansions, destiny, sensitivity, seats" >&2
      exit 2
      ;;
  esac
done
