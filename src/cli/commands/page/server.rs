//! The server of a page: connections to this machine alone, of which a bounded number is answered at once. Who has no token
//! in the address, names another host, or comes from another page is turned away before anything is looked at.

use crate::cli::commands::page::files;
use crate::cli::commands::page::http::{self, Answer, Method, Request};
use crate::cli::commands::process;
use anyhow::{Context, Result};
use std::collections::VecDeque;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Connections that are open at once. For one more, the oldest that has not sent a whole request yet is let go, so that
/// whoever is silent keeps nobody out.
const CONNECTIONS_MAX: usize = 32;

/// Connections that are open at once with those that were let go and have not ended yet; more are told to come again.
const ENDING_MAX: usize = 8 * CONNECTIONS_MAX;

/// What answers requests for a page, once the server has let them in.
pub trait Handler: Send + Sync + 'static {
    /// The names of the page's own files: what is served as the page itself.
    fn page(&self) -> &'static str;

    /// Answers a request for what is no file, by whoever holds the key of this number.
    fn answer(&self, key: usize, what: &str, request: &Request) -> Answer;
}

/// A server that listens to this machine.
pub struct Server {
    listener: TcpListener,
    port: u16,
    /// The word in the address of each key.
    tokens: Vec<String>,
    /// The word that opens the first key once, so that a list of processes, where a browser's arguments can be read,
    /// has no key.
    ticket: String,
    is_used: AtomicBool,
    open: AtomicUsize,
    /// Connections that have not sent a whole request yet, the oldest first.
    arriving: Mutex<VecDeque<Arc<TcpStream>>>,
}

