//! A file opened on a device is the graph that the processor finds in it, and its faults are found all the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use crate::{
    DeviceGraph,
    device_graph::Side,
    testing::{generated, simt},
};
use std::path::Path;
use warpgraph_core::{Error, Options, Result};
use warpgraph_device::Gpu;
use warpgraph_graph::{
    Arcs, Control, Graph, NodeMap, OrderLabel, Origin, Stored, Vertex, Weights,
    format::{wg, write::WriteOptions},
    hash,
};

/// Bytes of the header, and of an entry of the table of sections behind it.
const HEADER: usize = 64;
const ENTRY: usize = 32;

fn word(file: &[u8], at: usize) -> usize {
    u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize
}

/// Returns start and length of a section.
fn section(file: &[u8], index: usize) -> (usize, usize) {
    let entry = HEADER + ENTRY * index;
    (word(file, entry + 8), word(file, entry + 16))
}

fn sections(file: &[u8]) -> usize {
    u32::from_le_bytes(file[40..44].try_into().unwrap()) as usize
}

/// Makes the checksums of a section and of the header right after an edit.
fn sealed(mut file: Vec<u8>, index: usize) -> Vec<u8> {
    let ((start, length), entry) = (section(&file, index), HEADER + ENTRY * index);
    let checksum = hash::bytes(&file[start..start + length]);
    file[entry + 24..entry + 32].copy_from_slice(&checksum.to_le_bytes());
    file[56..64].fill(0);
    let checksum = hash::bytes(&file[..HEADER + ENTRY * sections(&file)]);
    file[56..64].copy_from_slice(&checksum.to_le_bytes());
    file
}

fn bytes_of(graph: &Graph, path: &Path) -> Vec<u8> {
    let _ = std::fs::remove_file(path);
    graph.write(path, &WriteOptions::default(), &Control::new()).unwrap();
    std::fs::read(path).unwrap()
}

/// Opens a file on the device and on the processor.
fn both(gpu: &Gpu, path: &Path) -> (Result<(Graph, DeviceGraph)>, Result<Graph>) {
    let on_device = wg::File::open(path)
        .and_then(wg::File::pending)
        .map_err(Error::from)
        .and_then(|pending| super::open(|| Some(gpu), pending, &Options::default()))
        .map(Result::unwrap);
    let here = wg::File::open(path).and_then(|file| file.check(&Control::new())).map_err(Error::from);
    (on_device, here)
}

/// Returns a graph with the same arcs and other weights, the same for both directions of an edge.
fn weighted(graph: &Graph, make: impl Fn(&[u32]) -> Weights) -> Graph {
    let csr = graph.out().csr.clone();
    let pairs = (0..csr.vertices() as Vertex).flat_map(|u| csr.neighbors(u).iter().map(move |&v| u ^ v));
    let weights = make(&pairs.collect::<Vec<_>>());
    Graph::new(Arcs { csr, weights }, graph.is_directed(), graph.ids().clone(), Origin::default()).unwrap()
}

/// Returns graphs of every kind.
fn graphs() -> Vec<Graph> {
    let mut number = numbers();
    // With loops, parallel edges, isolated vertices, and a hub.
    let pairs: Vec<_> = (0..400)
        .map(|i| (number(120) as Vertex, if i % 3 == 0 { 7 } else { number(90) as Vertex }))
        .collect();
    let undirected = Graph::from_edges(130, &pairs, false).unwrap();
    let directed = generated("uniform:7,degree=2,directed");
    let turned =
        NodeMap::renumbering((0..undirected.vertices() as Vertex).rev().collect::<Vec<_>>()).unwrap();
    let inner = undirected.renumbered(&turned, &Control::new()).unwrap();
    let label = OrderLabel { name: "turned".to_owned(), seed: None };
    let mut graphs = vec![
        undirected.stored_as(Some(Stored::new(label, inner, turned).unwrap())).unwrap(),
        generated("grid:3x1"),
        Graph::from_edges(0, &[], false).unwrap(),
        Graph::from_edges(5, &[], true).unwrap(),
    ];
    for graph in [undirected, directed] {
        graphs.push(weighted(&graph, |w| Weights::U32(w.to_vec().into())));
        graphs.push(weighted(&graph, |w| {
            Weights::I32(w.iter().map(|&w| 5 - w as i32).collect::<Vec<_>>().into())
        }));
        graphs.push(weighted(&graph, |w| {
            Weights::F32(w.iter().map(|&w| w as f32 / 8.0 - 2.0).collect::<Vec<_>>().into())
        }));
        graphs.push(weighted(&graph, |w| {
            Weights::F64(w.iter().map(|&w| 1e300 / f64::from(w + 1)).collect::<Vec<_>>().into())
        }));
        graphs.push(graph);
    }
    graphs
}

