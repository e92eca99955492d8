//! Slices: what is written opens as the same part, whole graphs and slices are told apart, and damage is an error.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use proptest::prelude::*;
use std::{path::Path, sync::Arc};
use tempfile::TempDir;
use warpgraph_graph::{Control, Graph, NodeMap, generate::Spec, hash};
use warpgraph_parts::{Cut, Exchange, Part, PartAnswer, Question, run, together};

fn graphs() -> Vec<(String, Graph)> {
    let specs = ["kron:8,w=1..255", "uniform:7,directed,w=-5..9", "powerlaw:300,alpha=2.1", "grid:9x11"];
    let mut graphs: Vec<_> = specs.map(|spec| (spec.to_owned(), generated(spec))).into();
    let text = |name: &str, text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        (name.to_owned(), Graph::open(&path).unwrap())
    };
    graphs.push(text("names.el", "ant bee\nbee cat\ncat dog\ndog ant\nelk fox\nfox gnu\ncat elk\n"));
    graphs.push(text("gaps.el", "7 90\n90 1000\n1000 12345678901\n5 7\n3 5\n"));
    graphs
}

fn generated(spec: &str) -> Graph {
    spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

/// The parts of a graph, in the order of its ids or shuffled.
fn parts(graph: &Graph, count: usize, shuffled: bool) -> Vec<Part> {
    if !shuffled {
        let cut = Cut::even(&graph.out().csr, count).unwrap();
        return (0..count).map(|number| Part::of(graph, &cut, number).unwrap()).collect();
    }
    let mut order: Vec<u32> = (0..graph.vertices() as u32).collect();
    order.sort_by_key(|&v| hash::mix(3, v.into()));
    let map = NodeMap::of_order(order).unwrap();
    let inner = graph.renumbered(&map, &Control::new()).unwrap();
    let cut = Cut::even(&inner.out().csr, count).unwrap();
    (0..count).map(|number| Part::of_renumbered(graph, &inner, &map, &cut, number).unwrap()).collect()
}

fn slices(parts: &[Part], folder: &TempDir) -> Vec<Part> {
    let reopened = |part: &Part| {
        let path = folder.path().join(format!("part-{}.wg", part.number()));
        part.write(&path, "a graph", true, &Control::new()).unwrap();
        Part::open(&path, &Control::new()).unwrap()
    };
    parts.iter().map(reopened).collect()
}

fn answers(parts: &[Part], algorithm: &str) -> Vec<PartAnswer> {
    let question = Question { algorithm: algorithm.to_owned(), ..Question::default() };
    let ends = together(parts.len(), 1, |mut member| {
        let part = Arc::new(parts[member.part()].clone());
        run(&question, &part, &mut member, &Control::new())
    });
    ends.unwrap().into_iter().map(|answer| answer.unwrap()).collect()
}

/// The rows of a table as text, with original ids.
fn rows(answer: &PartAnswer) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    answer.table().save(&path, true, &Control::new()).unwrap();
    std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn runs_on_slices_answer_as_on_parts_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (name, graph) in graphs() {
        for (count, shuffled) in [(1, false), (3, false), (4, true), (12, false)] {
            let parts = parts(&graph, count, shuffled);
            let slices = slices(&parts, &folder);
            for algorithm in ["wcc", "pagerank", "sssp"] {
                if algorithm == "sssp" && name.contains("-5") {
                    continue;
                }
                let (memory, mapped) = (answers(&parts, algorithm), answers(&slices, algorithm));
                for (a, b) in memory.iter().zip(&mapped) {
                    assert_eq!(a.summary, b.summary, "{name}, {count} parts, {algorithm}");
                    assert_eq!(rows(a), rows(b), "{name}, {count} parts, {algorithm}");
                }
            }
        }
    }
}

