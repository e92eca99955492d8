//! Text on the terminal: colours where they are wanted (`NO_COLOR`, pipes), numbers that can be read.

use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// Field names and headings.
pub(crate) const LABEL: Style = Style::new().bold();
/// What went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What did not.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// What to look at.
pub(crate) const NOTE: Style = AnsiColor::Yellow.on_default();

/// Writes to standard output, colours taken out where they are not wanted.
pub(crate) fn out(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes bytes to standard output as they are.
pub(crate) fn raw(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes to standard error; that it is closed is no reason to stop.
pub(crate) fn err(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// `warpgraph: message`, then `help: next step`.
pub(crate) fn error(message: &str, help: Option<&str>) {
    err(&format!("{BAD}warpgraph{BAD:#}: {message}\n"));
    if let Some(help) = help {
        err(&format!("{NOTE}help{NOTE:#}: {help}\n"));
    }
}

/// `warning: text`.
pub(crate) fn warning(text: &str) {
    err(&format!("{NOTE}warning{NOTE:#}: {text}\n"));
}

/// Rows of a label and a value, the values in one column.
#[derive(Debug, Default)]
pub(crate) struct Rows(Vec<(String, String)>);

impl Rows {
    /// One more row.
    pub(crate) fn add(&mut self, label: &str, value: impl Into<String>) {
        self.0.push((label.to_owned(), value.into()));
    }

    /// The rows as lines.
    pub(crate) fn text(&self) -> String {
        let wide = self.0.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        let line = |(label, value): &(String, String)| {
            let gap = " ".repeat(wide + 2 - label.chars().count());
            format!("{LABEL}{label}{LABEL:#}{gap}{value}\n")
        };
        self.0.iter().map(line).collect()
    }
}

/// A count with its digits in groups: `1,048,576`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 edge`, `2 edges`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A number as it should be read: whole ones grouped, others with six digits that matter.
pub(crate) fn number(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 {
        let sign = if x < 0.0 { "-" } else { "" };
        return format!("{sign}{}", count(x.abs() as u64));
    }
    if x != 0.0 && !(1e-4..1e15).contains(&x.abs()) {
        return format!("{x:.5e}");
    }
    let before = x.abs().log10().floor().max(0.0) as usize + 1;
    let text = format!("{x:.*}", 6usize.saturating_sub(before).max(1));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A time: `417 ns`, `12.3 ms`, `1.24 s`, `3 min 20 s`.
pub(crate) fn seconds(s: f64) -> String {
    let digits = |x: f64| match x {
        x if x < 9.995 => 2,
        x if x < 99.95 => 1,
        _ => 0,
    };
    match s {
        s if s >= 120.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s if s >= 0.9995 => format!("{s:.*} s", digits(s)),
        s if s >= 0.9995e-3 => format!("{:.*} ms", digits(s * 1e3), s * 1e3),
        s if s >= 0.9995e-6 => format!("{:.*} us", digits(s * 1e6), s * 1e6),
        s => format!("{:.0} ns", s * 1e9),
    }
}

/// A size in memory: `512 B`, `1.5 MiB`.
pub(crate) fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut size = n as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        (size, unit) = (size / 1024.0, unit + 1);
    }
    format!("{size:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([count(0), count(999), count(1048576)], ["0", "999", "1,048,576"]);
        assert_eq!([number(-1234.0), number(0.25), number(1.5e-9)], ["-1,234", "0.25", "1.50000e-9"]);
        assert_eq!([number(1234.5678), number(2.0e20)], ["1234.57", "2.00000e20"]);
        assert_eq!([bytes(1023), bytes(1536), bytes(3 << 30)], ["1023 B", "1.5 KiB", "3.0 GiB"]);
    }

    #[test]
    fn times_keep_three_digits() {
        assert_eq!([seconds(4.17e-7), seconds(0.0123), seconds(0.9999)], ["417 ns", "12.3 ms", "1.00 s"]);
        assert_eq!([seconds(200.0), seconds(61.0), seconds(9.999e-3)], ["3 min 20 s", "61.0 s", "10.0 ms"]);
    }
}
