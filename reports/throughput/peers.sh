#!/usr/bin/env bash
# Measures random matches of base CATAN beside other programs: 4 players, no trade between players, one core.
#
# The programs take turns with ours, so that a slow moment of the machine falls on both, and what counts is
# the ratio within a round: ours with nothing counted, and ours with all statistics, each over the peer's.
# peers.csv has the rounds; medians and ranges of the ratios are printed.
#
# Usage: reports/throughput/peers.sh [OUT]    writes OUT/peers.csv, in this folder by default
#   CATANATRON  a Python that has catanatron 3.2.1: python3 -m venv v; v/bin/pip install catanatron==3.2.1
#   FASTCATAN   where the sources of github.com/s1nbo/fastCatan lie (C++23); needs g++
#   SORINMD     where the sources of github.com/sorinMD/MCTS lie (Java); needs javac, and Jackson and Guava in CLASSPATH
#   PEERS       further programs, a line each: NAME VERSION COMMAND
#   ROUNDS      rounds with each (default 7)
#   SECONDS_EACH  seconds of our rounds, for both figures together (default 2)
#   FAIRHAVEN   a binary to measure; built in release mode if not given
#
# The two are built here, each with a loop that plays random matches in it. A command is run by bash with ROUND set to
# the number of the round, from 1, and ends its output with a line whose last word is its matches a second. It should
# play for a second or more, and time matches alone, not its start. A program that is not given is left out. Versions
# are those of the checkouts.
#
# Needs cargo or FAIRHAVEN, and Python 3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
rounds=${ROUNDS:-7}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "peers.sh: $1" >&2
  exit 2
}

# The peers' names, versions and commands.
names=()
versions=()
commands=()
peer() { # name version command
  names+=("$1")
  versions+=("$2")
  commands+=("$3")
}
left_out() { # name how
  echo "peers.sh: $1 is left out; $2" >&2
}
version() { # checkout
  git -C "$1" rev-parse --short HEAD 2>/dev/null || echo unknown
}

if [ -n "${CATANATRON:-}" ]; then
  "$CATANATRON" -c 'import catanatron' 2>/dev/null ||
    fail "$CATANATRON has no catanatron; run: $CATANATRON -m pip install catanatron==3.2.1"
  cat >"$work/rate.py" <<'PY'
import os, time
from catanatron.game import Game
from catanatron.models.player import Color, RandomPlayer
colors = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
first, count = 100 * int(os.environ["ROUND"]), 60
start = time.perf_counter()
for seed in range(first, first + count):
    Game([RandomPlayer(color) for color in colors], seed=seed).play()
print(count / (time.perf_counter() - start))
PY
  version=$("$CATANATRON" -c 'from importlib.metadata import version; print(version("catanatron"))')
  peer catanatron "$version" "$(printf '%q ' "$CATANATRON" "$work/rate.py")"
else
  left_out catanatron "set CATANATRON to a Python after: pip install catanatron==3.2.1"
fi

if [ -n "${FASTCATAN:-}" ]; then
  # Actions 268 to 278 compose and open offers to players: without them there are none.
  cat >"$work/rate.cpp" <<'CPP'
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include "mask.hpp"
#include "rng.hpp"
#include "rules.hpp"
#include "state.hpp"

int main() {
  const uint64_t count = 4000, first = count * strtoull(getenv("ROUND"), nullptr, 10);
  catan::Xoshiro128 rng;
  catan::xoshiro_seed(rng, first);
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t seed = first; seed < first + count; ++seed) {
    catan::GameState state{};
    catan::BoardLayout board{};
    catan::reset_one(state, board, seed);
    float reward;
    for (uint8_t done = 0; !done;) {
      uint32_t legal[64 * catan::MASK_WORDS], number = 0;
      for (uint32_t word = 0; word < catan::MASK_WORDS; ++word) {
        uint64_t actions = state.action_mask[word];
        if (word == 4) actions &= ~(uint64_t{0x7ff} << (268 - 64 * 4));
        for (; actions != 0; actions &= actions - 1) legal[number++] = 64 * word + __builtin_ctzll(actions);
      }
      catan::step_one(state, board, legal[rng.bounded(number)], reward, done);
    }
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  printf("%.2f\n", count / spent.count());
}
CPP
  g++ -std=c++23 -O3 -march=native -flto -fno-exceptions -fno-rtti -w -I"$FASTCATAN/include" "$work/rate.cpp" \
    "$FASTCATAN/src/catan/rules.cpp" "$FASTCATAN/src/catan/obs.cpp" -o "$work/fastcatan" ||
    fail "fastCatan can't be built from $FASTCATAN"
  peer fastcatan "$(version "$FASTCATAN")" "$work/fastcatan"
