//! [`Source`]: the whole text of a module in one piece. The compiler compiles it, the cache hashes it, `--keep-kernels`
//! stores it, and errors quote it.

use crate::{Error, Result};
use std::{collections::HashSet, fmt, fmt::Write as _};

/// The whole text of a module, with nothing left to include.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// Name in messages and as a file name: letters, digits, `-` and `_`.
    pub name: String,
    /// The text, in CUDA C++.
    pub text: String,
    /// Names of its kernels.
    pub kernels: Vec<&'static str>,
}

impl Source {
    /// Builds a source: replaces each line `#include "x.cuh"` by the file of that name, once per file.
    ///
    /// # Errors
    /// If an included file is not among `files`.
    pub fn assemble(
        name: impl Into<String>,
        root: &str,
        files: &[(&str, &str)],
        kernels: Vec<&'static str>,
    ) -> Result<Self> {
        let name = name.into();
        let mut text = String::new();
        expand(&name, root, files, &mut HashSet::new(), &mut text)?;
        Ok(Self { name, text, kernels })
    }

    /// Returns the given lines with their numbers and two lines around each.
    pub fn numbered(&self, lines: &[usize]) -> Numbered<'_> {
        Numbered { source: self, lines: lines.to_vec() }
    }
}

fn expand(
    name: &str,
    text: &str,
    files: &[(&str, &str)],
    seen: &mut HashSet<String>,
    out: &mut String,
) -> Result<()> {
    for line in text.lines() {
        let included = line.strip_prefix("#include \"").and_then(|rest| rest.split('"').next());
        let Some(file) = included else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        if !seen.insert(file.to_owned()) {
            continue;
        }
        let Some((_, text)) = files.iter().find(|(known, _)| *known == file) else {
            return Err(Error::Compile {
                name: name.to_owned(),
                target: "any device".to_owned(),
                compiler: "warpgraph".to_owned(),
                log: format!("it includes {file:?}, and there is no such file"),
            });
        };
        let _ = writeln!(out, "// ---- {file}");
        expand(name, text, files, seen, out)?;
    }
    Ok(())
}

/// Displays lines of a text with their numbers, and two lines around each.
#[derive(Debug)]
pub struct Numbered<'a> {
    source: &'a Source,
    lines: Vec<usize>,
}

impl fmt::Display for Numbered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AROUND: usize = 2;
        let mut last = 0;
        for (i, line) in self.source.text.lines().enumerate() {
            let number = i + 1;
            if !self.lines.iter().any(|&asked| asked.abs_diff(number) <= AROUND) {
                continue;
            }
            if last + 1 != number && last != 0 {
                writeln!(f, "      ...")?;
            }
            let mark = if self.lines.contains(&number) { '>' } else { ' ' };
            writeln!(f, "{mark}{number:>5} | {line}")?;
            last = number;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_put_in_once_and_in_order() {
        let files = [("a.cuh", "#include \"b.cuh\"\na"), ("b.cuh", "b")];
        let root = "#include \"a.cuh\"\n#include \"b.cuh\"\nroot";
        let source = Source::assemble("m", root, &files, vec![]).unwrap();
        assert_eq!(source.text, "// ---- a.cuh\n// ---- b.cuh\nb\na\nroot\n");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Source::assemble("m", "#include \"gone.cuh\"", &[], vec![]).unwrap_err();
        assert!(error.to_string().contains("gone.cuh"), "{error}");
    }

    #[test]
    fn lines_are_shown_with_their_numbers() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n".to_owned();
        let source = Source { name: "m".to_owned(), text, kernels: vec![] };
        let shown = source.numbered(&[1, 9]).to_string();
        let expected = ">    1 | one\n     2 | two\n     3 | three\n      ...\n     7 | seven\n     8 | eight\n>    9 | nine\n";
        assert_eq!(shown, expected);
    }
}
