use super::{
    arcs,
    bv::{self, Bits, How},
};
use proptest::prelude::*;
use std::{fs, path::PathBuf};
use warpgraph_graph::{Control, Error, Format, Graph, Input, ReadOptions, build::Loops, format};

/// The files of a BV graph.
#[derive(Debug, Clone)]
pub(super) struct Files {
    pub(super) properties: String,
    pub(super) graph: Vec<u8>,
    pub(super) offsets: Vec<u8>,
}

impl Files {
    fn input(&self, with_offsets: bool) -> Input {
        let input = Input::from_bytes("x.graph", self.graph.clone());
        let input = input.with_beside("properties", self.properties.clone().into_bytes());
        if with_offsets { input.with_beside("offsets", self.offsets.clone()) } else { input }
    }

    fn read(&self, with_offsets: bool, options: &ReadOptions) -> Result<Graph, Error> {
        format::read(self.input(with_offsets), options, &Control::new())
    }

    fn fails(&self, with_offsets: bool) -> String {
        self.read(with_offsets, &ReadOptions::default()).expect_err("an error").to_string()
    }
}

fn lists(graph: &Graph) -> Vec<Vec<u32>> {
    (0..graph.vertices() as u32).map(|v| graph.out().csr.neighbors(v).to_vec()).collect()
}

/// Lists with runs and likeness, so that every part of the format is used.
fn sample() -> Vec<Vec<u32>> {
    let mut lists =
        vec![vec![1, 2, 3, 4, 5, 9], vec![0, 1, 2, 3, 4, 5, 9], vec![], vec![3], vec![0, 2, 4, 6, 8]];
    lists.push(vec![0, 4, 5, 6, 7, 8, 9]);
    lists.push(vec![0, 4, 5, 6, 7, 9]);
    lists.extend([vec![9], (0..10).collect(), (0..9).collect()]);
    lists
}

#[test]
fn a_webgraph_is_known_by_the_properties_beside_it() {
    let files = bv::write(&sample(), &How::default(), |x| x % 3);
    for with_offsets in [false, true] {
        let graph = files.read(with_offsets, &ReadOptions::default()).unwrap();
        assert_eq!(lists(&graph), sample());
        assert_eq!((graph.is_directed(), graph.origin().format.as_str()), (true, "webgraph"));
        assert_eq!(graph.origin().listed, graph.arcs() as u64);
    }
    let metis = Input::from_bytes("x.graph", b"2 1\n2\n1\n".to_vec())
        .with_beside("properties", b"colour=red".to_vec());
    let graph = format::read(metis, &ReadOptions::default(), &Control::new()).unwrap();
    assert_eq!(graph.origin().format, "metis");
}

#[test]
fn a_webgraph_may_be_named_by_any_of_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    let files = bv::write(&sample(), &How::default(), |x| x % 3);
    fs::write(path("it-2004.v1.graph"), &files.graph).unwrap();
    fs::write(path("it-2004.v1.properties"), &files.properties).unwrap();
    for name in ["it-2004.v1.graph", "it-2004.v1.properties", "it-2004.v1"] {
        assert!(Input::exists(&path(name)));
        let graph = Graph::open(path(name)).unwrap();
        assert_eq!(lists(&graph), sample(), "{name}");
        assert!(graph.origin().name.ends_with("it-2004.v1.graph"));
    }
    assert!(!Input::exists(&path("it-2004")));
    // An offsets file is used when it is there: a damaged one is found.
    fs::write(path("it-2004.v1.offsets"), [0x55; 40]).unwrap();
    let error = Graph::open(path("it-2004.v1")).unwrap_err();
    assert!(error.to_string().contains("it-2004.v1.offsets: "), "{error}");
    fs::remove_file(path("it-2004.v1.properties")).unwrap();
    let options = ReadOptions { format: Some(Format::WebGraph), ..Default::default() };
    let error = Graph::open_with(path("it-2004.v1.graph"), &options, &Control::new()).unwrap_err();
    let text = "a WebGraph is a .graph and a .properties file, and there is no .properties beside this one";
    assert!(error.to_string().ends_with(text), "{error}");
}

#[test]
fn options_apply() {
    let files = bv::write(&[vec![0, 1], vec![], vec![0]], &How::default(), |_| 0);
    let read = |options| files.read(false, &options).unwrap();
    let undirected = read(ReadOptions { directed: Some(false), ..Default::default() });
    let expected = [(0, 0, 1.0), (0, 1, 1.0), (0, 2, 1.0), (1, 0, 1.0), (2, 0, 1.0)];
    assert_eq!((arcs(&undirected), undirected.is_directed()), (expected.to_vec(), false));
    let without = read(ReadOptions { loops: Loops::Drop, ..Default::default() });
    assert_eq!((arcs(&without), without.origin().loops_dropped), (vec![(0, 1, 1.0), (2, 0, 1.0)], 1));
}

