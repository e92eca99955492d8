//! Adds the lines of the text that NVRTC's log names to the log.

use crate::Source;

/// Returns the name of a text in NVRTC's messages.
pub(super) fn file_name(source: &Source) -> String {
    format!("{}.cu", source.name)
}

/// Returns the log, followed by the numbered lines that it reports errors for.
pub(super) fn with_lines(log: &str, source: &Source) -> String {
    let lines = lines_named(log, &file_name(source));
    if lines.is_empty() { log.to_owned() } else { format!("{log}\n\n{}", source.numbered(&lines)) }
}

/// Returns the numbers in `file(12): error: ...` and in `... at line 12`, which gives the place of an instantiation.
fn lines_named(log: &str, file: &str) -> Vec<usize> {
    let mut lines: Vec<usize> =
        log.lines().filter_map(|line| error_at(line, file).or_else(|| used_at(line))).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn error_at(line: &str, file: &str) -> Option<usize> {
    let (number, what) = line.strip_prefix(file)?.strip_prefix('(')?.split_once(')')?;
    what.contains("error").then(|| number.parse().ok()).flatten()
}

fn used_at(line: &str) -> Option<usize> {
    let (_, number) = line.split_once("at line ")?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "k.cu(3): error: identifier \"y\" is undefined\n  y = 1;\n  ^\n\n\
        k.cu(7): warning #177-D: variable \"z\" was declared but never referenced\n\
        other.cu(9): error: not ours\n\
        k.cu(3): error: again\n          detected during instantiation of \"f<T>\" at line 5\n";

    #[test]
    fn errors_and_instantiations_are_lines_and_warnings_are_not() {
        assert_eq!(lines_named(LOG, "k.cu"), [3, 5]);
    }

    #[test]
    fn a_log_is_followed_by_the_lines_it_names() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n".to_owned();
        let source = Source { name: "k".to_owned(), text, kernels: vec![] };
        let shown = with_lines(LOG, &source);
        assert!(shown.starts_with(LOG), "{shown}");
        assert!(shown.contains("\n>    3 | three\n     4 | four\n>    5 | five\n"), "{shown}");
        assert!(!shown.contains("eight"), "{shown}");
    }

    #[test]
    fn a_log_that_names_no_line_stays_as_it_is() {
        let source = Source { name: "k".to_owned(), text: "one\n".to_owned(), kernels: vec![] };
        assert_eq!(with_lines("no memory", &source), "no memory");
    }
}
