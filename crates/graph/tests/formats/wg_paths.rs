//! Paths that a `.wg` file keeps: read back in place, and refused if they are damaged or forged.

use super::{fails, read, read_with};
use warpgraph_graph::{
    Control, Graph, Input, NO_VERTEX, NodeMap, Offsets, OrderLabel, Paths, ReadOptions, Stored, Vertex,
    format::{
        wg,
        write::{OutputFormat, WriteOptions, to_writer},
    },
    hash,
    paths::{Found, LANES, Recipe, SLOTS, slot},
};

const DAMAGED: &str = "help: the file is damaged; copy it again, or make it anew with `warpgraph convert`";

/// The sections of the sample: offsets, targets and origin come first.
const PATHS: usize = 3;
const VERTICES: usize = 4;
const ARCS: usize = 5;
const JOINS: usize = 6;

/// Returns the graph with every edge on a path of its own, in the first chunk, which is said to be a hub chunk.
fn with_paths(graph: Graph, wide: bool) -> Graph {
    let (mut vertices, mut joined) = (vec![NO_VERTEX; SLOTS], vec![0; LANES]);
    let (mut arcs, mut edges) = (vec![0u64; SLOTS], 0);
    for u in 0..graph.vertices() as Vertex {
        for (arc, &v) in graph.out().csr.arcs_of(u).zip(graph.out().csr.neighbors(u)) {
            if graph.is_directed() || u <= v {
                (vertices[slot(0, 0, edges)], vertices[slot(0, 1, edges)]) = (u, v);
                (arcs[slot(0, 0, edges)], joined[edges]) = (arc as u64, 1);
                edges += 1;
            }
        }
    }
    let recipe = Recipe { lambda: 25_000, beta: 10_000, importance: "degree".to_owned(), both_arcs: false };
    let found = Found { hubs: 1, hub_paths: edges as u64, hub_edges: edges as u64, ..Found::default() };
    let arcs = match wide {
        true => Offsets::Wide(arcs.into()),
        false => Offsets::Narrow(arcs.iter().map(|&arc| arc as u32).collect::<Vec<_>>().into()),
    };
    let paths = Paths::new(recipe, found, 1, vertices.into(), arcs, joined.into()).unwrap();
    paths.check(&graph).unwrap();
    graph.with_paths(Some(paths)).unwrap()
}

fn sample() -> Graph {
    let graph = Graph::from_edges(5, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 3)], false).unwrap();
    with_paths(graph, false)
}

fn bytes(graph: &Graph) -> Vec<u8> {
    let mut out = Vec::new();
    to_writer(graph, OutputFormat::Wg, &mut out, "a.wg", &Control::new()).unwrap();
    out
}

fn number(file: &[u8], at: usize) -> usize {
    u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize
}

/// The bytes of a section.
fn section(file: &[u8], index: usize) -> std::ops::Range<usize> {
    let entry = 64 + 32 * index;
    number(file, entry + 8)..number(file, entry + 8) + number(file, entry + 16)
}

/// Makes all checksums right again after an edit.
fn resealed(mut file: Vec<u8>) -> Vec<u8> {
    let sections = u32::from_le_bytes(file[40..44].try_into().unwrap()) as usize;
    for index in 0..sections {
        let sum = hash::bytes(&file[section(&file, index)]);
        file[64 + 32 * index + 24..64 + 32 * index + 32].copy_from_slice(&sum.to_le_bytes());
    }
    file[56..64].fill(0);
    let sum = hash::bytes(&file[..64 + 32 * sections]);
    file[56..64].copy_from_slice(&sum.to_le_bytes());
    file
}

/// An edit of a section, with all checksums right: hostile rather than damaged.
fn forged(index: usize, at: usize, with: &[u8]) -> Vec<u8> {
    let mut file = bytes(&sample());
    let start = section(&file, index).start;
    file[start + at..start + at + with.len()].copy_from_slice(with);
    resealed(file)
}

/// The file without the bytes of some sections: those after the first three, in this order.
fn with_sections(kinds: &[usize]) -> Vec<u8> {
    let file = bytes(&sample());
    let mut wanted: Vec<usize> = vec![0, 1, 2];
    wanted.extend(kinds);
    let (mut table, mut body) = (Vec::new(), Vec::new());
    let first = (64 + 32 * wanted.len()).next_multiple_of(64);
    for index in wanted {
        let mut entry = file[64 + 32 * index..96 + 32 * index].to_vec();
        entry[8..16].copy_from_slice(&((first + body.len()) as u64).to_le_bytes());
        body.extend_from_slice(&file[section(&file, index)]);
        body.resize(body.len().next_multiple_of(64), 0);
        table.extend(entry);
    }
    let mut whole = file[..64].to_vec();
    whole[40..44].copy_from_slice(&((table.len() / 32) as u32).to_le_bytes());
    whole.extend(table);
    whole.resize(first, 0);
    whole.extend(body);
    let length = whole.len() as u64;
    whole[48..56].copy_from_slice(&length.to_le_bytes());
    resealed(whole)
}

