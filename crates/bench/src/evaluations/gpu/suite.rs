//! The graphs of the table, smaller ones of their kinds, and how graphs are asked for.

use super::peers::FIGURES;
use crate::{
    GraphReport,
    evaluation::{Asked, refused},
};
use warpgraph::{Error, Result, graph::generate::Spec};

/// The most bits by which graphs are made smaller: 2^4 vertices are left of the smallest.
pub(super) const MOST_DOWN: u32 = 18;
/// How far the arcs of a graph may be from those of the peers': one of another seed is as good.
const ARCS_APART: f64 = 0.02;

/// A graph of the table: what generates it, of 2^scale vertices.
#[derive(Debug)]
pub(crate) struct Row {
    kind: &'static str,
    scale: u32,
    /// The largest weight; the least is 1.
    weights: u32,
    /// Arcs of the graph that the peers were measured on.
    pub(super) arcs: u64,
}

/// The algorithms of the table, in its order.
pub(super) const ALGORITHMS: [&str; 8] =
    ["bfs", "sssp", "pagerank", "wcc", "bc", "triangles", "kcore", "mst"];

/// All graphs of the table.
pub(super) const ROWS: [Row; 4] = [
    Row { kind: "kron", scale: 22, weights: 255, arcs: 128_308_736 },
    Row { kind: "kron", scale: 24, weights: 255, arcs: 520_763_626 },
    Row { kind: "uniform", scale: 22, weights: 255, arcs: 134_217_176 },
    Row { kind: "grid", scale: 24, weights: 1000, arcs: 60_384_432 },
];

/// Returns the graph of the table that is called so, in full size.
pub(crate) fn row(name: &str) -> Option<&'static Row> {
    let spec = |text: &str| text.parse::<Spec>().ok();
    let is_it =
        |row: &&Row| name == row.name(0) || spec(name).is_some_and(|it| Some(it) == spec(&row.spec(0)));
    ROWS.iter().find(is_it)
}

impl Row {
    /// Returns its short name, with 2^down times fewer vertices.
    pub(crate) fn name(&self, down: u32) -> String {
        let (kind, scale) = (self.kind, self.scale - down);
        match kind {
            "grid" => format!("grid:{}x{}", 1_u64 << scale.div_ceil(2), 1_u64 << (scale / 2)),
            _ => format!("{kind}:{scale}"),
        }
    }

    /// Returns what a generator is given, with 2^down times fewer vertices. Of a grid a tenth of the edges is dropped.
    fn spec(&self, down: u32) -> String {
        let drop = if self.kind == "grid" { ",drop=0.1" } else { "" };
        format!("{}{drop},w=1..{}", self.name(down), self.weights)
    }

    /// Returns the vertices of the whole graph.
    pub(super) fn vertices(&self) -> u64 {
        1 << self.scale
    }

    /// Returns true if a graph has the size of the one that the peers were measured on.
    pub(crate) fn fits(&self, graph: &GraphReport) -> bool {
        let apart = (graph.arcs as f64 - self.arcs as f64).abs();
        graph.vertices == self.vertices() && apart <= ARCS_APART * self.arcs as f64
    }
}

/// Returns what is asked of a graph: what peers were asked of it, or of one outside the table everything.
pub(super) fn algorithms(name: &str, down: u32) -> Vec<&'static str> {
    let Some(row) = ROWS.iter().find(|row| row.name(down) == name) else { return ALGORITHMS.to_vec() };
    let of_row = FIGURES.iter().filter(|figure| figure.graph == row.name(0));
    of_row.map(|figure| figure.algorithm).collect()
}

/// Returns the graphs of some texts, or all of the table.
///
/// A text is `kron:22,uniform:22`, names of the table; `kron:22=k22.wg`, a file to read instead; or any generator, such as
/// `kron:20,w=1..9`. What has no colon before a `=` belongs to the graph before it.
///
/// # Errors
/// When a graph cannot be made smaller.
pub(super) fn asked(texts: &[String], down: u32) -> Result<Vec<Asked>> {
    let of = |name: String, source: String| Asked { name, source, planted: None };
    let whole = |row: &Row| of(row.name(down), row.spec(down));
    let one = |text: &String| -> Result<Asked> {
        let (name, file) = split(text);
        match (row(name), file) {
            (Some(row), None) => Ok(whole(row)),
            (Some(row), Some(file)) if down == 0 => Ok(of(row.name(0), file.to_owned())),
            (None, file) if down == 0 => Ok(of(name.to_owned(), file.unwrap_or(name).to_owned())),
            _ => Err(cannot_shrink(text)),
        }
    };
    match texts.is_empty() {
        true => Ok(ROWS.iter().map(whole).collect()),
        false => texts.iter().flat_map(|text| parts(text)).map(|part| one(&part)).collect(),
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

/// A name and the file that is meant by it: `kron:22=k22.wg`. In a generator's text `=` is in its keys, after a comma.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.split_once('=') {
        Some((name, file)) if !name.contains(',') => (name, Some(file)),
        _ => (text, None),
    }
}

fn cannot_shrink(text: &str) -> Error {
    let names: Vec<String> = ROWS.iter().map(|row| row.name(0)).collect();
    refused(
        format!("--scale-down makes graphs of the table smaller, and {text:?} is none of them"),
        format!("name one of {}, or leave --scale-down out", names.join(", ")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_take_every_graph_of_every_size() {
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
        let k22 = ("kron:22", "kron:22,w=1..255");
        let other = "kron:9,degree=4,w=1..9";
        for (texts, down, expected) in [
            ("kron:22,uniform:22=u.wg", 0, vec![k22, ("uniform:22", "u.wg")]),
            ("kron:22,w=1..255", 0, vec![k22]),
            ("kron:9,degree=4,w=1..9,kron:22", 0, vec![(other, other), k22]),
            ("kron:24=a.wg,road=b.gr c.wg", 0, vec![("kron:24", "a.wg"), ("road", "b.gr"), ("c.wg", "c.wg")]),
            ("uniform:22", 14, vec![("uniform:8", "uniform:8,w=1..255")]),
        ] {
            let texts: Vec<String> = texts.split(' ').map(str::to_owned).collect();
            let all = asked(&texts, down).unwrap();
            let names: Vec<_> = all.iter().map(|one| (one.name.as_str(), one.source.as_str())).collect();
            assert_eq!(names, expected, "{texts:?}");
        }
        let all = asked(&[], 0).unwrap();
        assert_eq!((all[0].name.as_str(), all[0].source.as_str()), k22);
        for text in ["kron:20", "kron:22=k.wg"] {
            let error = asked(&[text.to_owned()], 3).unwrap_err().to_string();
            assert!(error.contains(&format!("{text:?} is none of them")), "{error}");
        }
    }
}