#[test]
fn a_generated_part_has_the_rows_of_the_whole() {
    let specs = ["kron:9,w=1..255", "uniform:8,directed", "powerlaw:500,alpha=2.1", "community:8,size=20"];
    for text in specs.into_iter().chain(["grid:20x11,shuffle"]) {
        let (spec, graph): (Spec, _) = (text.parse().unwrap(), generated(text));
        for count in [1, 3, 7] {
            let cut = Cut::of_spec(&spec, count, &Control::new()).unwrap();
            assert_eq!((cut.parts(), cut.vertices()), (count, graph.vertices()));
            let arcs = |number| Part::of(&graph, &cut, number).unwrap().out().arcs();
            let most = (0..count).map(arcs).max().unwrap();
            assert!(most <= 3 * graph.arcs().div_ceil(count) + 200, "{text}: {most} of {}", graph.arcs());
            for number in 0..count {
                let whole = Part::of(&graph, &cut, number).unwrap().compacted().unwrap();
                let alone = Part::generate(&spec, &cut, number, &Control::new()).unwrap();
                let ways = [(Some(whole.out()), Some(alone.out())), (whole.incoming(), alone.incoming())];
                for (a, b) in ways.map(|(a, b)| (a.unwrap(), b.unwrap())) {
                    assert_eq!(a.targets(), b.targets(), "{text}, part {number} of {count}");
                    assert!((0..a.vertices()).all(|v| a.arcs_of(v) == b.arcs_of(v)));
                    assert!((0..a.arcs()).all(|arc| a.weight(arc) == b.weight(arc)));
                }
                assert!((0..whole.places()).all(|at| whole.number_at(at) == alone.number_at(at)));
            }
        }
    }
}

#[test]
fn a_slice_is_no_graph_and_a_graph_is_no_slice() {
    let folder = tempfile::tempdir().unwrap();
    let graph = generated("kron:6");
    slices(&parts(&graph, 2, false), &folder);
    let error = Graph::open(folder.path().join("part-1.wg")).unwrap_err().to_string();
    assert!(error.contains("holds part 1 of 2 of the graph \"a graph\", not a whole graph"), "{error}");
    let whole = folder.path().join("whole.wg");
    graph.write(&whole, &Default::default(), &Control::new()).unwrap();
    let error = Part::open(&whole, &Control::new()).unwrap_err().to_string();
    assert!(error.contains("holds a whole graph, not a part of one"), "{error}");
    assert!(Part::open(folder.path().join("none.wg"), &Control::new()).is_err());
}

/// The bytes of a slice of a graph with everything: directed, weighted, named, shuffled.
fn sample() -> &'static [u8] {
    static BYTES: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("a.wel");
        let edges = "ant bee 2\nbee cat 3\ncat dog 1\ndog ant 9\nelk fox 4\nfox ant 2\n";
        std::fs::write(&text, edges).unwrap();
        slices(&parts(&Graph::open(&text).unwrap(), 2, true), &folder);
        std::fs::read(folder.path().join("part-0.wg")).unwrap()
    })
}

fn open(bytes: &[u8]) -> warpgraph_parts::Result<Part> {
    let folder = tempfile::tempdir().unwrap();
    let path: &Path = &folder.path().join("part.wg");
    std::fs::write(path, bytes).unwrap();
    Part::open(path, &Control::new())
}

#[test]
fn the_sample_opens() {
    assert!(open(sample()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_slice_with_a_changed_byte_is_refused(at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let mut bytes = sample().to_vec();
        let at = at.index(bytes.len());
        let is_changed = bytes[at] != to;
        bytes[at] = to;
        // Bytes between sections belong to none.
        let is_padding = sample()[at] == 0;
        prop_assert!(open(&bytes).is_err() || !is_changed || is_padding);
    }

    #[test]
    fn a_slice_that_is_cut_short_is_refused(at in any::<prop::sample::Index>()) {
        let bytes = sample();
        prop_assert!(open(&bytes[..at.index(bytes.len())]).is_err());
    }
}
