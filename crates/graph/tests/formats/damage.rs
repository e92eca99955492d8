//! Damaged files of every format: an error or a graph, never a panic or a hang.

use super::{read, read_with};
use proptest::prelude::*;
use warpgraph_graph::{
    Control, ReadOptions,
    format::write::{OutputFormat, to_writer},
};

/// A small file of each format.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let mut samples: Vec<(&str, Vec<u8>)> = vec![
        ("a.mtx", b"%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 1.5\n3 1 -2\n".to_vec()),
        ("a.mtx", b"%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 7\n".to_vec()),
        ("a.gr", b"c x\np sp 3 2\na 1 2 70\na 2 3 40\n".to_vec()),
        ("a.gr", b"p tw 3 2\n1 2\n2 3\n".to_vec()),
        ("a.gr", b"a 0 1 5\na 1 2 6\n".to_vec()),
        ("a.npz", include_bytes!("data/scipy-csr.npz").to_vec()),
        ("a.npz", include_bytes!("data/scipy-coo.npz").to_vec()),
        (
            "a.graphml",
            b"<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"int\"><default>1</default></key>\
              <graph edgedefault=\"undirected\"><node id=\"1\"/><node id=\"2\"/><edge source=\"1\" target=\"2\">\
              <data key=\"w\">7</data></edge></graph></graphml>"
                .to_vec(),
        ),
        ("a.graph", b"3 2 111 2\n5 9 8 2 7\n5 9 8 1 7 3 6\n5 9 8 2 6\n".to_vec()),
    ];
    if cfg!(feature = "parquet") {
        samples.push(("a.parquet", include_bytes!("data/pyarrow-snappy.parquet").to_vec()));
        samples.push(("a.parquet", include_bytes!("data/pyarrow-gzip-delta.parquet").to_vec()));
        samples.push(("a.parquet", include_bytes!("data/polars-zstd.parquet").to_vec()));
    }
    let graph = read("a.gr", "p sp 3 2\na 1 2 70\na 2 3 40\n");
    for (name, format) in
        [("a.sg", OutputFormat::Gap), ("a.wsg", OutputFormat::WeightedGap), ("a.wg", OutputFormat::Wg)]
    {
        let mut bytes = Vec::new();
        to_writer(&graph, format, &mut bytes, name, &Control::new()).unwrap();
        samples.push((name, bytes));
    }
    samples
}

fn try_read(name: &str, data: Vec<u8>) {
    if let Ok(graph) = read_with(name, data, &ReadOptions::default()) {
        assert_eq!(graph.out().csr.offsets().get(graph.vertices()), graph.arcs());
    }
}

#[test]
fn files_cut_short_anywhere_are_survived() {
    for (name, data) in samples() {
        for end in 0..data.len() {
            try_read(name, data[..end].to_vec());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn files_with_bytes_changed_are_survived(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..6),
    ) {
        let mut samples = samples();
        let (name, mut data) = samples.swap_remove(which.index(samples.len()));
        for (index, byte, how) in changes {
            let at = index.index(data.len());
            // Mostly bytes that mean something to a parser; few digits, so that no file asks for gigabytes.
            let byte = if how == 0 { byte } else { b" \n%-0139.cap\r"[byte as usize % 13] };
            match how {
                1 => data.insert(at, byte),
                _ => data[at] = byte,
            }
        }
        try_read(name, data);
    }
}
