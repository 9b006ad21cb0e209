//! A process to which lines go, and from which they come, with limits of time and length.

use crate::cli::clock;
use crate::cli::commands::guests::guard;
use crate::cli::commands::guests::purpose::Purpose;
use crate::core::outside::{Dialect, Invitation};
use crate::lab::setup::line_up::file_hash;
use crate::sim::guests::protocol::{BYE, LINE_MAX};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What is kept of a guest's standard error, in bytes.
const BESIDE_MAX: usize = 8 << 10;

/// How often it is looked whether the run was stopped meanwhile.
const LOOK: Duration = Duration::from_millis(100);

/// How often an answer is looked for before this thread sleeps: some tens of microseconds, as long as it takes to be woken.
/// Each time others may run first.
const LOOKS: u32 = 100;

/// How long a process that has closed its pipe may take to say how it ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The stack of a thread that reads.
const STACK: usize = 128 << 10;

/// A process that plays.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// What was read; the lines before `at` have been taken.
    read: Vec<u8>,
    at: usize,
    /// Whether it has closed its output, as was seen while it was written to.
    has_closed: bool,
    /// Whether nobody waits for it any longer once a guest of a run has failed.
    purpose: Purpose,
    /// The last line that it is sent.
    goodbye: &'static [u8],
    /// The end of what it wrote to standard error.
    beside: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    /// Starts it, in a group of its own: what it starts itself ends with it.
    ///
    /// # Errors
    /// If there is no such program, or it can't be run.
    pub fn start(invitation: &Invitation, purpose: Purpose) -> Result<Process, String> {
        let Invitation { command, environment, files, .. } = invitation;
        if let Some((file, _)) =
            files.iter().find(|&(file, hash)| file_hash(file).as_ref() != Some(hash))
        {
            return Err(format!("`{file}` is not what it was when the run began"));
        }
        let (program, arguments) = command.split_first().ok_or("its command is empty")?;
        let mut child = Command::new(program)
            .args(arguments)
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("it can't be started: {error}"))?;
        guard::watch(child.id());
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (input, output) = (input.expect("a pipe"), output.expect("a pipe"));
        let unblocked = fcntl_setfl(&input, OFlags::NONBLOCK)
            .and_then(|()| fcntl_setfl(&output, OFlags::NONBLOCK));
        let beside = Arc::default();
        let mut process = Process {
            input: Some(input),
            output,
            read: Vec::new(),
            at: 0,
            has_closed: false,
            purpose,
            goodbye: match invitation.dialect {
                Dialect::Fairhaven => BYE,
                // It has no word for it: the end of its input means the same.
                Dialect::Catanatron => &[],
            },
            beside: Arc::clone(&beside),
            child,
        };
        let errors = process.child.stderr.take().expect("a pipe");
        let reader =
            thread::Builder::new().stack_size(STACK).spawn(move || keep_end(errors, &beside));
        match (unblocked, reader) {
            (Ok(()), Ok(_)) => Ok(process),
            (Err(error), _) => Err(process.broken(&error.to_string())),
            (_, Err(error)) => Err(process.broken(&error.to_string())),
        }
    }

    fn broken(self, reason: &str) -> String {
        self.end(Duration::ZERO);
        format!("it can't be reached: {reason}")
    }

    /// The end of what it wrote to standard error, as it is read.
    pub fn beside(&self) -> Arc<Mutex<Vec<u8>>> {
        Arc::clone(&self.beside)
    }

    /// Sends whole lines. What it writes meanwhile is taken in, so that neither waits for the other.
    ///
    /// # Errors
    /// If they are not read in time.
    pub fn send(&mut self, mut lines: &[u8], limit: Duration) -> Result<(), String> {
        let until = clock::now() + limit;
        while !lines.is_empty() {
            let input = self.input.as_mut().ok_or("it was told to end")?;
            match input.write(lines) {
                Ok(sent) => lines = &lines[sent..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait_to_send(until).map_err(|waited| match waited {
                        Waited::TooLong => format!("it reads nothing for {}", shown(limit)),
                        Waited::Stopped => "the run was stopped".to_owned(),
                    })?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(self.how_it_ended()),
            }
        }
        Ok(())
    }

    /// Waits until it reads, and takes in what it has written.
    fn wait_to_send(&mut self, until: Duration) -> Result<(), Waited> {
        let Some(input) = &self.input else { return Ok(()) };
        let mut pipes = vec![PollFd::new(input, PollFlags::OUT)];
        if !self.has_closed && self.read.len() - self.at <= LINE_MAX {
            pipes.push(PollFd::new(&self.output, PollFlags::IN));
        }
        wait(&mut pipes, until, self.purpose)?;
        let has_written = pipes.get(1).is_some_and(|output| !output.revents().is_empty());
        drop(pipes);
        if has_written {
            self.has_closed = matches!(self.read_now(), Ok(0));
        }
        Ok(())
    }

    /// The next line, without its end; `since` and `limit` say how long is waited for it.
    ///
    /// # Errors
    /// If none comes in time, it is too long or no text, or the process has ended.
    pub fn receive(
        &mut self,
        since: Duration,
        limit: Duration,
        line: &mut String,
    ) -> Result<(), String> {
        line.clear();
        let until = since.saturating_add(limit);
        let mut seen = self.at;
        loop {
            if let Some(length) = self.read[seen..].iter().position(|&byte| byte == b'\n') {
                return self.take_line(seen + length, line);
            }
            seen = self.read.len();
            if seen - self.at > LINE_MAX {
                return Err(format!("its line is longer than {LINE_MAX} bytes"));
            }
            self.read_more(until).map_err(|waited| match waited {
                None => self.how_it_ended(),
                Some(Waited::TooLong) => format!("it is silent for {}", shown(limit)),
                Some(Waited::Stopped) => "the run was stopped".to_owned(),
            })?;
        }
    }

    fn take_line(&mut self, end: usize, line: &mut String) -> Result<(), String> {
        if end - self.at > LINE_MAX {
            return Err(format!("its line is longer than {LINE_MAX} bytes"));
        }
        let text = std::str::from_utf8(&self.read[self.at..end]);
        line.push_str(text.map_err(|_| "its line is not UTF-8 text")?);
        self.at = end + 1;
        // What has been taken goes, at once where that is all, and before it grows.
        if self.at == self.read.len() || self.at > LINE_MAX {
            self.read.drain(..self.at);
            self.at = 0;
        }
        Ok(())
    }

    /// Reads what there is; if there is nothing, it waits. Nothing as an error: the process has closed its output.
    fn read_more(&mut self, until: Duration) -> Result<(), Option<Waited>> {
        let mut looks = 0;
        loop {
            match self.read_now() {
                Ok(0) => return Err(None),
                Ok(_) => return Ok(()),
                // Who writes a little all the time gets no more time by it.
                Err(error)
                    if error.kind() == ErrorKind::WouldBlock
                        && looks < LOOKS
                        && clock::now() < until =>
                {
                    looks += 1;
                    thread::yield_now();
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let mut pipes = [PollFd::new(&self.output, PollFlags::IN)];
                    wait(&mut pipes, until, self.purpose).map_err(Some)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(None),
            }
        }
    }

    /// Reads what there is, and says how many bytes; none at the end of its output.
    fn read_now(&mut self) -> io::Result<usize> {
        let mut buffer = [0; 1 << 13];
        let length = self.output.read(&mut buffer)?;
        self.read.extend_from_slice(&buffer[..length]);
        Ok(length)
    }

    fn how_it_ended(&mut self) -> String {
        match self.wait(LAST_WORDS) {
            Some(status) => format!("it has ended ({status})"),
            None => "it has closed its pipe".to_owned(),
        }
    }

    fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let until = clock::now() + limit;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if clock::now() >= until {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Tells it that nothing more will come.
    pub fn say_goodbye(&mut self) {
        if let Some(mut input) = self.input.take() {
            // Who does not read it is ended all the same.
            let _ = input.write_all(self.goodbye);
        }
    }

    /// The most memory that it has had, in bytes; nothing where the system doesn't say.
    pub fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        most.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
    }

    /// Whether it ends by itself in a time, now that it was told to or that its pipe is closed.
    pub fn leaves(&mut self, limit: Duration) -> bool {
        self.wait(limit).is_some()
    }

    /// Closes its pipe without a word.
    pub fn hang_up(&mut self) {
        drop(self.input.take());
    }

    /// Ends it and all that it has started, after so long at the latest. Returns the end of what it wrote to standard
    /// error.
    pub fn end(mut self, after: Duration) -> String {
        self.say_goodbye();
        self.wait(after);
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // Nobody is left in the group if all have ended.
            let _ = kill_process_group(group, Signal::KILL);
        }
        self.wait(LAST_WORDS);
        guard::forget(self.child.id());
        let beside = self.beside.lock().map(|beside| beside.clone()).unwrap_or_default();
        String::from_utf8_lossy(&beside).into_owned()
    }
}

