use super::{arcs, fails, fails_with, read, read_with};
use warpgraph_graph::{
    Control, Error, Format, Graph, Ids, Names, ReadOptions,
    build::{Loops, Parallel},
    format::write::{OutputFormat, to_writer},
};

/// Edges as the reference code's struct `packed_edge { uint32_t v0_low, v1_low, high; }` lies in memory.
fn packed(edges: &[(u64, u64)]) -> Vec<u8> {
    let words =
        |&(u, v): &(u64, u64)| [u as u32, v as u32, (u >> 32 & 0xffff) as u32 | ((v >> 32) as u32) << 16];
    edges.iter().flat_map(words).flat_map(u32::to_le_bytes).collect()
}

fn wide(edges: &[(i64, i64)]) -> Vec<u8> {
    edges.iter().flat_map(|e| [e.0, e.1]).flat_map(i64::to_le_bytes).collect()
}

fn as_wide() -> ReadOptions {
    ReadOptions { format: Some(Format::Graph500Wide), ..Default::default() }
}

fn ids(graph: &Graph) -> Vec<String> {
    (0..graph.vertices() as u32).map(|v| graph.ids().id(v).to_string()).collect()
}

#[test]
fn packed_edges_are_undirected_and_may_repeat() {
    let graph = read("kron.g500", packed(&[(0, 2), (2, 0), (1, 1), (0, 1)]));
    assert_eq!(
        arcs(&graph).iter().map(|a| (a.0, a.1)).collect::<Vec<_>>(),
        [(0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
    );
    assert!(!graph.is_directed());
    assert_eq!(
        (graph.origin().format.as_str(), graph.origin().listed, graph.origin().merged),
        ("graph500", 4, 1)
    );
    assert_eq!(graph.origin().direction_because, "Graph500's graphs are undirected");
}

#[test]
fn numbers_of_48_bits_are_put_together_from_their_halves() {
    let largest = (1 << 48) - 1;
    let edges = [(0x0001_0000_0002, largest), (5, 0xabcd_0000_0000)];
    let graph = read("a.graph500", packed(&edges));
    assert_eq!(ids(&graph), ["5", "4294967298", "188896956645376", "281474976710655"]);
    let wide_edges = edges.map(|(u, v)| (u as i64, v as i64));
    let same = read_with("a.bin", wide(&wide_edges), &as_wide()).unwrap();
    assert_eq!((same.hash(), same.origin().format.as_str()), (graph.hash(), "graph500-64"));
}

#[test]
fn options_apply() {
    let file = packed(&[(0, 2), (2, 0), (3, 3)]);
    let read = |options| read_with("a.g500", file.clone(), &options).unwrap();
    let all = read(ReadOptions { vertices: Some(6), ..Default::default() });
    assert_eq!((all.vertices(), all.edges(), all.counts().isolated), (6, 2, 3));
    let directed = read(ReadOptions { directed: Some(true), ..Default::default() });
    assert_eq!((directed.vertices(), directed.arcs(), directed.is_directed()), (3, 3, true));
    let options = ReadOptions { loops: Loops::Drop, parallel: Parallel::Keep, ..Default::default() };
    let without = read(options);
    assert_eq!((without.arcs(), without.origin().loops_dropped), (4, 1));
}

#[test]
fn no_edges_are_an_empty_graph() {
    assert_eq!(read("a.g500", Vec::new()).vertices(), 0);
}

#[test]
fn what_is_no_list_of_edges_is_refused() {
    let help = "help: the file is cut short, or its edges are of the other kind: graph500 has 12 bytes per edge, \
                graph500-64 has 16";
    let expected = format!("a.g500: 20 bytes, expected a multiple of 12 for graph500\n{help}");
    assert_eq!(fails("a.g500", vec![0; 20]), expected);
    let expected = format!("a.g500: 20 bytes, expected a multiple of 16 for graph500-64\n{help}");
    assert_eq!(fails_with("a.g500", vec![0; 20], &as_wide()), expected);
    let negative = fails_with("a.bin", wide(&[(0, 1), (7, -1)]), &as_wide());
    let text = "a.bin: edge 1: vertex -1, expected 0 to below 9223372036854775808\nhelp: allow for more vertices, or check \
                the format: graph500 has 12 bytes per edge, graph500-64 has 16";
    assert_eq!(negative, text);
    let few = ReadOptions { vertices: Some(5), ..Default::default() };
    let beyond = fails_with("a.g500", packed(&[(0, 1), (5, 0)]), &few);
    assert!(beyond.starts_with("a.g500: edge 1: vertex 5, expected 0 to below 5\n"), "{beyond}");
}

fn written(graph: &Graph) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    to_writer(graph, OutputFormat::Graph500, &mut out, "out", &Control::new()).map(|()| out)
}

#[test]
fn what_is_written_reads_back() {
    let edges = [(0, 2), (1, 1), (2, (1 << 48) - 1)];
    let graph = read("a.g500", packed(&edges));
    assert_eq!(written(&graph).unwrap(), packed(&edges));
    let text = "5 3\n3 5\n0 3\n";
    let directed = read("a.el", text);
    let options = ReadOptions { directed: Some(true), ..Default::default() };
    let again = read_with("a.g500", written(&directed).unwrap(), &options).unwrap();
    assert_eq!(again.hash(), directed.hash());
}

#[test]
fn ids_that_do_not_fit_are_refused() {
    let wide = read_with("a.bin", wide(&[(0, 1 << 48)]), &as_wide()).unwrap();
    assert_eq!(
        written(&wide).unwrap_err().to_string(),
        "a .g500 file holds ids below 2^48, this graph has 281474976710656"
    );
    let names = Names::new(vec![0, 1, 2].into(), b"ab".to_vec().into(), "x").unwrap();
    let named = Graph::new(wide.out().clone(), false, Ids::Names(names), Default::default()).unwrap();
    assert_eq!(
        written(&named).unwrap_err().to_string(),
        "a .g500 file holds numbers, and the ids of this graph are names"
    );
}
