//! Parsers of `warpgraph-graph`: whatever the bytes, an error that helps or a graph that holds.
//!
//! The target `any` reads every format that is recognised by its content: seeds of such a format go to `corpus/any`. Any
//! other format needs a target of its own: a function here, its name in the list below, a file in `targets/`, its lines in
//! `Cargo.toml`, and a folder in `corpus/`.

use warpgraph_graph::{
    Control, Csr, Error, Format, Graph, Input, ReadOptions, Stored, Weights,
    build::{Loops, Parallel},
    format,
    generate::Spec,
    hash,
};

/// A fuzz target: its name, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// Calls the macro named `$callback` with the names of all targets.
macro_rules! for_each_target {
    ($callback:ident) => {
        $callback! {
            any edge_list matrix_market dimacs metis gap wg webgraph graph500 graph500_64 graphml npz parquet generator
            adjacency_list graphalytics pajek gml dot node_link
        }
    };
}

macro_rules! list {
    ($($target:ident)+) => { &[$((stringify!($target), $target)),+] };
}

/// All of them.
pub const TARGETS: &[Target] = for_each_target!(list);

/// A file whose format is told by what is in it.
pub fn any(data: &[u8]) {
    read_text(None, "any", data);
}

/// Text edge lists.
pub fn edge_list(data: &[u8]) {
    read(Some(Format::EdgeList), || bytes("a.el", data));
}

/// Matrix Market.
pub fn matrix_market(data: &[u8]) {
    read_text(Some(Format::MatrixMarket), "a.mtx", data);
}

/// DIMACS and PACE.
pub fn dimacs(data: &[u8]) {
    read_text(Some(Format::Dimacs), "a.gr", data);
}

/// METIS.
pub fn metis(data: &[u8]) {
    read_text(Some(Format::Metis), "a.graph", data);
}

/// GAP's serialised graphs.
pub fn gap(data: &[u8]) {
    read(Some(Format::Gap), || bytes("a.sg", data));
}

/// warpgraph's own format: as it is, and with length and checksums put right, so that damage meets the other checks.
pub fn wg(data: &[u8]) {
    read(Some(Format::Wg), || bytes("a.wg", data));
    if let Some(data) = repaired(data) {
        read(Some(Format::Wg), || bytes("a.wg", &data));
    }
}

/// A `.wg` file with the length and the checksums it should have; `None` if it has no whole header.
fn repaired(data: &[u8]) -> Option<Vec<u8>> {
    let number = |data: &[u8], at: usize| data.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
    let put = |data: &mut [u8], at: usize, value: u64| data[at..at + 8].copy_from_slice(&value.to_le_bytes());
    let mut data = data.to_vec();
    let sections = number(&data, 40)? as u32 as usize;
    let table = 64..64 + 32 * sections;
    data.get(table.clone())?;
    let length = data.len() as u64;
    put(&mut data, 48, length);
    for entry in table.clone().step_by(32) {
        let (start, length) = (number(&data, entry + 8)? as usize, number(&data, entry + 16)? as usize);
        let checksum = hash::bytes(data.get(start..start.checked_add(length)?)?);
        put(&mut data, entry + 24, checksum);
    }
    put(&mut data, 56, 0);
    let checksum = hash::bytes(&data[..table.end]);
    put(&mut data, 56, checksum);
    Some(data)
}

/// WebGraph: the `.properties`, a line `---`, the `.graph`; if there is another such line, the `.offsets`.
pub fn webgraph(data: &[u8]) {
    const CUT: &[u8] = b"\n---\n";
    let cut = |data: &[u8]| data.windows(CUT.len()).position(|w| w == CUT);
    let Some(first) = cut(data) else { return };
    let (properties, rest) = (&data[..first], &data[first + CUT.len()..]);
    let second = cut(rest);
    let graph = &rest[..second.unwrap_or(rest.len())];
    let offsets = second.map(|second| &rest[second + CUT.len()..]);
    read(Some(Format::WebGraph), || {
        let input = bytes("a.graph", graph).with_beside("properties", properties.to_vec());
        match offsets {
            Some(offsets) => input.with_beside("offsets", offsets.to_vec()),
            None => input,
        }
    });
}

/// Graph500's packed edges.
pub fn graph500(data: &[u8]) {
    read(Some(Format::Graph500), || bytes("a.g500", data));
}

/// Graph500's edges of 64-bit numbers.
pub fn graph500_64(data: &[u8]) {
    read(Some(Format::Graph500Wide), || bytes("a.bin", data));
}

/// GraphML.
pub fn graphml(data: &[u8]) {
    read(Some(Format::GraphMl), || bytes("a.graphml", data));
}

/// Adjacency lists.
pub fn adjacency_list(data: &[u8]) {
    read(Some(Format::AdjacencyList), || bytes("a.adjlist", data));
}

