use super::*;
use crate::{
    format::{IdKind, write::WriteOptions},
    hash,
    weights::WeightType,
};
use std::fmt::Write as _;

/// Returns `count` edges as text. Ends repeat, so that there are parallel edges and self-loops.
fn text(count: u64, weight: impl Fn(u64) -> String, id: impl Fn(u64) -> u64) -> String {
    let mut text = String::from("# a comment\n");
    for k in 0..count {
        let [u, v] = [0, 1].map(|end| id(hash::mix(end, k) % 97));
        writeln!(text, "{u} {v} {}", weight(k)).unwrap();
    }
    text
}

fn options(directed: bool) -> ReadOptions {
    ReadOptions { directed: Some(directed), ..ReadOptions::default() }
}

/// Asserts that the rows of each part are those of the whole.
fn check(whole: &Graph, streamed: Streamed, starts: &[Vertex]) {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(streamed.vertices(), whole.vertices());
    let control = Control::new();
    // A part alone takes a pass over the whole, so not for all of many parts.
    let ranges = starts.windows(2).map(|pair| pair[0]..pair[1]).take(5);
    let alone: Vec<Graph> = ranges.map(|range| streamed.part(range, &control).unwrap()).collect();
    let spilled = streamed.spill(folder.path(), starts, &control).unwrap();
    let of_files = (0..starts.len() - 1).map(|part| spilled.part(part, &control).unwrap());
    for (part, graph) in of_files.enumerate().chain(alone.into_iter().enumerate()) {
        assert_eq!((graph.vertices(), graph.is_directed()), (whole.vertices(), whole.is_directed()));
        assert!((0..whole.vertices() as u32).all(|v| graph.ids().id(v) == whole.ids().id(v)));
        assert_eq!(graph.out().weights.weight_type(), whole.out().weights.weight_type());
        for v in starts[part]..starts[part + 1] {
            let rows = |graph: &Graph| {
                [graph.out(), graph.incoming().unwrap()].map(|arcs| {
                    let weights = arcs.csr.arcs_of(v).map(|arc| weight(&arcs.weights, arc).to_bits());
                    (arcs.csr.neighbors(v).to_vec(), weights.collect::<Vec<_>>())
                })
            };
            assert_eq!(rows(&graph), rows(whole), "vertex {v} of part {part}");
        }
    }
    assert!(spilled.part(starts.len() - 1, &control).is_err(), "there is no such part");
    drop(spilled);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file stays");
}

/// Returns more parts than there are temporary files: some are empty, and others share a file.
fn many(n: Vertex) -> Vec<Vertex> {
    (0..=300).map(|part| part * n / 300).collect()
}

/// Writes a text, and checks its parts in several cuts.
fn check_text(text: &str, options: &ReadOptions) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.el");
    std::fs::write(&path, text).unwrap();
    let whole = Graph::open_with(&path, options, &Control::new()).unwrap();
    let n = whole.vertices() as Vertex;
    for starts in [vec![0, n], vec![0, n / 3, n / 3, n / 2, n], vec![0, 0, 1.min(n), n, n]] {
        let streamed = Streamed::open(&path, options, &Control::new()).unwrap().unwrap();
        check(&whole, streamed, &starts);
    }
    whole
}

#[test]
fn parts_of_a_text_have_the_rows_of_the_whole() {
    let unweighted = text(3000, |_| String::new(), |v| v);
    let cases: [(String, Option<WeightType>); 5] = [
        (unweighted, None),
        (text(3000, |k| (k % 50).to_string(), |v| v + 5), Some(WeightType::U32)),
        (text(3000, |k| (k as i64 % 50 - 20).to_string(), |v| 7 * v), Some(WeightType::I32)),
        (text(3000, |k| format!("{}", k as f64 / 8.0), |v| v), Some(WeightType::F64)),
        (
            text(3000, |k| if k == 7 { "-1".into() } else { (4_000_000_000 + k).to_string() }, |v| v),
            Some(WeightType::F64),
        ),
    ];
    for (text, kind) in cases {
        for directed in [false, true] {
            let whole = check_text(&text, &options(directed));
            assert_eq!(whole.out().weights.weight_type(), kind);
        }
    }
}

#[test]
fn more_parts_than_files_share_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.el");
    std::fs::write(&path, text(1000, |k| (k % 9).to_string(), |v| v)).unwrap();
    for directed in [false, true] {
        let whole = Graph::open_with(&path, &options(directed), &Control::new()).unwrap();
        let streamed = Streamed::open(&path, &options(directed), &Control::new()).unwrap().unwrap();
        check(&whole, streamed, &many(whole.vertices() as Vertex));
    }
}

