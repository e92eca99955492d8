use super::{arcs, fails, read, read_with};
use warpgraph_graph::{ReadOptions, VertexId, WeightType};

#[test]
fn shortest_path_files_are_directed_and_numbered_from_1() {
    let graph = read("a.gr", "c road\nc\n\np sp 3 2\nc arcs\na 1 2 70\r\na 3 1 0\n");
    assert_eq!(arcs(&graph), [(0, 1, 70.0), (2, 0, 0.0)]);
    assert!(graph.is_directed());
    assert_eq!(graph.ids().id(0), VertexId::Number(1));
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::U32));
    assert_eq!(graph.origin().direction_because, "`p sp` files list arcs");
}

#[test]
fn decimal_weights_make_all_weights_decimal() {
    let graph = read("a.gr", "p sp 2 2\na 1 2 7\na 2 1 0.5\n");
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F64));
    assert_eq!(arcs(&graph), [(0, 1, 7.0), (1, 0, 0.5)]);
}

#[test]
fn pace_files_are_undirected_pairs() {
    let graph = read("a.gr", "c x\np tw 3 2\n1 2\n3 2\n");
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 1.0), (2, 1, 1.0)]);
    assert!(!graph.is_directed());
    assert_eq!(graph.out().weights.weight_type(), None);
}

#[test]
fn colouring_files_are_undirected_and_may_list_both_ends() {
    for kind in ["edge", "col"] {
        let once = read("a.col", format!("p {kind} 3 2\ne 1 2\ne 2 3\n"));
        let twice = read("a.col", format!("p {kind} 3 2\ne 1 2\ne 2 3\ne 2 1\ne 3 2\n"));
        assert_eq!(arcs(&once), arcs(&twice));
        assert_eq!((once.edges(), once.is_directed()), (2, false));
        assert_eq!(twice.origin().merged, 2);
    }
}

#[test]
fn files_without_a_problem_line_count_from_0() {
    let graph = read("bremen.gr", "c from OpenStreetMap\na 0 3 172\na 3 0 5\n");
    assert_eq!((graph.vertices(), arcs(&graph)), (4, vec![(0, 3, 172.0), (3, 0, 5.0)]));
    assert!(graph.is_directed());
    assert_eq!(graph.ids().id(0), VertexId::Number(0));
    let options = ReadOptions { vertices: Some(9), ..Default::default() };
    assert_eq!(read_with("bremen.gr", "a 0 3 172\n", &options).unwrap().vertices(), 9);
}

#[test]
fn base_and_direction_can_be_overridden() {
    let options =
        ReadOptions { base: Some(0), directed: Some(false), no_weights: true, ..Default::default() };
    let graph = read_with("a.gr", "p sp 2 1\na 0 1 70\n", &options).unwrap();
    assert_eq!((arcs(&graph), graph.is_directed()), (vec![(0, 1, 1.0), (1, 0, 1.0)], false));
    let options = ReadOptions { base: Some(1), ..Default::default() };
    assert_eq!(read_with("a.gr", "a 1 2 70\n", &options).unwrap().vertices(), 2);
}

#[test]
fn malformed_files_are_answered_with_position_and_help() {
    const HEAD: &str = "help: the first line is `p sp n m` (arcs `a u v w`), `p tw n m` (pairs `u v`) or `p edge n m` (`e u v`)";
    let cases = [
        ("", "a.gr:1:1: expected a problem line `p sp n m`, got the end of the file", HEAD),
        ("1 2 3\n", "a.gr:1:1: expected a problem line `p sp n m`, got \"1\"", HEAD),
        ("p max 3 2\n", "a.gr:1:3: expected sp, tw, edge or col, got \"max\"", HEAD),
        ("p sp x 2\n", "a.gr:1:6: expected the number of vertices, got \"x\"", HEAD),
        ("p sp 3\n", "a.gr:1:7: expected the number of arcs, got the end of the line", HEAD),
        ("p tw 3 -2\n", "a.gr:1:8: expected the number of edges, got \"-2\"", HEAD),
        ("p sp 3 2 1\n", "a.gr:1:10: expected the end of the line, got \"1\"", HEAD),
        (
            "c\np sp 3 2\na 1 2 3\n",
            "a.gr:2: the header promises 2 arcs, the rest of the file has room for 1 at most",
            "help: the file is cut short or its header is wrong; fetch or make it anew",
        ),
        (
            "p sp 3 2\na 1 2 3\nc more than comments\n",
            "a.gr:1: the header promises 2 arcs, but 1 follow",
            "help: the file is cut short or its header is wrong; fetch or make it anew",
        ),
        (
            "p tw 3 1\n1 2\n2 3\n",
            "a.gr:1: the header promises 1 edges, but 2 follow",
            "help: the header is wrong, or two files were joined; correct the count or make the file anew",
        ),
        (
            "p sp 3 1\na 1 2\nc filler\n",
            "a.gr:2:6: expected a weight, got the end of the line",
            "help: a weight is a number such as 3, -1 or 2.5e-3",
        ),
        (
            "p sp 3 1\ne 1 2 3\n",
            "a.gr:2:1: expected a line starting with `a`, got \"e\"",
            "help: comments start with `c`; all other lines after the header with `a`",
        ),
        (
            "p sp 3 1\na 0 2 3\n",
            "a.gr:2:3: expected a vertex id from 1 to 3, got \"0\"",
            "help: ids are 1-based; pass --base 0 if this file counts from 0",
        ),
        (
            "p tw 3 1\n1 2 5\n",
            "a.gr:2:5: expected the end of the line, got \"5\"",
            "help: lines are `u v` without a weight here; check what the header says",
        ),
        (
            "a 0 4294967295 1\n",
            "a.gr:1:5: expected a vertex id from 0 to 4294967294, got \"4294967295\"",
            "help: every line names two vertices within the range the header gives",
        ),
        (
            "p sp 4294967296 0\n",
            "a.gr:1: a graph of 4294967296 vertices needs vertex numbers beyond 32 bits, the limit is 4294967295 vertices",
            "help: check the header; larger graphs are not supported",
        ),
    ];
    for (text, message, help) in cases {
        assert_eq!(fails("a.gr", text), format!("{message}\n{help}"), "{text:?}");
    }
}

#[test]
fn vertices_that_the_file_does_not_back_are_refused() {
    let header = fails("a.gr", "p sp 4000000000 1\na 1 2 3\n");
    assert!(
        header.starts_with("a.gr:1: 4000000000 vertices in a file of 26 bytes, expected 4194304 at most\n"),
        "{header}"
    );
    let largest = fails("a.gr", "a 1 4000000000 3\n");
    assert!(largest.starts_with("a.gr: 4000000001 vertices in a file of 17 bytes"), "{largest}");
}
