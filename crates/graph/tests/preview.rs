//! What is said of a file before it is read, held against what reading it makes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::path::Path;
use warpgraph_graph::{
    Control, Format, Graph, Preview, ReadOptions, WeightType, format::write::WriteOptions, generate::Spec,
};

fn generate(spec: &str) -> Graph {
    spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

fn preview(path: &Path) -> Preview {
    Preview::of(path, &ReadOptions::default()).unwrap()
}

#[test]
fn formats_with_a_header_are_previewed_exactly() {
    let folder = tempfile::tempdir().unwrap();
    for spec in ["grid:30x20", "grid:30x20,w=1..9", "powerlaw:300", "powerlaw:300,w=1..9"] {
        let graph = generate(spec);
        let weighted = graph.out().weights.weight_type().is_some();
        for ending in ["wg", "mtx", if weighted { "wsg" } else { "sg" }] {
            let path = folder.path().join(format!("a.{ending}"));
            let options = WriteOptions { force: true, ..WriteOptions::default() };
            graph.write(&path, &options, &Control::new()).unwrap();
            let (said, read) = (preview(&path), Graph::open(&path).unwrap());
            assert!(said.exact, "{spec} {ending}");
            assert_eq!(
                (said.vertices, said.arcs),
                (read.vertices() as u64, read.arcs() as u64),
                "{spec} {ending}"
            );
            assert_eq!(said.directed, read.is_directed(), "{spec} {ending}");
            assert_eq!(said.weights, read.out().weights.weight_type(), "{spec} {ending}");
        }
    }
}

#[test]
fn text_headers_are_believed() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        preview(&path)
    };
    let metis = file("a.graph", "3 2 001\n2 5\n1 5 3 6\n2 6\n");
    assert_eq!(
        (metis.format, metis.vertices, metis.arcs, metis.weights),
        (Format::Metis, 3, 4, Some(WeightType::U32))
    );
    let pace = file("a.gr", "p tw 4 2\n1 2\n2 3\n");
    assert_eq!((pace.format, pace.vertices, pace.arcs, pace.directed), (Format::Dimacs, 4, 4, false));
    let snap = file("a.txt", "# Undirected graph: a.txt\n# Nodes: 9 Edges: 7\n1 2\n");
    assert_eq!((snap.vertices, snap.arcs, snap.directed, snap.exact), (9, 14, false, true));
    assert_eq!(snap.basis, "the comments at the top");
}

/// Takes the comments off, which tell the size.
fn without_comments(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    std::fs::write(path, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

#[test]
fn an_edge_list_is_guessed_within_a_tenth() {
    let folder = tempfile::tempdir().unwrap();
    for (spec, ending) in [("uniform:14,directed", "el"), ("powerlaw:40000,w=1..999", "wel")] {
        let graph = generate(spec);
        let path = folder.path().join(format!("a.{ending}"));
        graph.write(&path, &WriteOptions::default(), &Control::new()).unwrap();
        without_comments(&path);
        let (said, read) = (preview(&path), Graph::open(&path).unwrap());
        let near = |a: u64, b: usize| (a as f64 - b as f64).abs() <= 0.1 * b as f64;
        assert!(near(said.arcs, read.arcs()), "{spec}: {} arcs, not {}", said.arcs, read.arcs());
        assert!(near(said.vertices, read.vertices()), "{spec}: {} vertices", said.vertices);
        assert_eq!((said.weights, said.exact), (read.out().weights.weight_type(), false), "{spec}");
    }
}

#[test]
fn what_cannot_be_looked_at_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &Path| Preview::of(path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(message(Path::new("-")).contains("from a pipe"));
    let path = folder.path().join("a.gr");
    std::fs::write(&path, "a 0 1 5\n").unwrap();
    assert!(message(&path).contains("cannot be told without reading it"), "{}", message(&path));
    let empty = tempfile::tempdir().unwrap();
    assert!(message(empty.path()).contains("the folder has no files"), "{}", message(empty.path()));
}

#[test]
fn strange_files_are_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.el");
    for text in ["", "\n\n\n", "# only a comment", "1", "1 2", "99999999999999999999 1\n", "a b\nb c\n"] {
        std::fs::write(&path, text).unwrap();
        let said = preview(&path);
        assert!(said.arcs <= 4, "{text:?}: {said:?}");
    }
    let most = u64::MAX;
    std::fs::write(&path, format!("# Undirected graph\n# Nodes: {most} Edges: {most}\n1 2\n")).unwrap();
    let said = preview(&path);
    assert!(said.vertices < 1 << 32 && said.arcs <= 1 << 50, "{said:?}");
}
