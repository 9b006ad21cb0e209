//! Calls of the program in a directory of their own.

use assert_cmd::Command;
use fairhaven::lab::report::hash::hash;
use rustix::fs::StatVfsMountFlags;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// The program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_fairhaven");

/// The result of a call.
#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Done {
    /// Calls a command.
    pub fn of(command: &mut std::process::Command) -> Done {
        let output = command.output().expect("the program starts");
        Done {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
            err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
        }
    }
}

/// Whether tests have all of their cases, not a slice of them: `FAIRHAVEN_CASES` is `all`.
pub fn all_cases() -> bool {
    std::env::var("FAIRHAVEN_CASES").is_ok_and(|which| which == "all")
}

/// Every third of a test's cases, from the first on; all of them if `FAIRHAVEN_CASES` is `all`.
pub fn some<T: Clone>(cases: &[T]) -> Vec<T> {
    cases.iter().step_by(if all_cases() { 1 } else { 3 }).cloned().collect()
}

/// A third of a number of matches or the like, rounded up; all of them if `FAIRHAVEN_CASES` is `all`.
pub fn third(count: u32) -> u32 {
    if all_cases() { count } else { count.div_ceil(3) }
}

/// All files and folders below a directory; of manifests, what does not depend on times and the command line.
pub type Left = BTreeMap<PathBuf, Vec<u8>>;

/// A folder whose files lie in memory, with 2 GiB of room: on a disk the tests wait a tenth of their time for files that
/// the program has it keep. With all cases they do wait.
fn folder_in_memory() -> Option<&'static Path> {
    let folder = Path::new("/dev/shm");
    let room = rustix::fs::statvfs(folder).ok()?;
    let fits = room.f_bavail.saturating_mul(room.f_frsize) >= 2 << 30;
    // Programs of tests are started from it.
    (fits && !room.f_flag.contains(StatVfsMountFlags::NOEXEC)).then_some(folder)
}