#[test]
fn an_empty_graph_is_a_graph() {
    let files = bv::write(&[], &How::default(), |_| 0);
    assert_eq!(files.read(true, &ReadOptions::default()).unwrap().vertices(), 0);
}

/// Long lists of likeness and runs, from a few multiplications.
fn many(nodes: usize) -> Vec<Vec<u32>> {
    let noise = |i: usize| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32;
    let list = |x: usize| {
        let centre = (x / 12 * 12) as u32;
        let mut list: Vec<u32> = (centre..centre + 6).chain((0..5).map(|i| noise(x / 3 * 7 + i))).collect();
        list.push(noise(x));
        list.iter_mut().for_each(|node| *node %= nodes as u32);
        list.sort_unstable();
        list.dedup();
        list
    };
    (0..nodes).map(list).collect()
}

#[test]
fn ranges_of_nodes_read_in_parallel_are_those_read_in_order() {
    let all = many(40_000);
    // Chains of references that never end, and such that end now and then.
    for refer in [|_| 1, |x: usize| x % 4, |x: usize| (x % 50).min(7)] {
        let files = bv::write(&all, &How::default(), refer);
        let in_order = files.read(false, &ReadOptions::default()).unwrap();
        assert_eq!(lists(&in_order), all);
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let graph = pool.install(|| files.read(true, &ReadOptions::default())).unwrap();
            assert_eq!(graph.hash(), in_order.hash(), "{threads} threads");
        }
    }
}

#[test]
fn reading_can_be_cancelled() {
    let files = bv::write(&sample(), &How::default(), |_| 0);
    let control = Control::new();
    control.cancel();
    let error = format::read(files.input(true), &ReadOptions::default(), &control).unwrap_err();
    assert_eq!(error.to_string(), "interrupted while reading");
}

/// A graph of three nodes whose first lists are empty and whose last one is these bits.
fn third(arcs: u64, put: impl Fn(&mut Bits)) -> Files {
    let mut bits = Bits::default();
    bits.gamma(0);
    bits.gamma(0);
    put(&mut bits);
    let properties = format!(
        "nodes=3\narcs={arcs}\nwindowsize=2\nminintervallength=2\ncompressionflags=REFERENCES_GAMMA|RESIDUALS_GAMMA"
    );
    Files { properties, graph: bits.bytes(), offsets: Vec::new() }
}