fn trusted(file: Vec<u8>) -> Result<Graph, warpgraph_graph::Error> {
    let file = wg::File::from_input(Input::from_bytes("a.wg", file))?;
    // SAFETY: the arrays of the graph are those that were written; only paths are forged, and they are checked.
    unsafe { file.trust() }
}

#[test]
fn paths_are_read_back_in_place() {
    for wide in [false, true] {
        let graph = with_paths(Graph::from_edges(4, &[(0, 1), (2, 1), (3, 3)], true).unwrap(), wide);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.wg");
        graph.write(&file, &WriteOptions::default(), &Control::new()).unwrap();
        let again = Graph::open(&file).unwrap();
        let (before, after) = (graph.paths().unwrap(), again.paths().unwrap());
        assert_eq!((after.recipe(), after.found()), (before.recipe(), before.found()));
        assert_eq!((after.hub_chunks(), after.chunks()), (1, 1));
        assert!(after.vertices().is_mapped() && after.joined().is_mapped());
        assert_eq!(after.vertices()[..], before.vertices()[..]);
        assert_eq!(after.joined()[..], before.joined()[..]);
        assert!((0..SLOTS).all(|slot| after.arcs().get(slot) == before.arcs().get(slot)));
        assert_eq!(matches!(after.arcs(), Offsets::Wide(_)), wide);
        assert_eq!(again.hash(), graph.hash());
        assert!(again.bytes() > after.bytes());
    }
}

#[test]
fn a_graph_without_edges_keeps_paths_without_chunks() {
    let recipe = Recipe { lambda: 0, beta: 1, importance: "mine".to_owned(), both_arcs: false };
    let none = Offsets::Narrow(Vec::new().into());
    let paths = Paths::new(recipe, Found::default(), 0, Vec::new().into(), none, Vec::new().into()).unwrap();
    let graph = Graph::from_edges(3, &[], false).unwrap().with_paths(Some(paths)).unwrap();
    let again = read("a.wg", bytes(&graph));
    assert_eq!(
        (again.paths().unwrap().chunks(), again.paths().unwrap().recipe().importance.as_str()),
        (0, "mine")
    );
    assert!(again.with_paths(None).unwrap().paths().is_none());
}

#[test]
fn a_reader_that_does_not_know_paths_may_skip_them() {
    let file = bytes(&sample());
    for index in PATHS..=JOINS {
        let kind = u32::from_le_bytes(file[64 + 32 * index..][..4].try_into().unwrap());
        assert!([15, 16, 17, 19].contains(&kind), "{kind}");
        assert_eq!(file[64 + 32 * index + 4], 0, "not required");
    }
    // Without its paths, the file is that of the same graph.
    let plain = read("a.wg", with_sections(&[]));
    assert_eq!((plain.hash(), plain.paths().is_none()), (sample().hash(), true));
}

#[test]
fn paths_of_a_stored_order_belong_to_the_stored_graph() {
    let graph = Graph::from_edges(3, &[(0, 1), (0, 2)], false).unwrap();
    let map = NodeMap::renumbering(vec![2, 1, 0]).unwrap();
    let inner = with_paths(graph.renumbered(&map, &Control::new()).unwrap(), false);
    let label = OrderLabel { name: "turned".to_owned(), seed: None };
    let stored = graph.stored_as(Some(Stored::new(label, inner, map).unwrap())).unwrap();
    let again = read("a.wg", bytes(&stored));
    assert!(again.paths().is_none());
    let inner = again.stored().unwrap().graph();
    inner.paths().unwrap().check(inner).unwrap();
    let mut file = bytes(&stored);
    let start = section(&file, 7).start;
    file[start..start + 4].copy_from_slice(&2u32.to_le_bytes());
    assert!(
        fails("a.wg", resealed(file))
            .starts_with("a.wg: section paths: chunk 0 of the paths holds what is no")
    );
}

#[test]
fn reading_flags_that_change_the_graph_drop_its_paths_and_say_so() {
    let read = |options: &ReadOptions| read_with("a.wg", bytes(&sample()), options).unwrap();
    let plain = read(&ReadOptions { directed: Some(true), ..ReadOptions::default() });
    assert!(plain.paths().is_none());
    assert_eq!(
        plain.origin().warnings,
        ["reading flags changed the graph: the paths that it keeps are not used"]
    );
    let same = read(&ReadOptions { directed: Some(false), no_weights: true, ..ReadOptions::default() });
    assert!(same.paths().is_some() && same.origin().warnings.is_empty());
}

#[test]
fn damaged_paths_are_noticed_at_every_byte() {
    let file = bytes(&sample());
    for index in PATHS..=JOINS {
        for at in section(&file, index).step_by(7) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x10;
            assert!(fails("a.wg", damaged).contains(": checksum "), "section {index}, byte {at}");
        }
    }
    for length in (0..file.len()).step_by(97) {
        assert!(
            read_with("a.wg", file[..length].to_vec(), &ReadOptions::default()).is_err(),
            "{length} bytes"
        );
    }
}

