use super::{arcs, read, read_with};
use proptest::prelude::*;
use std::io::Write;
use warpgraph_graph::{
    Control, Error, Graph, Ids, Input, ReadOptions, Vertex, VertexId, Weights,
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    format::write::{OutputFormat, Packer, Packing, WriteOptions, to_writer},
};

fn written(graph: &Graph, format: OutputFormat) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    to_writer(graph, format, &mut out, "out", &Control::new()).map(|()| out)
}

fn text(graph: &Graph, format: OutputFormat) -> String {
    String::from_utf8(written(graph, format).unwrap()).unwrap()
}

fn sample() -> Graph {
    read("a.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 7\n3 1 8\n3 3 9\n")
}

#[test]
fn an_undirected_graph_is_written_once_per_edge_in_original_ids() {
    assert_eq!(
        text(&sample(), OutputFormat::EdgeList),
        "# Undirected graph: a.mtx\n# Nodes: 3 Edges: 3\n1 2\n1 3\n3 3\n"
    );
    assert_eq!(
        text(&sample(), OutputFormat::WeightedEdgeList),
        "# Undirected graph: a.mtx\n# Nodes: 3 Edges: 3\n1 2 7\n1 3 8\n3 3 9\n"
    );
    assert_eq!(
        text(&sample(), OutputFormat::MatrixMarket),
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 7\n3 1 8\n3 3 9\n"
    );
}

#[test]
fn a_directed_graph_is_written_arc_by_arc() {
    let graph = read("a.gr", "p sp 2 2\na 1 2 -5\na 2 1 0.5\n");
    assert_eq!(
        text(&graph, OutputFormat::WeightedEdgeList),
        "# Directed graph: a.gr\n# Nodes: 2 Edges: 2\n1 2 -5.0\n2 1 0.5\n"
    );
    assert_eq!(
        text(&graph, OutputFormat::MatrixMarket),
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 -5.0\n2 1 0.5\n"
    );
}

#[test]
fn a_format_that_cannot_hold_the_graph_is_refused() {
    let bare = read("a.gr", "p tw 2 1\n1 2\n");
    let refused = |graph: &Graph, format| {
        let error = written(graph, format).unwrap_err();
        format!("{error}\nhelp: {}", error.help().unwrap())
    };
    assert_eq!(
        refused(&bare, OutputFormat::WeightedEdgeList),
        "a .wel file holds weights, and this graph has none\nhelp: write .el instead; weights are never invented"
    );
    assert_eq!(
        refused(&bare, OutputFormat::WeightedGap),
        "a .wsg file holds weights, and this graph has none\nhelp: write .sg instead; weights are never invented"
    );
    let real = read("a.gr", "p sp 2 2\na 1 2 3\na 2 1 0.5\n");
    assert_eq!(
        refused(&real, OutputFormat::WeightedGap),
        "a .wsg file holds whole weights from -2147483648 to 2147483647, this graph has 0.5\nhelp: write .wg or .wel, \
         which hold any weight"
    );
}

#[test]
fn the_ending_or_the_name_chooses_the_format() {
    let folder = tempfile::tempdir().unwrap();
    for ending in OutputFormat::ALL.iter().map(|format| format.name()) {
        let path = folder.path().join(format!("a.{ending}"));
        sample().write(&path, &WriteOptions::default(), &Control::new()).unwrap();
        assert_eq!(Graph::open(&path).unwrap().edges(), 3, "{ending}");
        assert_eq!(ending.parse::<OutputFormat>().unwrap().name(), ending);
    }
    let error =
        sample().write(folder.path().join("a.xls"), &WriteOptions::default(), &Control::new()).unwrap_err();
    assert_eq!(error.to_string(), "cannot write format \"xls\"");
    assert_eq!(
        error.help().unwrap(),
        "one of el, wel, csv, tsv, mtx, graphml, parquet, sg, wsg, g500, wg, as the file's ending or by name; .gz or \
         .zst after the ending packs the file"
    );
    let named = WriteOptions { format: Some(OutputFormat::Wg), force: false };
    let path = folder.path().join("a.xls");
    sample().write(&path, &named, &Control::new()).unwrap();
    assert_eq!(Graph::open(&path).unwrap().hash(), sample().hash());
}

