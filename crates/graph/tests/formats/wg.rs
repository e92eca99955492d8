use super::{arcs, fails, fails_with, read, read_with};
use std::path::PathBuf;
use warpgraph_graph::{
    Control, Graph, Ids, Input, NodeMap, OrderLabel, ReadOptions, Stored, VertexId,
    format::{
        wg,
        write::{OutputFormat, WriteOptions, to_writer},
    },
    hash,
};

const DAMAGED: &str = "help: the file is damaged; copy it again, or make it anew with `warpgraph convert`";

fn bytes(graph: &Graph) -> Vec<u8> {
    let mut out = Vec::new();
    to_writer(graph, OutputFormat::Wg, &mut out, "a.wg", &Control::new()).unwrap();
    out
}

fn sample() -> Vec<u8> {
    bytes(&read("a.gr", "p sp 3 3\na 1 2 70\na 1 3 10\na 2 3 40\n"))
}

/// Makes the header's checksum right again after an edit.
fn resealed(mut file: Vec<u8>) -> Vec<u8> {
    let sections = u32::from_le_bytes(file[40..44].try_into().unwrap()) as usize;
    file[56..64].fill(0);
    let checksum = hash::bytes(&file[..64 + 32 * sections]);
    file[56..64].copy_from_slice(&checksum.to_le_bytes());
    file
}

/// An edit of the file at a byte, sealed again.
fn edited(at: usize, with: &[u8]) -> Vec<u8> {
    let mut file = sample();
    file[at..at + with.len()].copy_from_slice(with);
    resealed(file)
}

/// Where the table says section `index` starts.
fn start(file: &[u8], index: usize) -> usize {
    u64::from_le_bytes(file[64 + 32 * index + 8..][..8].try_into().unwrap()) as usize
}

/// An edit of an array, with all checksums right: hostile rather than damaged.
fn forged(index: usize, at: usize, with: &[u8]) -> Vec<u8> {
    let mut file = sample();
    let begin = start(&file, index);
    file[begin + at..begin + at + with.len()].copy_from_slice(with);
    let entry = 64 + 32 * index;
    let length = u64::from_le_bytes(file[entry + 16..entry + 24].try_into().unwrap()) as usize;
    let checksum = hash::bytes(&file[begin..begin + length]);
    file[entry + 24..entry + 32].copy_from_slice(&checksum.to_le_bytes());
    resealed(file)
}

#[test]
fn a_file_is_mapped_and_equal_to_what_was_written() {
    let graph = read("a.gr", "p sp 3 3\na 1 2 70\na 1 3 10\na 2 3 40\n");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wg");
    graph.write(&path, &WriteOptions::default(), &Control::new()).unwrap();
    let file = wg::File::open(&path).unwrap();
    assert_eq!((file.vertices(), file.arcs(), file.is_directed()), (3, 3, true));
    assert_eq!(file.weight_type().unwrap().name(), "u32");
    let again = file.check(&Control::new()).unwrap();
    assert_eq!(again.hash(), graph.hash());
    assert!(again.out().csr.targets().is_mapped());
    assert_eq!(again.ids().id(0), VertexId::Number(1));
    assert_eq!(again.origin().format, "wg");
    assert_eq!(again.origin().direction_because, graph.origin().direction_because);
    // SAFETY: written two lines above.
    let trusted = unsafe { wg::File::open(&path).unwrap().trust() }.unwrap();
    assert_eq!(trusted.hash(), graph.hash());
}

#[test]
fn bytes_that_are_no_map_are_copied() {
    let graph = read("<stdin>", sample());
    assert_eq!(arcs(&graph), [(0, 1, 70.0), (0, 2, 10.0), (1, 2, 40.0)]);
    assert!(!graph.out().csr.targets().is_mapped());
}

#[test]
fn an_empty_graph_goes_through() {
    let graph = read("a.gr", "p sp 0 0\n");
    assert_eq!(read("a.wg", bytes(&graph)).hash(), graph.hash());
}

#[test]
fn all_kinds_of_ids_and_weights_go_through() {
    let names = warpgraph_graph::Names::new(vec![0, 1, 3].into(), b"ab\xc3".to_vec().into(), "x");
    assert!(names.is_err());
    let names = warpgraph_graph::Names::new(vec![0, 1, 4].into(), "ab\u{fc}".as_bytes().to_vec().into(), "x")
        .unwrap();
    let all_ids =
        [Ids::Range { first: 7, len: 2 }, Ids::Numbers(vec![3, u64::MAX].into()), Ids::Names(names)];
    for ids in all_ids {
        for kind in ["pattern", "integer", "real"] {
            let value = if kind == "pattern" { "" } else { "-5" };
            let text = format!("%%MatrixMarket matrix coordinate {kind} symmetric\n2 2 1\n2 1 {value}\n");
            let base = read("a.mtx", text);
            let graph = Graph::new(base.out().clone(), false, ids.clone(), base.origin().clone()).unwrap();
            let again = read("a.wg", bytes(&graph));
            assert_eq!(again.hash(), graph.hash());
            assert_eq!(again.ids().id(1), ids.id(1));
        }
    }
}

