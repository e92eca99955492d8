use super::{arcs, fails, read, read_with};
use warpgraph_graph::{ReadOptions, WeightType, build::Loops};

/// A GAP file of the given header and arrays, the inverse left out.
fn gap(directed: u8, arcs: i64, offsets: &[i64], rows: &[i32]) -> Vec<u8> {
    let mut bytes = vec![directed];
    bytes.extend(arcs.to_le_bytes());
    bytes.extend((offsets.len() as i64 - 1).to_le_bytes());
    bytes.extend(offsets.iter().flat_map(|o| o.to_le_bytes()));
    bytes.extend(rows.iter().flat_map(|r| r.to_le_bytes()));
    bytes
}

fn with_inverse(mut file: Vec<u8>, offsets: &[i64], rows: &[i32]) -> Vec<u8> {
    file.extend_from_slice(&gap(1, 0, offsets, rows)[17..]);
    file
}

#[test]
fn an_undirected_graph_is_read_as_it_lies() {
    let graph = read("a.sg", gap(0, 4, &[0, 2, 3, 4], &[1, 2, 0, 0]));
    assert_eq!(arcs(&graph), [(0, 1, 1.0), (0, 2, 1.0), (1, 0, 1.0), (2, 0, 1.0)]);
    assert_eq!((graph.is_directed(), graph.edges()), (false, 2));
    assert_eq!(graph.origin().direction_because, "the header says undirected");
}

#[test]
fn a_directed_graph_brings_its_inverse() {
    let file = with_inverse(gap(1, 2, &[0, 1, 2], &[1, 1]), &[0, 0, 2], &[0, 1]);
    let graph = read("a.sg", file);
    assert_eq!((arcs(&graph), graph.is_directed()), (vec![(0, 1, 1.0), (1, 1, 1.0)], true));
    assert_eq!(graph.incoming().unwrap().csr.neighbors(1), [0, 1]);
}

#[test]
fn weights_are_unsigned_unless_one_is_negative() {
    let graph = read("a.wsg", gap(0, 2, &[0, 1, 2], &[1, 7, 0, 7]));
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::U32));
    assert_eq!(arcs(&graph), [(0, 1, 7.0), (1, 0, 7.0)]);
    let graph = read("a.wsg", gap(0, 2, &[0, 1, 2], &[1, -7, 0, -7]));
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::I32));
    assert_eq!(arcs(&graph), [(0, 1, -7.0), (1, 0, -7.0)]);
}

#[test]
fn the_length_tells_weighted_from_unweighted_whatever_the_ending() {
    let options = ReadOptions { format: Some(warpgraph_graph::Format::Gap), ..Default::default() };
    let graph = read_with("<stdin>", gap(0, 2, &[0, 1, 2], &[1, 7, 0, 7]), &options).unwrap();
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::U32));
}

#[test]
fn unsorted_rows_are_sorted_with_their_weights() {
    let graph = read("a.sg", gap(0, 4, &[0, 2, 3, 4], &[2, 1, 0, 0]));
    assert_eq!(graph.out().csr.neighbors(0), [1, 2]);
    let graph = read("a.wsg", gap(0, 4, &[0, 2, 3, 4], &[2, 9, 1, 8, 0, 8, 0, 9]));
    assert_eq!(arcs(&graph), [(0, 1, 8.0), (0, 2, 9.0), (1, 0, 8.0), (2, 0, 9.0)]);
}

#[test]
fn options_apply_to_the_finished_graph() {
    let file = with_inverse(gap(1, 3, &[0, 2, 3], &[0, 1, 1]), &[0, 1, 3], &[0, 0, 1]);
    let read = |options| read_with("a.sg", file.clone(), &options).unwrap();
    let undirected = read(ReadOptions { directed: Some(false), ..Default::default() });
    assert_eq!(arcs(&undirected), [(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0)]);
    assert!(!undirected.is_directed() && undirected.origin().symmetrised);
    let without = read(ReadOptions { loops: Loops::Drop, ..Default::default() });
    assert_eq!((arcs(&without), without.origin().loops_dropped), (vec![(0, 1, 1.0)], 2));
    let weighted = gap(0, 2, &[0, 1, 2], &[1, 7, 0, 7]);
    let bare = ReadOptions { no_weights: true, directed: Some(true), ..Default::default() };
    let bare = read_with("a.wsg", weighted, &bare).unwrap();
    assert_eq!((bare.out().weights.weight_type(), bare.is_directed()), (None, true));
}

#[test]
fn malformed_files_are_named_with_what_is_wrong() {
    const ANEW: &str = "help: the file is cut short or no GAP graph; make it anew with GAP's converter";
    const DAMAGED: &str =
        "help: the file is damaged or was not written by the program it claims; make it anew";
    let cut = gap(0, 4, &[0, 2, 3, 4], &[1, 2, 0]);
    let cases = [
        (b"\0\0\0".to_vec(), "a.sg: the 17-byte header is cut short or has a negative count", ANEW),
        (gap(0, -4, &[0], &[]), "a.sg: the 17-byte header is cut short or has a negative count", ANEW),
        (gap(2, 0, &[0], &[]), "a.sg: byte 1 says directed = 2, expected 0 or 1", ANEW),
        (cut, "a.sg: 61 bytes, expected 65 for 3 vertices and 4 arcs as the header says", ANEW),
        (
            gap(1, 2, &[0, 1, 2], &[1, 1]),
            "a.sg: 49 bytes, expected 81 for 2 vertices and 2 arcs as the header says",
            ANEW,
        ),
        (
            gap(0, i64::MAX, &[0], &[]),
            "a.sg: 25 bytes, expected more than 2^64 for 0 vertices and 9223372036854775807 arcs as the header says",
            ANEW,
        ),
        (gap(0, 2, &[0, 9, 2], &[1, 0]), "a.sg: the offset of vertex 1 is 9, expected 0 to 2", ANEW),
        (gap(0, 2, &[-1, 1, 2], &[1, 0]), "a.sg: the offset of vertex 0 is -1, expected 0 to 2", ANEW),
        (gap(0, 2, &[0, 2, 1, 2], &[1, 0]), "a.sg: the offsets of vertex 1 fall", DAMAGED),
        (gap(0, 2, &[1, 1, 2], &[1, 0]), "a.sg: offsets run from 1 to 2, expected 0 to 2", DAMAGED),
        (gap(0, 2, &[0, 1, 2], &[1, 2]), "a.sg: vertex 1 has neighbour 2, expected one below 2", DAMAGED),
        (
            gap(0, 2, &[0, 1, 2], &[-1, 0]),
            "a.sg: vertex 0 has neighbour 4294967295, expected one below 2",
            DAMAGED,
        ),
        (
            gap(0, 1, &[0, 1, 1], &[1]),
            "a.sg: marked undirected, but some edges have only one direction",
            "help: the file is damaged or mislabelled; make it anew",
        ),
    ];
    for (file, message, help) in cases {
        assert_eq!(fails("a.sg", file), format!("{message}\n{help}"));
    }
}
