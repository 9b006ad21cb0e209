# Sourced by the scripts of the studies, at the repository root: the program, and what they do with runs. Runs go to
# $out, what is kept of them to $here.
#   FAIRHAVEN   a binary to use; built in release mode if not given
#   THREADS     threads of a run, which change no result; all cores if not given
# shellcheck shell=bash disable=SC2154 # $out and $here are set by the scripts.
if [ -z "${FAIRHAVEN:-}" ]; then
  cargo build --release --quiet
  FAIRHAVEN=${CARGO_TARGET_DIR:-target}/release/fairhaven
fi

# Plays a run.
play() { # run, words of a command
  local name=$1
  shift
  "$FAIRHAVEN" "$@" ${THREADS:+--threads "$THREADS"} --quiet --force --out "$out/$name"
}

# Keeps the manifest of a run, and tables of it.
keep() { # run, tables
  local name=$1 table
  shift
  cp "$out/$name/manifest.json" "$here/manifest-$name.json"
  for table in "$@"; do cp "$out/$name/$table.csv" "$here/$table-$name.csv"; done
}

# Makes a page of a run, and keeps pictures of it.
draw() { # run, pictures
  local name=$1 picture
  shift
  "$FAIRHAVEN" report "$out/$name" --output "$out/$name.html" --svg "$out/$name-svg" --force >/dev/null
  for picture in "$@"; do cp "$out/$name-svg/$picture.svg" "$here/$picture-$name.svg"; done
}