#[test]
fn a_second_ending_packs_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, start) in [("gz", &[0x1f, 0x8b][..]), ("zst", &[0x28, 0xb5, 0x2f, 0xfd])] {
        for &format in OutputFormat::ALL {
            let path = folder.path().join(format!("a.{format}.{ending}"));
            let done = sample().write(&path, &WriteOptions::default(), &Control::new());
            if format == OutputFormat::Parquet {
                let error = done.unwrap_err();
                assert!(
                    error.to_string().ends_with("a Parquet file is compressed inside, and not packed again")
                );
                assert_eq!(error.help().unwrap(), "leave .gz or .zst out, or write .csv.gz");
                continue;
            }
            done.unwrap();
            assert!(std::fs::read(&path).unwrap().starts_with(start), "{format}");
            assert_eq!(Graph::open(&path).unwrap().edges(), 3, "{format}");
        }
    }
}

#[test]
fn packed_blocks_of_any_content_unpack_to_it() {
    let mut state = 1u64;
    let mut noise = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u8
    };
    let random: Vec<u8> = (0..3 << 19).map(|_| noise()).collect();
    let lines: Vec<u8> = (0..100_000u32).flat_map(|i| format!("{i} {}\n", i ^ 0x5555).into_bytes()).collect();
    let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    for content in [&b""[..], b"x", &[7; 5 << 19], &random, &lines] {
        for packing in [Packing::Gzip, Packing::Zstd] {
            let mut file = std::fs::File::create(&path).unwrap();
            let mut packer = Packer::new(&mut file, packing);
            packer.write_all(content).unwrap();
            packer.finish().unwrap();
            assert!(std::fs::metadata(&path).unwrap().len() > 0);
            assert!(
                Input::open(&path, &Control::new()).unwrap()[..] == *content,
                "{packing:?} of {} bytes",
                content.len()
            );
        }
    }
}

#[test]
fn an_existing_file_is_kept_unless_forced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.el");
    std::fs::write(&path, "precious").unwrap();
    let error = sample().write(&path, &WriteOptions::default(), &Control::new()).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: exists already", path.display()));
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    let force = WriteOptions { force: true, ..Default::default() };
    sample().write(&path, &force, &Control::new()).unwrap();
    assert_ne!(std::fs::read(&path).unwrap(), b"precious");
}

