#!/usr/bin/env bash
# The page of `play --page` and `watch` in a real browser: whole matches by mouse, keyboard and list, several people, kills,
# hostile pages and records, axe, and screenshots, which are left in target/page/. FAIRHAVEN_KILLS says how often server or
# browser are killed (20 if not given), FAIRHAVEN_MATCHES how many matches
# one server plays for its memory (30), FAIRHAVEN_PROGRAM which program serves, FAIRHAVEN_ONLY which tests are run. Without
# node, npm or Chromium it says "not run", and why.
set -euo pipefail
cd "$(dirname "$0")/.."

not_run() {
    echo "not run: $1"
    exit 0
}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || not_run "no Chromium (on Debian: apt-get install chromium)"
command -v node >/dev/null || not_run "no node"
command -v npm >/dev/null || not_run "no npm"
# The packages lie below target/, as the lock file has them; their scripts are not run.
npm=$PWD/target/page-npm
mkdir -p "$npm"
cp tests/page/*.mjs tests/page/package.json tests/page/package-lock.json "$npm"
if ! cmp -s tests/page/package-lock.json "$npm/installed.json"; then
    (cd "$npm" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) || not_run "npm can't install its packages"
    cp tests/page/package-lock.json "$npm/installed.json"
fi
# The program that the tests are built with.
if [ -z "${FAIRHAVEN_PROGRAM:-}" ]; then
    cargo test --quiet --test cli --no-run
    FAIRHAVEN_PROGRAM=$PWD/target/debug/fairhaven
fi
export FAIRHAVEN_FIND=$PWD/web/page/find.js FAIRHAVEN_CASES=$PWD/tests/data/find.json
export FAIRHAVEN_PROGRAM FAIRHAVEN_BROWSER=$browser FAIRHAVEN_PICTURES=$PWD/target/page
rm -rf "$FAIRHAVEN_PICTURES"
mkdir -p "$FAIRHAVEN_PICTURES"
node "$npm/main.mjs"
