//! What is asked for by flags, and the page and the figures of a report made up.

use super::{
    choice::{ALGORITHMS, balances, fitted},
    *,
};
use crate::{
    evaluation::{
        Handle, Held, Making,
        testing::{Made, failure, report},
        write::markdown,
    },
    evaluations::of,
};

fn cells(line: &str) -> Vec<Wanted> {
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    of::<Sage>(line).cells(&asked("community:9,shuffle"), &graph).unwrap()
}

/// Returns the order and the plan of every cell of an algorithm in a part, in the order of the part.
fn texts(line: &str, part: &str, algorithm: &str) -> Vec<String> {
    let cells = cells(line);
    let is_of = |cell: &&Wanted| cell.algorithm == algorithm && cell.parts.contains_key(part);
    let mut cells: Vec<&Wanted> = cells.iter().filter(is_of).collect();
    cells.sort_by_key(|cell| cell.parts[part]);
    cells.iter().map(|cell| format!("{} {}", cell.order, cell.plan)).collect()
}

#[test]
fn the_ablation_adds_one_technique_per_step_and_flags_replace_steps_and_orders() {
    let orders = "--order rcm --order natural --order sampled --algorithms bc";
    let other = &format!("--plan tiled(align=off) --plan tiled {orders}");
    let steps = [
        "natural bsp+push+node",
        "natural bsp+push+tiled",
        "natural bsp+push+resident",
        "sampled(rounds=10) bsp+push+resident",
    ];
    let others =
        ["rcm bsp+tiled(align=off)", "rcm bsp+tiled", "natural bsp+tiled", "sampled(rounds=10) bsp+tiled"];
    let stages = ["rcm", "natural", "sampled(rounds=1)", "sampled(rounds=2)", "sampled(rounds=5)"];
    let stages = stages.into_iter().chain(["sampled(rounds=10)", "planted"]);
    let stages: Vec<String> = stages.map(|order| format!("{order} bsp+tiled")).collect();
    let stages: Vec<&str> = stages.iter().map(String::as_str).collect();
    for (line, part, algorithm, expected) in [
        ("", "fig10", "bfs", &steps[..]),
        (other, "fig10", "bc", &others),
        (other, "fig6", "bc", &stages),
        ("--plan node --plan tiled(min=8)", "table3", "bfs", &["natural bsp+push+tiled(min=8)"]),
        ("--plan node", "tiles", "bc", &["natural bsp+resident"]),
        ("--plan tiled", "first", "bfs", &["natural bsp+push+tiled", "natural bsp+push"]),
        ("", "fig7", "sssp", &[]),
        ("--algorithms wcc,scc --only auto", "auto", "scc", &[]),
    ] {
        assert_eq!(texts(line, part, algorithm), expected, "{part} of {algorithm}: {line}");
    }
    assert_eq!(texts("", "fig10", "pagerank")[0], "natural bsp+node");
    assert_eq!(texts("", "auto", "sssp").len(), 8);
}

#[test]
fn a_cell_of_several_parts_is_measured_once() {
    let mut found = cells("");
    found.retain(|cell| cell.handle == Handle::Shared && cell.order == Held::NATURAL);
    found.retain(|cell| cell.plan == "bsp+push+resident" && cell.algorithm == "bfs");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].parts.keys().collect::<Vec<_>>(), ["auto", "fig10", "fig6", "fig7"]);
}

#[test]
fn only_programs_are_held_to_pushing_and_only_where_nothing_else_was_said() {
    for (algorithm, text, expected) in [
        ("bfs", "tiled(min=8)", "bsp+push+tiled(min=8)"),
        ("bfs", "pull+tiled", "bsp+pull+tiled"),
        ("bfs", "auto", "auto"),
        ("pagerank", "tiled", "bsp+tiled"),
        ("wcc", "bsp", "bsp+push"),
    ] {
        assert_eq!(fitted(algorithm, text.parse().unwrap()), expected, "{algorithm}");
    }
    for algorithm in ALGORITHMS {
        for balance in balances() {
            let plan = fitted(algorithm, balance).parse().unwrap();
            let options = warpgraph::Options { plan, ..Default::default() };
            let rules = &warpgraph::find(algorithm).unwrap().rules;
            rules.check(warpgraph::Device::FIRST_GPU, &options).unwrap();
        }
    }
}

