#!/usr/bin/env bash
# Questions about CATAN for two: how strong are the agents one against one, is starting an advantage and do the trade
# tokens even it out, and how much does the forced trade decide?
#
# Usage: reports/for-two/run.sh [OUT] [PART...]; runs go to OUT (out/for-two), tables beside this script.
# Parts: ladder, seats, tokens, price, forced; all of them if none is named.
#   LADDER, SEARCH   matches of a rung without and with a search (default 4000, 300)
#   SEATS, SWEEP, FORCED   matches at each level, blocks of each value, matches of each comparison (default 20k, 4k, 10k)
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reports/for-two
out=${1:-out/for-two}
parts=${*:2}
parts=${parts:-ladder seats tokens price forced}
. reports/common.sh
mkdir -p "$out"
rung() { # stronger, weaker, matches
  local name=${1%%:*}-${2%%:*}
  play "$name" simulate two-player --agents "$1,$2" --matches "$3" --seed 20271
  keep "$name"
  grep ',win_rate,' "$out/$name/agents.csv" | sed "s/^/$name,/" >>"$here/ladder.csv"
}

for part in $parts; do
  case $part in
    ladder)
      echo "rung,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$here/ladder.csv"
      rung greedy random "${LADDER:-4000}"
      rung heuristic greedy "${LADDER:-4000}"
      rung mcts:iterations=1000:judgement=weights heuristic "${SEARCH:-300}"
      ;;
    seats)
      echo "level,seat,agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" >"$here/seats.csv"
      for level in greedy heuristic mcts:iterations=100:judgement=weights; do
        matches=${SEATS:-20k}
        [ "${level%%:*}" = mcts ] && matches=${SEARCH:-300}
        play "seats-${level%%:*}" simulate two-player --agents "$level" --players 2 --matches "$matches" --seed 20272
        keep "seats-${level%%:*}"
        grep ',win_rate,' "$out/seats-${level%%:*}/seats.csv" | sed "s/^/$level,/" >>"$here/seats.csv"
      done
      ;;
    tokens)
      play tokens sweep two-player --agents heuristic --players 2 --field trade_tokens.start \
        --values 0,1,2,3,4,5,6,7 --blocks "${SWEEP:-4k}" --seed 20273
      keep tokens variants effects
      draw tokens sweep
      ;;
    price)
      play price sweep two-player --agents heuristic --players 2 --field trade_tokens.leader_price \
        --values 1,2,3,4 --blocks "${SWEEP:-4k}" --seed 20274
      keep price variants effects
      ;;
    forced)
      # The match with and without it, on the same luck; and a player who never uses it against one who does.
      play forced-rules compare two-player --agents heuristic --players 2 \
        --rules-a trade_tokens.forced_trade=false --rules-b trade_tokens.forced_trade=true \
        --matches "${FORCED:-10k}" --seed 20275
      keep forced-rules variants effects pairing
      play forced-use compare two-player heuristic heuristic:disrupted=-50 --players 2 \
        --matches "${FORCED:-10k}" --until ci=2pp --seed 20276
      keep forced-use compare
      ;;
    *)
      echo "no part $part" >&2
      exit 2
      ;;
  esac
done
