//! Tiles: right answers whatever the smallest tile is and wherever tiles begin, records that are met again, and runs that do without them.

use warpgraph_core::{
    Answer, Options, Sources, TileUse, bc::Bc, bfs::Bfs, closeness::Closeness, pagerank::PageRank, scc::Scc,
    sssp::Sssp, wcc::Wcc,
};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, bc, bfs, closeness, pagerank, scc, sssp, wcc};
use warpgraph_graph::{Control, Graph, generate::Spec};

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

fn within(graph: &Graph, memory_budget: Option<u64>) -> DeviceGraph {
    let settings = Settings { memory_budget, ..Settings::default() };
    DeviceGraph::new(&Simt::open(&settings, SimtOptions::default()).unwrap(), graph)
}

fn by(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), ..Options::default() }
}

fn tiles(device_graph: &DeviceGraph, plan: &str) -> TileUse {
    let answer = bfs(device_graph, &Bfs::from(0), &by(plan)).unwrap();
    answer.verify(device_graph.graph()).unwrap();
    answer.run().tiles.unwrap()
}

/// A star whose hub has so many arcs, each to a leaf.
fn star(leaves: u32) -> Graph {
    let edges: Vec<(u32, u32)> = (1..=leaves).map(|leaf| (0, leaf)).collect();
    Graph::from_edges(leaves as usize + 1, &edges, false).unwrap()
}

#[test]
fn every_smallest_tile_and_beginning_gives_the_same_answers() {
    let graphs = [generated("kron:8,w=1..9"), generated("kron:7,degree=20,directed,w=1..9"), star(1000)];
    for graph in &graphs {
        let device_graph = within(graph, None);
        for options in
            ["", "(min=8)", "(min=16)", "(min=64)", "(min=256)", "(align=off)", "(min=8,align=off)"]
        {
            for balance in ["tiled", "resident"] {
                let options = by(&format!("{balance}{options}"));
                let distances = sssp(&device_graph, &Sssp::from(0), &options).unwrap();
                distances.verify(graph).unwrap();
                let components = wcc(&device_graph, &Wcc {}, &options).unwrap();
                components.verify(graph).unwrap();
            }
        }
    }
}

#[test]
fn rows_of_every_length_and_beginning_are_gone_along_once() {
    // Vertex v has v arcs, so rows begin at every place of a sector; a rank is the sum over all arcs, each once.
    let arcs: Vec<(u32, u32)> = (0..200).flat_map(|v| (0..v).map(move |k| (v, (v + k + 1) % 200))).collect();
    let graph = Graph::from_edges(200, &arcs, true).unwrap();
    let device_graph = within(&graph, None);
    for plan in ["tiled", "push+tiled", "push+resident", "tiled(min=8)", "push+resident(align=off)"] {
        let ranks = pagerank(&device_graph, &PageRank::default(), &by(plan)).unwrap();
        ranks.verify(&graph).unwrap();
    }
}

#[test]
fn tiles_are_made_when_a_vertex_is_first_expanded_and_met_again_later() {
    let graph = generated("kron:9");
    let device_graph = within(&graph, None);
    let first = tiles(&device_graph, "push+resident");
    assert!(first.made > 0);
    assert_eq!((first.reused, first.held), (0, first.made), "a search expands every vertex once");
    let again = tiles(&device_graph, "push+resident");
    assert_eq!((again.made, again.reused, again.held), (0, first.made, first.made));
    assert_eq!((again.reuse_rate(), again.held_bytes), (1.0, first.held_bytes));
    // All vertices at once: first those that were out of reach, then everything without a list.
    let all = wcc(&device_graph, &Wcc {}, &by("push+resident")).unwrap().run().tiles.unwrap();
    assert!(all.reused > first.held && all.held >= first.held, "{all:?}");
    let everything = wcc(&device_graph, &Wcc {}, &by("push+resident")).unwrap().run().tiles.unwrap();
    assert_eq!((everything.made, everything.held), (0, all.held));
    assert!(everything.reused >= all.held, "{everything:?}");
    // Another way of cutting is another set of tiles; one whose graph has left the device is made anew.
    assert!(tiles(&device_graph, "push+resident(min=8)").made > 0);
    assert!(tiles(&device_graph, "push+resident").made > 0);
    device_graph.let_go();
    let none = tiles(&device_graph, "push+resident");
    assert_eq!((none.made, none.reused, none.held), (0, 0, 0), "memory was short: no tiles are kept");
}

#[test]
fn a_hub_is_cut_into_tiles_of_the_block_one_of_each_smaller_size_and_a_rest() {
    // The hub's row begins a sector. Blocks of the simulator have 64 threads.
    let device_graph = within(&star(64 * 3 + 32 + 8 + 5), None);
    let found = tiles(&device_graph, "push+resident(min=8)");
    assert_eq!(found.made, (3 + 1 + 1 + 1) + (64 * 3 + 32 + 8 + 5), "the hub's and one for each leaf");
    let found = tiles(&device_graph, "push+resident");
    assert_eq!(found.made, (3 + 1 + 1) + (64 * 3 + 32 + 8 + 5), "by default no tile is smaller than a warp");
}

