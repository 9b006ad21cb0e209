//! The build script: a hash of the sources, so that parts of a run that come from different
//! programs can be told apart. Not a part of the program.

use fnv::FnvHasher;
use std::fs;
use std::hash::Hasher;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=strategies");
    println!("cargo::rerun-if-changed=Cargo.lock");
    let mut hash = FnvHasher::default();
    for path in ["src", "strategies", "Cargo.lock"] {
        add(Path::new(path), &mut hash);
    }
    println!("cargo::rustc-env=FAIRHAVEN_BUILD={:016x}", hash.finish());
}

/// Adds a file, or all files below a folder in the order of their names: FNV-1a of names and contents.
fn add(path: &Path, hash: &mut FnvHasher) {
    if let Ok(entries) = fs::read_dir(path) {
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            add(&path, hash);
        }
        return;
    }
    let name = path.to_string_lossy().replace('\\', "/");
    hash.write(name.as_bytes());
    hash.write(&fs::read(path).unwrap_or_default());
}
