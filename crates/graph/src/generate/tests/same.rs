//! Checks that the same text gives the same graph in every version and on any number of threads.

use super::{graph, spec};
use crate::{Control, Error, Offsets, Vertex, build::EdgeWeights, hash};
use rayon::ThreadPoolBuilder;
use std::sync::{Arc, Mutex};

/// Pairs of a description and the hash of its graph.
const SMALL: [(&str, u64); 11] = [
    ("kron:10", 0xf71e_58f1_a58e_e0b6),
    ("kron:7,degree=3,seed=5,w=1..255,directed", 0x6d96_db9b_fb47_5a9f),
    ("uniform:10", 0x8c29_42e7_d88d_7bc0),
    ("uniform:7,degree=3,seed=5,w=-9..9", 0xedfe_378e_a6b8_30ee),
    ("grid:40x30", 0xa0b4_a1f5_b2e4_a550),
    ("grid:40x30,drop=0.25,shuffle,seed=5,w=0..4294967295,directed", 0xa6ba_40de_7cba_99fc),
    ("powerlaw:3000", 0x9dd2_6cff_4cb4_2f80),
    ("powerlaw:3000,alpha=1.8,seed=5,w=1..9,directed=false", 0x8216_36f6_ae55_b695),
    ("community:10", 0x9747_5e66_aba5_22d7),
    ("community:12,size=50,mix=0.4,degree=10,alpha=3,seed=5,w=1..9,directed", 0x09ba_d8c2_f714_0e27),
    ("community:12,size=50,shuffle", 0x22c9_69ff_22a3_b16b),
];

#[test]
fn graphs_do_not_change_between_versions() {
    let got = SMALL.map(|(text, _)| (text, graph(text).hash()));
    assert_eq!(got, SMALL, "got the left, pinned are the right");
}

/// Descriptions whose graphs have several pieces each, so that several threads work on them.
const LARGE: [&str; 5] = [
    "kron:17,w=1..255",
    "uniform:17,w=1..255",
    "grid:1300x1000,drop=0.3",
    "powerlaw:300000,alpha=1.9",
    "community:18,size=300",
];

fn list_hash(text: &str, threads: usize) -> u64 {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let list = pool.install(|| spec(text).list(&Control::new())).unwrap();
    assert!(list.chunks.len() > 1, "{text} is one piece only");
    list.chunks.iter().fold(0, |sum, chunk| {
        let weights = match &chunk.weights {
            EdgeWeights::U32(w) => hash::bytes(bytemuck::cast_slice(w)),
            _ => 0,
        };
        hash::mix(hash::mix(sum, hash::bytes(bytemuck::cast_slice(&chunk.pairs))), weights)
    })
}

#[test]
fn lists_are_equal_on_one_two_and_five_threads() {
    for text in LARGE {
        let one = list_hash(text, 1);
        assert_eq!((one, one), (list_hash(text, 2), list_hash(text, 5)), "{text}");
    }
}

#[test]
fn any_cut_of_the_items_gives_the_same_edges() {
    // Scales 20 and 30 take the two other paths of `kron`.
    for text in SMALL.map(|s| s.0).into_iter().chain(["kron:20", "kron:30"]) {
        let edges = spec(text).edges(&Control::new()).unwrap();
        let end = edges.items().min(5000);
        let mut whole = Vec::new();
        edges.fill(0..end, &mut whole);
        for cut in [1, 7, end / 3, end / 2 + 1, end - 1] {
            let mut parts = Vec::new();
            edges.fill(0..cut, &mut parts);
            edges.fill(cut..end, &mut parts);
            assert_eq!(whole, parts, "{text} cut at {cut}");
        }
    }
}

#[test]
fn the_rows_of_a_section_are_those_of_the_whole() {
    let texts = ["kron:8,w=1..9", "kron:8,directed,w=-3..3", "uniform:9", "grid:9x7,drop=0.3", "community:8"];
    for text in texts.into_iter().chain(SMALL.map(|s| s.0)) {
        let (spec, whole) = (spec(text), graph(text));
        let n = whole.vertices() as Vertex;
        for own in [0..n, 0..n / 3, n / 3..n, n / 2..n / 2, n..n] {
            let section = spec.generate_part(own.clone(), &Control::new()).unwrap();
            let incoming = whole.is_directed().then(|| whole.incoming().unwrap());
            assert_eq!(section.incoming.is_some(), incoming.is_some());
            let ways = [(Some(&section.out), Some(whole.out())), (section.incoming.as_ref(), incoming)];
            for (rows, arcs) in ways.into_iter().filter_map(|(rows, arcs)| rows.zip(arcs)) {
                assert!(matches!(rows.offsets, Offsets::Narrow(_)), "they fit 32 bits");
                assert_eq!(rows.offsets.len(), own.len() + 1);
                for (row, v) in own.clone().enumerate() {
                    let (here, there) =
                        (rows.offsets.get(row)..rows.offsets.get(row + 1), arcs.csr.arcs_of(v));
                    assert_eq!(rows.targets[here.clone()], *arcs.csr.neighbors(v), "{text}, vertex {v}");
                    assert!(
                        here.zip(there).all(|(a, b)| rows.weights.get(a) == arcs.weights.get(b)),
                        "{text}"
                    );
                }
                assert_eq!(rows.weights.weight_type(), arcs.weights.weight_type());
                assert_eq!(rows.targets.len(), rows.offsets.get(own.len()));
            }
        }
        assert!(spec.generate_part(0..n + 1, &Control::new()).is_err(), "{text} has {n} vertices");
    }
}

#[test]
fn another_seed_is_another_graph() {
    for text in ["kron:8", "uniform:8", "grid:16x16,drop=0.5", "powerlaw:300", "community:8"] {
        assert_ne!(graph(text).hash(), graph(&format!("{text},seed=2")).hash(), "{text}");
    }
}

#[test]
fn progress_runs_to_the_end_in_few_steps() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let copy = seen.clone();
    let control = Control::new().with_progress(move |p| {
        copy.lock().unwrap().push((p.stage.to_owned(), p.done, p.total));
    });
    spec("uniform:18").list(&control).unwrap();
    let seen = seen.lock().unwrap();
    let items = 16 << 18;
    assert!(seen.iter().all(|s| s.0 == "generating" && s.2 == Some(items)));
    assert_eq!(seen.iter().map(|s| s.1).max(), Some(items));
    assert!(seen.len() <= 66, "{} reports", seen.len());
}

#[test]
fn a_cancelled_generation_stops() {
    let control = Control::new();
    control.cancel();
    for text in ["kron:20", "powerlaw:100000", "community:16"] {
        let stopped = spec(text).generate(&control);
        assert!(matches!(stopped, Err(Error::Interrupted { .. })), "{text}: {stopped:?}");
    }
}