#[test]
fn options_apply_to_the_stored_graph() {
    let options = ReadOptions { directed: Some(false), no_weights: true, ..Default::default() };
    let graph = read_with("a.wg", sample(), &options).unwrap();
    assert_eq!((graph.arcs(), graph.edges(), graph.out().weights.weight_type()), (6, 3, None));
}

#[test]
fn an_unknown_section_is_skipped_unless_it_is_required() {
    let file = sample();
    let last = 64 + 32 * 3;
    let mut optional = file;
    optional[last..last + 4].copy_from_slice(&999u32.to_le_bytes());
    assert_eq!(read("a.wg", resealed(optional.clone())).arcs(), 3);
    optional[last + 4] = 1;
    assert_eq!(
        fails("a.wg", resealed(optional)),
        "a.wg: unknown section 3 of kind 999, which is required\nhelp: a newer warpgraph wrote this file; use that \
         version, or make the file anew with this one"
    );
}

#[test]
fn damaged_headers_are_named() {
    let file = sample();
    let format = ReadOptions { format: Some(warpgraph_graph::Format::Wg), ..Default::default() };
    assert_eq!(
        fails_with("a.wg", "something else", &format),
        "a.wg: not a .wg file: its first 8 bytes are not the mark of one\nhelp: name its format with --format, or make \
         it anew with `warpgraph convert`"
    );
    assert_eq!(
        fails("a.wg", edited(8, &2u32.to_le_bytes())),
        "a.wg: version 2 of the .wg format, this build reads version 1\nhelp: make it anew with `warpgraph convert`, or \
         use the version of warpgraph that wrote it"
    );
    let short = &file[..file.len() - 1];
    let length = file.len();
    let mut crowded = sample();
    crowded[40..44].copy_from_slice(&1025u32.to_le_bytes());
    let cases = [
        (file[..40].to_vec(), "cut short in the header, after 40 of 64 bytes".to_owned()),
        (short.to_vec(), format!("{} bytes, expected {length} as the header says", length - 1)),
        (crowded, "1025 sections do not fit the file".to_owned()),
        (edited(16, &u64::MAX.to_le_bytes()), format!("{} vertices, the most is 4294967295", u64::MAX)),
        (edited(32, &u64::MAX.to_le_bytes()), format!("ids from {} run beyond 64 bits", u64::MAX)),
        (
            edited(24, &u64::MAX.to_le_bytes()),
            format!(
                "section targets has 12 bytes, expected {} for 3 vertices and {} arcs",
                u64::MAX,
                u64::MAX
            ),
        ),
        (
            edited(16, &9u64.to_le_bytes()),
            "section offsets-32 has 16 bytes, expected 40 for 9 vertices and 3 arcs".to_owned(),
        ),
        (
            edited(64 + 8, &200u64.to_le_bytes()),
            "section offsets-32 starts at byte 200, no multiple of 64".to_owned(),
        ),
        (
            edited(64 + 8, &64u64.to_le_bytes()),
            "section offsets-32 starts at byte 64, inside what ends at byte 192".to_owned(),
        ),
        (
            edited(64 + 32 + 8, &192u64.to_le_bytes()),
            "section targets starts at byte 192, inside what ends at byte 208".to_owned(),
        ),
        (
            edited(64 + 16, &u64::MAX.to_le_bytes()),
            format!(
                "section offsets-32 has {} bytes from byte 192, beyond the {length} of the file",
                u64::MAX
            ),
        ),
        (edited(64 + 32, &1u32.to_le_bytes()), "section offsets-32 occurs twice".to_owned()),
        (edited(64 + 32, &5u32.to_le_bytes()), "section targets is missing".to_owned()),
        (edited(64, &11u32.to_le_bytes()), "section origin occurs twice".to_owned()),
    ];
    for (file, problem) in cases {
        assert_eq!(fails("a.wg", file), format!("a.wg: {problem}\n{DAMAGED}"));
    }
    let unsealed = {
        let mut file = sample();
        file[70] ^= 1;
        fails("a.wg", file)
    };
    assert!(unsealed.starts_with("a.wg: the header has checksum "), "{unsealed}");
    assert!(fails("a.wg", edited(12, &6u32.to_le_bytes())).starts_with("a.wg: unknown header flags 0x6"));
}

