//! A program that serves a page, and what a browser sends it.

use crate::support::{PROGRAM, Place};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A program that serves, until it is dropped.
pub struct Served {
    pub child: Child,
    /// What it has printed until it served.
    said: Vec<String>,
    output: BufReader<std::process::ChildStdout>,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The status of a refusal, which a browser is told in the body alone; nothing if it is none.
    pub fn refused(&self) -> Option<u64> {
        let is_refusal = self.status == 200 && self.head.contains("application/json");
        is_refusal.then(|| self.json())?["refused"].as_u64()
    }

    pub fn tag(&self) -> String {
        let line = self.head.lines().find_map(|line| line.strip_prefix("ETag: "));
        line.expect("a tag").to_owned()
    }
}

impl Served {
    pub fn start(place: &Place, line: &str) -> Served {
        let mut child = Command::new(PROGRAM)
            .current_dir(place.root())
            .args(line.split_whitespace())
            .args(["--page", "--no-open"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut served = Served { child, said: Vec::new(), output };
        while !served.said.last().is_some_and(|line| line.starts_with("Ctrl-C ends it.")) {
            let mut line = String::new();
            served.output.read_line(&mut line).expect("text");
            assert_ne!(line, "", "it has ended: {:?}", served.said);
            served.said.push(line.trim_end().to_owned());
        }
        served
    }

    /// The host and the token of an address that was printed.
    pub fn address(&self, number: usize) -> (String, String) {
        let addresses = self.said.iter().filter_map(|line| line.split_once("http://"));
        let (_, address) = addresses.into_iter().nth(number).expect("an address");
        let (host, token) = address.split_once('/').expect("a path");
        (host.to_owned(), token.trim_end_matches('/').to_owned())
    }

    /// Sends bytes as they are.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address(0).0).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a time");
        // Whoever is refused early may find the door closed while it still sends.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer { status: status.unwrap_or(0), head: head.to_owned(), body: body.to_owned() }
    }

    pub fn send(&self, first: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = format!("{first} HTTP/1.1\r\n");
        for (name, value) in headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        let _ = write!(text, "Content-Length: {}\r\n\r\n{body}", body.len());
        self.raw(text.as_bytes())
    }

    pub fn get(&self, key: usize, what: &str) -> Answer {
        let (host, token) = self.address(key);
        self.send(&format!("GET /{token}/{what}"), &[("Host", &host)], "")
    }

    pub fn post(&self, key: usize, what: &str, tag: &str, body: &Value) -> Answer {
        self.post_text(key, what, tag, &body.to_string())
    }

    pub fn post_text(&self, key: usize, what: &str, tag: &str, body: &str) -> Answer {
        let (host, token) = self.address(key);
        let origin = format!("http://{host}");
        let headers = [
            ("Host", host.as_str()),
            ("Origin", &origin),
            ("Content-Type", "application/json"),
            ("If-Match", tag),
        ];
        self.send(&format!("POST /{token}/api/{what}"), &headers, body)
    }

    /// What a seat is shown once somebody is asked or the match is over.
    pub fn shown(&self, key: usize, seat: u8) -> (Value, String) {
        loop {
            let answer = self.get(key, &format!("api/shown?seat={seat}&since=0"));
            assert_eq!(answer.status, 200, "{}", answer.body);
            let shown = answer.json();
            if !shown["asked"].is_null() || !shown["outcome"].is_null() {
                return (shown, answer.tag());
            }
        }
    }

    /// Does the first action on the list, so many times.
    pub fn choose(&self, key: usize, seat: u8, times: usize) -> Value {
        for _ in 0..times {
            let (shown, tag) = self.shown(key, seat);
            if shown["asked"] != json!(seat) {
                return shown;
            }
            let place = &shown["groups"][0]["entries"][0]["place"];
            let done = self.post(key, "choose", &tag, &json!({"seat": seat, "place": place}));
            assert_eq!((done.status, done.refused()), (200, None), "{}", done.body);
        }
        self.shown(key, seat).0
    }

    /// Ends it as Ctrl-C does; what it says then.
    pub fn end(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("text");
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0), "{rest}");
        rest
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
