//! Detects the format of a file by the files beside it, by its content, then by the ending of its name.
//!
//! Content comes before the ending because endings are ambiguous: several formats use `.gr`, and two use `.graph`. The
//! ending decides if the content cannot, for example for numbers that may be an edge list or a METIS graph. The
//! [`Sign`] in each format's entry says how its files are recognised. A file that no format recognises is an edge list.

use super::{Format, Input, ReadOptions, decompress, foreign, lex::Cursor, table::Sign};
use crate::error::Result;

/// The number of bytes in which detection looks for the first line that is not a comment.
pub(super) const LOOK_AT: usize = 1 << 16;

/// Returns the format that the options name, or else the one that the file has.
///
/// # Errors
/// Returns [`crate::Error::Format`] for files of other kinds, such as archives, web pages and binary data, and for
/// options that the format ignores, and [`crate::Error::Io`] if a file beside this one cannot be read.
pub(super) fn format_of(input: &Input, options: &ReadOptions) -> Result<Format> {
    let format = options.format.map_or_else(|| detect(input), Ok)?;
    format.refuse_ignored(options, input.name())?;
    Ok(format)
}

fn detect(input: &Input) -> Result<Format> {
    if let Some(format) = by_companion(input)? {
        return Ok(format);
    }
    let found = by_content(input).or_else(|| by_ending(input, &ending(input.name())));
    match found.unwrap_or(Format::EdgeList) {
        Format::EdgeList => foreign::refuse(input, input.name()).map(|()| Format::EdgeList),
        format => Ok(format),
    }
}

fn by_companion(input: &Input) -> Result<Option<Format>> {
    for &format in Format::ALL {
        if let Sign::Companion(is_there) = format.entry().sign
            && is_there(input)?
        {
            return Ok(Some(format));
        }
    }
    Ok(None)
}

fn by_content(data: &[u8]) -> Option<Format> {
    let has_content = |format: &Format| match format.entry().sign {
        Sign::Content(is_it) => is_it(data),
        _ => false,
    };
    Format::ALL.iter().copied().find(has_content)
}

fn by_ending(data: &[u8], ending: &str) -> Option<Format> {
    let format = Format::ALL.iter().copied().find(|format| format.entry().endings.contains(&ending))?;
    match format.entry().sign {
        Sign::EndingIf(passes) if !passes(data) => None,
        _ => Some(format),
    }
}

/// Returns a cursor at the first token of the first line that is neither blank nor a comment.
pub(super) fn first_line(data: &[u8], is_comment: impl Fn(&[u8]) -> bool) -> Cursor<'_> {
    let mut cursor = Cursor::new(data, 0..data.len().min(LOOK_AT));
    while !cursor.is_done() {
        cursor.skip_blanks();
        let token = cursor.token();
        if !token.is_empty() && !is_comment(token) {
            break;
        }
        cursor.next_line();
    }
    cursor
}

/// Returns the token at the cursor, and moves the cursor to the next token.
pub(super) fn next_token<'a>(cursor: &mut Cursor<'a>) -> &'a [u8] {
    let token = cursor.token();
    cursor.at += token.len();
    cursor.skip_blanks();
    token
}

