//! The model checked by hand, and against a naive model that uses sets and processes one page at a time.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod naive;

use super::*;
use crate::levels::{
    Traversal,
    tests::{frontiers, generated, search},
};
use naive::Naive;
use proptest::{collection::vec, prelude::*};
use std::{collections::BTreeSet, iter::once};
use warpgraph_graph::{Control, Graph};

const LARGE: u64 = 1 << 40;

fn settings(regions: u64, prefetch: bool) -> Settings {
    Settings { edge_bytes: 4096, prefetch, ..Settings::with_memory(regions * REGION) }
}

/// A model of an array with one page per edge.
fn model(pages: u64, regions: u64, prefetch: bool) -> Model {
    Model::new(pages, settings(regions, prefetch)).unwrap()
}

fn read(model: &mut Model, pages: &[u64]) -> u64 {
    let before = model.report().faults;
    model.access(pages.iter().map(|page| page * PAGE..page * PAGE + 1)).unwrap();
    model.report().faults - before
}

/// A search along 1024 pages, in this order; the last vertex has no edges.
fn along(order: &[u32], settings: Settings) -> Transfer {
    let edges: Vec<_> = order.iter().zip(order[1..].iter().chain(&[1024])).map(|(&u, &v)| (u, v)).collect();
    let graph = Graph::from_edges(1025, &edges, true).unwrap();
    let csr = &graph.out().csr;
    let mut model = Model::new(1024, settings).unwrap();
    model.traverse(csr, &frontiers(&search(csr, order[0])), &Control::new()).unwrap();
    model.report()
}

#[test]
fn a_path_in_order_is_fetched_in_runs_that_double() {
    let order: Vec<u32> = (0..1024).collect();
    let got = along(&order, settings(1, true));
    // In each region pages 0, 16, 32, 64, 128 and 256 fault, and fetch 16, 16, 32, ... 256 pages.
    assert_eq!((got.faults, got.batches, got.moved_pages, got.prefetched_pages), (12, 12, 1024, 1012));
    assert_eq!((got.evicted_regions, got.evicted_pages, got.refetched_pages), (1, 512, 0));
    assert_eq!((got.amplification, got.ideal_bytes, got.traversals), (Some(1.0), 4 << 20, 1));
    assert_eq!(got.pages_by_fetches, [0, 1024]);
    let without = along(&order, settings(1, false));
    assert_eq!((without.faults, without.batches, without.moved_pages), (1024, 1024, 1024));
}

#[test]
fn a_path_that_jumps_between_regions_fetches_all_again_and_again() {
    let order: Vec<u32> = (0..512).flat_map(|v| [v, v + 512]).collect();
    let got = along(&order, settings(1, true));
    // Every step faults, fetches 64 KiB and evicts those of the step before.
    assert_eq!((got.faults, got.moved_pages, got.amplification), (1024, 16 * 1024, Some(16.0)));
    assert_eq!((got.evicted_regions, got.evicted_pages), (1023, 16 * 1023));
    assert_eq!((got.refetched_pages, got.written_back_bytes), (15 * 1024, 0));
    let by_fetches = got.pages_by_fetches;
    assert_eq!((by_fetches.len(), by_fetches[16]), (17, 1024));
    let written = along(&order, Settings { write_back: true, ..settings(1, true) });
    assert_eq!(written.written_back_bytes, 16 * 1023 * PAGE);
    // With room for both it is as good as in order.
    assert_eq!(along(&order, settings(2, true)).moved_pages, 1024);
}

#[test]
fn faults_are_served_by_256_and_at_the_end_of_a_level() {
    let mut of_600 = model(2048, 4, false);
    of_600.access(once(0..600 * PAGE)).unwrap();
    assert_eq!((of_600.report().batches, of_600.report().faults), (3, 600));
    assert_eq!(read(&mut of_600, &[700]), 1);
    assert_eq!(of_600.report().batches, 4);
    // What a full batch prefetched no longer faults: 0..256 are served, 256..512 come with the next batch.
    let mut run = model(2048, 4, true);
    run.access(once(0..512 * PAGE)).unwrap();
    assert_eq!((run.report().batches, run.report().faults, run.report().moved_pages), (2, 512, 512));
    // 144 faults in every second group of 64 KiB: one batch.
    let mut spread = model(2048, 4, true);
    spread.access((0..16).map(|i| 32 * i * PAGE..(32 * i + 9) * PAGE)).unwrap();
    assert_eq!((spread.report().batches, spread.report().faults, spread.report().moved_pages), (1, 144, 256));
}

#[test]
fn the_region_allocated_longest_ago_goes_however_lately_it_was_read() {
    let (a, b, c) = (0, 512, 1024);
    let mut model = model(1536, 2, false);
    assert_eq!([read(&mut model, &[a]), read(&mut model, &[b]), read(&mut model, &[a])], [1, 1, 0]);
    assert_eq!(read(&mut model, &[c]), 1);
    assert_eq!(read(&mut model, &[b, c]), 0);
    assert_eq!(read(&mut model, &[a]), 1, "read again before c, but not allocated again");
    // Another page of c makes a the oldest.
    assert_eq!(read(&mut model, &[c + 1]), 1);
    assert_eq!([read(&mut model, &[b]), read(&mut model, &[c, b]), read(&mut model, &[a])], [1, 0, 1]);
}