#[test]
fn a_sound_file_is_the_same_graph_with_the_same_counts_and_is_there() {
    let (folder, gpu) = (tempfile::tempdir().unwrap(), simt());
    let path = folder.path().join("a.wg");
    for graph in graphs() {
        bytes_of(&graph, &path);
        let (opened, here) = both(&gpu, &path);
        let ((opened, device_graph), here) = (opened.unwrap(), here.unwrap());
        assert_eq!(opened.hash(), here.hash());
        assert_eq!(opened.counts(), here.counts());
        assert_eq!(opened.weight_range(), here.weight_range());
        let csr = &device_graph.graph().out().csr;
        let before = device_graph.transfer_seconds();
        let rows = device_graph.rows(Side::Out).unwrap();
        assert_eq!(rows.arcs(), csr.arcs());
        assert!(csr.arcs() == 0 || device_graph.transfer_seconds() == before, "nothing is copied again");
    }
}

/// Numbers that look random and are the same every time.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 1_u64;
    move |below| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below.max(1)
    }
}

#[test]
fn a_file_is_refused_with_the_words_of_the_processor_or_accepted_by_both() {
    let (folder, gpu, mut number) = (tempfile::tempdir().unwrap(), simt(), numbers());
    let path = folder.path().join("a.wg");
    let (mut refused, mut accepted) = (0, 0);
    for graph in graphs() {
        let whole = bytes_of(&graph, &path);
        for turn in 0..40 {
            let (mut file, index) = (whole.clone(), number(sections(&whole)));
            let (start, length) = section(&file, index);
            if length == 0 {
                continue;
            }
            let at = start + number(length);
            file[at] = [file[at].wrapping_add(1), file[at] ^ 0x80, 0xff, 0, 0x7f][number(5)];
            // Some files are damaged, the others forged.
            let file = if turn % 4 == 0 { file } else { sealed(file, index) };
            // A new file: graphs of the last turn have mapped the old one.
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, file).unwrap();
            match both(&gpu, &path) {
                (Ok((opened, _)), Ok(here)) => {
                    accepted += 1;
                    assert_eq!((opened.hash(), opened.counts()), (here.hash(), here.counts()));
                }
                (Err(found), Err(expected)) => {
                    refused += 1;
                    assert_eq!(found.to_string(), expected.to_string());
                }
                (found, expected) => panic!("byte {at} of section {index}: {found:?}, {expected:?}"),
            }
        }
    }
    assert!(refused > 100 && accepted > 20, "{refused} refused, {accepted} accepted");
}

#[test]
fn opening_can_be_stopped() {
    let (folder, gpu) = (tempfile::tempdir().unwrap(), simt());
    let path = folder.path().join("a.wg");
    bytes_of(&generated("kron:8"), &path);
    let options = Options::default();
    options.control.cancel();
    let pending = || wg::File::open(&path).unwrap().pending().unwrap();
    assert_eq!(super::open(|| Some(&gpu), pending(), &options).unwrap_err().kind(), "interrupted");
    let file = super::open(|| None, pending(), &Options::default()).unwrap().unwrap_err();
    assert_eq!(file.check(&Control::new()).unwrap().hash(), Graph::open(&path).unwrap().hash());
}
