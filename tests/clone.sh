#!/usr/bin/env bash
# Walks through the README in a fresh clone of what is committed: installs the program by the README's own
# commands, then runs every command that the README and the manual show, with the installed program.
# Builds in release mode, so it takes minutes; dependencies are kept in target/clone, and the program in
# target/clone/installed.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git clone --quiet "$root" "$place/fairhaven"
cd "$place/fairhaven"

awk '/^```sh$/ { shell = 1; next } /^```$/ { shell = 0 } shell' README.md > "$place/install"
grep -q 'cargo install' "$place/install"
# The tests are run beside this script, by the same command.
sed -i '/^cargo test$/d' "$place/install"
installed=$root/target/clone/installed
rm -rf "$installed"
CARGO_INSTALL_ROOT="$installed" CARGO_TARGET_DIR="$root/target/clone" sh -eux "$place/install"

# The test comes from here, the pages and the program from the clone. Every printed output is compared, where `cargo test`
# looks at the first of each page.
cd "$root"
FAIRHAVEN_CASES=all FAIRHAVEN_PAGES="$place/fairhaven" FAIRHAVEN_BIN="$installed/bin" cargo test --test readme

# The program of an agent's author, from the two blocks of the page, beside the clone. Its doc test runs it.
agent=$place/colonel
mkdir -p "$agent/src"
section() { sed -n '/^## An agent in Rust/,$p' "$place/fairhaven/docs/agents.md" | awk -v kind="\`\`\`$1" '$0 == kind { on = 1; next } /^```$/ { if (on) exit } on'; }
section toml >"$agent/Cargo.toml"
section rust >"$agent/src/main.rs"
cp "$place/fairhaven/Cargo.lock" "$agent/"
(cd "$agent" && CARGO_TARGET_DIR="$root/target/clone" cargo check --quiet)