#[test]
fn graphs_are_asked_for_by_generator_by_file_and_by_both() {
    for name in GRAPHS.into_iter().chain(QUICK) {
        assert!(name.parse::<Spec>().unwrap().weight_range().is_some(), "{name}");
    }
    let shuffled = "community:10,shuffle,w=1..9";
    for (text, name, source) in [
        ("kron:20,w=1..9", "kron:20,w=1..9", "kron:20,w=1..9"),
        ("a/road.gr", "a/road.gr", "a/road.gr"),
        ("kron:22=k22.wg", "kron:22", "k22.wg"),
        (&format!("{shuffled}=c.wg"), shuffled, "c.wg"),
    ] {
        let planted = (name == shuffled).then(|| "community:10,w=1..9".parse().unwrap());
        assert_eq!(asked(text), Asked { name: name.to_owned(), source: source.to_owned(), planted });
    }
    let suite = of::<Sage>("").graphs(&[]).unwrap();
    assert_eq!((suite.len(), suite[0].name.as_str()), (6, "kron:22"));
    assert!(suite[5].planted.is_some() && suite[4].planted.is_none());
    assert_eq!(of::<Sage>("--quick").graphs(&["x.wg".to_owned()]).unwrap()[5].name, "x.wg");
}

/// bfs in all parts on a graph, and another graph that it was refused on.
fn as_in_the_paper() -> Report {
    let made = |order: &str, plan: &str, seconds: f64, parts: &[(&str, usize)]| {
        Made::on("community:22", "bfs", plan).order(order).seconds(seconds).parts(parts)
    };
    let (node, tiled, resident) = ("bsp+push+node", "bsp+push+tiled", "bsp+push+resident");
    let tiles = |made, reused| warpgraph::TileUse { made, reused, held: 100, held_bytes: 1 << 20 };
    let mut priced = made("natural", tiled, 2.0, &[("table3", 0)]);
    priced.0.runs.iter_mut().for_each(|run| run.tiling = Some(0.5));
    let mut kept = made("natural", resident, 1.0, &[("tiles", 0)]);
    kept.0.first.as_mut().unwrap().tiles = Some(tiles(100, 0));
    kept.0.tiles = Some(tiles(25, 75));
    let cells = vec![
        made("natural", node, 8.0, &[("fig10", 0), ("fig7", 0), ("auto", 0)]),
        made("natural", tiled, 2.0, &[("fig10", 1), ("fig7", 1), ("auto", 1)]),
        made("natural", resident, 1.0, &[("fig10", 2), ("fig6", 0), ("fig7", 2), ("auto", 2)]),
        made("natural", "bsp+push", 1.25, &[("fig7", 3), ("auto", 3)]),
        made("sampled(rounds=1)", resident, 0.8, &[("fig6", 1)]),
        made("sampled(rounds=10)", resident, 0.5, &[("fig10", 3), ("fig6", 2)]),
        made("gorder", node, 4.0, &[("fig7", 4)]),
        made("planted", resident, 0.4, &[("fig6", 3)]),
        priced,
        kept,
        made("natural", resident, 1.0, &[("first", 0)]).prepare(0.5),
        Made::on("grid:9x9", "bfs", node).refused("device-memory").parts(&[("fig10", 0)]),
    ];
    let mut report = report("sage", cells);
    report.orders = orders();
    let peer = json!([{ "name": "Gunrock", "graph": "community:22", "algorithm": "bfs", "seconds": 2.0 }]);
    report.figures.insert("peers".to_owned(), peer);
    report.conclude(&of::<Sage>(""));
    report
}

