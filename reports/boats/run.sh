#!/usr/bin/env bash
# Questions about the boats: how strong are the agents among four, is a chit better worth 1 point or 2, and are Isa and
# Louis worth the same?
#
# Usage: reports/boats/run.sh [OUT] [PART...]; runs go to OUT (out/boats), tables beside this script.
# Parts: ladder, search, chit, helpers; all of them if none is named. `search` is the rung of the search: about 20
# minutes of one core. The others take about 10 minutes of one core together.
#   LADDER, SEARCH   matches of a rung without and with a search (default 400, 240)
#   CHIT, SAILED   blocks of each value of `chit`, matches whose winners are counted (default 4k, 4k)
#   HELPERS, DEALT   blocks of the balance, matches of each comparison (default 1500, 2k)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/boats
out=${1:-out/boats}
parts=${*:2}
parts=${parts:-ladder search chit helpers}
. reports/common.sh
mkdir -p "$out"
maps="shores fog"
rung() { # stronger, weaker, matches: one of the stronger against three of the weaker
  local map name
  touch "$here/ladder.csv"
  for map in $maps; do
    name=${1%%:*}-${2%%:*}-$map
    play "$name" simulate boats --set scenario="$map" --agents "$1,$2,$2,$2" --matches "$3" --seed 20281
    keep "$name"
    grep ',win_rate,' "$out/$name/agents.csv" | sed "s/^/$name,/" >"$out/rows"
    grep -v -e "^$name," -e '^rung,' "$here/ladder.csv" >"$out/others" || true
    {
      echo "rung,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method"
      cat "$out/others" "$out/rows"
    } >"$here/ladder.csv"
  done
}
sailed() { # run: who won with a settlement on a foreign island; a block is one match, so that matches are independent
  local dir=$out/$1
  grep -E ',(boat|chit),(held_share|win_rate_held),' "$dir/cards.csv" | sed "s/^/$1,/"
  awk -F, -v run="$1" '
    FILENAME ~ /agents/ && $2 == "wins" { wins = $3 }
    FILENAME ~ /cards/ && $2 == "chit" && $3 == "win_rate_held" { sailed = int($4 * $6 + 0.5) }
    END {
      z = 1.959964; p = sailed / wins; d = 1 + z * z / wins
      mid = (p + z * z / (2 * wins)) / d
      half = z / d * sqrt(p * (1 - p) / wins + z * z / (4 * wins * wins))
      printf "%s,heuristic,chit,winners_share,%.6f,%d,%d,,%.6f,%.6f,wilson\n", run, p, wins, wins, mid - half, mid + half
    }' "$dir/agents.csv" "$dir/cards.csv"
}

for part in $parts; do
  case $part in
    ladder)
      rung greedy random "${LADDER:-400}"
      rung heuristic greedy "${LADDER:-400}"
      ;;
    search)
      rung mcts:iterations=1000:judgement=weights heuristic "${SEARCH:-240}"
      ;;
    chit)
      echo "run,agent,card,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$here/sailed.csv"
      for map in $maps; do
        play "chit-$map" sweep boats --set scenario="$map" --agents heuristic --field chit --values 1,2 \
          --blocks "${CHIT:-4k}" --seed 20282
        keep "chit-$map" variants effects
        draw "chit-$map" sweep
        for points in 1 2; do
          play "chit-$points-$map" simulate boats --set scenario="$map" --set chit=$points --agents heuristic \
            --matches "${SAILED:-4k}" --seed 20282
          keep "chit-$points-$map"
          sailed "chit-$points-$map" >>"$here/sailed.csv"
        done
      done
      ;;
    helpers)
      for map in $maps; do
        play "helpers-$map" balance boats --choice helper --set helpers=chosen --set scenario="$map" \
          --levels heuristic --estimands forced,restricted --blocks "${HELPERS:-1500}" --seed 20283
        keep "helpers-$map" verdicts choices restricted
        # Nobody has a helper, or seat 1 does.
        for helper in isa louis; do
          play "$helper-$map" compare boats --agents heuristic --set scenario="$map" \
            --rules-a $helper=nobody --rules-b $helper=seat_1 --matches "${DEALT:-2k}" --seed 20284
          keep "$helper-$map" effects
        done
      done
      ;;
    *)
      echo "no part $part" >&2
      exit 2
      ;;
  esac
done
