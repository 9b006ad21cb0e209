#!/usr/bin/env bash
# Builds target/web/: files that any host serves, with the games, the agents and the page, so that people play in a browser
# without an installation. Needs the target wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown); where rustup
# can't fetch it, Debian's rustc-web, rust-web-src and lld do (docs/web.md).
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
build=(cargo build --quiet --target "$target" --profile web --package fairhaven-web)
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    "${build[@]}"
elif [ -x /usr/bin/wasm-ld ] && [ -d /usr/lib/rustlib/src ] || [ -d /usr/share/cargo/registry/rust-web-src ]; then
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/bin/wasm-ld \
        "${build[@]}" -Z build-std=std,panic_abort
else
    echo "no standard library for $target: rustup target add $target" >&2
    exit 3
fi

folder=target/web
rm -rf "$folder"
mkdir -p "$folder/engine"
cargo run --quiet --package fairhaven-bindings -- "target/$target/web/fairhaven_web.wasm" "$folder/engine"
cp web/static/* "$folder/"