#[test]
fn every_flipped_byte_is_noticed() {
    let file = sample();
    let padding = |at: usize| {
        let sections = 0..4;
        at >= 192
            && !sections.into_iter().any(|i| {
                let length = u64::from_le_bytes(file[64 + 32 * i + 16..][..8].try_into().unwrap()) as usize;
                (start(&file, i)..start(&file, i) + length).contains(&at)
            })
    };
    for at in (0..file.len()).filter(|&at| !padding(at) && at < start(&file, 3)) {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        let format = ReadOptions { format: Some(warpgraph_graph::Format::Wg), ..Default::default() };
        assert!(read_with("a.wg", damaged, &format).is_err(), "byte {at}");
    }
}

#[test]
fn hostile_arrays_with_right_checksums_are_refused() {
    let cases = [
        (forged(0, 4, &9u32.to_le_bytes()), "section offsets-32: the offsets of vertex 1 fall"),
        (forged(0, 0, &1u32.to_le_bytes()), "section offsets-32: offsets run from 1 to 3, expected 0 to 3"),
        (
            forged(1, 0, &3u32.to_le_bytes()),
            "section targets: vertex 0 has neighbour 3, expected one below 3",
        ),
        (forged(1, 4, &0u32.to_le_bytes()), "section targets: the neighbours of vertex 0 are not sorted"),
    ];
    for (file, problem) in cases {
        assert_eq!(fails("a.wg", file), format!("a.wg: {problem}\n{DAMAGED}"));
    }
    let mut undirected = sample();
    undirected[12] = 0;
    assert_eq!(
        fails("a.wg", resealed(undirected)),
        format!(
            "a.wg: section targets: the file says undirected, but some edges have only one direction\n{DAMAGED}"
        )
    );
    let mut damaged = sample();
    let at = start(&damaged, 2);
    damaged[at] ^= 1;
    assert!(fails("a.wg", damaged).starts_with("a.wg: section weights-u32: checksum "));
}

#[test]
fn weights_that_are_not_finite_are_refused() {
    let file = bytes(&read("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n"));
    let begin = start(&file, 2);
    let mut bad = file;
    bad[begin..begin + 8].copy_from_slice(&f64::NAN.to_le_bytes());
    let checksum = hash::bytes(&bad[begin..begin + 8]);
    bad[64 + 32 * 2 + 24..64 + 32 * 3].copy_from_slice(&checksum.to_le_bytes());
    assert_eq!(
        fails("a.wg", resealed(bad)),
        format!("a.wg: section weights-f64: a weight of arcs 0..1 is not finite\n{DAMAGED}")
    );
}

#[test]
fn rows_across_blocks_are_checked() {
    // A star of 300,000 leaves: the hub's row crosses the 1 MiB blocks of the check.
    let n = 300_001u32;
    let mut text = format!("p edge {n} {}\n", n - 1);
    (2..=n).for_each(|v| text.push_str(&format!("e 1 {v}\n")));
    let graph = read("star.gr", text);
    assert_eq!(read("a.wg", bytes(&graph)).hash(), graph.hash());
}

#[test]
fn checking_can_be_cancelled() {
    let control = Control::new();
    control.cancel();
    let file = wg::File::from_input(Input::from_bytes("a.wg", sample())).unwrap();
    assert_eq!(file.check(&control).unwrap_err().to_string(), "interrupted while checking the file");
}

#[test]
fn a_missing_file_is_named() {
    let path = PathBuf::from("no/such.wg");
    assert_eq!(
        wg::File::open(path).unwrap_err().to_string(),
        "no/such.wg: cannot open: No such file or directory (os error 2)"
    );
}

/// The sample graph, stored with its vertices turned round.
fn stored() -> (Graph, Vec<u8>) {
    let graph = read("a.gr", "p sp 3 3\na 1 2 70\na 1 3 10\na 2 3 40\n");
    let map = NodeMap::renumbering(vec![2, 1, 0]).unwrap();
    let inner = graph.renumbered(&map, &Control::new()).unwrap();
    let label = OrderLabel { name: "turned".to_owned(), seed: Some(7) };
    let file = bytes(&graph.stored_as(Some(Stored::new(label, inner, map).unwrap())).unwrap());
    (graph, file)
}

/// An edit of a section of the stored graph, with all checksums right.
fn forged_order(index: usize, at: usize, with: &[u8]) -> Vec<u8> {
    let (_, mut file) = stored();
    let begin = start(&file, index);
    file[begin + at..begin + at + with.len()].copy_from_slice(with);
    let entry = 64 + 32 * index;
    let length = u64::from_le_bytes(file[entry + 16..entry + 24].try_into().unwrap()) as usize;
    let checksum = hash::bytes(&file[begin..begin + length]);
    file[entry + 24..entry + 32].copy_from_slice(&checksum.to_le_bytes());
    resealed(file)
}