else
  left_out fastcatan "set FASTCATAN to where the sources of github.com/s1nbo/fastCatan lie"
fi

if [ -n "${SORINMD:-}" ]; then
  # Uniform among all actions, without trades between players. The first thousand matches warm the compiler up.
  cat >"$work/Rate.java" <<'JAVA'
import mcts.game.catan.Catan;
import mcts.game.catan.CatanConfig;

public class Rate {
  static double rate(int matches) {
    CatanConfig config = new CatanConfig();
    config.TRADES = false;
    config.SAMPLE_FROM_DISTRIBUTION_OVER_TYPES_IN_ROLLOUTS = false;
    long start = System.nanoTime();
    for (int i = 0; i < matches; i++) {
      Catan.initBoard();
      Catan game = new Catan(config);
      while (!game.isTerminal()) game.performAction(game.sampleNextAction(), true);
    }
    return matches / (1e-9 * (System.nanoTime() - start));
  }

  public static void main(String[] args) {
    rate(1000);
    System.out.println(rate(2000));
  }
}
JAVA
  javac -nowarn -encoding UTF-8 -sourcepath "$SORINMD/src/main/java" -d "$work/classes" "$work/Rate.java" 2>"$work/javac" || {
    cat "$work/javac" >&2
    fail "sorinMD/MCTS can't be built from $SORINMD; are Jackson and Guava in CLASSPATH?"
  }
  peer sorinmd "$(version "$SORINMD")" "java -cp $(printf %q "$work/classes:${CLASSPATH:-}") Rate"
else
  left_out sorinmd "set SORINMD to where the sources of github.com/sorinMD/MCTS lie"
fi

while read -r name version command; do
  [ -z "$name" ] || peer "$name" "$version" "$command"
done <<<"${PEERS:-}"
[ ${#names[@]} -gt 0 ] || fail "no program to compare with; the head of this script says how to name one"
for name in "${names[@]}"; do
  [[ $name =~ ^[A-Za-z0-9_.-]+$ ]] || fail "\`$name\` is no name; use letters, digits, _, . and -"
done

if [ -z "${FAIRHAVEN:-}" ]; then
  (cd "$root" && cargo build --release --quiet)
  FAIRHAVEN=${CARGO_TARGET_DIR:-$root/target}/release/fairhaven
fi

# Matches a second: of a peer, and ours, bare and counted.
theirs() { # name command
  local rate
  rate=$(ROUND=$round bash -c "$2" | awk 'END { print $NF }') || fail "$1 failed"
  awk -v rate="$rate" 'BEGIN { exit !(rate + 0 > 0) }' ||
    fail "$1 ended with \`$rate\`, not with its matches a second"
  echo "$rate"
}
ours() {
  "$FAIRHAVEN" bench base --agents random --threads 1 --set trade.proposals_max=0 \
    --seconds "${SECONDS_EACH:-2}" --json |
    python3 -c 'import json, sys
agent = json.load(sys.stdin)["agents"][0]
print(*(agent[way]["matches_per_s"]["median"] for way in ("one_thread_bare", "one_thread")))'
}

table=$work/peers.csv
echo "peer,version,round,peer_matches_per_s,bare_matches_per_s,counted_matches_per_s,ratio_bare,ratio_counted" >"$table"
for round in $(seq "$rounds"); do
  for idx in "${!names[@]}"; do
    rate=$(theirs "${names[idx]}" "${commands[idx]}")
    ours=$(ours)
    read -r bare counted <<<"$ours"
    awk -v name="${names[idx]},${versions[idx]}" -v round="$round" -v rate="$rate" -v bare="$bare" -v counted="$counted" 'BEGIN {
      printf "%s,%d,%.2f,%.0f,%.0f,%.2f,%.2f\n", name, round, rate, bare, counted, bare / rate, counted / rate
    }' >>"$table"
  done
done
mv "$table" "$out/peers.csv"

python3 - "$out/peers.csv" <<'PY'
import csv, statistics, sys
rounds = {}
for row in csv.DictReader(open(sys.argv[1])):
    rounds.setdefault(row["peer"], []).append(row)
for peer, rows in rounds.items():
    def spread(column):
        ratios = [float(row[column]) for row in rows]
        return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    print(f"{peer} {rows[0]['version']}: ours over it {spread('ratio_bare')} with nothing counted,",
          f"{spread('ratio_counted')} with all statistics; median (least to most) of {len(rows)} rounds")
PY
