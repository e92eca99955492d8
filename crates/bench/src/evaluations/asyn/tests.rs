//! What is asked for by flags, a report made up, and one measured on the simulator and on the processor and read back.

use super::*;
use crate::{
    evaluation::{
        Bench, Cell, Counted, Handle, Measuring, Point, Verify,
        report::{FirstRun, read},
        run,
        statements::Outcome,
        testing::{Made, figures_have, page_has, report},
        write,
    },
    evaluations::of,
};
use warpgraph::{Control, Device, Engine, Options, PathUse, Plan, Work, graph::generate::Spec};

fn cells(line: &str, source: &str) -> Vec<Wanted> {
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    of::<Asyn>(line).cells(&Asked::new(source), &graph).unwrap()
}

/// Returns the algorithm and the plan of every cell of a part.
fn texts(line: &str, source: &str, part: &str) -> Vec<String> {
    let all = cells(line, source).into_iter().filter(|cell| cell.parts.contains_key(part));
    all.map(|cell| format!("{} {}", cell.algorithm, cell.plan)).collect()
}

#[test]
fn flags_choose_parts_algorithms_and_the_grid() {
    let three = ["paths", "bsp+push", "auto"].map(|plan| format!("sssp {plan}"));
    assert_eq!(texts("--algorithms sssp", "kron:9", "main"), three);
    assert_eq!(texts("", "kron:9", "main").len(), 12);
    assert_eq!(texts("--algorithms wcc", "kron:9", "fig11")[1], "wcc paths(backward=off)");
    assert_eq!(
        texts("", "kron:9", "fig15")[..3],
        ["pagerank paths", "pagerank paths(np=1)", "pagerank paths(np=2)"]
    );
    assert_eq!(texts("", "kron:9", "table4")[4], "pagerank paths(lambda=0.005,beta=0.01)");
    assert_eq!(
        (texts("", "kron:9", "table4").len(), texts("--full-grid", "kron:9", "table4").len()),
        (18, 60)
    );
    assert_eq!(texts("", "kron:9", "fig16")[2], "pagerank paths(importance=betweenness)");
    assert!(
        texts("--algorithms wcc", "kron:9", "fig16").is_empty() && texts("", "kron:9", "fig14").is_empty()
    );
    let series = cells("--scale 9", "powerlaw:512,alpha=1.8,w=1..255");
    assert!(series.len() == 3 && series.iter().all(|cell| cell.parts.contains_key("fig14")));
    let own = cells("", "powerlaw:99,alpha=2.1");
    assert!(own[0].parts.contains_key("main") && own[0].parts.contains_key("fig14"), "{:?}", own[0]);
    assert_eq!(cells("--only fig16", "kron:9").len(), 3);
    let sums = ["pagerank", "adsorption"]
        .map(|name| [PATHS, PUSH, LARGE_FIRST, IN_PLACE].map(|plan| format!("{name} {plan}")));
    assert_eq!(texts("--only thresholds", "kron:9", THRESHOLDS), sums.concat());
    assert!(texts("", "kron:9", THRESHOLDS).is_empty(), "it takes long");
}

