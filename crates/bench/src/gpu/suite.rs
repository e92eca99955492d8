//! The graphs of the table, smaller ones of their kinds, and how graphs are asked for.

use super::Question;
use warpgraph::{Error, Graph, Result, graph::generate::Spec};

/// The most bits by which graphs are made smaller: 2^4 vertices are left of the smallest.
pub const MOST_DOWN: u32 = 18;
/// How far the arcs of a graph may be from those of the peers': one of another seed is as good.
const ARCS_APART: f64 = 0.02;

/// A graph of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    kind: Kind,
    /// The largest weight; the least is 1.
    weights: u32,
    /// Arcs of the graph that the peers were measured on.
    pub arcs: u64,
    /// What is asked of it.
    pub algorithms: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Of 2^n vertices.
    Kron(u32),
    /// Of 2^n vertices.
    Uniform(u32),
    /// Of 2^n by 2^n vertices, a tenth of its edges dropped.
    Grid(u32),
}

const ALL_OF_KRON: [&str; 8] = ["bfs", "sssp", "pagerank", "wcc", "bc", "triangles", "kcore", "mst"];
const FIVE: [&str; 5] = ["bfs", "sssp", "pagerank", "wcc", "bc"];
const OF_GRIDS: [&str; 6] = ["bfs", "sssp", "pagerank", "wcc", "bc", "mst"];

/// All of them.
pub const ROWS: [Row; 4] = [
    Row { kind: Kind::Kron(22), weights: 255, arcs: 128_308_736, algorithms: &ALL_OF_KRON },
    Row { kind: Kind::Kron(24), weights: 255, arcs: 520_763_626, algorithms: &FIVE },
    Row { kind: Kind::Uniform(22), weights: 255, arcs: 134_217_176, algorithms: &FIVE },
    Row { kind: Kind::Grid(12), weights: 1000, arcs: 60_384_432, algorithms: &OF_GRIDS },
];

impl Row {
    /// Its short name, with 2^down times fewer vertices.
    pub fn name(&self, down: u32) -> String {
        match self.kind {
            Kind::Kron(scale) => format!("kron:{}", scale - down),
            Kind::Uniform(scale) => format!("uniform:{}", scale - down),
            Kind::Grid(scale) => {
                let (wide, high) = (scale - down / 2, scale - down.div_ceil(2));
                format!("grid:{}x{}", 1_u64 << wide, 1_u64 << high)
            }
        }
    }

    /// What a generator is given, with 2^down times fewer vertices.
    pub fn spec(&self, down: u32) -> String {
        let drop = if matches!(self.kind, Kind::Grid(_)) { ",drop=0.1" } else { "" };
        format!("{}{drop},w=1..{}", self.name(down), self.weights)
    }

    /// Vertices of the whole graph.
    pub fn vertices(&self) -> u64 {
        match self.kind {
            Kind::Kron(scale) | Kind::Uniform(scale) => 1 << scale,
            Kind::Grid(scale) => 1 << (2 * scale),
        }
    }

    /// Has the graph the size of the one that the peers were measured on?
    pub fn fits(&self, graph: &Graph) -> bool {
        let apart = (graph.arcs() as f64 - self.arcs as f64).abs();
        graph.vertices() as u64 == self.vertices() && apart <= ARCS_APART * self.arcs as f64
    }
}

/// A graph that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What it is called in the table.
    pub name: String,
    /// A generator's text, or a file.
    pub source: String,
    /// The row of the table that it is, if it is one in full size.
    pub row: Option<&'static Row>,
    /// What is asked of it.
    pub questions: Vec<Question>,
}

/// The graphs to measure: those of the texts, or all of the table; each with those of the algorithms that the table has for
/// it, and all of them for a graph that is not in the table.
///
/// A text is `kron:22,uniform:22`, names of the table; `kron:22=k22.wg`, a file to read instead; or any generator, such as
/// `kron:20,w=1..9`. What has no colon before a `=` belongs to the graph before it.
///
/// # Errors
/// When a graph cannot be made smaller, or nothing is left to measure.
pub fn asked(texts: &[String], questions: &[Question], down: u32) -> Result<Vec<Asked>> {
    let wanted = |names: &[&str]| -> Vec<Question> {
        let all = Question::ALL.into_iter().filter(|question| names.contains(&question.name()));
        all.filter(|question| questions.is_empty() || questions.contains(question)).collect()
    };
    let of_row = |row: &'static Row, source: String| Asked {
        name: row.name(down),
        source,
        row: (down == 0).then_some(row),
        questions: wanted(row.algorithms),
    };
    let one = |text: &String| -> Result<Asked> {
        let (name, file) = split(text);
        match (ROWS.iter().find(|row| row.is_called(name)), file) {
            (Some(row), None) => Ok(of_row(row, row.spec(down))),
            (Some(row), Some(file)) if down == 0 => Ok(of_row(row, file.to_owned())),
            (_, file) if down == 0 => {
                let (name, source) = (name.to_owned(), file.unwrap_or(name).to_owned());
                Ok(Asked { name, source, row: None, questions: wanted(&ALL_OF_KRON) })
            }
            _ => Err(cannot_shrink(text)),
        }
    };
    let all: Vec<Asked> = match texts.is_empty() {
        true => ROWS.iter().map(|row| of_row(row, row.spec(down))).collect(),
        false => texts.iter().flat_map(|text| parts(text)).map(|part| one(&part)).collect::<Result<_>>()?,
    };
    match all.iter().all(|asked| asked.questions.is_empty()) {
        true => Err(nothing()),
        false => Ok(all.into_iter().filter(|asked| !asked.questions.is_empty()).collect()),
    }
}

