//! Requests of a browser, one a connection, and answers to them. What is read is bounded in bytes and in time, and so is
//! the time in which an answer is taken; heads are parsed by `httparse`.

use crate::cli::clock;
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The most bytes of a head.
const HEAD_MAX: usize = 8 << 10;
/// The most lines of a head.
const HEADERS_MAX: usize = 64;
/// The most bytes of a body: far above those of any action.
const BODY_MAX: usize = 16 << 10;
/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(3);
/// How long an answer may take to be taken.
const DELIVERY: Duration = Duration::from_secs(20);
/// Bytes that are written at once.
const PIECE: usize = 64 << 10;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// To be shown something: nothing changes.
    Get,
    /// To change something.
    Post,
}

/// A request.
#[derive(Debug, Clone)]
pub struct Request {
    /// What is asked.
    pub method: Method,
    /// The path, which starts with a slash.
    pub path: String,
    /// What follows a question mark.
    pub query: String,
    /// Names in lower case, and values.
    headers: Vec<(String, String)>,
    /// What came after the head.
    pub body: Vec<u8>,
}

impl Request {
    /// A header by its name in lower case; the empty word if it was given more than once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(other, _)| other == name);
        let first = found.next().map(|(_, value)| value.as_str());
        if found.next().is_some() { Some("") } else { first }
    }

    /// A value of the query, which has no escapes: numbers and words.
    pub fn asked(&self, name: &str) -> Option<&str> {
        self.query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status, such as 200.
    pub status: u16,
    /// What the body is.
    pub kind: &'static str,
    /// The body.
    pub body: Vec<u8>,
    /// Which state of the match it shows, if it shows one.
    pub tag: Option<String>,
    /// Where to go instead.
    pub location: Option<String>,
}

impl Answer {
    /// A file of the page.
    pub fn file(kind: &'static str, body: &[u8]) -> Answer {
        Answer { status: 200, kind, body: body.to_vec(), tag: None, location: None }
    }

    /// A JSON value.
    pub fn json(body: String) -> Answer {
        let kind = "application/json";
        Answer { status: 200, kind, body: body.into_bytes(), tag: None, location: None }
    }

    /// What went wrong, in words.
    pub fn error(status: u16, reason: &str) -> Answer {
        let body = serde_json::json!({ "error": reason }).to_string();
        Answer { status, ..Answer::json(body) }
    }

    /// Why something was not done, or the match can't go on, in words. A browser takes any status but 200 for a fault of
    /// the page, and writes it into its console; so the status stands in the body.
    pub fn refused(status: u16, reason: &str) -> Answer {
        Answer::json(serde_json::json!({ "refused": status, "error": reason }).to_string())
    }

    /// Where to go instead.
    pub fn elsewhere(location: String) -> Answer {
        Answer { status: 303, location: Some(location), ..Answer::json(String::new()) }
    }
}

/// Reads a request. Whoever is too slow, sends too much, or speaks something else gets an answer that says so; nothing if
/// there is nobody to answer.
///
/// # Errors
/// The answer to a request that can't be read.
pub fn read(stream: &TcpStream) -> Result<Request, Option<Answer>> {
    let until = clock::now() + ARRIVAL;
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if bytes.len() > HEAD_MAX {
            return Err(Some(Answer::error(431, "the head of the request is too long")));
        }
        more(stream, &mut bytes, until)?;
    };
    let (mut request, length) = parsed(&bytes[..head])?;
    if length > BODY_MAX {
        return Err(Some(Answer::error(413, "the request is too long")));
    }
    while bytes.len() < head + length {
        more(stream, &mut bytes, until)?;
    }
    request.body = bytes[head..head + length].to_vec();
    Ok(request)
}

/// Waits for more bytes.
fn more(
    mut stream: &TcpStream,
    bytes: &mut Vec<u8>,
    until: Duration,
) -> Result<(), Option<Answer>> {
    let left = until.saturating_sub(clock::now());
    let slow = || Some(Answer::error(408, "the request took too long"));
    if left.is_zero() {
        return Err(slow());
    }
    stream.set_read_timeout(Some(left)).map_err(|_| None)?;
    let mut piece = [0; 4096];
    match stream.read(&mut piece) {
        Ok(0) => Err(None),
        Ok(count) => {
            bytes.extend(&piece[..count]);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
        Err(_) => Err(slow().filter(|_| !bytes.is_empty())),
    }
}

/// A head, and the length of the body that it announces.
fn parsed(head: &[u8]) -> Result<(Request, usize), Option<Answer>> {
    let bad = |reason: &str| Some(Answer::error(400, reason));
    let mut lines = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut parser = httparse::Request::new(&mut lines);
    match parser.parse(head) {
        Ok(httparse::Status::Complete(_)) => {}
        _ => return Err(bad("this is no request of a browser")),
    }
    let method = match parser.method {
        Some("GET") => Method::Get,
        Some("POST") => Method::Post,
        _ => return Err(Some(Answer::error(405, "GET and POST are understood"))),
    };
    let target = parser.path.unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let header = |line: &httparse::Header<'_>| {
        (line.name.to_lowercase(), String::from_utf8_lossy(line.value).trim().to_owned())
    };
    let headers: Vec<(String, String)> = parser.headers.iter().map(header).collect();
    let (path, query) = (path.to_owned(), query.to_owned());
    let request = Request { method, path, query, headers, body: Vec::new() };
    if request.header("transfer-encoding").is_some() {
        return Err(Some(Answer::error(411, "the length of the request must be said")));
    }
    let length = match request.header("content-length") {
        None => 0,
        Some(length) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
            length.parse().map_err(|_| bad("the length of the request is no number"))?
        }
        Some(_) => return Err(bad("the length of the request is no number")),
    };
    Ok((request, length))
}

/// What every answer says: nothing is kept, guessed, framed, or fetched from elsewhere.
const ALWAYS: &str = "Cache-Control: no-store\r\n\
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\n\
    X-Frame-Options: DENY\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Permissions-Policy: camera=(), geolocation=(), microphone=()\r\n\
    Connection: close\r\n";

/// Sends an answer, and ends the connection. Whoever does not take it is left alone after a while.
pub fn send(mut stream: &TcpStream, answer: &Answer) {
    let mut head = format!(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{ALWAYS}",
        answer.status,
        reason(answer.status),
        answer.kind,
        answer.body.len()
    );
    if let Some(tag) = &answer.tag {
        let _ = write!(head, "ETag: {tag}\r\n");
    }
    if let Some(location) = &answer.location {
        let _ = write!(head, "Location: {location}\r\n");
    }
    head.push_str("\r\n");
    let until = clock::now() + DELIVERY;
    for piece in std::iter::once(head.as_bytes()).chain(answer.body.chunks(PIECE)) {
        let left = until.saturating_sub(clock::now());
        let sent = !left.is_zero()
            && stream.set_write_timeout(Some(left)).is_ok()
            && stream.write_all(piece).is_ok();
        if !sent {
            return;
        }
    }
    // What was sent unread would make the system drop the answer as well.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    let _ = stream.read(&mut [0; 4096]);
}

/// The words of a status.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        303 => "See Other",
        304 => "Not Modified",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

/// Sends a short answer to whoever is not served now, and waits for nothing.
pub fn refuse(mut stream: &TcpStream, answer: &Answer) {
    let text = String::from_utf8_lossy(&answer.body);
    let _ = write!(
        stream,
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{ALWAYS}\r\n{text}",
        answer.status,
        reason(answer.status),
        answer.kind,
        answer.body.len()
    );
}
