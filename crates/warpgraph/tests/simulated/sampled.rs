//! The order `sampled`: handles that get better while they serve runs.

use warpgraph::{
    Answer, Bc, Bfs, Closeness, Control, Device, Dispatch, Engine, Graph, Loaded, Order, PageRank, Plan, Scc,
    Settings, Sources, Sssp, Wcc, graph::generate::Spec, program::library::Hops,
};

fn simulator() -> Engine {
    Engine::with(Device::Simt, Some(2), Settings::default()).unwrap()
}

fn graph(spec: &str) -> Graph {
    spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

fn plan(text: &str) -> Plan {
    text.parse().unwrap()
}

/// Searches until so many rounds are done, and what the last one brought is known, or no more are made.
fn learn(loaded: &Loaded, rounds: usize) {
    for _ in 0..200 {
        let known = loaded.rounds();
        if loaded.is_settled() || (known.len() >= rounds && known[rounds - 1].sectors_after.is_some()) {
            return;
        }
        loaded.bfs(Bfs::from(0)).plan(plan("push+tiled")).run().unwrap();
    }
    panic!("{} rounds after 200 searches", loaded.rounds().len());
}

fn holds<A: Dispatch>(loaded: &Loaded, config: A, by: &str) {
    let answer = loaded.job(config).plan(plan(by)).run().unwrap();
    assert_eq!(answer.run().order, Order::Sampled);
    assert_eq!(answer.verify(loaded.graph()).err(), None, "{} {by}", A::NAME);
}

pub(crate) fn answers_speak_of_original_vertices_whatever_round_it_is() {
    let engine = simulator();
    for spec in ["community:7,degree=8,w=1..9,shuffle", "community:7,degree=8,w=1..9,shuffle,directed"] {
        let graph = graph(spec);
        let loaded = engine.load(&graph, Order::Sampled).unwrap();
        assert!(!loaded.is_settled() && !loaded.is_renumbered());
        let natural = engine.load(&graph, Order::Natural).unwrap();
        for round in 0..3 {
            holds(&loaded, Bfs::from(3), "tiled");
            holds(&loaded, Sssp::from(3), "resident");
            holds(&loaded, PageRank::default(), "tiled");
            holds(&loaded, Wcc {}, "resident");
            holds(&loaded, Scc::default(), "tiled");
            holds(&loaded, Bc { sources: Sources::Count(3), ..Bc::default() }, "tiled");
            holds(&loaded, Closeness { sources: Sources::Count(3), ..Closeness::default() }, "resident");
            let own = |loaded: &Loaded| loaded.program(Hops::from(3)).plan(plan("tiled")).run().unwrap();
            assert_eq!(own(&loaded).values(), own(&natural).values());
            learn(&loaded, round + 1);
        }
        assert!(loaded.is_renumbered() && loaded.extra_bytes().unwrap() > 0, "{spec}");
    }
}

pub(crate) fn every_round_is_reported_and_sectors_fall() {
    let engine = simulator();
    let graph = graph("community:10,size=32,mix=0.1,shuffle");
    let loaded = engine.load(&graph, Order::Sampled).unwrap();
    learn(&loaded, 3);
    let rounds = loaded.rounds();
    assert!(rounds.len() >= 3);
    for (nth, round) in rounds.iter().enumerate() {
        assert_eq!(round.round as usize, nth + 1);
        // 128 sectors are found in 7 halvings.
        assert!(round.samples == 9 && round.moved > 0, "{round:?}");
        assert!(round.sampling_seconds > 0.0 && round.renumbering_seconds > 0.0);
        assert!(round.speed_before.unwrap() > 0.0 && round.speed_after.unwrap() > 0.0);
    }
    let falls = |pair: &[warpgraph::Round]| pair[0].sectors_after == Some(pair[1].sectors_before);
    assert!(rounds.windows(2).all(falls), "{rounds:?}");
    assert!(rounds[2].sectors_after.unwrap() < 0.9 * rounds[0].sectors_before, "{rounds:?}");
    let spent: f64 = rounds.iter().map(|round| round.sampling_seconds + round.renumbering_seconds).sum();
    assert!(loaded.reorder_seconds().unwrap() >= spent);
    let clone = loaded.clone();
    clone.limit_rounds(0);
    assert_eq!(loaded.why_settled().unwrap(), "no more were asked for");
    let before = loaded.rounds();
    loaded.bfs(Bfs::from(0)).plan(plan("tiled")).run().unwrap();
    assert_eq!((loaded.rounds(), clone.is_settled()), (before, true));
}

pub(crate) fn no_more_rounds_are_made_than_asked_for_though_a_run_tells_enough_for_more() {
    let engine = simulator();
    let loaded = engine.load(&graph("community:7,degree=8,shuffle"), Order::Sampled).unwrap();
    loaded.limit_rounds(2);
    for _ in 0..4 {
        // Sweeps as often as a round has samples, and more.
        holds(&loaded, PageRank { tolerance: 1e-12, ..PageRank::default() }, "pull+tiled");
    }
    assert_eq!((loaded.rounds().len(), loaded.is_settled()), (2, true));
    assert!(loaded.rounds()[1].sectors_after.is_some());
}

pub(crate) fn nothing_is_sampled_at_a_limit_and_rounds_go_on_when_it_is_raised() {
    let engine = simulator();
    let loaded = engine.load(&graph("community:9,size=32,mix=0.1,shuffle"), Order::Sampled).unwrap();
    for most in 1..=3 {
        loaded.limit_rounds(most);
        assert!(!loaded.is_settled(), "{:?}", loaded.why_settled());
        learn(&loaded, most);
        let (before, seconds) = (loaded.rounds(), loaded.reorder_seconds());
        assert_eq!((before.len(), loaded.why_settled().as_deref()), (most, Some("no more were asked for")));
        for _ in 0..30 {
            holds(&loaded, Bfs::from(3), "tiled");
        }
        assert_eq!((loaded.rounds(), loaded.reorder_seconds()), (before, seconds));
    }
    let rounds = loaded.rounds();
    assert!(rounds.iter().all(|round| round.samples == 8), "every round from samples of its own: {rounds:?}");
    assert!(rounds[2].sectors_after.unwrap() < 0.9 * rounds[0].sectors_before, "{rounds:?}");
}

pub(crate) fn a_graph_in_a_good_order_settles_there() {
    let engine = simulator();
    let loaded = engine.load(&graph("grid:16x16"), Order::Sampled).unwrap();
    learn(&loaded, 40);
    assert!(loaded.is_settled(), "{:?}", loaded.rounds());
    let tiny = engine.load(&graph("grid:2x3"), Order::Sampled).unwrap();
    holds(&tiny, Bfs::from(0), "tiled");
    assert_eq!(tiny.why_settled().unwrap(), "the values of all vertices that are read lie in one sector");
    for order in [Order::Natural, Order::Degree] {
        let other = engine.load(&graph("grid:2x3"), order).unwrap();
        assert!(other.is_settled() && other.rounds().is_empty() && other.why_settled().is_none());
    }
}

pub(crate) fn an_edited_graph_starts_anew_from_the_order_found() {
    let engine = simulator();
    let old = graph("community:8,degree=8,shuffle");
    let loaded = engine.load(&old, Order::Sampled).unwrap();
    learn(&loaded, 1);
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for v in 0..old.vertices() as u32 {
        edges.extend(old.out().csr.neighbors(v).iter().filter(|&&to| v <= to).map(|&to| (v, to)));
    }
    edges.truncate(edges.len() - 5);
    edges.push((0, 255));
    let new = Graph::from_edges(old.vertices(), &edges, false).unwrap();
    let edited = loaded.edited(&new).unwrap();
    assert!(edited.is_renumbered() && edited.rounds().is_empty() && !edited.is_settled());
    assert_eq!(edited.order(), Order::Sampled);
    holds(&edited, Bfs::from(0), "tiled");
    learn(&edited, 1);
    let (first, again) = (&loaded.rounds()[0], &edited.rounds()[0]);
    assert!(again.sectors_before < first.sectors_before, "it begins where the other one has got to");
    holds(&edited, Bfs::from(0), "tiled");
    holds(&loaded, Bfs::from(0), "tiled");
    let refused = loaded.edited(&graph("grid:2x3")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a graph of 6 vertices is no edited one of 256: the order is of other vertices"
    );
}

pub(crate) fn handles_are_asked_from_many_threads_while_they_learn() {
    let engine = simulator();
    let loaded = engine.load(&graph("community:7,degree=8,shuffle"), Order::Sampled).unwrap();
    std::thread::scope(|scope| {
        for source in 0..3 {
            let loaded = loaded.clone();
            scope.spawn(move || (0..12).for_each(|_| holds(&loaded, Bfs::from(source), "tiled")));
        }
    });
    assert!(!loaded.rounds().is_empty());
}

pub(crate) fn where_memory_is_short_runs_go_on_and_rounds_do_not() {
    let graph = graph("community:8,degree=16,shuffle");
    let (mut rounds, mut reasons) = (0, Vec::new());
    for kib in [24, 32, 40, 48, 64, 96, 128, 192, 512] {
        let settings = Settings { memory_budget: Some(kib << 10), ..Settings::default() };
        let Ok(engine) = Engine::with(Device::Simt, Some(2), settings) else { return };
        let natural = engine.load(&graph, Order::Natural).unwrap();
        let fits = natural.bfs(Bfs::from(0)).plan(plan("push+tiled")).run().is_ok();
        drop(natural);
        if !fits {
            continue;
        }
        let loaded = engine.load(&graph, Order::Sampled).unwrap();
        (0..9).for_each(|_| holds(&loaded, Bfs::from(0), "push+tiled"));
        rounds += loaded.rounds().len();
        reasons.extend(loaded.why_settled());
    }
    assert!(rounds > 0 && reasons.len() > 1, "{reasons:?}");
    assert!(reasons.iter().all(|why| why.contains("memory") || why.contains("bytes")), "{reasons:?}");
}

pub(crate) fn what_cannot_learn_is_refused() {
    let engine = simulator();
    let loaded = engine.load(&graph("kron:6"), Order::Sampled).unwrap();
    let said = |error: warpgraph::Error| error.to_string();
    assert_eq!(
        said(loaded.bfs(Bfs::from(0)).run().unwrap_err()),
        "bfs on simt cannot run in order `sampled` with plan auto: it learns from the accesses of tiles"
    );
    assert_eq!(
        said(loaded.program(Hops::from(0)).plan(plan("push+node")).run().unwrap_err()),
        "hops on simt cannot run in order `sampled` with plan bsp+push+node: it learns from the accesses of tiles"
    );
    let cpu = Engine::on(Device::Cpu, Some(1)).unwrap().load(&graph("kron:6"), Order::Sampled).unwrap();
    assert_eq!(
        said(cpu.bfs(Bfs::from(0)).run().unwrap_err()),
        "bfs on cpu cannot run in order `sampled`: it is found by runs on a GPU"
    );
}