/// A directory to call the program in; removed when the test ends.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Place {
        let place = match folder_in_memory() {
            Some(folder) if !all_cases() => tempfile::tempdir_in(folder),
            _ => tempfile::tempdir(),
        };
        Place(place.expect("a temporary directory"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("a file of the test");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a text that the program wrote")
    }

    /// Calls the program; `line` is split at spaces.
    pub fn call(&self, line: &str) -> Done {
        self.call_with(line, "")
    }

    /// The same with something on standard input.
    pub fn call_with(&self, line: &str, input: &str) -> Done {
        let output = Command::new(PROGRAM)
            .current_dir(self.root())
            .args(line.split_whitespace())
            .write_stdin(input)
            .output()
            .expect("the program starts");
        Done {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
            err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
        }
    }

    /// Calls the program with 1 GiB of memory, two threads if none are named, and ten seconds of computing.
    pub fn bounded(&self, line: &str) -> Done {
        let words: Vec<&OsStr> = line.split_whitespace().map(OsStr::new).collect();
        self.bounded_words(&words)
    }

    /// The same, word by word. What has not ended after a minute is killed.
    pub fn bounded_words(&self, words: &[&OsStr]) -> Done {
        let script = "ulimit -v 1048576; ulimit -t 10; exec timeout -s KILL 60 \"$0\" \"$@\"";
        let output = std::process::Command::new("bash")
            .current_dir(self.root())
            .env("RAYON_NUM_THREADS", "2")
            .args(["-c", script, PROGRAM])
            .args(words)
            .output()
            .expect("`bash` can be called");
        Done {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Calls the program, which must succeed without a complaint, and returns what it printed.
    pub fn done(&self, line: &str) -> String {
        let done = self.call(line);
        assert_eq!(done.code, Some(0), "{line}\n{}", done.err);
        assert_eq!(done.err, "", "{line}");
        done.out
    }

    /// Calls the program, which must refuse: exit code 2, nothing on standard output, and a message with
    /// all `parts`, but none that a panic leaves. Nothing new may lie in the directory.
    pub fn refused(&self, line: &str, parts: &[&str]) {
        self.refused_with(line, "", parts);
    }

    /// The same with something on standard input.
    pub fn refused_with(&self, line: &str, input: &str, parts: &[&str]) {
        let before = self.names();
        let done = self.call_with(line, input);
        assert_eq!(done.code, Some(2), "{line}\n{}", done.err);
        assert_eq!(done.out, "", "{line}");
        assert!(!done.err.contains("panicked"), "{line}\n{}", done.err);
        for part in parts {
            assert!(done.err.contains(part), "{line}: no `{part}` in\n{}", done.err);
        }
        assert_eq!(self.names(), before, "{line} left something behind");
    }

    /// Names in the directory, in order.
    pub fn names(&self) -> Vec<String> {
        names(self.root())
    }

    /// Starts the program without waiting for it; its output is kept for whoever does.
    pub fn start(&self, line: &str) -> Child {
        std::process::Command::new(PROGRAM)
            .current_dir(self.root())
            .args(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }

    /// The files of a run except its manifest and the lock of its process.
    pub fn files(&self, run: &str) -> BTreeMap<String, Vec<u8>> {
        let names = names(&self.path(run)).into_iter();
        let names = names.filter(|name| name != "manifest.json" && name != "lock");
        let bytes = |name: &String| fs::read(self.path(run).join(name)).expect("a file");
        names.map(|name| (name.clone(), bytes(&name))).collect()
    }

    /// The tables of a run, and its rows if it has any.
    pub fn tables(&self, run: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.files(run);
        files.retain(|name, _| !["sums.bin", "digests.bin", "unfinished.bin"].contains(&&**name));
        files
    }

    /// Two runs have the same files with the same bytes, and the same manifest apart from command and times.
    pub fn same(&self, one: &str, other: &str) {
        let (files, others) = (self.files(one), self.files(other));
        assert!(files.keys().eq(others.keys()), "{:?} {:?}", files.keys(), others.keys());
        for (name, bytes) in &files {
            assert!(*bytes == others[name], "{name} of {one} is not that of {other}");
        }
        let told = |run| {
            let mut manifest = self.manifest(run);
            for field in ["command", "wall", "checksum"] {
                manifest.as_object_mut().expect("an object").remove(field);
            }
            manifest
        };
        assert_eq!(told(one), told(other));
    }

    /// Copies a directory without folders.
    pub fn copy(&self, from: &str, to: &str) {
        fs::create_dir_all(self.path(to)).expect("a directory");
        for name in names(&self.path(from)) {
            let to = self.path(to).join(&name);
            fs::copy(self.path(from).join(&name), to).expect("a copy");
        }
    }

    /// Changes a field of a run's manifest, by somebody who makes its checksums fit again.
    pub fn alter(&self, run: &str, at: &str, value: Value) {
        let mut manifest = self.manifest(run);
        *manifest.pointer_mut(at).expect("a field of the manifest") = value;
        self.write(&format!("{run}/manifest.json"), sealed(manifest));
    }

    /// Changes a field of a run's manifest by hand.
    pub fn edit(&self, run: &str, at: &str, value: Value) {
        let mut manifest = self.manifest(run);
        *manifest.pointer_mut(at).expect("a field of the manifest") = value;
        self.write(&format!("{run}/manifest.json"), manifest.to_string());
    }

    /// All that lies below a directory.
    pub fn left(&self, name: &str) -> Left {
        let mut all = Left::new();
        gather(&self.path(name), Path::new(""), &mut all);
        all
    }

    pub fn manifest(&self, run: &str) -> Value {
        let text = self.read(&format!("{run}/manifest.json"));
        serde_json::from_str(&text).expect("a manifest is JSON")
    }
}

fn gather(root: &Path, at: &Path, all: &mut Left) {
    for entry in fs::read_dir(root.join(at)).expect("a directory") {
        let at = at.join(entry.expect("an entry").file_name());
        if root.join(&at).is_dir() {
            gather(root, &at, all);
            all.insert(at, Vec::new());
            continue;
        }
        let mut bytes = fs::read(root.join(&at)).expect("a file");
        if at.ends_with("manifest.json") {
            let mut manifest: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            for field in ["command", "wall", "checksum"] {
                manifest.as_object_mut().map(|fields| fields.remove(field));
            }
            bytes = manifest.to_string().into_bytes();
        }
        all.insert(at, bytes);
    }
}

/// Copies a directory with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

/// The text of a manifest with the checksums that it should have.
pub fn sealed(mut manifest: Value) -> String {
    if let Ok(rules) = serde_json::from_value::<toml::Table>(manifest["rules"].clone()) {
        manifest["rules_hash"] = hash(&rules.to_string()).into();
    }
    manifest["checksum"] = "".into();
    manifest["checksum"] = hash(&manifest.to_string()).into();
    manifest.to_string()
}

fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).expect("a directory");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("an entry").file_name().into_string().expect("UTF-8 names")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

/// The records of a CSV file, its header first.
pub fn records(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let record = |record: csv::Result<csv::StringRecord>| {
        record.expect("CSV").iter().map(str::to_owned).collect()
    };
    reader.records().map(record).collect()
}

/// A process that is killed when the test ends, however it ends.
pub struct Guard(pub Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for a condition while a process works.
pub fn wait_until(child: &mut Child, is_so: impl Fn() -> bool) {
    while !is_so() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Waits for a condition while a process works, and halts it there: what follows has all the time that it takes.
pub fn halt_when(child: &mut Child, is_so: impl Fn() -> bool) {
    wait_until(child, is_so);
    signal(child, Signal::STOP);
}

/// Lets a halted process go on.
pub fn go_on(child: &Child) {
    signal(child, Signal::CONT);
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it is there");
}

/// The length of a file, 0 where there is none.
pub fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

/// A file with a bit flipped in its middle. A packed one has bits that its content does not depend on: then a later one.
pub fn flipped(bytes: &[u8]) -> Vec<u8> {
    let with = |at: usize| {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= 1;
        flipped
    };
    let content = zstd::decode_all(bytes).ok();
    let tells =
        |altered: &Vec<u8>| content.is_none() || zstd::decode_all(&altered[..]).ok() != content;
    let mut tried = (bytes.len() / 2..bytes.len()).map(with);
    tried.find(tells).expect("a bit that its content depends on")
}