#[test]
fn options_are_followed_as_for_the_whole() {
    let text = self::text(2000, |k| (k % 9).to_string(), |v| v);
    for parallel in [Parallel::Keep, Parallel::First, Parallel::Min, Parallel::Sum] {
        for loops in [Loops::Keep, Loops::Drop] {
            check_text(&text, &ReadOptions { parallel, loops, ..options(true) });
            check_text(&text, &ReadOptions { parallel, loops, ..options(false) });
        }
    }
    check_text(&text, &ReadOptions { vertices: Some(200), ..options(false) });
    check_text(&text, &ReadOptions { no_weights: true, ..options(true) });
    let decimals = self::text(500, |k| format!("{}", k as f64 / 8.0), |v| v);
    check_text(&decimals, &ReadOptions { narrow_weights: true, ..options(true) });
    check_text("# no edges\n", &options(true));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.el");
    std::fs::write(&path, "0 1 0.5\n1 2 1e300\n").unwrap();
    let narrow = ReadOptions { narrow_weights: true, ..options(true) };
    let streamed = Streamed::open(&path, &narrow, &Control::new()).unwrap().unwrap();
    assert!(streamed.part(0..1, &Control::new()).is_ok());
    let error = streamed.part(1..3, &Control::new()).unwrap_err().to_string();
    assert!(error.contains("does not fit f32"), "{error}");
}

#[test]
fn listed_arcs_are_counted_per_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.el");
    std::fs::write(&path, "1 2\n2 1\n3 3\n1 3\n").unwrap();
    let before = |directed| {
        let streamed = Streamed::open(&path, &options(directed), &Control::new()).unwrap().unwrap();
        (0..=streamed.vertices()).map(|v| streamed.arcs_before(v)).collect::<Vec<_>>()
    };
    assert_eq!(before(true), [0, 2, 3, 4]);
    assert_eq!(before(false), [0, 3, 5, 7]);
}

#[test]
fn parts_of_a_mapped_directed_graph_have_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    for weighted in [false, true] {
        let source = folder.path().join("graph.el");
        let weight = |k: u64| if weighted { (k % 50).to_string() } else { String::new() };
        std::fs::write(&source, text(3000, weight, |v| 3 * v)).unwrap();
        let read = ReadOptions { parallel: Parallel::Keep, ..options(true) };
        let graph = Graph::open_with(&source, &read, &Control::new()).unwrap();
        assert!(Streamed::of_mapped(&graph).is_none(), "it is in memory");
        let path = folder.path().join("graph.wg");
        graph
            .write(&path, &WriteOptions { force: true, ..WriteOptions::default() }, &Control::new())
            .unwrap();
        let mapped = Graph::open(&path).unwrap();
        let n = mapped.vertices() as Vertex;
        for starts in [vec![0, n], vec![0, n / 4, n / 2, n / 2, n], many(n)] {
            check(&mapped, Streamed::of_mapped(&mapped).unwrap(), &starts);
        }
    }
}

#[test]
fn what_cannot_be_read_in_passes_is_left_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, text: &str, options: &ReadOptions| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Streamed::open(&path, options, &Control::new()).map(|found| found.is_some())
    };
    let any = ReadOptions::default();
    assert!(open("a.el", "0 1\n", &any).unwrap());
    assert!(!open("names.el", "a b\nb c\n", &any).unwrap());
    assert!(!open("far.el", "1 99999999999\n", &any).unwrap());
    assert!(!open("road.gr", "p sp 2 1\na 1 2 3\n", &any).unwrap());
    let numbers = ReadOptions { ids: IdKind::Numbers, ..any.clone() };
    assert!(open("bad.el", "0 1\n2 x\n", &numbers).is_err());
    let path = folder.path().join("a.el");
    let streamed = || Streamed::open(&path, &any, &Control::new()).unwrap().unwrap();
    for starts in [vec![], vec![0], vec![1, 2], vec![0, 1], vec![0, 2, 1, 2]] {
        assert!(streamed().spill(folder.path(), &starts, &Control::new()).is_err(), "{starts:?}");
    }
    let missing = folder.path().join("none");
    assert!(streamed().spill(&missing, &[0, 2], &Control::new()).unwrap_err().to_string().contains("none"));
    let cancelled = Control::new();
    cancelled.cancel();
    assert!(streamed().spill(folder.path(), &[0, 2], &cancelled).is_err());
    assert!(
        std::fs::read_dir(folder.path())
            .unwrap()
            .all(|file| { !file.unwrap().file_name().to_string_lossy().contains("spill") })
    );
}