#[test]
fn regions_of_the_batch_stay_while_there_are_others() {
    let (a, b, c) = (0, 512, 1024);
    let mut held = model(1536, 2, false);
    read(&mut held, &[a]);
    read(&mut held, &[b]);
    assert_eq!(read(&mut held, &[a + 1, c]), 2);
    assert_eq!(read(&mut held, &[a, a + 1, c]), 0, "b went, though a was older");
    // Room for one: the three regions of a batch occupy it one after the other.
    let mut one = model(1536, 1, false);
    assert_eq!(read(&mut one, &[c, a, b]), 3);
    assert_eq!((one.report().batches, one.report().evicted_regions), (1, 2));
    assert_eq!(read(&mut one, &[c]), 0, "served last, by its address");
}

#[test]
fn a_region_takes_its_room_with_its_first_page() {
    // 6 regions with one page each, and room for 3.
    let mut model = model(6 * 512, 3, false);
    let sparse: Vec<u64> = (0..6).map(|region| region * 512).collect();
    assert_eq!(read(&mut model, &sparse), 6);
    assert_eq!((model.report().evicted_regions, model.report().evicted_pages), (3, 3));
    assert_eq!(model.resident(), 3 * PAGE);
}

#[test]
fn rows_on_one_page_are_read_at_once() {
    let mut model = Model::new(4096, Settings { prefetch: false, ..Settings::with_memory(REGION) }).unwrap();
    model.access([0..4, 8..4096, 4096..4100, 4100..4100, 9000..9000]).unwrap();
    let got = model.report();
    assert_eq!((got.faults, got.ideal_bytes, got.array_bytes), (2, 4 + 4088 + 4, 16384));
    assert_eq!(got.amplification, Some(2.0));
}

#[test]
fn totals_are_those_of_the_report_and_their_differences_add_up() {
    let mut model = model(2048, 2, true);
    let (mut sum, mut before) = ([0; 5], Totals::default());
    for start in [0, 600, 1200, 1800, 0, 300, 1200] {
        model.access([start * PAGE..(start + 200) * PAGE, (start + 90) * PAGE..(start + 95) * PAGE]).unwrap();
        let step = model.totals() - before;
        before = model.totals();
        assert_eq!(step.touched_pages, 205);
        let Totals { touched_pages, moved_pages, refetched_pages, evicted_regions, evicted_pages } = step;
        let all = [touched_pages, moved_pages, refetched_pages, evicted_regions, evicted_pages];
        sum.iter_mut().zip(all).for_each(|(sum, step)| *sum += step);
    }
    let got = model.report();
    let [touched, moved, refetched, regions, pages] = sum;
    assert_eq!((moved, refetched), (got.moved_pages, got.refetched_pages));
    assert_eq!((regions, pages, touched), (got.evicted_regions, got.evicted_pages, 7 * 205));
    assert!(refetched > 0 && regions > 0, "{got:?}");
}

#[test]
fn refuses_what_has_no_room_and_reads_beyond_the_array() {
    let refused = |settings: Settings| Model::new(10, settings).unwrap_err().to_string();
    let usual = Settings::with_memory(REGION);
    let memory = REGION - 1;
    assert_eq!(refused(Settings { memory, ..usual }), "2.0 MiB of device memory hold no region of edges");
    assert_eq!(refused(Settings { memory: 0, ..usual }), "0 B of device memory hold no region of edges");
    assert_eq!(refused(Settings { batch: 0, ..usual }), "a batch of 0 faults");
    assert_eq!(refused(Settings { edge_bytes: 0, ..usual }), "edges of 0 bytes");
    assert!(Model::new(u64::MAX, usual).is_err());
    assert!(Model::new(u64::MAX / 8, usual).is_err(), "more than any machine has");
    let mut model = Model::new(10, usual).unwrap();
    let error = model.access([0..4, 36..41, 4..8]).unwrap_err();
    assert_eq!(error.to_string(), "bytes 36 to 41 of an array of 40");
    assert_eq!(model.report().ideal_bytes, 4);
    let graph = Graph::from_edges(3, &[(0, 1), (1, 2)], true).unwrap();
    let mut traverse = |levels: &[u32]| {
        model.traverse(&graph.out().csr, &frontiers(levels), &Control::new()).unwrap_err().to_string()
    };
    assert_eq!(traverse(&[0, 1, 2]), "a search of 2 edges in a model of 10");
    assert_eq!(traverse(&[0, 1]), "the levels of 2 vertices in a graph of 3");
}

