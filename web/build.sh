#!/usr/bin/env bash
# Builds target/web/: files that any host serves, with the games, the agents and the page, so that people play in a browser
# without an installation. Needs the target wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown) and Node; where
# rustup can't fetch the target, Debian's rustc-web, rust-web-src and lld do (docs/web.md).
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
build=(cargo build --quiet --target "$target" --profile browser --package fairhaven-web)
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    "${build[@]}"
elif [ -x /usr/bin/wasm-ld ] && /usr/bin/rustc --print sysroot >/dev/null 2>&1; then
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/bin/wasm-ld \
        "${build[@]}" -Z build-std=std,panic_abort
else
    echo "no standard library for $target: rustup target add $target" >&2
    exit 3
fi

# Made beside, so that a host that serves the folder never sees half of it.
made=$PWD/target/web.made
rm -rf "$made"
mkdir -p "$made/engine"
cargo run --quiet --package fairhaven-bindings -- "target/$target/browser/fairhaven_web.wasm" "$made/engine"
# The page of `fairhaven play --page`, with another way to the engine.
cp web/page/* "$made/"
cp web/static/* "$made/"
# What the start page offers, and what the pages may do: run scripts of this folder, and WebAssembly.
node - "$made" <<'JS'
const { copyFileSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const folder = process.argv[2];
const allowed = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
  "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'";
for (const page of ["index.html", "play.html", "watch.html"]) {
  const html = readFileSync(`${folder}/${page}`, "utf8");
  const policy = `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${allowed}">`;
  const closed = html.replace('<meta charset="utf-8">', policy);
  if (closed === html) throw new Error(`${page} has no place for what it may do`);
  writeFileSync(`${folder}/${page}`, closed);
}
copyFileSync(`${folder}/engine/engine.js`, `${folder}/offer.mjs`);
import(`${folder}/offer.mjs`).then((engine) => {
  engine.initSync({ module: readFileSync(`${folder}/engine/engine_bg.wasm`) });
  writeFileSync(`${folder}/offer.json`, `${engine.offer()}\n`);
  rmSync(`${folder}/offer.mjs`);
});
JS
rm -rf target/web
mv "$made" target/web
echo "target/web: $(du -sh target/web | cut -f1), ready for any host of static files"
