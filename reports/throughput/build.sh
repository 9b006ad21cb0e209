#!/usr/bin/env bash
# Times what a newcomer waits for: `cargo install` and `cargo test` in a fresh clone, with nothing compiled before.
# Dependencies are downloaded first. Run it where nothing else runs.
#
# Usage: reports/throughput/build.sh [COMMIT...]     the last commit by default; writes lines of CSV on standard output
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# Wall seconds of a command, whose output goes to a file.
seconds() {
  local start
  start=$(date +%s)
  "$@" > "$place/log" 2>&1 || { tail -30 "$place/log" >&2; exit 1; }
  echo $(($(date +%s) - start))
}

echo "commit,cores,install_s,test_s"
for commit in "${@:-HEAD}"; do
  cd "$root"
  rm -rf "$place/clone" "$place/target" "$place/installed"
  git clone --quiet "$root" "$place/clone"
  cd "$place/clone"
  git checkout --quiet "$(git -C "$root" rev-parse "$commit")"
  cargo fetch --locked --quiet
  install=$(seconds cargo install --locked --path . --root "$place/installed" --target-dir "$place/target")
  rm -rf "$place/target"
  test=$(seconds cargo test --target-dir "$place/target")
  echo "$(git rev-parse --short HEAD),$(nproc),$install,$test"
done