#[test]
fn what_lists_cannot_be_is_named_with_node_and_bit() {
    let put = |numbers: &'static [u64]| move |bits: &mut Bits| numbers.iter().for_each(|&n| bits.gamma(n));
    let cases: [(&'static [u64], &str); 8] = [
        (&[4], "node 2, before bit 7: 4 successors, expected 3 at most"),
        (&[1, 3], "node 2, before bit 10: a reference 3 nodes back, expected 2 at most"),
        (&[1, 1, 2], "node 2, before bit 11: 2 blocks of a list of 0"),
        (&[1, 1, 1, 1], "node 2, before bit 14: blocks reach beyond the list of 0 they refer to"),
        (&[3, 0, 2], "node 2, before bit 11: 2 intervals among 3 successors"),
        (&[3, 0, 1, 3, 9], "node 2, before bit 23: an interval of 11, expected 3 at most"),
        (&[1, 0, 0, 2], "node 2, before bit 10: a successor that is no node from 0 to 2"),
        (&[3, 0, 1, 3, 0, 1], "node 2, before bit 20: a successor is there twice"),
    ];
    for (numbers, message) in cases {
        assert_eq!(third(3, put(numbers)).fails(false), format!("x.graph: {message}"), "{numbers:?}");
    }
    let cut = third(1, put(&[1, 0, 0]));
    let text = "x.graph: node 2: its list runs past the end of the file, or has a number beyond 64 bits";
    assert_eq!(cut.fails(false), text);
}

#[test]
fn counts_that_cannot_be_are_refused() {
    let mut files = bv::write(&sample(), &How::default(), |x| x % 3);
    let original = files.properties.clone();
    let mut fails = |from: &str, to: &str, with_offsets| {
        files.properties = original.replace(from, to);
        files.fails(with_offsets)
    };
    let bits = bv::write(&sample(), &How::default(), |x| x % 3).graph.len() * 8;
    assert_eq!(
        fails("nodes=10\n", "nodes=4000000000\n", false),
        format!("x.properties: 4000000000 nodes, but x.graph has {bits} bits, and a node takes one at least")
    );
    assert_eq!(
        fails("arcs=52", "arcs=101", false),
        "x.properties: 101 arcs between 10 nodes, expected 100 at most"
    );
    for with_offsets in [false, true] {
        let fewer = fails("arcs=52", "arcs=51", with_offsets);
        assert_eq!(fewer, "x.graph: its properties promise 51 arcs, but more follow");
        let more = fails("arcs=52", "arcs=53", with_offsets);
        assert_eq!(more, "x.graph: its properties promise 53 arcs, but 52 follow");
    }
    assert_eq!(fails("windowsize=7", "", false), "x.properties: no line windowsize=...");
}

#[test]
fn offsets_that_do_not_belong_are_refused() {
    let files = bv::write(&sample(), &How::default(), |x| x % 3);
    let other = bv::write(&sample(), &How::default(), |_| 0);
    let with = |offsets: Vec<u8>| Files { offsets, ..files.clone() }.fails(true);
    assert_eq!(with(Vec::new()), "x.offsets: 0 bits for 11 positions, and each takes one at least");
    assert_eq!(with(vec![0x80, 0, 0]), "x.offsets: it ends before the position of node 1 of 10");
    assert_eq!(
        with(vec![0xff; 40]),
        "x.offsets: the list of node 1 starts at bit 0, 0 after the one before, of 216"
    );
    assert!(with(other.offsets).starts_with("x.graph: "));
}

#[test]
fn files_cut_short_anywhere_are_refused() {
    let files = bv::write(&sample(), &How::default(), |x| x % 3);
    for end in 0..files.graph.len() {
        let graph = files.graph[..end].to_vec();
        for with_offsets in [false, true] {
            let cut = Files { graph: graph.clone(), ..files.clone() };
            cut.fails(with_offsets);
        }
    }
}

const CODES: [&str; 4] = ["GAMMA", "DELTA", "ZETA", "NIBBLE"];

fn how() -> impl Strategy<Value = How> {
    let code = || prop::sample::select(&CODES[..]);
    let small = || prop::sample::select(&["UNARY", "GAMMA", "DELTA", "ZETA", "NIBBLE"][..]);
    let shape = (0usize..9, prop::sample::select(&[0usize, 2, 3, 4, 8][..]), 1u32..8);
    (shape, small(), small(), small(), small(), code(), code()).prop_map(
        |(
            (window, shortest_interval, zeta),
            degrees,
            references,
            block_counts,
            blocks,
            residuals,
            offsets,
        )| How {
            window,
            shortest_interval,
            zeta,
            degrees,
            references,
            block_counts,
            blocks,
            residuals,
            offsets,
        },
    )
}

/// Lists that are their predecessor with some nodes more, some fewer, and a run.
fn graphs() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let change = (prop::collection::vec(any::<u32>(), 0..6), any::<u32>(), 0u32..9, 0u32..3);
    prop::collection::vec(change, 1..60).prop_map(|changes| {
        let n = changes.len() as u32;
        let mut last: Vec<u32> = Vec::new();
        let next = |(nodes, start, len, keep): (Vec<u32>, u32, u32, u32)| {
            last.retain(|node| keep > 0 && node % 5 != start % 5);
            last.extend(nodes.iter().map(|node| node % n));
            last.extend((start % n..n).take(len as usize));
            last.sort_unstable();
            last.dedup();
            last.clone()
        };
        changes.into_iter().map(next).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_graph_in_every_code_reads_back(all in graphs(), how in how(), back in 0usize..9) {
        let files = bv::write(&all, &how, |x| if back == 8 { x % 8 } else { back });
        for with_offsets in [false, true] {
            prop_assert_eq!(&lists(&files.read(with_offsets, &ReadOptions::default()).unwrap()), &all);
        }
    }

    #[test]
    fn damage_is_an_error_or_a_graph_and_the_same_with_offsets(
        all in graphs(),
        how in how(),
        at in any::<prop::sample::Index>(),
        bits in 1u8..,
    ) {
        let mut files = bv::write(&all, &how, |x| x % 4);
        prop_assume!(!files.graph.is_empty());
        let at = at.index(files.graph.len());
        files.graph[at] ^= bits;
        let in_order = files.read(false, &ReadOptions::default());
        let by_offsets = files.read(true, &ReadOptions::default());
        if let (Ok(a), Ok(b)) = (&in_order, &by_offsets) {
            prop_assert_eq!(a.hash(), b.hash());
        }
        prop_assert!(in_order.is_ok() || by_offsets.is_err(), "{:?}", in_order);
    }
}