/// An order that was made, one that was refused, and one that was sampled.
fn orders() -> Vec<Making> {
    let making = |order: &str, seconds, renumber, memory| {
        let (graph, order) = ("community:22".to_owned(), order.to_owned());
        Making { graph, order, seconds, renumber, memory, ..Making::default() }
    };
    let rounds = [1, 2].map(|round| warpgraph::Round {
        round,
        samples: 20,
        moved: 1000,
        sectors_before: 6.0,
        sectors_after: Some(4.5),
        sampling_seconds: 0.25,
        renumbering_seconds: 0.125,
        speed_before: Some(4e9),
        speed_after: None,
    });
    vec![
        making("gorder", Some(12.0), Some(0.5), Some(3 << 20)),
        Making { error: Some(failure("device-memory")), ..making("llp", None, None, None) },
        Making { rounds: rounds.to_vec(), ..making("sampled", Some(0.5), Some(0.25), None) },
    ]
}

#[test]
fn the_page_has_every_part() {
    let text = markdown(&of::<Sage>(""), &as_in_the_paper());
    for part in [
        "# Self-adaptive traversal on NVIDIA H200\n",
        "| community:22 | yes | 1,048,576 | 33,554,432 | 32.0 | 1.50 s |",
        "## Figure 6: bfs by order, time per run\n",
        "| natural | - | 1.00 s | 10% | 0.00800 | 1.00 | 0.40 | passed |",
        "| sampled(rounds=10) | - | 500 ms | 10% | 0.016 | 2.00 | 0.80 | passed |",
        "| gorder | 12.0 s | 500 ms | 3.0 MiB | - | - |",
        "| llp | device-memory: cuda:0 has no room",
        "| sampled | 500 ms | 250 ms | - | 2 | 375 ms |",
        "| 2 | 20 | 1,000 | 6.00 | 4.50 | 250 ms | 125 ms | 4.00 | - |",
        "| node | 8.00 s | 10% | 0.00100 | 4.00 s | 0.00200 | 2.00 | passed |",
        "| auto | 1.25 s | 10% | 0.00640 | - | - | - | passed |",
        "| Gunrock | 2.00 s | - | 0.00400 |",
        "| node | natural | 8.00 s | 10% | 0.00100 | - | - | passed |",
        "| resident | sampled(rounds=10) | 500 ms | 10% | 0.016 | 2.00 | 16.00 | passed |",
        "| node | natural | device-memory: cuda:0 has no room",
        "| bfs | tiled | 2.00 s | 500 ms | 25.0% |",
        "| bfs | resident | 100 | 0.0% | 5 | 25 | 75.0% | 100 | 1.0 MiB |",
        "| resident | 1.25 s | 1.00 s | 1.25 | 500 ms | 250 ms | 0 ns |",
        "behind by more than 10 % and 20 us in 1 of 1 cells",
        "| bfs | resident | 1.00 s | 1.25 s | 1.25 | 250 ms | yes |",
        "| node | 1 | 0.156 |",
        "![figure10-bfs](figure10-bfs.svg)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn figures_show_speeds() {
    let drawn = figures::all(&as_in_the_paper());
    let files: Vec<&str> = drawn.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(files, ["figure6-bfs", "figure7-bfs", "figure7-bfs-gorder", "figure10-bfs"]);
    let words: [&[&str]; 4] = [
        &["bfs by order", "10 rounds of sampled", "planted", "0.016"],
        &["bfs by balance", "resident", "auto", "0.006"],
        &["in gorder", "node", "0.002"],
        &["bfs by technique", "resident, 10 rounds of sampled", "0.001"],
    ];
    for (one, words) in drawn.iter().zip(words) {
        let svg = one.figure.svg();
        words.iter().for_each(|word| assert!(svg.contains(word), "{}: {word}\n{svg}", one.file));
        assert!(!svg.contains("grid:9x9"), "nothing was measured on it");
    }
}