/// Why nobody waits any longer.
#[derive(Debug, Clone, Copy)]
enum Waited {
    TooLong,
    Stopped,
}

/// Waits until one of some pipes is ready.
fn wait(pipes: &mut [PollFd<'_>], until: Duration, purpose: Purpose) -> Result<(), Waited> {
    loop {
        let left = until.saturating_sub(clock::now());
        let slice = Timespec::try_from(left.min(LOOK)).expect("a short time");
        // An error is looked at where the pipe is used.
        if poll(pipes, Some(&slice)) != Ok(0) {
            return Ok(());
        }
        if purpose.is_stopped() {
            return Err(Waited::Stopped);
        }
        if left.is_zero() {
            return Err(Waited::TooLong);
        }
    }
}

fn shown(limit: Duration) -> String {
    if limit.subsec_millis() == 0 {
        format!("{} s", limit.as_secs())
    } else {
        format!("{} ms", limit.as_millis())
    }
}

/// Reads to the end, and keeps the last bytes.
fn keep_end(mut from: impl Read, into: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1 << 12];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let Ok(mut kept) = into.lock() else { return };
        kept.extend_from_slice(&buffer[..length]);
        let over = kept.len().saturating_sub(BESIDE_MAX);
        kept.drain(..over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A program that writes what it reads.
    fn echo() -> Process {
        let none = Duration::ZERO;
        let invitation = Invitation {
            command: vec!["cat".to_owned()],
            dialect: Dialect::Catanatron,
            environment: BTreeMap::new(),
            files: BTreeMap::new(),
            start: none,
            decision: none,
            bank: None,
            full_list: false,
        };
        Process::start(&invitation, Purpose::Run).expect("every system has it")
    }

    const LIMIT: Duration = Duration::from_secs(5);

    #[test]
    fn what_it_writes_is_taken_in_while_it_is_written_to() {
        let mut process = echo();
        let line = "0".repeat(999);
        // Eight times what a pipe holds.
        let lines = format!("{line}\n").repeat(512);
        process.send(lines.as_bytes(), LIMIT).expect("neither waits for the other");
        let mut heard = String::new();
        for _ in 0..512 {
            process.receive(clock::now(), LIMIT, &mut heard).expect("a line");
            assert_eq!(heard, line);
        }
        process.end(LIMIT);
    }

    #[test]
    fn lines_that_were_taken_are_not_kept() {
        let mut process = echo();
        let mut heard = String::new();
        // There is always more than whole lines.
        let (end, beginning) = ("0".repeat(99), "0".repeat(8000));
        for _ in 0..400 {
            let lines = format!("{end}\n{beginning}");
            process.send(lines.as_bytes(), LIMIT).expect("it reads");
            process.receive(clock::now(), LIMIT, &mut heard).expect("a line");
        }
        assert!(process.read.len() < 2 * LINE_MAX, "{} bytes", process.read.len());
        process.end(LIMIT);
    }
}
