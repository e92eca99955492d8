//! Numbers that can be read: counts, times and sizes as text.

/// A count with its digits in groups: `1,048,576`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let (first, rest) = digits.split_at((digits.len() + 2) % 3 + 1);
    rest.as_bytes()
        .chunks(3)
        .fold(first.to_owned(), |text, group| text + "," + &String::from_utf8_lossy(group))
}

/// A number as it should be read: whole ones grouped, others with six digits that matter.
pub fn number(x: f64) -> String {
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
pub fn seconds(s: f64) -> String {
    let scaled = |by: f64, unit: &str| {
        let x = s * by;
        let digits = [9.995, 99.95].iter().filter(|&&most| x < most).count();
        format!("{x:.digits$} {unit}")
    };
    match s {
        s if s >= 120.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s if s >= 0.9995 => scaled(1.0, "s"),
        s if s >= 0.9995e-3 => scaled(1e3, "ms"),
        s if s >= 0.9995e-6 => scaled(1e6, "us"),
        s => format!("{:.0} ns", s * 1e9),
    }
}

/// A size in memory: `512 B`, `1.5 MiB`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    match n.checked_ilog2().map_or(0, |bits| bits as usize / 10) {
        0 => format!("{n} B"),
        power => format!("{:.1} {}", n as f64 / 1024f64.powi(power.min(5) as i32), UNITS[power.min(5) - 1]),
    }
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
