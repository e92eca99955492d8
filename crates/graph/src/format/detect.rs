//! Which format a file has: by what its first lines say, then by its name's ending.
//!
//! Content comes first because endings lie (`.gr` is three formats, `.graph` two); the ending decides where the content
//! cannot, such as numbers that might be an edge list as well as a METIS graph.

use super::{
    Format,
    lex::Cursor,
    npz::{self, zip},
    wg,
};
use crate::error::{Error, Position, Result};

/// How far to look for the first line that is not a comment.
const LOOK_AT: usize = 1 << 16;

/// Tells the format of `data`, the content of the file `name`.
///
/// # Errors
/// [`Error::Format`] for what is no graph format we know: other archives, other XML, other binary data.
pub(super) fn detect(data: &[u8], name: &str) -> Result<Format> {
    let format = by_content(data).unwrap_or_else(|| by_ending(data, &ending(name)));
    match format {
        Format::EdgeList => refuse_other(data, name).map(|()| format),
        _ => Ok(format),
    }
}

/// Text that is no edge list would fail too, but with a message about its first line.
fn refuse_other(data: &[u8], name: &str) -> Result<()> {
    let start = &data[..data.len().min(LOOK_AT)];
    let what = if start.starts_with(zip::MEMBER) {
        "this is a ZIP archive, but no sparse matrix as scipy.sparse.save_npz writes it"
    } else if start.contains(&0) && ending(name) == "graph" {
        "this is binary data; a WebGraph needs its .properties file beside it"
    } else if start.contains(&0) {
        "this is binary data in no format that is known"
    } else if start.trim_ascii_start().starts_with(b"<") {
        "this looks like XML other than GraphML, which is not read"
    } else {
        return Ok(());
    };
    let help = "convert it to an edge list or a Matrix Market file first, or name its format with --format";
    Err(Error::format(Position::file(name), what, help))
}

fn by_content(data: &[u8]) -> Option<Format> {
    const BANNER: &[u8] = b"%%MatrixMarket";
    if data.starts_with(&wg::MAGIC) {
        return Some(Format::Wg);
    }
    if data.get(..BANNER.len()).is_some_and(|start| start.eq_ignore_ascii_case(BANNER)) {
        return Some(Format::MatrixMarket);
    }
    if data.starts_with(zip::MEMBER) {
        let archive = zip::Archive::open("", data).ok();
        return archive.is_some_and(|archive| npz::is_matrix(&archive)).then_some(Format::Npz);
    }
    if data.starts_with(b"PAR1") {
        return Some(Format::Parquet);
    }
    if is_graphml(data) {
        return Some(Format::GraphMl);
    }
    is_dimacs(data).then_some(Format::Dimacs)
}

/// Is the first element, after the lines that XML starts with, `graphml`?
fn is_graphml(data: &[u8]) -> bool {
    let start = &data[..data.len().min(LOOK_AT)];
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let names_it = |at: usize| matches!(start[at - 1], b'<' | b':');
    start.starts_with(b"<") && memchr::memmem::find_iter(start, b"graphml").any(names_it)
}

/// Is the first line that is neither blank nor a `c` comment a problem line, `p kind n m`?
fn is_dimacs(data: &[u8]) -> bool {
    let mut line = first_line(data, |token| token == b"c");
    let kind = |token: &[u8]| matches!(token, b"sp" | b"tw" | b"edge" | b"col");
    let is_number = |token: &[u8]| !token.is_empty() && token.iter().all(u8::is_ascii_digit);
    next_token(&mut line) == b"p"
        && kind(next_token(&mut line))
        && is_number(next_token(&mut line))
        && is_number(next_token(&mut line))
}

fn by_ending(data: &[u8], ending: &str) -> Format {
    match ending {
        "wg" => Format::Wg,
        "mtx" => Format::MatrixMarket,
        "gr" => Format::Dimacs,
        "graph" | "metis" if is_metis(data) => Format::Metis,
        "sg" | "wsg" => Format::Gap,
        "g500" | "graph500" => Format::Graph500,
        "bv" | "webgraph" => Format::WebGraph,
        "graphml" => Format::GraphMl,
        "npz" => Format::Npz,
        "parquet" => Format::Parquet,
        _ => Format::EdgeList,
    }
}

/// Is the first line that is no comment a METIS header: two to four whole numbers?
fn is_metis(data: &[u8]) -> bool {
    let mut line = first_line(data, |token| token.starts_with(b"%"));
    let mut numbers = 0;
    while !line.at_line_end() {
        if line.unsigned().is_none() {
            return false;
        }
        numbers += 1;
        line.skip_blanks();
    }
    (2..=4).contains(&numbers)
}

/// A cursor at the first token of the first line that is neither blank nor a comment.
fn first_line(data: &[u8], is_comment: impl Fn(&[u8]) -> bool) -> Cursor<'_> {
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

/// The token at the cursor; the cursor goes to the one after it.
fn next_token<'a>(cursor: &mut Cursor<'a>) -> &'a [u8] {
    let token = cursor.token();
    cursor.at += token.len();
    cursor.skip_blanks();
    token
}

/// The ending of a file name in small letters, after those of compressed files are taken off.
pub(super) fn ending(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    let stem = [".gz", ".zst", ".xz"].iter().find_map(|packed| name.strip_suffix(packed)).unwrap_or(&name);
    stem.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(
            message(b"\n <?xml version=\"1.0\"?><gexf>"),
            "a.dat: this looks like XML other than GraphML, which is not read"
        );
        assert_eq!(
            detect(b"\x05\0\xff", "cnr.graph").unwrap_err().to_string(),
            "cnr.graph: this is binary data; a WebGraph needs its .properties file beside it"
        );
    }
}
