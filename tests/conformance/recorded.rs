//! All recorded matches agree with our rules except for the known differences.

use crate::support::slice;
use fairhaven::conformance::catanatron::check;
use fairhaven::conformance::catanatron::differences::{Agreement, Difference};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Differences that no recorded match shows; tests beside the code build positions for them.
const UNSEEN: [Difference; 2] = [Difference::WonOffTurn, Difference::PlentyOfOne];

#[track_caller]
fn is_explained(agreement: &Agreement) {
    assert_eq!(agreement.unexplained, 0, "\n{agreement}");
}

#[test]
fn the_matches_of_the_package_replay_with_known_differences_only() {
    let agreement = check(slice()).expect("recorded matches");
    is_explained(&agreement);
    assert_eq!(
        (agreement.matches, agreement.steps, agreement.alike),
        (17, 15_839, 4),
        "\n{agreement}"
    );
    assert_eq!(agreement.states, agreement.steps + agreement.matches);
    // Three of them are for two players.
    assert_eq!(agreement.unofficial.map(|(matches, _)| matches), Some(3));
    let said = agreement.to_string();
    assert!(said.contains("\nUnofficial, 3 of them: two players are"), "{said}");
    for difference in Difference::ALL {
        let met = agreement.matches_with.of(difference) > 0;
        assert_eq!(met, !UNSEEN.contains(&difference), "{}", difference.name());
    }
}

/// Every file of matches in the folder `FAIRHAVEN_CONFORMANCE`, if there is one; `.xz` needs `xz`.
#[test]
fn the_matches_of_a_whole_folder_replay_with_known_differences_only() {
    let Some(folder) = std::env::var_os("FAIRHAVEN_CONFORMANCE").map(PathBuf::from) else { return };
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let mut files = 0;
    for path in paths {
        let Some(reader) = open(&path) else { continue };
        let agreement = check(reader).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        println!("{}: {agreement}", path.display());
        is_explained(&agreement);
        files += 1;
    }
    assert!(files > 0, "{} holds no matches", folder.display());
}

/// A file of matches, unpacked.
fn open(path: &Path) -> Option<Box<dyn BufRead>> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let file = || BufReader::new(File::open(path).expect("a file that can be read"));
    let ends: Vec<&str> = name.split('.').skip(1).collect();
    match ends[..] {
        ["jsonl"] => Some(Box::new(file())),
        ["jsonl", "zst"] => {
            let unpacked = zstd::Decoder::new(file()).expect("a zstd frame");
            Some(Box::new(BufReader::new(unpacked)))
        }
        ["jsonl", "xz"] => {
            let xz = Command::new("xz").arg("-dc").arg(path).stdout(Stdio::piped()).spawn();
            let unpacked = xz.expect("xz starts").stdout.expect("a pipe");
            Some(Box::new(BufReader::new(unpacked)))
        }
        _ => None,
    }
}
