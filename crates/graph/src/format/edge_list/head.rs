//! Derives the properties of an edge list from its first lines: comments, header line, kind of ids, separator, weights.

use super::fields::{Fields, Separator};
use crate::format::{IdKind, ReadOptions};
use std::ops::Range;

/// The largest number of data lines to sample.
const SAMPLE: usize = 1000;

/// Words that name a column of ids.
const COLUMNS: &[&str] = &[
    "source",
    "target",
    "src",
    "dst",
    "dest",
    "destination",
    "from",
    "to",
    "fromnodeid",
    "tonodeid",
    "from_node_id",
    "to_node_id",
    "fromid",
    "toid",
    "from_id",
    "to_id",
    "node1",
    "node2",
    "node_1",
    "node_2",
    "id1",
    "id2",
    "id_1",
    "id_2",
    "source_id",
    "target_id",
    "vertex1",
    "vertex2",
    "head",
    "tail",
    "start",
    "end",
];

/// The properties of a file that its first lines show.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// The offset where the data start: after the byte order mark and the header line.
    pub(super) start: usize,
    /// True for directed, and the reason, if a comment gives the direction.
    pub(super) direction: Option<(bool, String)>,
    /// The numbers of vertices and edges, if a comment gives them.
    pub(super) promised: Option<(u64, u64)>,
    /// True if a comment says that ids are names: `# Ids: names`, as warpgraph writes it.
    says_names: bool,
    /// True if the ids are names.
    pub(super) names: bool,
    /// The separator of the fields; `None` if the file has no edge.
    pub(super) separator: Option<Separator>,
    /// True if the first edge has a third field and the options do not leave weights out.
    pub(super) weighted: bool,
    pub(super) warnings: Vec<String>,
}

impl Head {
    /// Examines the comments before the first edge and the first data lines.
    pub(super) fn read(data: &[u8], options: &ReadOptions) -> Self {
        let start = if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut head = Self { start, ..Self::default() };
        let lines = head.sample(data);
        let Some(first) = lines.first() else { return head };
        let has_header = is_header(data, &lines);
        let edges = if has_header { &lines[1..] } else { &lines[..] };
        if has_header {
            head.start = first.end;
        }
        head.names = match options.ids {
            IdKind::Numbers => false,
            IdKind::Names => true,
            IdKind::Auto => head.says_names || head.are_names(data, edges),
        };
        let Some(edge) = edges.first() else { return head };
        let separator = if head.names { Separator::of(&data[edge.clone()]) } else { Separator::Any };
        head.separator = Some(separator);
        head.weighted = !options.no_weights && Fields::new(data, edge.clone(), separator).nth(2).is_some();
        head
    }

    /// Returns the first data lines, and evaluates the comments before them.
    fn sample(&mut self, data: &[u8]) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let mut at = self.start;
        while at < data.len() && lines.len() < SAMPLE {
            let end = memchr::memchr(b'\n', &data[at..]).map_or(data.len(), |i| at + i + 1);
            if !Fields::new(data, at..end, Separator::Any).is_no_data() {
                lines.push(at..end);
            } else if lines.is_empty() {
                self.read_comment(&data[at..end]);
            }
            at = end;
        }
        lines
    }

    fn read_comment(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        let says = |directed, words: &str| Some((directed, format!("the header says {words:?}")));
        if line.contains("undirected graph") {
            self.direction = says(false, "undirected graph");
        } else if line.contains("directed graph") {
            self.direction = says(true, "directed graph");
        } else if line.starts_with("% sym ") {
            self.direction = says(false, "sym");
        } else if line.starts_with("% asym ") {
            self.direction = says(true, "asym");
        }
        self.says_names |= line.trim_end() == "# ids: names";
        let number = |key: &str| -> Option<u64> {
            let (_, rest) = line.split_once(key)?;
            rest.split_ascii_whitespace().next()?.parse().ok()
        };
        if let (Some(vertices), Some(edges)) = (number("nodes:"), number("edges:")) {
            self.promised = Some((vertices, edges));
        }
    }

    /// Returns true if an id of the sample is no number, unless it looks like a typo. Adds a warning if at most a tenth
    /// of the edges have such an id.
    fn are_names(&mut self, data: &[u8], edges: &[Range<usize>]) -> bool {
        let odd: Vec<&Range<usize>> = edges.iter().filter(|e| numbers_in(data, e) < 2).collect();
        let Some(first) = odd.first() else { return false };
        if is_typo(data, edges) {
            return false;
        }
        if odd.len() * 10 <= edges.len() {
            let ids: Vec<_> = Fields::new(data, (*first).clone(), Separator::Any).take(2).collect();
            let id = ids.iter().find(|id| id.number().is_none());
            self.warnings.push(format!(
                "all ids are taken as names, since {} is no number",
                id.map_or_else(|| "an id".to_owned(), |id| crate::error::quote(id.raw))
            ));
        }
        true
    }
}

/// Returns how many of the two ids of a line are numbers.
fn numbers_in(data: &[u8], line: &Range<usize>) -> usize {
    Fields::new(data, line.clone(), Separator::Any).take(2).filter(|id| id.number().is_some()).count()
}

/// Returns true if the first edge has exactly one numeric id and every other edge has two, of two edges or more.
fn is_typo(data: &[u8], edges: &[Range<usize>]) -> bool {
    edges.len() > 1
        && numbers_in(data, &edges[0]) == 1
        && edges[1..].iter().all(|edge| numbers_in(data, edge) == 2)
}

/// Returns true if the first line is a header: its ids are words for columns, or neither is a number where both ids of
/// every other line are.
fn is_header(data: &[u8], lines: &[Range<usize>]) -> bool {
    let separator = Separator::of(&data[lines[0].clone()]);
    let fields: Vec<_> = Fields::new(data, lines[0].clone(), separator).collect();
    let is_column = |text: &[u8]| {
        let word = String::from_utf8_lossy(text).to_ascii_lowercase();
        COLUMNS.contains(&word.as_str())
    };
    if fields.len() >= 2 && fields[..2].iter().all(|f| is_column(&f.text)) {
        return true;
    }
    lines.len() > 1
        && numbers_in(data, &lines[0]) == 0
        && lines[1..].iter().all(|line| numbers_in(data, line) == 2)
}
