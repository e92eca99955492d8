//! Derives the properties of an edge list from its first lines: comments, header line, columns, separator, kind of ids.

use super::{
    attributes::{self, Attributes},
    fields::{Fields, Separator},
    header::{self, Names},
    layout::{self, Layout, fields_of},
};
use crate::{
    error::{Error, Position, Result, quote},
    format::{
        IdKind, ReadOptions,
        columns::{self, Chosen, Unclear},
        lex,
    },
};
use std::ops::Range;

/// The largest number of data lines to sample.
const SAMPLE: usize = 1000;

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
    pub(super) layout: Layout,
    /// The line that names the columns.
    pub(super) header: Option<String>,
    /// The columns of sources, targets and weights, if they are not the first ones in this order.
    pub(super) columns: Vec<String>,
    /// The columns that the reader ignores.
    pub(super) ignored: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// The first lines of a file that are neither blank nor comments.
struct Sample<'a> {
    file: &'a str,
    data: &'a [u8],
    lines: Vec<Range<usize>>,
    /// The first two of them, header included.
    top: Vec<Range<usize>>,
    options: &'a ReadOptions,
}

impl Head {
    /// Examines the comments before the first edge and the first data lines.
    ///
    /// # Errors
    /// Returns [`Error::Format`] if neither the file nor the options say what its columns are, and [`Error::Parse`] for
    /// arrows between ids.
    pub(super) fn read(file: &str, data: &[u8], options: &ReadOptions) -> Result<Self> {
        let start = if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut head = Self { start, layout: Layout::plain(false), ..Self::default() };
        head.skip_separator_line(data);
        let lines = head.sample(data);
        let Some(first) = lines.first().cloned() else { return Ok(head) };
        let top = lines.iter().take(2).cloned().collect();
        let mut sample = Sample { file, data, lines, top, options };
        if let Some(separator) = attributes::separator(data, &first) {
            head.set_attributes(&sample, separator)?;
        } else {
            let names = header::find(data, &sample.lines, options);
            if let Some(names) = &names {
                head.skip_header(&mut sample, names);
            }
            sample.refuse_arrows()?;
            head.set_columns(&sample, names.map(|names| names.names).unwrap_or_default())?;
        }
        head.set_ids(&sample);
        Ok(head)
    }

    /// Skips a first line `sep=;`, which spreadsheets write for themselves, and says so.
    fn skip_separator_line(&mut self, data: &[u8]) {
        let rest = &data[self.start..];
        let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |i| i + 1);
        let line = rest[..len].trim_ascii();
        if line.len() == 5 && line[..4].eq_ignore_ascii_case(b"sep=") {
            self.start += len;
            self.warnings
                .push(format!("the first line ({}) is skipped: it is for spreadsheets", quote(line)));
        }
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