#[test]
fn records_are_left_out_and_not_the_run_when_memory_is_short() {
    let graph = generated("kron:10,w=1..9");
    let enough = within(&graph, None);
    let first = sssp(&enough, &Sssp::from(0), &by("push+resident")).unwrap();
    let all = first.run().tiles.unwrap();
    let peak = enough.gpu().memory().unwrap().peak;
    let mut fewer = 0;
    for budget in [peak - 1, peak - all.held_bytes / 2, peak - all.held_bytes / 4] {
        let short = within(&graph, Some(budget));
        let ask = || sssp(&short, &Sssp::from(0), &by("push+resident+device"));
        // What an engine does: lets the graph go, and asks once more.
        let answer = ask().or_else(|_| {
            short.let_go();
            ask()
        });
        let answer = answer.unwrap();
        answer.verify(&graph).unwrap();
        let used = answer.run().tiles.unwrap();
        assert!(used.held <= all.held, "{used:?}");
        fewer += u32::from(used.held < all.held);
    }
    assert!(fewer > 0, "some budget leaves no room for all tiles");
}

#[test]
fn batches_and_copies_of_a_graph_go_by_tiles_too() {
    for spec in ["kron:7", "kron:7,directed", "kron:6,directed,w=1..5"] {
        let graph = generated(spec);
        let device_graph = within(&graph, None);
        for plan in ["tiled", "resident"] {
            let config = Bc { sources: Sources::Count(20), ..Bc::default() };
            let scores = bc(&device_graph, &config, &by(plan)).unwrap();
            scores.verify(&graph).unwrap();
            let near = closeness(&device_graph, &Closeness::default(), &by(plan)).unwrap();
            near.verify(&graph).unwrap();
            if plan == "resident" {
                let used = near.run().tiles.unwrap();
                assert!(used.reused > 0, "levels meet the tiles of earlier ones: {used:?}");
            }
        }
    }
}

#[test]
fn electing_tiles_is_priced_apart_and_changes_no_answer() {
    let graph = generated("kron:8,w=1..9");
    let device_graph = within(&graph, None);
    for plan in ["push+tiled", "push+resident", "tiled"] {
        let options = Options { price_tiling: true, ..by(plan) };
        let answer = sssp(&device_graph, &Sssp::from(0), &options).unwrap();
        answer.verify(&graph).unwrap();
        let seconds = answer.run().tiling_seconds.unwrap();
        assert!(plan != "push+resident" || seconds > 0.0, "listing tiles takes time");
        assert_eq!(sssp(&device_graph, &Sssp::from(0), &by(plan)).unwrap().run().tiling_seconds, None);
    }
}

#[test]
fn an_open_balance_shares_a_hub_by_tiles_that_are_kept() {
    let hub = star(5000);
    let device_graph = within(&hub, None);
    let answer = bfs(&device_graph, &Bfs::from(0), &by("push")).unwrap();
    answer.verify(&hub).unwrap();
    assert!(answer.run().tiles.is_some(), "rows of 5000 arcs are long for blocks of 64 threads");
    let components = wcc(&device_graph, &Wcc {}, &by("bsp")).unwrap();
    components.verify(&hub).unwrap();
    let short = within(&star(500), None);
    assert!(bfs(&short, &Bfs::from(0), &by("push")).unwrap().run().tiles.is_none());
}

#[test]
fn one_direction_may_keep_its_tiles_and_the_other_not() {
    let graph = generated("kron:9,directed");
    let enough = within(&graph, None);
    let held = scc(&enough, &Scc::default(), &by("resident")).unwrap().run().tiles.unwrap();
    let peak = enough.gpu().memory().unwrap().peak;
    let mut fewer = 0;
    for part in 20..60 {
        let short = within(&graph, Some(peak * part / 40));
        let Ok(answer) = scc(&short, &Scc::default(), &by("resident")) else { continue };
        answer.verify(&graph).unwrap();
        let now = answer.run().tiles.unwrap();
        fewer += u32::from(now.held_bytes < held.held_bytes);
    }
    assert!(fewer > 0, "some budget has room for all tiles of one direction only");
}

#[test]
fn blocks_of_a_real_device_take_tiles_of_every_size() {
    let options = SimtOptions { multiprocessors: 132, ..SimtOptions::default() };
    // Rows of 64 to 1023 arcs, so of every mix of tiles of 256, 128 and 64 threads; and a hub.
    let rows = (0..60u32).flat_map(|v| (0..64 + 16 * v).map(move |k| (v, 60 + (v * 37 + k * 11) % 1200)));
    let graph =
        Graph::from_edges(1260, &rows.chain((0..1260).map(|v| (7, v))).collect::<Vec<_>>(), false).unwrap();
    for plan in
        ["tiled", "resident", "tiled(min=8)", "resident(min=64)", "resident(min=128,align=off)", "bsp"]
    {
        let device_graph =
            DeviceGraph::new(&Simt::open(&Settings::default(), options.clone()).unwrap(), &graph);
        wcc(&device_graph, &Wcc {}, &by(plan)).unwrap().verify(&graph).unwrap();
        pagerank(&device_graph, &PageRank::default(), &by(plan)).unwrap().verify(&graph).unwrap();
        let near = closeness(
            &device_graph,
            &Closeness { sources: Sources::Count(70), ..Closeness::default() },
            &by(plan),
        );
        near.unwrap().verify(&graph).unwrap();
    }
}
