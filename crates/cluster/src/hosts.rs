//! [`Hosts`]: the file that lists the processes of a run.
//!
//! One address per line, `host:port` or `host` alone, which means port [`PORT`]. The first line is process 0. Empty lines
//! and what follows a `#` do not count. An IPv6 address with a port stands in brackets: `[fd00::1]:4700`.

use std::path::Path;
use warpgraph_graph::{self as graph, Position};

/// The port of hosts that name none.
pub const PORT: u16 = 4_700;
/// More processes than this have never been tried.
const MOST: usize = 1_024;
/// A longer file lists no hosts.
const LONGEST: u64 = 1 << 20;

/// The addresses of all processes of a run, in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Reads the addresses of all processes from a file.
    ///
    /// # Errors
    ///
    /// [`graph::Error::Io`] if the file cannot be read, [`graph::Error::Parse`] with file and line if a line is no address
    /// or an address is there twice, [`graph::Error::Invalid`] if there is none.
    pub fn read(path: &Path) -> graph::Result<Self> {
        let size = std::fs::metadata(path).map_err(|error| graph::Error::io(path, "read", error))?.len();
        if size > LONGEST {
            let what = format!("{}: a list of hosts with {size} bytes", path.display());
            return Err(graph::Error::invalid(what, "write one host:port per line"));
        }
        let text = std::fs::read(path).map_err(|error| graph::Error::io(path, "read", error))?;
        Self::parse(&path.display().to_string(), &String::from_utf8_lossy(&text))
    }

    /// Reads hosts from the text of a file with this name.
    ///
    /// # Errors
    ///
    /// As [`Hosts::read`].
    pub fn parse(name: &str, text: &str) -> graph::Result<Self> {
        let mut hosts: Vec<String> = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let wrong = |expected: String| graph::Error::Parse {
                at: Position::line(name, line),
                expected,
                got: format!("{content:?}"),
                help: format!("write one process per line: host:port, or host alone for port {PORT}"),
            };
            let address = address(content).map_err(|expected| wrong(expected.to_owned()))?;
            if let Some(before) = hosts.iter().position(|host| *host == address) {
                return Err(wrong(format!(
                    "an address of its own for every process, not that of process {before}"
                )));
            }
            hosts.push(address);
            if hosts.len() > MOST {
                return Err(wrong(format!("at most {MOST} hosts")));
            }
        }
        if hosts.is_empty() {
            return Err(graph::Error::invalid(
                format!("{name}: there is no host"),
                "write one host:port per line",
            ));
        }
        Ok(Self(hosts))
    }

    /// Returns the addresses, `host:port`.
    #[must_use]
    pub fn addresses(&self) -> &[String] {
        &self.0
    }
}

/// Returns `host:port` of a line, or what was expected.
fn address(line: &str) -> Result<String, &'static str> {
    let (host, port) = match line.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']').ok_or("a ] after the address")?;
            (host, port.strip_prefix(':').or(port.is_empty().then_some("")).ok_or("a : after the ]")?)
        }
        None => match line.split_once(':') {
            Some((_, rest)) if rest.contains(':') => {
                return Err("an IPv6 address in brackets: [address]:port");
            }
            Some((host, "")) if !host.is_empty() => return Err("a port after the :"),
            Some(parts) => parts,
            None => (line, ""),
        },
    };
    let port = match port {
        "" => PORT,
        port => port.parse().ok().filter(|port| *port > 0).ok_or("a port from 1 to 65535")?,
    };
    let fit = |letter: char| letter.is_ascii_alphanumeric() || "-._:%".contains(letter);
    if host.is_empty() || !host.chars().all(fit) {
        return Err("a host name or address");
    }
    Ok(if line.starts_with('[') { format!("[{host}]:{port}") } else { format!("{host}:{port}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_with_and_without_ports_and_comments() {
        let text = "# the run\nnode1:5000\n\n  node2  # no port\n[fd00::1]:5000\n[fd00::2]\n10.0.0.1:1\r\n";
        let hosts = Hosts::parse("hosts.txt", text).unwrap();
        let wanted = ["node1:5000", "node2:4700", "[fd00::1]:5000", "[fd00::2]:4700", "10.0.0.1:1"];
        assert_eq!(hosts.addresses(), wanted);
    }

    #[test]
    fn errors_name_file_line_and_what_was_expected() {
        let cases = [
            ("a:1\nb:x", "hosts.txt:2: expected a port from 1 to 65535, got \"b:x\""),
            ("a:0", "hosts.txt:1: expected a port from 1 to 65535, got \"a:0\""),
            ("a:", "hosts.txt:1: expected a port after the :, got \"a:\""),
            (":5", "hosts.txt:1: expected a host name or address, got \":5\""),
            ("a b", "hosts.txt:1: expected a host name or address, got \"a b\""),
            ("::1", "hosts.txt:1: expected an IPv6 address in brackets: [address]:port, got \"::1\""),
            ("[::1", "hosts.txt:1: expected a ] after the address, got \"[::1\""),
            ("[::1]5", "hosts.txt:1: expected a : after the ], got \"[::1]5\""),
            (
                "a\nb\na:4700",
                "hosts.txt:3: expected an address of its own for every process, not that of process 0, got \"a:4700\"",
            ),
            ("# nothing\n", "hosts.txt: there is no host"),
        ];
        for (text, words) in cases {
            assert_eq!(Hosts::parse("hosts.txt", text).unwrap_err().to_string(), words);
        }
    }
}