#[test]
fn a_cancelled_write_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let control = Control::new();
    control.cancel();
    for ending in OutputFormat::ALL.iter().map(|format| format.name()) {
        let path = folder.path().join(format!("a.{ending}"));
        let error = sample().write(&path, &WriteOptions::default(), &control).unwrap_err();
        assert_eq!(error.to_string(), "interrupted while writing");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A disk with room for so many bytes.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.min(bytes.len()) {
            0 if !bytes.is_empty() => Err(std::io::ErrorKind::StorageFull.into()),
            n => {
                self.0 -= n;
                Ok(n)
            }
        }
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_at_every_byte_of_every_format() {
    for &format in OutputFormat::ALL {
        let whole = written(&sample(), format).unwrap().len();
        for room in 0..whole {
            let error = to_writer(&sample(), format, &mut Disk(room), "out", &Control::new()).unwrap_err();
            assert_eq!(error.to_string(), "out: cannot write: no storage space");
            let help = "free some space or write to another disk; nothing was left behind";
            assert_eq!(error.help().unwrap(), help);
        }
        to_writer(&sample(), format, &mut Disk(whole), "out", &Control::new()).unwrap();
    }
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux has /dev/full")]
fn a_full_device_is_reported() {
    let options = WriteOptions { format: Some(OutputFormat::EdgeList), force: false };
    let error = sample().write("/dev/full", &options, &Control::new()).unwrap_err();
    assert_eq!(error.to_string(), "/dev/full: cannot write: No space left on device (os error 28)");
    assert!(std::path::Path::new("/dev/full").exists());
}

/// A random graph as the builder makes it.
fn graph(n: usize, edges: &[(Vertex, Vertex, i32)], directed: bool, kind: u8) -> Graph {
    let pairs = edges.iter().map(|&(u, v, _)| [u % n as Vertex, v % n as Vertex]).collect();
    let weights = edges.iter().map(|e| e.2);
    let weights = match kind {
        0 => EdgeWeights::None,
        1 => EdgeWeights::U32(weights.map(|w| w.unsigned_abs()).collect()),
        2 => EdgeWeights::I32(weights.collect()),
        _ => EdgeWeights::F64(weights.map(|w| f64::from(w) / 7.0e9).collect()),
    };
    let list = EdgeList { vertices: n, chunks: vec![EdgeChunk { pairs, weights }] };
    let options = build::Options { directed, loops: Loops::Keep, parallel: Parallel::Min };
    let built = build::build(list, &options, &Control::new()).unwrap();
    Graph::new(built.arcs, directed, Ids::zero_based(n), Default::default()).unwrap()
}

fn same(a: &Graph, b: &Graph) -> Result<(), TestCaseError> {
    prop_assert_eq!(arcs(a), arcs(b));
    prop_assert_eq!((a.vertices(), a.is_directed()), (b.vertices(), b.is_directed()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_reads_back_equal(
        n in 1usize..40,
        edges in prop::collection::vec((0u32..1000, 0u32..1000, -1000i32..i32::MAX), 0..200),
        directed: bool,
        kind in 0u8..4,
    ) {
        let graph = graph(n, &edges, directed, kind);
        let weighted = kind > 0;
        same(&graph, &read("a.mtx", written(&graph, OutputFormat::MatrixMarket).unwrap()))?;
        let wg = read("a.wg", written(&graph, OutputFormat::Wg).unwrap());
        prop_assert_eq!(wg.hash(), graph.hash());
        let bare = ReadOptions { no_weights: true, ..Default::default() };
        let structure = read_with("a.wg", written(&graph, OutputFormat::Wg).unwrap(), &bare).unwrap();
        same(&structure, &read("a.sg", written(&graph, OutputFormat::Gap).unwrap()))?;
        let all = ReadOptions { vertices: Some(n as u64), ..Default::default() };
        let el = written(&graph, OutputFormat::EdgeList).unwrap();
        same(&structure, &read_with("a.el", el, &all).unwrap())?;
        // An edge list without edges cannot say that it is weighted.
        if weighted && graph.arcs() > 0 {
            let wel = written(&graph, OutputFormat::WeightedEdgeList).unwrap();
            same(&graph, &read_with("a.wel", wel, &all).unwrap())?;
        }
        if kind == 1 || kind == 2 {
            same(&graph, &read("a.wsg", written(&graph, OutputFormat::WeightedGap).unwrap()))?;
        }
    }
}

#[test]
fn decimals_keep_every_bit() {
    let extremes = [f64::MIN_POSITIVE, f64::MAX, -0.0, 1.0 / 3.0, 5e-324, 1e16, -1.0];
    let n = extremes.len();
    let pairs = (0..n as Vertex).map(|v| [v, v]).collect();
    let chunk = EdgeChunk { pairs, weights: EdgeWeights::F64(extremes.to_vec()) };
    let options = build::Options { directed: true, loops: Loops::Keep, parallel: Parallel::Keep };
    let built =
        build::build(EdgeList { vertices: n, chunks: vec![chunk] }, &options, &Control::new()).unwrap();
    let graph = Graph::new(built.arcs, true, Ids::zero_based(n), Default::default()).unwrap();
    let again = read("a.mtx", written(&graph, OutputFormat::MatrixMarket).unwrap());
    let Weights::F64(weights) = &again.out().weights else { panic!("decimals expected") };
    let bits: Vec<u64> = weights.iter().map(|w| w.to_bits()).collect();
    assert_eq!(bits, extremes.map(f64::to_bits));
}

#[test]
fn long_outputs_keep_their_order() {
    let n = 100_000;
    let mut text = format!("p tw {n} {}\n", n - 1);
    (1..n).for_each(|v| text.push_str(&format!("{v} {}\n", v + 1)));
    let graph = read("path.gr", text);
    let again = read("a.mtx", written(&graph, OutputFormat::MatrixMarket).unwrap());
    assert_eq!(again.hash(), graph.hash());
    assert_eq!(again.ids().id(0), VertexId::Number(1));
}

#[test]
#[cfg(feature = "parquet")]
fn row_groups_are_bounded_and_keep_all_edges() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    let (n, hub) = (300_000, 7);
    let edges: Vec<_> = (1..n).flat_map(|v| [(v - 1, v), (hub, v)]).collect();
    for directed in [true, false] {
        let graph = Graph::from_edges(n as usize, &edges, directed).unwrap();
        let bytes = written(&graph, OutputFormat::Parquet).unwrap();
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes.clone())).unwrap();
        let groups = file.metadata().row_groups();
        let rows: Vec<i64> = groups.iter().map(|group| group.num_rows()).collect();
        assert_eq!(rows.iter().sum::<i64>() as u64, graph.edges());
        assert!(rows.len() > 1 && rows.iter().all(|&rows| rows > 0 && rows < 2 << 18), "{rows:?}");
        assert_eq!(read("a.parquet", bytes).hash(), graph.hash());
    }
}