/// Returns the ending of a file name in lower case, without the ending of a compressed file.
pub(super) fn ending(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    let packed = |ending: &&str| name.strip_suffix(ending)?.strip_suffix('.');
    let stem = decompress::ENDINGS.iter().find_map(packed).unwrap_or(&name);
    stem.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::wg;

    fn detect(data: &[u8], name: &str) -> Result<Format> {
        super::detect(&Input::from_bytes(name, data.to_vec()))
    }

    #[test]
    fn content_wins_over_the_ending() {
        let cases: [(&[u8], &str, Format); 14] = [
            (b"%%matrixmarket matrix coordinate pattern general\n", "a.txt", Format::MatrixMarket),
            (b"c road\nc\n\np sp 3 2\n", "a.txt", Format::Dimacs),
            (b"p tw 3 2\n1 2\n", "<stdin>", Format::Dimacs),
            (b"p edge 3 2\n", "a.col", Format::Dimacs),
            (b"p col 3 2\n", "a.graph", Format::Dimacs),
            (&wg::MAGIC, "a.mtx", Format::Wg),
            (b"<?xml version=\"1.0\"?>\n<!-- x -->\n<graphml xmlns=\"\">", "a.xml", Format::GraphMl),
            (b"\xef\xbb\xbf <g:graphml/>", "<stdin>", Format::GraphMl),
            (b"PAR1\x15", "<stdin>", Format::Parquet),
            (b"a <graphml>\n", "a.el", Format::EdgeList),
            (b"#<graphml>\n", "a.el", Format::EdgeList),
            (b"p q\n", "a.txt", Format::EdgeList),
            (b"p sp\n", "a.txt", Format::EdgeList),
            (b"c d\np q 1 2\n", "a.tsv", Format::EdgeList),
        ];
        for (data, name, format) in cases {
            assert_eq!(detect(data, name).unwrap(), format, "{name}");
        }
    }

    #[test]
    fn the_ending_decides_where_the_content_cannot() {
        let cases: [(&[u8], &str, Format); 13] = [
            (b"a 0 1 5\n", "bremen.gr", Format::Dimacs),
            (b"a 0 1 5\n", "bremen.GR.zst", Format::Dimacs),
            (b"% mesh\n3 2\n2\n1 3\n2\n", "wave.graph", Format::Metis),
            (b"3 2 011 2\n", "wave.metis.xz", Format::Metis),
            (b"0 1 2 3 4\n", "list.graph", Format::EdgeList),
            (b"a b\n", "list.graph", Format::EdgeList),
            (b"\0", "kron.sg", Format::Gap),
            (b"\0", "folder.v2/kron.wsg", Format::Gap),
            (b"", "old.wg", Format::Wg),
            (b"", "a.graphml.gz", Format::GraphMl),
            (b"PK", "a.NPZ", Format::Npz),
            (b"", "a.parquet", Format::Parquet),
            (b"3 2\n", "folder.graph/list", Format::EdgeList),
        ];
        for (data, name, format) in cases {
            assert_eq!(detect(data, name).unwrap(), format, "{name}");
        }
    }

    #[test]
    fn what_is_no_graph_is_called_what_it_is() {
        let message = |data: &[u8]| detect(data, "a.dat").unwrap_err().to_string();
        assert_eq!(message(b"\x7fELF\0\0"), "a.dat: this is binary data in no format that is known");
        assert_eq!(
            message(b"PK\x03\x04\0\0"),
            "a.dat: this is a ZIP archive, but no sparse matrix as scipy.sparse.save_npz writes it"
        );
        assert_eq!(message(b"\n <?xml version=\"1.0\"?><gexf>"), "a.dat: this is GEXF, which is not read");
        assert_eq!(
            detect(b"\x05\0\xff", "cnr.graph").unwrap_err().to_string(),
            "cnr.graph: this is binary data; a WebGraph needs its .properties file beside it"
        );
    }

    /// Returns the formats whose sign of content the data pass.
    fn signs(data: &[u8]) -> Vec<Format> {
        let passes = |format: &Format| matches!(format.entry().sign, Sign::Content(is_it) if is_it(data));
        Format::ALL.iter().copied().filter(passes).collect()
    }

    #[test]
    fn no_content_passes_two_signs() {
        let comments = [
            "",
            "\u{feff}",
            "# x\n# GMT Mon\n# \n",
            "% x\n",
            "c x\n",
            "// x\n",
            "/* x */",
            " \n\t",
            "1 2\n",
            "a b\n",
        ];
        let starts = [
            "graph [ node [ id 1 ] ]",
            "Version 1\ngraph [",
            "graph { a -- b }",
            "digraph \"x\" {",
            "strict graph {",
            "{\"links\": []}",
            "[[1, 2]]",
            "[1, 2]",
            "*Vertices 3\n",
            "*network x\n",
            "p sp 3 2\n",
            "%%MatrixMarket matrix\n",
            "<graphml>",
            "PAR1",
            "PK\u{3}\u{4}",
            "1 2\n",
            "graph node\n",
            "",
        ];
        let mut found = std::collections::HashSet::new();
        for first in comments {
            for second in comments {
                for start in starts {
                    let text = [first, second, start].concat();
                    let signs = signs(text.as_bytes());
                    assert!(signs.len() <= 1, "{text:?}: {signs:?}");
                    found.extend(signs);
                }
            }
        }
        assert!(found.len() >= 8, "{found:?}");
    }

    #[test]
    fn no_seed_of_the_fuzz_targets_passes_two_signs() {
        let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
        let mut seeds = 0;
        for folder in corpus.read_dir().unwrap() {
            for file in folder.unwrap().path().read_dir().unwrap() {
                let path = file.unwrap().path();
                let signs = signs(&std::fs::read(&path).unwrap());
                assert!(signs.len() <= 1, "{}: {signs:?}", path.display());
                seeds += 1;
            }
        }
        assert!(seeds > 100, "{seeds} seeds");
    }
}