    /// Reads a comment as SNAP and KONECT write it. Only the start of a comment gives the direction.
    fn read_comment(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        let text = line.trim_start_matches(|c: char| c.is_ascii_whitespace() || "#%/".contains(c));
        let says = |directed, words: &str| Some((directed, format!("the header says {words:?}")));
        if text.starts_with("undirected graph") {
            self.direction = says(false, "undirected graph");
        } else if text.starts_with("directed graph") {
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

    fn skip_header(&mut self, sample: &mut Sample<'_>, names: &Names) {
        let line = sample.lines.remove(0);
        self.start = line.end;
        if names.by_numbers {
            self.warnings.push(format!(
                "{} is taken as a header, since the other lines have numbers there; --header no reads it as an edge",
                sample.show(&line)
            ));
        }
        self.header = Some(String::from_utf8_lossy(&sample.data[line]).trim().to_owned());
    }

    /// Sets the layout of lines that NetworkX wrote with attributes.
    fn set_attributes(&mut self, sample: &Sample<'_>, separator: Separator) -> Result<()> {
        let keys = attributes::keys(sample.data, &sample.lines, separator);
        let names: Vec<String> = ["source".to_owned(), "target".to_owned()].into_iter().chain(keys).collect();
        let chosen = sample.choose(&names, names.len())?;
        let name = |column: usize| names[column].clone();
        self.ignored = chosen.ignored.iter().map(|&column| name(column)).collect();
        let attributes = Attributes { weight: chosen.weight.map(name), ignored: self.ignored.clone() };
        self.layout = Layout { attributes: Some(attributes), ..Layout::plain(false) };
        self.separator = Some(separator);
        Ok(())
    }

    /// Chooses the separator and the columns.
    fn set_columns(&mut self, sample: &Sample<'_>, mut names: Vec<String>) -> Result<()> {
        let data = sample.data;
        let Some(edge) = sample.lines.first() else {
            return Ok(());
        };
        let by = Separator::of(&data[edge.clone()]);
        let comma = sample.decimal_comma(by);
        let any = if comma.is_none() && sample.are_numbers() { Separator::Any } else { by };
        let found = fields_of(data, edge, any).len();
        if found > names.len() && sample.options.columns.are_positions() {
            names.clear();
        }
        let count = if names.is_empty() { found } else { names.len() };
        if count < 2 && sample.options.columns.is_empty() {
            self.separator = Some(any);
            return Ok(());
        }
        if found > count {
            return Err(sample.too_many(count, found));
        }
        let chosen = sample.choose(&names, count)?;
        self.warnings.extend(chosen.warnings(&names, sample.options.no_weights));
        self.layout = Layout { commas: comma.is_some(), ..Layout::new(&chosen, count) };
        self.name_columns(&names, &chosen);
        self.read_types(sample, &names, by);
        if let (Some(line), Some(_)) = (comma, self.layout.weight) {
            self.warnings.push(format!("weights are read with a decimal comma, as in {}", sample.show(line)));
        }
        // Tabs that stand for one separator would hide an empty field.
        let is_exact = !self.layout.is_in_order() && fields_of(data, edge, by).len() == found;
        self.separator = Some(if is_exact { by } else { any });
        Ok(())
    }

    /// Reads the direction from the column `Type` of Gephi's tables, which says `Directed` or `Undirected` on each line.
    fn read_types(&mut self, sample: &Sample<'_>, names: &[String], by: Separator) {
        let Some(column) = names.iter().position(|name| name.eq_ignore_ascii_case("type")) else { return };
        let is = |line: &Range<usize>, word: &[u8]| {
            let fields = fields_of(sample.data, line, by);
            fields.get(column).is_some_and(|field| field.text.eq_ignore_ascii_case(word))
        };
        for (word, directed) in [("undirected", false), ("directed", true)] {
            let count = sample.lines.iter().filter(|line| is(line, word.as_bytes())).count();
            if count == sample.lines.len() && self.direction.is_none() {
                self.direction = Some((directed, format!("the column {:?} says {word:?}", names[column])));
            } else if count > 0 && !directed {
                self.warnings.push(format!(
                    "some lines are undirected by their {:?}, but all are read alike",
                    names[column]
                ));
            }
        }
    }

    /// Records the columns, by name or position.
    fn name_columns(&mut self, names: &[String], chosen: &Chosen) {
        let name = |column: usize| match names.get(column).map(String::as_str) {
            None | Some("") => format!("column {}", column + 1),
            Some(name) => name.to_owned(),
        };
        if !self.layout.is_in_order() {
            self.columns = chosen.ids.into_iter().chain(chosen.weight).map(name).collect();
        }
        self.ignored = chosen.ignored.iter().map(|&column| name(column)).collect();
    }

    /// Decides whether the ids are names.
    fn set_ids(&mut self, sample: &Sample<'_>) {
        self.names = match sample.options.ids {
            IdKind::Numbers => false,
            IdKind::Names => true,
            IdKind::Auto => self.says_names || self.are_names(sample),
        };
        if let (true, Some(Separator::Any), Some(edge)) = (self.names, self.separator, sample.lines.first()) {
            self.separator = Some(Separator::of(&sample.data[edge.clone()]));
        }
    }

    /// Returns true if an id of the sample is no number, unless it looks like a typo. Adds a warning if the ids of other
    /// lines are numbers.
    fn are_names(&mut self, sample: &Sample<'_>) -> bool {
        let separator = self.separator.unwrap_or(Separator::Any);
        let count = |line: &Range<usize>| self.layout.numbers_in(sample.data, line, separator);
        let counts: Vec<usize> = sample.lines.iter().map(count).collect();
        let is_typo = counts.len() > 1 && counts[0] == 1 && counts[1..].iter().all(|&count| count == 2);
        let Some(odd) = counts.iter().position(|&count| count < 2) else { return false };
        if is_typo {
            return false;
        }
        if let Some(even) = counts.iter().position(|&count| count == 2) {
            let is_first = odd == 0 && self.header.is_none() && counts[1..].iter().all(|&count| count == 2);
            let flag = if is_first { "; pass --header yes if this line names the columns" } else { "" };
            self.warnings.push(format!(
                "all ids are taken as names: {} has a name, {} has numbers{flag}",
                sample.show(&sample.lines[odd]),
                sample.show(&sample.lines[even]),
            ));
        }
        true
    }
}

impl Sample<'_> {
    /// Returns the number and the text of a line.
    fn show(&self, line: &Range<usize>) -> String {
        let number = lex::position(self.file, self.data, line.start).line.unwrap_or(1);
        format!("line {number} ({})", quote(self.data[line.clone()].trim_ascii()))
    }

    /// Returns true if all fields of all lines are numbers, whatever separates them.
    fn are_numbers(&self) -> bool {
        let fields = |line| fields_of(self.data, line, Separator::Any);
        self.lines.iter().all(|line| fields(line).iter().all(|field| layout::is_number(&field.text)))
    }

    /// Returns the first line with a number with a decimal comma, if another byte separates the fields.
    fn decimal_comma(&self, by: Separator) -> Option<&Range<usize>> {
        let has_comma = |line: &&Range<usize>| {
            fields_of(self.data, line, by).iter().any(|field| layout::is_with_comma(&field.text))
        };
        let can_have = matches!(by, Separator::Byte(b';' | b'\t' | b'|'));
        self.lines.iter().filter(|_| can_have).find(has_comma)
    }

    /// Fails if the first edge is written with an arrow, such as `1 -> 2`.
    fn refuse_arrows(&self) -> Result<()> {
        let Some(line) = self.lines.first() else { return Ok(()) };
        let text = String::from_utf8_lossy(&self.data[line.clone()]);
        let Some(arrow) = ["->", "=>", "--"].into_iter().find(|arrow| {
            let ids: Vec<&str> = text.split(arrow).map(str::trim).collect();
            // An arrow within quotes is a part of a name.
            let is_outside = ids[0].matches('"').count().is_multiple_of(2);
            ids.len() == 2
                && is_outside
                && ids.iter().all(|id| !id.is_empty() && !id.contains([' ', '\t', ',', ';', '|']))
        }) else {
            return Ok(());
        };
        let at = line.start + text.find(arrow).unwrap_or(0);
        Err(Error::Parse {
            at: lex::position(self.file, self.data, at),
            expected: "a blank, a tab or a comma between two ids".to_owned(),
            got: quote(arrow.as_bytes()),
            help: format!("remove the arrows first, e.g. with `sed 's/{arrow}/ /'`"),
        })
    }

    fn choose(&self, names: &[String], count: usize) -> Result<Chosen> {
        let chosen = columns::choose(names, count, &self.options.columns, self.options.no_weights);
        chosen.map_err(|unclear: Unclear| self.unclear(&unclear.problem(names, count), count))
    }

    fn too_many(&self, names: usize, found: usize) -> Error {
        self.unclear(&format!("the header names {names} columns, but the next line has {found}"), found)
    }

    /// Returns an error that shows the first two lines and the flag that says what the columns are.
    fn unclear(&self, problem: &str, count: usize) -> Error {
        let shown: Vec<String> = self.top.iter().map(|line| self.show(line)).collect();
        let weight = if count > 2 { ",weight=3" } else { "" };
        Error::format(
            Position::file(self.file),
            format!("{problem}: {}", shown.join(", ")),
            format!(
                "say which, by name or position, e.g. --columns src=1,dst=2{weight}; see also --header yes|no"
            ),
        )
    }
}