#[test]
fn a_graph_stored_in_another_order_is_read_as_the_original() {
    let (graph, file) = stored();
    let again = read("a.wg", file.clone());
    let order = again.stored().unwrap();
    assert_eq!((order.label().name.as_str(), order.label().seed), ("turned", Some(7)));
    assert_eq!(arcs(order.graph()), [(1, 0, 40.0), (2, 0, 10.0), (2, 1, 70.0)]);
    assert_eq!((again.hash(), again.vertices(), again.arcs()), (graph.hash(), 3, 3));
    assert_eq!(arcs(&again), arcs(&graph));
    assert_eq!(again.ids().id(0), VertexId::Number(1));
    // Its arcs hash to what the file says.
    let whole = Graph::new(again.out().clone(), true, again.ids().clone(), again.origin().clone()).unwrap();
    assert_eq!(whole.hash(), graph.hash());
    assert_eq!(bytes(&again).len(), file.len());
    assert_eq!(read("b.wg", bytes(&again)).stored().unwrap().label(), order.label());
    let text = |graph: &Graph| {
        let mut out = Vec::new();
        to_writer(graph, OutputFormat::WeightedEdgeList, &mut out, "a.wel", &Control::new()).unwrap();
        String::from_utf8(out).unwrap().lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(text(&again), text(&graph));
}

#[test]
fn the_order_of_another_graph_is_refused() {
    let other = read("b.gr", "p sp 3 1\na 1 2 70\n");
    let map = NodeMap::renumbering(vec![2, 1, 0]).unwrap();
    let label = OrderLabel { name: "turned".to_owned(), seed: None };
    let order = |graph: &Graph| Stored::new(label.clone(), graph.clone(), map.clone());
    let error = stored().0.stored_as(Some(order(&other).unwrap())).unwrap_err();
    assert_eq!(error.to_string(), "the stored order is of another graph");
    let small = read("c.gr", "p sp 1 0\n");
    assert_eq!(
        order(&small).unwrap_err().to_string(),
        "a map from 3 to 3 vertices does not fit a graph of 1"
    );
}

#[test]
fn reading_flags_take_a_stored_graph_in_its_natural_order_and_say_so() {
    let (_, file) = stored();
    let options = ReadOptions { no_weights: true, ..Default::default() };
    let plain = read_with("a.wg", file.clone(), &options).unwrap();
    assert!(plain.stored().is_none());
    assert_eq!(
        plain.origin().warnings,
        ["reading flags changed the graph: its stored order (turned) is not used"]
    );
    let kept = read_with("a.wg", file, &ReadOptions { directed: Some(true), ..Default::default() }).unwrap();
    assert!(kept.stored().is_some() && kept.origin().warnings.is_empty());
}

#[test]
fn an_older_reader_must_refuse_a_stored_order() {
    let (_, file) = stored();
    for index in 4..7 {
        let entry = 64 + 32 * index;
        let kind = u32::from_le_bytes(file[entry..entry + 4].try_into().unwrap());
        assert_eq!(
            (kind, file[entry + 4]),
            (8 + index as u32, 1),
            "required, of a kind that version 1.0 did not know"
        );
    }
}

#[test]
fn hostile_maps_are_refused() {
    let help = "help: the map is damaged or belongs to another graph; reorder the graph anew";
    let cases = [
        (forged_order(4, 0, &7u32.to_le_bytes()), "vertex number 0 is mapped to 7, which does not map back"),
        (forged_order(4, 0, &1u32.to_le_bytes()), "vertex number 0 is mapped to 1, which does not map back"),
        (forged_order(5, 0, &9u32.to_le_bytes()), "vertex number 2 is mapped to 0, which does not map back"),
    ];
    for (file, problem) in cases {
        assert_eq!(fails("a.wg", file), format!("a.wg: {problem}\n{help}"));
    }
    let not_json = fails("a.wg", forged_order(6, 0, b"?"));
    assert!(not_json.starts_with("a.wg: section order: not the JSON it should be: "), "{not_json}");
    let (_, file) = stored();
    let mut lost = file.clone();
    // The originals turned into a section that may be skipped.
    lost[64 + 32 * 5..64 + 32 * 5 + 8].copy_from_slice(&999u64.to_le_bytes());
    assert_eq!(fails("a.wg", resealed(lost)), format!("a.wg: section originals is missing\n{DAMAGED}"));
    for index in 4..7 {
        let mut damaged = file.clone();
        let at = start(&damaged, index);
        damaged[at + 1] ^= 1;
        let name = ["masters", "originals", "order"][index - 4];
        let said = fails("a.wg", damaged);
        assert!(said.starts_with(&format!("a.wg: section {name}: checksum ")), "{said}");
    }
}