/// LDBC Graphalytics: the `.v`, a line `---`, the `.e`; if there is another such line, the `.properties`.
pub fn graphalytics(data: &[u8]) {
    let mut parts = data.split_inclusive(|&b| b == b'\n').collect::<Vec<_>>();
    parts.iter_mut().for_each(|line| *line = if *line == b"---\n" { b"" } else { line });
    let mut files = parts.split(|line| line.is_empty()).map(<[&[u8]]>::concat);
    let (Some(vertices), Some(edges)) = (files.next(), files.next()) else { return };
    let properties = files.next();
    read(Some(Format::Graphalytics), || {
        let input = bytes("a.e", &edges).with_beside("v", vertices.clone());
        match &properties {
            Some(properties) => input.with_beside("properties", properties.clone()),
            None => input,
        }
    });
}

/// Pajek.
pub fn pajek(data: &[u8]) {
    read_text(Some(Format::Pajek), "a.net", data);
}

/// GML.
pub fn gml(data: &[u8]) {
    read(Some(Format::Gml), || bytes("a.gml", data));
}

/// DOT.
pub fn dot(data: &[u8]) {
    read(Some(Format::Dot), || bytes("a.dot", data));
}

/// Node-link JSON.
pub fn node_link(data: &[u8]) {
    read(Some(Format::NodeLink), || bytes("a.json", data));
}

/// Sparse matrices of SciPy.
pub fn npz(data: &[u8]) {
    read(Some(Format::Npz), || bytes("a.npz", data));
}

/// Parquet; a build without it says so, whatever the bytes.
pub fn parquet(data: &[u8]) {
    read(Some(Format::Parquet), || bytes("a.parquet", data));
}

/// The text form of generators: what is read prints as text that reads the same; small ones generate what they promise.
pub fn generator(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Spec>() {
        Err(error) => helps(&error),
        Ok(spec) => {
            let printed = spec.to_string();
            assert!(printed.parse::<Spec>().is_ok_and(|again| again == spec), "{printed}");
            if spec.estimate().bytes < 1 << 20 {
                judge(spec.generate(&Control::new()));
            }
        }
    }
}

/// Reads a format whose header may rightly ask for gigabytes, unless it does.
fn read_text(format: Option<Format>, name: &str, data: &[u8]) {
    if !asks_for_much(data) {
        read(format, || bytes(name, data));
    }
}

fn bytes(name: &str, data: &[u8]) -> Input {
    Input::from_bytes(name, data.to_vec())
}

/// Is there a number that could be that of the vertices of a large graph? Beyond 32 bits they are refused.
fn asks_for_much(data: &[u8]) -> bool {
    let digits = data.split(|b| !b.is_ascii_digit());
    let value =
        |run: &[u8]| run.iter().fold(0u64, |n, b| n.saturating_mul(10).saturating_add(u64::from(b - b'0')));
    digits.map(value).any(|n| (1 << 20..=u64::from(u32::MAX)).contains(&n))
}

/// Reads by default, and with everything else asked for.
fn read(format: Option<Format>, input: impl Fn() -> Input) {
    let plain = ReadOptions { format, ..ReadOptions::default() };
    let changed = ReadOptions {
        directed: Some(false),
        base: Some(0),
        no_weights: true,
        loops: Loops::Drop,
        parallel: Parallel::Sum,
        ..plain.clone()
    };
    for options in [plain, changed] {
        judge(format::read(input(), &options, &Control::new()));
    }
}

fn judge(read: Result<Graph, Error>) {
    match read {
        Err(error) => helps(&error),
        Ok(graph) => holds(&graph),
    }
}

/// An error says what happened and what to do next.
fn helps(error: &Error) {
    assert!(!error.to_string().is_empty());
    assert!(error.help().is_some_and(|help| !help.is_empty()), "no help: {error}");
}

/// A graph is what its constructors promise: every invariant is checked anew.
fn holds(graph: &Graph) {
    let arcs = graph.out();
    if let Err(error) = Csr::new(arcs.csr.offsets().clone(), arcs.csr.targets().clone(), "recheck") {
        panic!("{error}");
    }
    if let Err(error) =
        Graph::new(arcs.clone(), graph.is_directed(), graph.ids().clone(), graph.origin().clone())
    {
        panic!("{error}");
    }
    let is_finite = match &arcs.weights {
        Weights::F32(w) => w.iter().all(|w| w.is_finite()),
        Weights::F64(w) => w.iter().all(|w| w.is_finite()),
        _ => true,
    };
    assert!(is_finite, "a weight is not finite");
    let stored = graph.stored().map_or(graph, Stored::graph);
    if let Some(Err(error)) = stored.paths().map(|paths| paths.check(stored)) {
        panic!("{error}");
    }
    for v in 0..graph.vertices() as u32 {
        assert_eq!(graph.ids().find(&graph.ids().id(v)), Some(v), "the id of vertex {v}");
    }
}