#[test]
fn sections_that_do_not_belong_together_are_refused() {
    let short = |index: usize, by: u64| {
        let mut file = bytes(&sample());
        let at = 64 + 32 * index + 16;
        let length = number(&file, at) as u64 - by;
        file[at..at + 8].copy_from_slice(&length.to_le_bytes());
        resealed(file)
    };
    let mut twice = bytes(&sample());
    twice[64 + 32 * JOINS..][..4].copy_from_slice(&18u32.to_le_bytes());
    let cases = [
        (with_sections(&[VERTICES, ARCS, JOINS]), "section paths is missing"),
        (with_sections(&[PATHS, ARCS, JOINS]), "section path-vertices is missing"),
        (with_sections(&[PATHS, VERTICES, JOINS]), "section path-arcs-32 is missing"),
        (with_sections(&[PATHS, VERTICES, ARCS]), "section path-joins is missing"),
        (short(VERTICES, 1), "section path-vertices has 4095 bytes, expected 4096 for 1 chunks"),
        (short(ARCS, 4), "section path-arcs-32 has 4092 bytes, expected 4096 for 1 chunks"),
        (short(JOINS, 1), "section path-joins has 127 bytes, expected 0 for 0 chunks"),
        (resealed(twice), "sections path-arcs-32 and path-arcs-64 exclude each other"),
    ];
    for (file, problem) in cases {
        assert_eq!(fails("a.wg", file), format!("a.wg: {problem}\n{DAMAGED}"));
    }
}

#[test]
fn forged_paths_are_refused_and_never_trusted_beyond_the_graph() {
    let no_edge = "section paths: chunk 0 of the paths holds what is no edge of the graph, or an edge twice";
    let beyond = "section paths: chunk 0 of the paths holds a vertex or an arc that the graph does not have";
    // Another vertex, and another arc: in bounds, so that only a full check finds them.
    for file in [forged(VERTICES, 0, &2u32.to_le_bytes()), forged(ARCS, 0, &1u32.to_le_bytes())] {
        assert_eq!(fails("a.wg", file.clone()), format!("a.wg: {no_edge}\n{DAMAGED}"));
        assert!(trusted(file).unwrap().paths().is_some());
    }
    for file in [
        forged(VERTICES, 0, &5u32.to_le_bytes()),
        forged(VERTICES, 4 * SLOTS - 4, &0u32.to_le_bytes()),
        forged(ARCS, 0, &9u32.to_le_bytes()),
        forged(JOINS, 0, &(1u32 << 31 | 1).to_le_bytes()),
        forged(JOINS, 4 * LANES - 4, &1u32.to_le_bytes()),
    ] {
        assert_eq!(fails("a.wg", file.clone()), format!("a.wg: {beyond}\n{DAMAGED}"));
        assert_eq!(trusted(file).unwrap_err().to_string(), format!("a.wg: {beyond}"));
    }
}

#[test]
fn forged_counts_are_refused() {
    let file = bytes(&sample());
    let json = String::from_utf8(file[section(&file, PATHS)].to_vec()).unwrap();
    let replaced = |from: &str, to: &str| {
        assert_eq!((from.len(), json.matches(from).count()), (to.len(), 1), "{json}");
        forged(PATHS, json.find(from).unwrap(), to.as_bytes())
    };
    let cases = [
        (r#""hub_edges":5"#, r#""hub_edges":4"#, "the paths cover 5 of 5 edges, and are said to cover 4"),
        (r#""cold_edges":0"#, r#""cold_edges":1"#, "the paths cover 5 of 5 edges, and are said to cover 6"),
        (r#""hub_chunks":1"#, r#""hub_chunks":0"#, "hub chunks hold 0 edges, and are said to hold 5"),
        (
            r#""hub_chunks":1"#,
            r#""hub_chunks":2"#,
            "1024 vertices, 1024 arcs and 32 lanes are not 1 chunks of paths (2 of hubs) with 5 edges, or more than \
             2^32 slots",
        ),
        (
            r#""beta":10000,"importance":"degree","both_arcs":false},"#,
            r#""beta":10000,"importance":"degree","both_arcs":0    },"#,
            "not the JSON it should be: invalid type: integer `0`, expected a boolean at line 1 column 74",
        ),
    ];
    for (from, to, problem) in cases {
        let problem = format!("a.wg: section paths: {problem}");
        let got = fails("a.wg", replaced(from, to));
        assert_eq!(got, format!("{problem}\n{DAMAGED}"));
    }
    // More edges than the chunks have room for, in place of the recipe's numbers.
    let many = json.replace(r#""hub_edges":5"#, r#""hub_edges":999999999"#);
    let many = many.replace("25000", "2").replace("10000", "1");
    assert_eq!(many.len(), json.len());
    let got = fails("a.wg", forged(PATHS, 0, many.as_bytes()));
    assert!(got.contains("are not 1 chunks of paths (1 of hubs) with 999999999 edges"), "{got}");
}
