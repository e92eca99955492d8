use super::{arcs, fails, read, read_with};
use warpgraph_graph::{ReadOptions, VertexId, build::Loops};

#[test]
fn every_edge_is_listed_by_both_ends_and_a_blank_line_is_an_isolated_vertex() {
    let graph = read("a.graph", "% mesh\n4 2\n2 3\n% inside\n1\n 1 \n\n");
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (0, 2, 1.0), (1, 0, 1.0), (2, 0, 1.0)]);
    assert_eq!((graph.vertices(), graph.edges(), graph.is_directed()), (4, 2, false));
    assert_eq!(graph.ids().id(0), VertexId::Number(1));
    assert_eq!(graph.origin().listed, 2);
    assert!(graph.origin().warnings.is_empty());
    assert_eq!(graph.origin().direction_because, "METIS graphs are undirected");
}

#[test]
fn every_fmt_reads_the_same_edges() {
    let cases = [
        ("2 1\n2\n1\n", false),
        ("2 1 0\n2\n1\n", false),
        ("2 1 1\n2 7\n1 7\n", true),
        ("2 1 001\n2 7\n1 7\n", true),
        ("2 1 10\n9 2\n9 1\n", false),
        ("2 1 010 2\n9 8 2\n9 8 1\n", false),
        ("2 1 11 2\n9 8 2 7\n9 8 1 7\n", true),
        ("2 1 100\n5 2\n5 1\n", false),
        ("2 1 101\n5 2 7\n5 1 7\n", true),
        ("2 1 110\n5 9 2\n5 9 1\n", false),
        ("2 1 111 3\n5 9 8 7 2 7\n5 9 8 7 1 7\n", true),
    ];
    for (text, weighted) in cases {
        let graph = read("a.graph", text);
        let weight = if weighted { 7.0 } else { 1.0 };
        assert_eq!(arcs(&graph), [(0, 1, weight), (1, 0, weight)], "{text:?}");
        let has_vertex_data =
            text.lines().next().unwrap().split(' ').nth(2).is_some_and(|f| f.len() > 1 && f != "001");
        let warning = "the file has vertex sizes or weights, which are ignored";
        assert_eq!(graph.origin().warnings.contains(&warning.to_owned()), has_vertex_data, "{text:?}");
    }
}

#[test]
fn self_loops_are_kept_and_mentioned() {
    let graph = read("a.graph", "2 2\n1 2\n1\n");
    assert_eq!(arcs(&graph), [(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0)]);
    assert_eq!(graph.origin().warnings, ["the file has 1 self-loops, which METIS does not allow"]);
    let options = ReadOptions { loops: Loops::Drop, ..Default::default() };
    let graph = read_with("a.graph", "2 2\n1 2\n1\n", &options).unwrap();
    assert_eq!((graph.edges(), graph.origin().loops_dropped), (1, 1));
}

#[test]
fn a_one_sided_file_can_be_read_as_directed() {
    let options = ReadOptions { directed: Some(true), ..Default::default() };
    let graph = read_with("a.graph", "3 2 1\n2 5\n3 6\n\n", &options).unwrap();
    assert_eq!((arcs(&graph), graph.is_directed()), (vec![(0, 1, 5.0), (1, 2, 6.0)], true));
    let options = ReadOptions { no_weights: true, ..options };
    let graph = read_with("a.graph", "3 2 1\n2 5\n3 6\n\n", &options).unwrap();
    assert_eq!(graph.out().weights.weight_type(), None);
}

#[test]
fn a_file_that_counts_from_0_is_read_with_base_0() {
    let options = ReadOptions { base: Some(0), ..Default::default() };
    assert_eq!(read_with("a.graph", "2 1\n1\n0\n", &options).unwrap().edges(), 1);
}

