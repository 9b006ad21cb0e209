//! Paths in commands that a reader may copy into a shell.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A path as one word of a shell: as it is where nothing in it means something there, else in quotes. Control
/// characters, and bytes that are no text, are written as `$'\033'`, which bash, zsh and others read.
pub fn quoted(path: impl AsRef<Path>) -> String {
    let bytes = path.as_ref().as_os_str().as_bytes();
    let text = std::str::from_utf8(bytes).ok();
    let Some(text) = text.filter(|text| !text.chars().any(char::is_control)) else {
        return coded(bytes);
    };
    // What begins with a dash is a flag, and with a tilde somebody's home.
    let dashed = text.strip_prefix('-').map(|_| format!("./{text}"));
    let text = dashed.as_deref().unwrap_or(text);
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn coded(bytes: &[u8]) -> String {
    let mut word = String::from("$'");
    for &byte in bytes {
        match byte {
            b'\'' | b'\\' => {
                word.push('\\');
                word.push(char::from(byte));
            }
            b' '..=b'~' => word.push(char::from(byte)),
            _ => {
                // Three octal digits always end: what follows may be a digit.
                let _ = write!(word, "\\{byte:03o}");
            }
        }
    }
    word.push('\'');
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::process::Command;

    #[test]
    fn a_shell_reads_what_was_meant() {
        let names: [&[u8]; 12] = [
            b"out/b-1.2",
            b"my runs",
            b"it's",
            b"$(id)",
            b"a;b",
            b"~",
            b"a\nb",
            b"\x1b[2J1",
            b"\xff'\\",
            "ä".as_bytes(),
            b"*",
            b"",
        ];
        for name in names {
            let word = quoted(OsStr::from_bytes(name));
            assert!(!word.chars().any(char::is_control), "{word:?}");
            let echo = Command::new("bash").args(["-c", &format!("printf %s {word}")]).output();
            assert_eq!(echo.unwrap().stdout, name, "{word}");
        }
        assert_eq!([quoted("out/b-1.2"), quoted("my runs")], ["out/b-1.2", "'my runs'"]);
        assert_eq!(quoted("-x"), "./-x");
    }
}
