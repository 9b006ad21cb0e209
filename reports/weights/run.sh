#!/usr/bin/env bash
# Learns weights for base CATAN and plays them against those set by hand and those in force. About four
# minutes on one core. Usage: reports/weights/run.sh [OUT]; tables and strategies are copied beside this
# script. FAIRHAVEN names another program than the release build.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-out/weights}
here=reports/weights
. reports/common.sh
mkdir -p "$out"
echo "pair,players,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method" > "$out/weights.csv"
pair() { # name, stronger, weaker, matches
    for line_up in "4 $2,$3,$3,$3" "2 $2,$3"; do
        "$FAIRHAVEN" simulate base --seed 20262 --force --quiet --agents "${line_up#* }" \
            --matches "$4" --out "$out/$1-${line_up%% *}"
        grep ',win_rate,' "$out/$1-${line_up%% *}/agents.csv" | head -n 1 | cut -d , -f 2- \
            | sed "s|^|$1,${line_up%% *},|" >> "$out/weights.csv"
    done
}
"$FAIRHAVEN" learn base --from $here/hand-set.toml --matches 10k --lambda 1 --step 0.05 \
    --out "$out/learn" --force
cp "$out/learn/learned.toml" $here/learned.toml
draw learn
"$FAIRHAVEN" learn base --from heuristic --hold ready --matches 10k --lambda 1 --step 0.05 \
    --out "$out/learn-on" --force
cp "$out/learn-on/learned.toml" $here/learned-on.toml
sed 's/^kind = .*/kind = "mcts"/' $here/learned-on.toml > "$out/judge.toml"
sed 's/^kind = .*/kind = "mcts"/' $here/hand-set.toml > "$out/judge-hand-set.toml"
sed -i '/^\[parameters\]/a iterations = 200\njudgement = "weights"' "$out/judge.toml" "$out/judge-hand-set.toml"
pair learned-handset $here/learned.toml $here/hand-set.toml 3k
pair default-handset heuristic $here/hand-set.toml 3k
pair default-learned heuristic $here/learned.toml 3k
pair learnedon-default $here/learned-on.toml heuristic 3k
pair default-greedy heuristic greedy 3k
pair judge-learnedon-default "$out/judge.toml" mcts:iterations=200:judgement=weights "${MCTS:-160}"
pair judge-default-handset mcts:iterations=200:judgement=weights "$out/judge-hand-set.toml" "${MCTS:-160}"
cp "$out/weights.csv" $here/weights.csv
