//! Names files that hold no graph that warpgraph reads, and says what to do with each.
//!
//! Detection asks here before it takes a file for an edge list, so that the message is about the file and not about its
//! first line.

use super::{detect, npz::zip};
use crate::error::{Error, Position, Result};

/// A kind of file: the bytes at its start, its name, and what to do with it.
type Kind = (&'static [u8], &'static str, &'static str);

const KINDS: [Kind; 22] = [
    (b"\x04\x22\x4d\x18", "a file compressed with lz4, which is not read", "unpack it with `lz4 -d`"),
    (b"\x5d\0\0", "a file compressed with lzma, which is not read", "unpack it with `unlzma`"),
    (b"\x1f\x9d", "a file compressed with compress, which is not read", "unpack it with `uncompress`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it with `7z x`, and name a file in it"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it with `unrar x`, and name a file in it"),
    (
        b"\xd0\xcf\x11\xe0",
        "an Excel workbook or another file of Microsoft Office",
        "save the sheet of edges as CSV",
    ),
    (
        b">>sparse6<<",
        "sparse6, which is not read",
        "write an edge list: networkx.write_edgelist(networkx.read_sparse6(path), out, data=False)",
    ),
    (
        b">>graph6<<",
        "graph6, which is not read",
        "write an edge list: networkx.write_edgelist(networkx.read_graph6(path), out, data=False)",
    ),
    (b">>digraph6<<", "digraph6, which is not read", "write an edge list with nauty's `listg -e`"),
    (
        b"ARROW1",
        "an Arrow or Feather file, which is not read",
        "write Parquet: pyarrow.parquet.write_table(pyarrow.feather.read_table(path), out)",
    ),
    (
        b"ORC",
        "an ORC file, which is not read",
        "write Parquet: pyarrow.parquet.write_table(pyarrow.orc.read_table(path), out)",
    ),
    (b"Obj\x01", "an Avro file, which is not read", "write it as Parquet or CSV"),
    (
        b"\x93NUMPY",
        "an array of NumPy, which is not read",
        "save a sparse matrix: scipy.sparse.save_npz(out, scipy.sparse.coo_matrix(a)); or numpy.savetxt(out, pairs, fmt=\"%d\")",
    ),
    (b"\x89HDF", "an HDF5 file, which is not read", "write its edges as Parquet or CSV, e.g. with pandas"),
    (
        b"SQLite format 3\0",
        "an SQLite database",
        "write the table of edges as CSV: `sqlite3 -csv FILE 'select source, target from edges'`",
    ),
    (
        b"MATLAB 5.0 MAT-file",
        "a file of MATLAB, which is not read",
        "write it as Matrix Market: scipy.io.mmwrite(out, scipy.io.loadmat(path)[name])",
    ),
    (b"\x80\x03", "a pickle of Python, which is not read", PICKLE),
    (b"\x80\x04", "a pickle of Python, which is not read", PICKLE),
    (b"\x80\x05", "a pickle of Python, which is not read", PICKLE),
    (
        b"\xe2\x9b\xbe gt",
        "a file of graph-tool, which is not read",
        "write it as GraphML: graph.save(\"out.graphml\")",
    ),
    (b"LEDA.GRAPH", "a LEDA graph, which is not read", "write it as GraphML or as an edge list"),
    (b"%PDF-", "a PDF document", "fetch the data themselves"),
];

const PICKLE: &str = "load it where it was made, and write it with networkx.write_graphml or as an edge list";
const CONVERT: &str =
    "convert it to an edge list or a Matrix Market file first, or name its format with --format";

/// Returns an error if the data are no edge list; `name` is the name of the file.
pub(super) fn refuse(data: &[u8], name: &str) -> Result<()> {
    let start = &data[..data.len().min(detect::LOOK_AT)];
    let found = by_first_bytes(start)
        .or_else(|| archive(start))
        .or_else(|| wide(start))
        .or_else(|| marked_up(start))
        .or_else(|| packed_lines(start))
        .or_else(|| binary(start, name))
        .or_else(|| adjacency(start))
        .or_else(|| layout(start, name))
        .or_else(|| tuples(start));
    match found {
        None => Ok(()),
        Some((what, help)) => Err(Error::format(Position::file(name), format!("this is {what}"), help)),
    }
}

type Found = Option<(&'static str, &'static str)>;

fn by_first_bytes(start: &[u8]) -> Found {
    let kind = KINDS.iter().find(|kind| start.starts_with(kind.0))?;
    // A short mark of letters may also start a name; the files that have one are binary.
    let is_sure = !kind.0.is_ascii() || kind.0.len() > 6 || kind.0 == b"%PDF-";
    (is_sure || start.contains(&0)).then_some((kind.1, kind.2))
}

/// Recognises igraph's LGL by the ending: its lines `# source` look like comments.
fn layout(start: &[u8], name: &str) -> Found {
    let is_it = detect::ending(name) == "lgl" && start.starts_with(b"# ");
    is_it.then_some((
        "LGL (Large Graph Layout), which is not read",
        "write it with igraph's write_ncol or write_graphml",
    ))
}

/// Recognises lines such as `(1,2)`, the text of pairs in Spark and Python.
fn tuples(start: &[u8]) -> Found {
    let line = start.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty())?;
    let is_it = line.starts_with(b"(") && line.ends_with(b")") && line.contains(&b',');
    is_it.then_some((
        "a list of pairs in brackets (1,2), which is not read",
        "remove the brackets, e.g. with `tr -d '()'`",
    ))
}

fn archive(start: &[u8]) -> Found {
    let has = |name: &[u8]| memchr::memmem::find(start, name).is_some();
    if start.get(257..262) == Some(b"ustar") {
        return Some(("a tar archive", "unpack it with `tar xf`, and name a file in it"));
    }
    if !start.starts_with(zip::MEMBER) {
        return None;
    }
    if has(b"xl/workbook") || has(b"xl/worksheets") || has(b"[Content_Types].xml") {
        return Some((
            "an Excel workbook or another file of Microsoft Office",
            "save the sheet of edges as CSV",
        ));
    }
    if has(b"application/vnd.oasis.opendocument") {
        return Some(("a file of LibreOffice", "save the sheet of edges as CSV"));
    }
    let what = "a ZIP archive, but no sparse matrix as scipy.sparse.save_npz writes it";
    Some((what, "unpack it with `unzip`, and name a file in it"))
}

/// Recognises text of 16 or 32 bits per unit: by its byte order mark, or by zeros in every other byte.
fn wide(start: &[u8]) -> Found {
    let zeros = |first: usize| start.iter().skip(first).step_by(2).take(64).all(|&b| b == 0);
    let texts = |first: usize| start.iter().skip(first).step_by(2).take(64).all(|&b| b != 0);
    let help =
        "convert it: `iconv -f UTF-16 -t UTF-8 FILE > new`; in PowerShell, write files with `-Encoding utf8`";
    if start.starts_with(b"\xff\xfe\0\0") || start.starts_with(b"\0\0\xfe\xff") {
        return Some((
            "text in UTF-32, and only UTF-8 is read",
            "convert it: `iconv -f UTF-32 -t UTF-8 FILE > new`",
        ));
    }
    let has_mark = start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff");
    let alternates = start.len() >= 6 && ((zeros(0) && texts(1)) || (zeros(1) && texts(0)));
    (has_mark || alternates).then_some(("text in UTF-16, and only UTF-8 is read", help))
}

fn marked_up(start: &[u8]) -> Found {
    let text = super::elements::after_mark(start).trim_ascii_start();
    if !text.starts_with(b"<") {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let has = |name: &[u8]| memchr::memmem::find(&lower, name).is_some();
    if has(b"<gexf") {
        let help = "write it as GraphML: in Gephi by File > Export, or networkx.write_graphml(networkx.read_gexf(path), out)";
        return Some(("GEXF, which is not read", help));
    }
    if has(b"<html") || lower.starts_with(b"<!doctype html") {
        let help = "the download gave a page instead of the data; open it in a browser, and fetch the file it links to";
        return Some(("a web page (HTML), no graph", help));
    }
    Some(("XML other than GraphML, which is not read", "write it as GraphML or as an edge list"))
}

/// Recognises sparse6, digraph6 and graph6 without their headers: one word per line, of the bytes 63 to 126.
fn packed_lines(start: &[u8]) -> Found {
    let line = start.split(|&b| b == b'\n').next().unwrap_or_default().trim_ascii_end();
    let is_packed = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(|b| (63..=126).contains(b));
    let kind = |name: &[u8]| KINDS.iter().find(|kind| kind.0 == name).map(|kind| (kind.1, kind.2));
    match line {
        [b':', rest @ ..] if is_packed(rest) => kind(b">>sparse6<<"),
        [b'&', rest @ ..] if is_packed(rest) => kind(b">>digraph6<<"),
        [first, bits @ ..] if is_packed(line) && *first < 126 => {
            let n = usize::from(first - 63);
            let is_whole = n > 1 && bits.len() == (n * (n - 1) / 2).div_ceil(6);
            is_whole.then(|| kind(b">>graph6<<")).flatten()
        }
        _ => None,
    }
}

fn binary(start: &[u8], name: &str) -> Found {
    match start.contains(&0) {
        false => None,
        true if detect::ending(name) == "graph" => {
            Some(("binary data; a WebGraph needs its .properties file beside it", CONVERT))
        }
        true => Some(("binary data in no format that is known", CONVERT)),
    }
}

/// Recognises lines of numbers whose count varies and is larger than that of any edge: an adjacency list or a METIS
/// graph, which nothing but the user can tell apart.
fn adjacency(start: &[u8]) -> Found {
    let is_data = |line: &&[u8]| !line.is_empty() && !matches!(line[0], b'#' | b'%');
    let lines = start.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).filter(is_data).take(100);
    let (mut least, mut most) = (usize::MAX, 0);
    for line in lines {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        if !words.clone().all(|word| word.iter().all(u8::is_ascii_digit)) {
            return None;
        }
        let count = words.by_ref().count();
        (least, most) = (least.min(count), most.max(count));
    }
    let what = "either an adjacency list or a METIS graph: its lines have different numbers of ids";
    let help = "pass --format adjacency-list if each line is a vertex and its neighbours, --format metis if it is a METIS graph";
    (most > 4 && least < most).then_some((what, help))
}