impl Server {
    /// A server with so many keys, at a port or at a free one.
    ///
    /// # Errors
    /// If the port is taken, or the system has no random numbers.
    pub fn new(keys: usize, port: Option<u16>) -> Result<Server> {
        let asked = port.unwrap_or(0);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, asked))
            .with_context(|| format!("can't listen at port {asked} of this machine"))?;
        let port = listener.local_addr()?.port();
        let tokens = (0..keys).map(|_| token()).collect::<Result<_>>()?;
        let (is_used, open) = (AtomicBool::new(false), AtomicUsize::new(0));
        let arriving = Mutex::default();
        Ok(Server { listener, port, tokens, ticket: token()?, is_used, open, arriving })
    }

    /// The address for whoever holds a key.
    pub fn address(&self, key: usize) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.tokens[key])
    }

    /// An address that leads to the first key's, once.
    pub fn ticket_address(&self) -> String {
        format!("http://127.0.0.1:{}/open/{}", self.port, self.ticket)
    }

    /// Answers in threads of its own, until the process ends.
    ///
    /// # Errors
    /// If there is no room for a thread.
    pub fn serve(self: &Arc<Server>, handler: Arc<dyn Handler>) -> Result<()> {
        process::share_heaps();
        process::give_back_large_pieces();
        let server = Arc::clone(self);
        thread::Builder::new().name("server".to_owned()).spawn(move || {
            for stream in server.listener.incoming() {
                let Ok(stream) = stream else {
                    // Such as too many open files: some will be closed.
                    thread::sleep(Duration::from_millis(50));
                    continue;
                };
                let (server, handler) = (Arc::clone(&server), Arc::clone(&handler));
                server.admit(stream, handler);
            }
        })?;
        Ok(())
    }

    fn admit(self: &Arc<Server>, stream: TcpStream, handler: Arc<dyn Handler>) {
        let _ = stream.set_nodelay(true);
        let stream = Arc::new(stream);
        let guard = Connection { server: Arc::clone(self), stream: Arc::clone(&stream) };
        let open = self.open.fetch_add(1, Ordering::SeqCst);
        let has_room = open < CONNECTIONS_MAX || open < ENDING_MAX && self.let_one_go();
        if !has_room {
            // Few bytes: they fit where the system keeps them, so nobody is waited for.
            let _ = stream.set_write_timeout(Some(Duration::from_millis(50)));
            return http::refuse(&stream, &Answer::error(503, "too many requests at once"));
        }
        self.arriving().push_back(Arc::clone(&stream));
        let server = Arc::clone(self);
        // Where there is no room for a thread the connection is closed.
        let _ = thread::Builder::new().name("request".to_owned()).spawn(move || {
            let guard = guard;
            let read = http::read(&stream);
            guard.arrived();
            let answer = match read {
                Ok(request) => server.answer(&*handler, &request),
                Err(Some(answer)) => answer,
                Err(None) => return,
            };
            http::send(&stream, &answer);
        });
    }

    fn arriving(&self) -> MutexGuard<'_, VecDeque<Arc<TcpStream>>> {
        self.arriving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the oldest connection that has not sent a whole request; whether there was one.
    fn let_one_go(&self) -> bool {
        let oldest = self.arriving().pop_front();
        // Its thread waits for bytes, and meets the end of them.
        oldest.map(|stream| stream.shutdown(Shutdown::Both)).is_some()
    }

    fn answer(&self, handler: &dyn Handler, request: &Request) -> Answer {
        if let Some(reason) = self.foreign(request) {
            return Answer::error(403, reason);
        }
        let mut parts = request.path.splitn(3, '/').skip(1);
        let (first, rest) = (parts.next().unwrap_or_default(), parts.next());
        if first == "open" && request.method == Method::Get {
            let fits = rest.is_some_and(|ticket| same(ticket, &self.ticket));
            if fits && !self.is_used.swap(true, Ordering::SeqCst) {
                return Answer::elsewhere(format!("/{}/", self.tokens[0]));
            }
            return Answer::error(
                403,
                "this address was used; take the one that the program has printed",
            );
        }
        let Some(key) = self.tokens.iter().position(|token| same(token, first)) else {
            return Answer::error(
                403,
                "this address lacks its token; take the one that the program has printed",
            );
        };
        match (rest, request.method) {
            (None, _) => Answer::elsewhere(format!("/{first}/")),
            (Some(what), _) if what.starts_with("api/") => handler.answer(key, &what[4..], request),
            (Some(what), Method::Get) => {
                let name = if what.is_empty() { handler.page() } else { what };
                let found = files::file(name);
                found.unwrap_or_else(|| Answer::error(404, "there is no such file"))
            }
            (Some(_), Method::Post) => Answer::error(405, "nothing is sent here"),
        }
    }

    /// Why a request is turned away whatever its token: it names another host, or was sent by another page.
    fn foreign(&self, request: &Request) -> Option<&'static str> {
        let is_other = |host: &str| !is_own(host, self.port);
        if request.header("host").is_none_or(is_other) {
            return Some("this host is not served");
        }
        let origin = request.header("origin");
        if origin.is_some_and(|origin| origin.strip_prefix("http://").is_none_or(is_other)) {
            return Some("pages of other origins are not served");
        }
        // A link that somebody follows is no request of the page that has it.
        let follows = request.header("sec-fetch-mode") == Some("navigate")
            && request.header("sec-fetch-dest") == Some("document")
            && request.method == Method::Get;
        let site = request.header("sec-fetch-site");
        if !follows && site.is_some_and(|site| !["same-origin", "none"].contains(&site)) {
            return Some("other sites are not served");
        }
        if request.method == Method::Post {
            if origin.is_none() {
                return Some("who sends something must say from which page");
            }
            if request.header("content-type") != Some("application/json") {
                return Some("what is sent must be JSON");
            }
        }
        None
    }
}

/// A connection that is open.
struct Connection {
    server: Arc<Server>,
    stream: Arc<TcpStream>,
}

impl Connection {
    /// It has sent a whole request, or never will.
    fn arrived(&self) {
        self.server.arriving().retain(|other| !Arc::ptr_eq(other, &self.stream));
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.arrived();
        self.server.open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether a request names this machine and port. Browsers leave out the port that HTTP usually has.
fn is_own(host: &str, port: u16) -> bool {
    host == format!("127.0.0.1:{port}") || port == 80 && host == "127.0.0.1"
}

/// 128 random bits of the system, as letters: nothing of a match.
fn token() -> Result<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| anyhow::anyhow!("no random numbers: {error}"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bits)))
}

/// Whether two words are the same, in a time that does not say where they differ.
fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn the_usual_port_need_not_be_named() {
        for (host, port) in [("127.0.0.1", 80), ("127.0.0.1:80", 80), ("127.0.0.1:8080", 8080)] {
            assert!(is_own(host, port), "{host} at {port}");
        }
        for (host, port) in [
            ("127.0.0.1", 8080),
            ("127.0.0.1:8080", 80),
            ("127.0.0.1:", 80),
            ("localhost", 80),
            ("evil.example", 80),
            ("", 80),
        ] {
            assert!(!is_own(host, port), "{host} at {port}");
        }
    }
}