#[test]
fn malformed_files_are_answered_with_position_and_help() {
    const HEAD: &str = "help: the first line is `vertices edges [fmt [ncon]]`";
    const LINE: &str = "help: the header's fmt says what a line holds: [size] [weights] then neighbours [each with a weight]";
    const BOTH: &str =
        "help: METIS lists every edge from both ends; pass --directed to read the arcs as they are";
    const CUT: &str = "help: the file is cut short or its header is wrong; fetch or make it anew";
    let cases = [
        ("", "a.metis:1:1: expected the number of vertices, got the end of the file", HEAD),
        ("x 1\n", "a.metis:1:1: expected the number of vertices, got \"x\"", HEAD),
        ("3\n", "a.metis:1:2: expected the number of edges, got the end of the line", HEAD),
        (
            "3 1 2\n",
            "a.metis:1:5: expected fmt, one of 0, 1, 10, 11, 100, 101, 110, 111, got \"2\"",
            "help: fmt is up to three digits: vertex sizes, vertex weights, edge weights, e.g. 1 or 011",
        ),
        ("3 1 11 x\n", "a.metis:1:8: expected the number of vertex weights, got \"x\"", HEAD),
        ("3 1 11 1 1\n", "a.metis:1:10: expected the end of the line, got \"1\"", HEAD),
        (
            "4294967296 1\n",
            "a.metis:1: a graph of 4294967296 vertices needs vertex numbers beyond 32 bits, the limit is 4294967295 \
             vertices",
            "help: check the header; larger graphs are not supported",
        ),
        (
            "1000 1\n2\n1\n",
            "a.metis:1: the header promises 1000 vertices, the rest of the file has room for 5 at most",
            CUT,
        ),
        (
            "2 99\n2\n1\n",
            "a.metis:1: the header promises 99 edges, the rest of the file has room for 2 at most",
            CUT,
        ),
        ("%\n3 1\n2\n1\n", "a.metis:2: the header promises 3 vertex lines, but 2 follow", CUT),
        (
            "2 1\n2\n1\n1\n",
            "a.metis:4:1: expected nothing after the lines of 2 vertices, got \"1\"",
            "help: the header's vertex count is too small, or a line was added",
        ),
        (
            "2 1\n2\n0\n",
            "a.metis:3:1: expected a neighbour from 1 to 2, got \"0\"",
            "help: ids are 1-based; pass --base 0 if this file counts from 0",
        ),
        ("2 1\n2 9\n1\n", "a.metis:2:3: expected a neighbour from 1 to 2, got \"9\"", LINE),
        (
            "2 1 1\n2 x\n1 5\n",
            "a.metis:2:3: expected a whole number, got \"x\"",
            "help: weights are whole numbers in this file; check what its header says",
        ),
        ("2 1 10\n\n1\n", "a.metis:2:1: expected a vertex size or weight, got the end of the line", LINE),
        (
            "3 2\n2\n1\n\n",
            "a.metis:1: the header promises 2 edges, so 4 neighbours, but 2 follow",
            "help: METIS lists every edge from both ends and counts it once; pass --directed to read the arcs as they are",
        ),
        (
            "3 2\n2\n1 3\n\n",
            "a.metis:1: the header promises 2 edges, so 4 neighbours, but 3 follow",
            "help: the file is cut short or its header is wrong; every edge is listed from both ends and counted once",
        ),
        ("3 1\n2\n3\n\n", "a.metis: vertex 1 lists neighbour 2, but vertex 2 does not list 1", BOTH),
        ("2 1 1\n2 5\n1 6\n", "a.metis: the edge between 1 and 2 has weight 5 at 1 and 6 at 2", BOTH),
    ];
    for (text, message, help) in cases {
        let options = ReadOptions { format: Some(warpgraph_graph::Format::Metis), ..Default::default() };
        assert_eq!(super::fails_with("a.metis", text, &options), format!("{message}\n{help}"), "{text:?}");
    }
    assert!(fails("a.metis", "3 1\n2\n3\n\n").starts_with("a.metis: vertex 1 lists"));
}