#[test]
fn every_cell_is_accepted_on_a_gpu_and_only_own_paths_have_a_handle_of_their_own() {
    for wanted in cells("--full-grid", "kron:9") {
        let plan: Plan = wanted.plan.parse().unwrap();
        let options = Options { plan, ..Options::default() };
        warpgraph::find(&wanted.algorithm).unwrap().rules.check(Device::FIRST_GPU, &options).unwrap();
        assert_eq!(wanted.plan, plan.to_string(), "one plan is one text");
        let takes_kept = plan.paths().is_none_or(|paths| {
            paths == warpgraph::PathPlan { np: paths.np, ..warpgraph::PathPlan::DEFAULT }
        });
        assert_eq!(wanted.handle == Handle::Shared, takes_kept, "{wanted:?}");
    }
    for (flag, text, why) in
        [("--only", "fig7", "main, fig11"), ("--algorithms", "bfs", "pagerank, adsorption")]
    {
        let command = <Asyn as Args>::augment_args(clap::Command::new("x").no_binary_name(true));
        let error = command.try_get_matches_from([flag, text]).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    assert!(["0", "1", "-1", "x"].iter().all(|text| tolerance(text).is_err()));
}

/// A cell by a plan: seconds, and millions of updates and of bytes.
fn made(graph: &str, algorithm: &str, plan: &str, part: &str, figures: (f64, u64, u64)) -> Made {
    let (seconds, updates, bytes) = figures;
    let mut made = Made::on(graph, algorithm, plan).seconds(seconds).parts(&[(part, 0)]);
    let (updates, bytes, edges) = (updates * 1_000_000, bytes << 20, 2_000_000_000);
    let merges = if plan.starts_with("paths") { updates / 2 } else { 0 };
    let sent = |round: u32| Some(10f64.powi(-(round as i32)));
    let point = |round: u32| Point {
        round: round.into(),
        edges: u64::from(round) * 1_000,
        updates: None,
        sent: sent(round),
    };
    let (work, curve) = (Work { updates, merges, edges, bytes }, (1..9).map(point).collect());
    made.0.counted = Some(Counted { work, rounds: 8, curve });
    for run in &mut made.0.runs {
        run.residual = ["pagerank", "adsorption"].contains(&algorithm).then_some(5e-7);
    }
    let used = PathUse {
        hubs: 7,
        paths: 1 << 20,
        chunks: 100,
        hub_chunks: 40,
        handled: 250,
        busy: 0.75,
        ..PathUse::default()
    };
    if plan.starts_with("paths") {
        made = making(made, 0.25);
        made.0.paths = Some(used);
    }
    made
}

/// With paths that took so long to make.
fn making(mut made: Made, seconds: f64) -> Made {
    let paths = Some(PathUse { making_seconds: seconds, ..PathUse::default() });
    made.0.first = made.0.first.map(|first| FirstRun { prepare: 0.05 + seconds, paths, ..first });
    made
}

/// Directed, diameter, millions of updates along paths and by supersteps.
type Like = (&'static str, bool, u64, (u64, u64));
const GRAPHS: [Like; 3] =
    [("social", false, 6, (30, 100)), ("road", false, 44, (10, 100)), ("web", true, 8, (32, 100))];

fn on(graph: &str, (is_directed, own, push): (bool, u64, u64)) -> Vec<Made> {
    let mut all = Vec::new();
    for algorithm in ALGORITHMS {
        let cell = |plan: &str, part: &str, figures| made(graph, algorithm, plan, part, figures);
        let backward = if is_directed { (2.0, own, 50) } else { (3.0, own + 2, 80) };
        all.push(cell(PATHS, "main", (2.0, own, 50)));
        all.push(cell(PUSH, "main", (8.0, push, 100)));
        all.push(cell(OPEN, "main", (0.5, push, 100)));
        all.push(cell(NO_SKETCH, "fig11", (2.5, own + 5, 60)));
        all.push(cell(NO_BACKWARD, "fig11", backward));
        if !["pagerank", "sssp"].contains(&algorithm) {
            continue;
        }
        // Those of the defaults are in both parts.
        let usual = all.len() - 5;
        all[usual].0.parts.insert("fig15".to_owned(), 2);
        for (np, seconds) in [(1, 4.0), (2, 2.2), (4, 2.1), (6, 5.0)] {
            all.push(cell(&format!("paths(np={np})"), "fig15", (seconds, own, 50)));
        }
        for (lambda, beta, seconds) in [("0.001", "0.01", 2.5), ("0.005", "0.1", 2.2), ("0.005", "0.01", 2.0)]
        {
            let mut made = cell(&format!("paths(lambda={lambda},beta={beta})"), "table4", (seconds, own, 50));
            made.0.paths.as_mut().unwrap().hubs = (100.0 * seconds) as u64;
            all.push(made);
        }
    }
    for (importance, run, seconds) in
        [("degree", 2.0, 0.25), ("closeness", 1.9, 3.0), ("betweenness", 1.8, 9.0)]
    {
        let plan = format!("paths(importance={importance})");
        all.push(making(made(graph, "pagerank", &plan, "fig16", (run, own, 50)), seconds));
    }
    all
}

fn as_in_the_paper() -> Report {
    let graphs =
        GRAPHS.iter().flat_map(|&(graph, directed, _, (own, push))| on(graph, (directed, own, push)));
    let series = [("p18", 1.0), ("p20", 2.0), ("p22", 4.0)].into_iter().flat_map(|(graph, seconds)| {
        let cell = |plan, figures| made(graph, "pagerank", plan, "fig14", figures);
        [cell(PATHS, (seconds, 10, 50)), cell(PUSH, (9.0, 40, 100)), cell(OPEN, (0.5, 40, 100))]
    });
    let mut report = report("asyn", graphs.chain(series).collect());
    report.options = json!(of::<Asyn>(""));
    for case in &mut report.graphs {
        let like = GRAPHS.iter().find(|like| like.0 == case.name);
        let alpha = case.name.strip_prefix("p").and_then(|text| Some(text.parse::<f64>().ok()? / 10.0));
        let diameter = like.map_or(0, |like| like.2);
        case.figures.insert("seen".to_owned(), json!(Seen { build: 0.125, diameter, alpha }));
        case.graph.as_mut().unwrap().directed = like.is_none_or(|like| like.1);
    }
    report.conclude(&of::<Asyn>(""));
    report
}

#[test]
fn everything_holds_for_figures_of_which_the_paper_could_have_been_written() {
    for verdict in as_in_the_paper().statements {
        assert_eq!(verdict.outcome, Outcome::Held, "{}: {:?}", verdict.statement, verdict.cases);
    }
    let mut empty = report("asyn", vec![]);
    empty.conclude(&of::<Asyn>(""));
    assert!(empty.statements.iter().all(|verdict| verdict.outcome == Outcome::NotMeasured));
}

#[test]
fn statements_say_where_they_do_not_hold() {
    let mut made_up = as_in_the_paper();
    let change = |report: &mut Report, plan: &str, by: fn(&mut Cell)| {
        report.cells.iter_mut().filter(|cell| cell.plan_asked == plan && cell.graph != "road").for_each(by);
    };
    // Off the road, paths update more than supersteps, and Np = 6 is the best.
    change(&mut made_up, PATHS, |cell| cell.counted.as_mut().unwrap().work.updates *= 4);
    change(&mut made_up, "paths(np=6)", |cell| cell.seconds = cell.seconds.map(|_| Default::default()));
    change(&mut made_up, "paths(importance=closeness)", |cell| {
        cell.first.as_mut().unwrap().paths.as_mut().unwrap().making_seconds = 0.1;
        cell.first.as_mut().unwrap().prepare = 0.1;
    });
    // Off the road, every lambda and beta makes the same hubs.
    for cell in made_up.cells.iter_mut().filter(|cell| cell.graph != "road") {
        cell.paths.iter_mut().for_each(|used| used.hubs = 7);
    }
    // The road has no hubs by default, so it is no case of the sketch.
    for cell in made_up.cells.iter_mut().filter(|cell| cell.graph == "road") {
        cell.paths.iter_mut().for_each(|used| used.hub_chunks = 0);
    }
    made_up.conclude(&of::<Asyn>(""));
    let here = |figure: &str, says: &str| {
        let mut all = made_up.statements.iter().filter(|verdict| verdict.figure == figure);
        let verdict = all.find(|verdict| verdict.statement.contains(says)).unwrap();
        (verdict.outcome, verdict.held, verdict.cases.len())
    };
    assert_eq!(here("7", "fewer updates"), (Outcome::InPart, 4, 4 * 3 + 3));
    assert_eq!(here("11", "the sketch saves"), (Outcome::No, 0, 8));
    assert_eq!(here("15", "Np"), (Outcome::No, 0, 4));
    assert_eq!(here("tables 4, 5", "beta"), (Outcome::Held, 2, 2));
    assert_eq!(here("16", "importance"), (Outcome::InPart, 1, 3));
}

#[test]
fn the_page_has_every_table_with_figures_side_by_side() {
    let parts = [
        "# Asynchronous runs along paths on NVIDIA H200\n",
        "- pagerank and adsorption: tolerance 1e-6, rounds without a limit\n",
        "| road | no | 1,048,576 | 33,554,432 | 32.0 | 44 | 7 | 1,048,576 | 16.0 | 40% |",
        "| pagerank | 30.00 M | 15.00 M | 100.00 M | 0.30 | 0.45 | 2.000 G | 2.000 G | 8 | 8 |",
        "| pagerank | paths | 2.00 s | 10% | 4.00 | 0.25 | 5.0e-7 | passed |",
        "| sssp | bsp+push | 8.00 s | 10% | 1.00 | 0.062 | - | passed |",
        "| pagerank | 250 ms | 550 ms | 2.00 s | 250 ms | 8.00 s | 3.24 | 125 ms | 2.0 |",
        "| wcc | 50.0 MiB | 100.0 MiB | 0.50 | 80.0 MiB | 0.62 |",
        "| pagerank | paths(sketch=off) | 2.50 s | 1.25 | 35.00 M | 1.17 | 60.0 MiB | 1.20 | passed |",
        "| sssp | 0 | 0 | 100 | 40 | 2.5 | 0% | 75% |",
        "| p18 | 1.8 | 33,554,432 | 1.00 s | 9.00 s | 500 ms | 9.00 | 0.50 | 0.25 |",
        "| sssp | 2 | 2.20 s | 10% | 1.10 | 30.00 M | 2.5 | passed |",
        "| pagerank | 0.5% | 1% | 200 | 250 ms | 2.00 s | 2.55 s | 1.00 | passed |",
        "| betweenness | 9.00 s | 1.80 s | 10% | 11.1 s | 30.00 M | 50.0 MiB | passed |",
        "| 7 | fewer updates than by supersteps | held | in 15 of 15 cases: 68 to 90 % less",
        "| 15 | a larger Np first gains, then loses: the best is neither 1 nor 6 | held | in 6 of 6 cases: 3",
    ];
    let mut made_up = as_in_the_paper();
    let text = page_has(&of::<Asyn>(""), &made_up, &parts);
    assert!(!text.contains("serial reference"), "{text}");
    let push = made_up.cells.iter_mut().filter(|cell| cell.plan_asked == PUSH);
    push.for_each(|cell| cell.seconds = None);
    let text = page_has(&of::<Asyn>(""), &made_up, &["and a serial reference counted its work"]);
    assert!(!text.contains("| bsp+push | 8.00 s"), "{text}");
}

#[test]
fn every_figure_is_drawn_from_the_report() {
    let expected: [(&str, &[&str]); 12] = [
        ("figure7", &["social", "road", "updates", "merges", "line: bsp+push", "0.45"]),
        ("figure8", &["4.00", "line: bsp+push"]),
        ("figure8-auto", &["0.25", "line: auto"]),
        ("figure9-pagerank", &["messages so far", ">paths<", ">bsp+push<", "web"]),
        ("figure10", &["0.50"]),
        ("figure11", &["pagerank, no sketch", "1.25", "1.50"]),
        ("figure11-updates", &["sssp, no backward", "1.17"]),
        ("figure12", &["line: paths(backward=off)", "0.62"]),
        ("figure13", &["0.75"]),
        ("figure14", &["alpha", ">1.8<", "auto"]),
        ("figure15", &["Np", "time over the best"]),
        ("figure16", &["betweenness", "preparation", "11.1 s"]),
    ];
    let drawn = figures_have(&of::<Asyn>(""), &as_in_the_paper(), &expected);
    assert_eq!(drawn.len(), 13, "{:?}", drawn.keys());
    assert!(of::<Asyn>("").figures(&report("asyn", vec![])).is_empty());
}

/// Measures on an engine, writes everything, and reads it back.
fn measured(engine: &Engine, line: &str, names: &[&str]) -> Report {
    let (processor, control) = (Engine::on(Device::Cpu, Some(1)).unwrap(), Control::new());
    let load = |source: &str| Ok((source.parse::<Spec>().unwrap().generate(&Control::new()).unwrap(), 0.5));
    let (evaluation, folder) = (of::<Asyn>(line), tempfile::tempdir().unwrap());
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let measuring =
        Measuring { runs: 1, warmup: 0, seed: 1, case_limit: 60, order_limit: 60, verify: Verify::Once };
    let bench = Bench {
        evaluation: &evaluation,
        measuring,
        engine,
        processor: &processor,
        control: &control,
        load: &load,
        say: &|_| {},
    };
    let mut made = report("asyn", vec![]);
    made.options = json!(evaluation);
    run(&bench, &evaluation.graphs(&names).unwrap(), &mut made, &mut |_| Ok(())).unwrap();
    made.conclude(&evaluation);
    write::all(folder.path(), &evaluation, &made).unwrap();
    let again = read(&folder.path().join("asyn.json"), &evaluation).unwrap();
    let page = std::fs::read_to_string(folder.path().join("asyn.md")).unwrap();
    assert_eq!(page, write::markdown(&evaluation, &again));
    again
}

fn is_below(cell: &Cell, tolerance: f64) -> bool {
    cell.residual().is_none_or(|residual| residual < tolerance)
}

#[test]
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
fn a_run_on_the_simulator_is_verified_and_counts_both_models_at_equal_residuals() {
    let line = "--tolerance 1e-3";
    let names = ["kron:4,w=1..9", "powerlaw:24,alpha=1.9,w=1..9"];
    let report = measured(&crate::gpu_limits::tests::simulator(), line, &names);
    for cell in &report.cells {
        assert_eq!((&cell.error, cell.verify.as_deref()), (&None, Some("passed")), "{cell:?}");
        assert!(is_below(cell, 1e-3), "{cell:?}");
        assert_eq!(cell.paths.is_some(), cell.plan_asked.starts_with("paths"), "{cell:?}");
        assert!(cell.counted.is_some() || cell.plan_asked == OPEN, "{cell:?}");
        let has_curve = cell.counted.as_ref().is_some_and(|counted| !counted.curve.is_empty());
        assert_eq!(has_curve, [PATHS, PUSH].contains(&cell.plan_asked.as_str()), "{cell:?}");
    }
    let residuals = report.cells.iter().filter(|cell| cell.algorithm == "pagerank");
    assert!(residuals.clone().count() > 10 && residuals.clone().all(|cell| cell.residual().is_some()));
    let titles =
        ["Table 1", "Figure 7", "Figure 8", "Table 2", "Figures 10 and 12", "Figure 11", "Figure 13"];
    let others = ["Figure 14", "Figure 15", "Tables 4 and 5", "Figure 16"];
    let titles: Vec<String> = titles.iter().chain(&others).map(|title| format!("## {title}: ")).collect();
    page_has(&of::<Asyn>(line), &report, &titles.iter().map(String::as_str).collect::<Vec<_>>());
    for figure in ["7", "8", "10", "11", "12", "16"] {
        let mut of_figure = report.statements.iter().filter(|verdict| verdict.figure == figure);
        assert!(of_figure.any(|verdict| !verdict.cases.is_empty()), "{figure}");
    }
}

#[test]
fn on_the_processor_a_reference_counts_supersteps_and_they_have_no_times() {
    let engine = Engine::on(Device::Cpu, Some(2)).unwrap();
    let report = measured(
        &engine,
        "--only main --only thresholds",
        &["kron:5,w=1..9", "uniform:5,degree=4,directed,w=1..9"],
    );
    for cell in &report.cells {
        assert_eq!(cell.error, None, "{cell:?}");
        let is_counted = [PUSH, LARGE_FIRST, IN_PLACE].contains(&cell.plan_asked.as_str());
        assert_eq!(cell.seconds.is_none(), is_counted, "{cell:?}");
        assert!(cell.seconds.is_none() || cell.verify.as_deref() == Some("passed") && is_below(cell, 1e-6));
        let rounds = cell.counted.as_ref().map(|counted| counted.rounds);
        // Of the open plans, only that of adsorption is a program, which counts.
        let counts = cell.plan_asked != OPEN || cell.algorithm == "adsorption";
        assert_eq!(rounds.is_some_and(|rounds| rounds > 0), counts, "{cell:?}");
    }
    assert_eq!((report.cells.len(), report.exit_code()), (24 + 8, 0));
    page_has(&of::<Asyn>(""), &report, &["## Beside the paper: updates of sums"]);
    let judged = |figure: &str| report.statements.iter().find(|verdict| verdict.figure == figure).unwrap();
    assert_eq!((judged("7").cases.len(), judged("8").cases.len()), (8, 0));
}