impl Row {
    fn is_called(&self, text: &str) -> bool {
        let spec = |text: &str| text.parse::<Spec>().ok();
        text == self.name(0) || spec(text).is_some_and(|asked| Some(asked) == spec(&self.spec(0)))
    }
}

/// A text at its commas, keys left with their generators.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for piece in text.split(',') {
        let starts = piece.split('=').next().is_some_and(|name| name.contains(':'));
        match parts.last_mut() {
            Some(last) if !starts && split(last).1.is_none() => *last += &format!(",{piece}"),
            _ => parts.push(piece.to_owned()),
        }
    }
    parts
}

/// A name and the file that is meant by it: `kron:22=k22.wg`. Of a generator's text `=` are in its keys, after a comma.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.split_once('=') {
        Some((name, file)) if !name.contains(',') => (name, Some(file)),
        _ => (text, None),
    }
}

fn cannot_shrink(text: &str) -> Error {
    let names: Vec<String> = ROWS.iter().map(|row| row.name(0)).collect();
    Error::Refused {
        what: format!("--scale-down makes graphs of the table smaller, and {text:?} is none of them"),
        help: format!("name one of {}, or leave --scale-down out", names.join(", ")),
    }
}

fn nothing() -> Error {
    Error::Refused {
        what: "there is nothing to measure: the table has none of these algorithms for these graphs".to_owned(),
        help: "triangles and kcore are asked of kron:22, mst of kron:22 and the grid; leave --algorithms or --graphs \
               out for all"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str], down: u32) -> Vec<(String, String, bool)> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let all = asked(&texts, &[], down).unwrap();
        all.into_iter().map(|asked| (asked.name, asked.source, asked.row.is_some())).collect()
    }

    fn of(name: &str, source: &str, is_row: bool) -> (String, String, bool) {
        (name.to_owned(), source.to_owned(), is_row)
    }

    #[test]
    fn every_graph_of_every_size_is_one_that_generators_take() {
        for row in ROWS {
            for down in 0..=MOST_DOWN {
                let spec: Spec = row.spec(down).parse().unwrap();
                assert_eq!(spec.estimate().vertices, row.vertices() >> down, "{}", row.spec(down));
            }
        }
        assert_eq!(ROWS[3].spec(0), "grid:4096x4096,drop=0.1,w=1..1000");
        assert_eq!(ROWS[3].spec(15), "grid:32x16,drop=0.1,w=1..1000");
    }

    #[test]
    fn graphs_are_asked_for_by_name_by_file_and_by_generator() {
        let k22 = of("kron:22", "kron:22,w=1..255", true);
        assert_eq!(names(&[], 0)[0], k22);
        assert_eq!(names(&["kron:22,uniform:22=u.wg"], 0), [k22.clone(), of("uniform:22", "u.wg", true)]);
        assert_eq!(names(&["kron:22,w=1..255"], 0), std::slice::from_ref(&k22));
        let other = of("kron:9,degree=4,w=1..9", "kron:9,degree=4,w=1..9", false);
        assert_eq!(names(&["kron:9,degree=4,w=1..9,kron:22"], 0), [other, k22]);
        assert_eq!(
            names(&["kron:24=a.wg,road=b.gr", "c.wg"], 0),
            [of("kron:24", "a.wg", true), of("road", "b.gr", false), of("c.wg", "c.wg", false)]
        );
        assert_eq!(names(&["uniform:22"], 14), [of("uniform:8", "uniform:8,w=1..255", false)]);
    }

    #[test]
    fn what_cannot_be_asked_says_why() {
        let refused = |texts: &[&str], questions: &[Question], down| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            asked(&texts, questions, down).unwrap_err().to_string()
        };
        assert!(refused(&["kron:20"], &[], 3).contains("\"kron:20\" is none of them"));
        assert!(refused(&["kron:22=k.wg"], &[], 3).contains("\"kron:22=k.wg\" is none of them"));
        assert!(refused(&["uniform:22"], &[Question::Mst], 0).starts_with("there is nothing to measure"));
        let some = asked(&[], &[Question::Mst], 0).unwrap();
        assert_eq!(some.len(), 2);
    }
}
