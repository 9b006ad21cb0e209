#!/usr/bin/env bash
# The wheel, in a clean virtual environment: its tests, and the examples of its documentation. Says "not run", and why, where
# something is missing. PROFILE is cargo's profile of the wheel.
set -euo pipefail
cd "$(dirname "$0")"

not_run() {
    echo "not run: $*"
    exit 0
}
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || not_run "no Python 3.11 or later"
place=$PWD/../target/python
rm -rf "$place"
mkdir -p "$place"
"$python" -m venv "$place/build" && "$python" -m venv "$place/clean" || not_run "no venv"
timeout 300 "$place/build/bin/pip" install --quiet 'maturin>=1.9,<2' || not_run "pip can't fetch maturin"
"$place/build/bin/maturin" build --quiet --locked --profile "${PROFILE:-dev}" --out "$place/wheels"
wheel=$(ls "$place"/wheels/*.whl)
timeout 600 "$place/clean/bin/pip" install --quiet "$wheel[test]"
# Tests that need these say "not run" by themselves.
timeout 600 "$place/clean/bin/pip" install --quiet "$wheel[notebooks]" ||
    echo "not run: figures and notebooks, since pip can't fetch matplotlib, nbclient and ipykernel"
ls -l "$wheel"
# Outside the sources, so that the installed package is imported.
cp -r tests examples notebooks README.md pyproject.toml ../docs/arrays.md "$place/"
cd "$place"
"$place/clean/bin/python" -m pytest --quiet -rs tests README.md arrays.md
"$place/clean/bin/python" -m pytest --quiet --pyargs fairhaven
