#!/usr/bin/env bash
# Questions about Struggle for Catan: are the expansions worth the same, what does the destiny card's direction do,
# what does the price of the town hall do, and which of the questions that the rules leave open matter? And what is
# the first seat worth at each table? The expansions and the open questions are asked with both town halls: that of
# the text, and the dearer one.
#
# Usage: reports/struggle/run.sh [OUT] [PART...]; runs go to OUT (out/struggle), tables beside this script.
# Parts: expansions, expansions-dear, destiny, town-hall, sensitivity, sensitivity-dear, seats; all of them if none is
# named.
#   EXPANSIONS, SENSITIVITY   blocks of each (default 300, 400)
#   DESTINY, TOWN_HALL        matches of each comparison, both rule sets counted (default 8k, 12k)
#   SEATS                     matches at each table (default 3k)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/struggle
out=${1:-out/struggle}
parts=${*:2}
parts=${parts:-expansions expansions-dear destiny town-hall sensitivity sensitivity-dear seats}
. reports/common.sh

# Win rates by seat at several tables.
seats() { # seed less players, name, players
  local seed=$1 name=$2 players header=
  shift 2
  : >"$out.$name.rows"
  for players in "$@"; do
    play "$name-$players" simulate struggle --players "$players" --agents heuristic \
      --matches "${SEATS:-3k}" --seed $((seed + players))
    header="players,$(head -1 "$out/$name-$players/seats.csv")"
    grep ',win_rate,' "$out/$name-$players/seats.csv" | sed "s/^/$players,/" >>"$out.$name.rows"
    keep "$name-$players"
  done
  (echo "$header" && cat "$out.$name.rows") >"$here/$name.csv"
}

for part in $parts; do
  dear=
  case $part in *-dear) dear="--set preset=dear_town_hall" ;; esac
  case $part in
    expansions | expansions-dear)
      # shellcheck disable=SC2086 # Words of a command.
      play "$part" balance struggle --choice expansion --players 4 --levels greedy,heuristic $dear \
        --estimands forced,removed,restricted --blocks "${EXPANSIONS:-300}" --seed 20265
      keep "$part" verdicts choices restricted effects
      [ -n "$dear" ] || draw "$part" forced
      ;;
    destiny)
      # The card held still, pointing to the left or to the right, and the card as it is.
      still="--rules-a destiny.settlement_flips=false --rules-a destiny.brigands_flip=false"
      right="--rules-b destiny.settlement_flips=false --rules-b destiny.brigands_flip=false
        --rules-b destiny.start=counterclockwise"
      # shellcheck disable=SC2086
      play destiny-direction compare struggle --players 4 --agents heuristic $still $right \
        --matches "${DESTINY:-8k}" --seed 20267
      # shellcheck disable=SC2086
      play destiny-still compare struggle --players 4 --agents heuristic $still \
        --rules-b destiny.start=clockwise --matches "${DESTINY:-8k}" --seed 20268
      keep destiny-direction effects
      keep destiny-still effects
      ;;
    town-hall)
      play town-hall compare struggle --players 4 --agents heuristic --rules-a preset=dear_town_hall \
        --rules-b expansion.town_hall.extra.ore=0 --matches "${TOWN_HALL:-12k}" --seed 20277
      keep town-hall effects
      ;;
    sensitivity | sensitivity-dear)
      # shellcheck disable=SC2086
      play "defaults${part#sensitivity}" sensitivity struggle --players 4 --agents heuristic $dear \
        --blocks "${SENSITIVITY:-400}" --seed 20269
      keep "defaults${part#sensitivity}" sensitivity
      ;;
    seats)
      # From four players on twice, on other deals: what the first time shows may be luck.
      seats 20270 seats 2 3 4 5 6
      seats 20280 seats-again 4 5 6
      ;;
    *)
      echo "no part $part: expansions, destiny, town-hall, sensitivity, seats, and with -dear the first and the fourth" >&2
      exit 2
      ;;
  esac
done
