//! Text on the terminal: colours if wanted (`NO_COLOR`, pipes), and readable numbers.

use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

pub(crate) use warpgraph_bench::units::{bytes, count, number, seconds};

/// Field names and headings.
pub(crate) const LABEL: Style = Style::new().bold();
/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Failure.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Something the user should look at.
pub(crate) const NOTE: Style = AnsiColor::Yellow.on_default();

/// Columns of a value that is wrapped, beside labels of up to ten letters.
const WRAPPED: usize = 68;

/// Writes to standard output, without colours if they are not wanted.
pub(crate) fn out(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes bytes to standard output unchanged.
pub(crate) fn raw(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes to standard error; ignores errors, such as a closed stream.
pub(crate) fn err(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Prints `warpgraph: message`, then `help: next step`.
pub(crate) fn error(message: &str, help: Option<&str>) {
    err(&format!("{BAD}warpgraph{BAD:#}: {message}\n"));
    if let Some(help) = help {
        err(&format!("{NOTE}help{NOTE:#}: {help}\n"));
    }
}

/// Prints `warning: text`.
pub(crate) fn warning(text: &str) {
    err(&format!("{NOTE}warning{NOTE:#}: {text}\n"));
}

/// Rows of a label and a value, with the values aligned.
#[derive(Debug, Default)]
pub(crate) struct Rows(Vec<(String, String)>);

impl Rows {
    /// Adds a row.
    pub(crate) fn add(&mut self, label: &str, value: impl Into<String>) {
        self.0.push((label.to_owned(), value.into()));
    }

    /// Adds a row whose value continues on further lines if it is long.
    pub(crate) fn add_wrapped(&mut self, label: &str, value: &str) {
        let (mut label, mut line) = (label, String::new());
        for word in value.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WRAPPED {
                self.add(std::mem::take(&mut label), std::mem::take(&mut line));
            }
            line = if line.is_empty() { word.to_owned() } else { line + " " + word };
        }
        self.add(label, line);
    }

    /// Returns the rows as lines.
    pub(crate) fn text(&self) -> String {
        let wide = self.0.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        let line = |(label, value): &(String, String)| {
            let gap = " ".repeat(wide + 2 - label.chars().count());
            format!("{LABEL}{label}{LABEL:#}{gap}{value}\n")
        };
        self.0.iter().map(line).collect()
    }
}

/// Returns a number with its noun: `1 edge`, `2 edges`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}