#[test]
fn an_empty_array_moves_nothing() {
    let mut model = Model::new(0, Settings::with_memory(REGION)).unwrap();
    let graph = Graph::from_edges(2, &[], true).unwrap();
    model.traverse(&graph.out().csr, &frontiers(&[0, u32::MAX]), &Control::new()).unwrap();
    let got = model.report();
    assert_eq!((got.amplification, got.moved_bytes, got.pages_by_fetches), (None, 0, vec![]));
    assert!(model.access(once(0..1)).is_err());
}

#[test]
fn a_cancelled_control_stops_a_traversal() {
    let graph = generated("kron:8");
    let csr = &graph.out().csr;
    let mut model = Model::new(csr.arcs() as u64, Settings::with_memory(REGION)).unwrap();
    let control = Control::new();
    control.cancel();
    let error = model.traverse(csr, &frontiers(&search(csr, 0)), &control).unwrap_err();
    assert_eq!(error.to_string(), "interrupted while modelling unified memory");
}

/// Searches whose edge array takes many regions, since edges are large.
fn searches(edge_bytes: u32, settings: Settings) -> (Vec<Transfer>, BTreeSet<u64>, Traversal) {
    let graph = generated("kron:11");
    let csr = &graph.out().csr;
    let mut model = Model::new(csr.arcs() as u64, Settings { edge_bytes, ..settings }).unwrap();
    let (mut touched, mut sums, mut reports) = (BTreeSet::new(), Traversal::default(), Vec::new());
    for source in [3, 77, 1500, 3] {
        let found = frontiers(&search(csr, source));
        sums.add(&Traversal::of(csr, &found, edge_bytes, &Control::new()).unwrap());
        let rows = found.iter().flatten().map(|&v| csr.arcs_of(v)).filter(|arcs| !arcs.is_empty());
        touched.extend(rows.flat_map(|arcs| pages_of(arcs, edge_bytes)));
        model.traverse(csr, &found, &Control::new()).unwrap();
        assert!(model.resident() <= settings.memory);
        assert_eq!(model.totals().touched_pages, sums.means().pages, "both count a page once per level");
        reports.push(model.report());
    }
    (reports, touched, sums)
}

#[test]
fn with_room_for_all_no_page_comes_twice() {
    let (with, touched, sums) = searches(500, Settings::with_memory(LARGE));
    let (with, means) = (with.last().unwrap(), sums.means());
    assert!(with.pages_by_fetches.len() <= 2 && with.refetched_pages == 0 && with.evicted_regions == 0);
    assert_eq!(with.ideal_bytes, means.edges * 500);
    let least = (touched.len() as u64 * PAGE) as f64 / with.ideal_bytes as f64;
    assert!(with.amplification.unwrap() >= least, "{with:?}");
    let settings = Settings { prefetch: false, ..Settings::with_memory(LARGE) };
    let (without, ..) = searches(500, settings);
    assert_eq!(without.last().unwrap().moved_pages, touched.len() as u64);
    assert_eq!(without.last().unwrap().faults, touched.len() as u64);
    assert_eq!(without[2].moved_pages, without[3].moved_pages, "what the first search brought");
    assert!(without[0].moved_pages <= means.pages);
}

#[test]
fn less_room_moves_more_and_without_prefetch_less_moves_in_more_batches() {
    let moved = |regions: u64, prefetch: bool| {
        let settings = Settings { prefetch, ..Settings::with_memory(regions * REGION) };
        let (reports, ..) = searches(500, settings);
        let last = reports.last().unwrap();
        (last.moved_pages, last.batches)
    };
    let (tight, half, all) = (moved(1, true), moved(4, true), moved(64, true));
    assert!(tight.0 > half.0 && half.0 > all.0, "{tight:?} {half:?} {all:?}");
    let without = moved(4, false);
    assert!(without.0 < half.0 && without.1 > half.1, "{without:?} {half:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_model_does_what_the_naive_one_does(
        pages in 1..2700u64,
        regions in 1..5u64,
        batch in prop_oneof![1..9usize, Just(BATCH)],
        (prefetch, write_back) in any::<(bool, bool)>(),
        reads in vec(vec((any::<u32>(), prop_oneof![0..5000u64, 0..400_000u64]), 1..12), 1..20),
    ) {
        let settings = Settings { edge_bytes: 1, memory: regions * REGION + 5, prefetch, write_back, batch };
        let array = pages * PAGE - 7;
        let (mut model, mut naive) = (Model::new(array, settings).unwrap(), Naive::new(array, settings));
        for level in reads {
            let range = |(start, len): (u32, u64)| {
                let start = u64::from(start) % array;
                start..array.min(start + len)
            };
            let ranges: Vec<_> = level.into_iter().map(range).collect();
            model.access(ranges.clone()).unwrap();
            naive.access(&ranges);
            prop_assert!(model.resident() <= settings.memory);
            prop_assert_eq!(model.resident(), naive.resident());
        }
        prop_assert_eq!(model.report(), naive.report());
    }
}
