//! The skeleton, tried with an evaluation of a few cells.

use super::{
    report::read,
    statements::{Case, Unit},
    tables::{by_graph, cell_row, time},
    testing::{Made, report},
    *,
};
use crate::result::Failure;
use serde_json::json;
use std::sync::Mutex;
use warpgraph::{Device, Options, Order, Plan, graph::generate::Spec};

static ABOUT: About = About {
    name: "tiny",
    title: "A try",
    head: "",
    statements: "",
    runs_on: RunsOn::Gpu,
    limits: false,
    as_stored: true,
    try_with: "",
    defaults: ["1", "0", "9", "once"],
};

/// What it asks of every graph, and how it is tried.
#[derive(Debug, Default)]
struct Tiny {
    cells: Vec<Wanted>,
    orders: Vec<Wanted>,
    looks: bool,
    doubles: bool,
    measuring: Measuring,
    control: Control,
}

impl Evaluation for Tiny {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>> {
        Ok(Asked::all(named.iter().cloned()))
    }

    fn cells(&self, _: &Asked, _: &Graph) -> Result<Vec<Wanted>> {
        Ok(self.cells.clone())
    }

    fn orders(&self) -> Vec<Wanted> {
        self.orders.clone()
    }

    fn made_from(&self, graph: &Graph, _: &Control) -> Result<Option<Graph>> {
        let is_made = self.doubles && graph.vertices() > 3;
        is_made.then(|| Ok(Graph::from_edges(3, &[(0, 1)], false)?)).transpose()
    }

    fn look<'a>(&'a self, subject: &Subject<'a>) -> Result<Looked<'a>> {
        let figures = Map::from_iter([("vertices".to_owned(), json!(subject.graph.vertices()))]);
        let look = |ordered: &Ordered| {
            Ok(Map::from_iter([("renumbered".to_owned(), json!(ordered.inner().1.is_some()))]))
        };
        Ok(Looked { figures, in_order: self.looks.then(|| Box::new(look) as Box<LookInOrder<'a>>) })
    }

    /// Counts what pulls by what paths do.
    fn count(&self, question: &Question<'_>) -> Result<Option<Run>> {
        let Question { algorithm, plan, config, graph, on_gpu, control } = *question;
        let loaded = Engine::on(Device::Cpu, Some(1))?.load(graph, Order::Natural)?;
        let options = Options { plan: Plan::PATHS, control: control.clone(), ..Options::default() };
        let counted = || {
            let question = warpgraph::find(algorithm)?.question(config.clone())?;
            Ok(loaded.ask(&*question, &options)?.0.run().clone())
        };
        (!on_gpu && plan == "pull").then(counted).transpose()
    }

    fn statements(&self) -> &'static [Statement] {
        const SAYS: Statement = Statement {
            figure: "1",
            says: "every cell runs",
            unit: Unit::Times,
            cases: |view| {
                let case = |cell: &Cell| Case::new(cell.graph.clone(), 1.0, |_| cell.error.is_none());
                view.report.cells.iter().map(case).collect()
            },
        };
        &[SAYS]
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        let sheet = Sheet::new("Times", "algorithm | >time").note("Medians.");
        let row = |cell: &Cell| cell_row([cell.algorithm.clone()], cell, || time(cell).to_vec());
        vec![by_graph(report, sheet, |case| {
            report.cells.iter().filter(|cell| cell.graph == case.name).map(row).collect()
        })]
    }
}

fn cell(algorithm: &str, order: &str) -> Wanted {
    Wanted { order: order.parse().unwrap(), ..Wanted::new(algorithm, "auto") }
}

fn tiny(cells: Vec<Wanted>) -> Tiny {
    let (case_limit, order_limit) = (60, 60);
    let measuring = Measuring { runs: 3, warmup: 1, seed: 5, case_limit, order_limit, verify: Verify::Once };
    Tiny { cells, measuring, ..Tiny::default() }
}

struct Tried {
    done: Result<()>,
    report: Report,
    saved: usize,
    said: Vec<String>,
}

impl Tiny {
    /// Measures generated graphs on one thread of the processor.
    fn tried(&self, specs: &[&str]) -> Tried {
        self.tried_on(&Engine::on(Device::Cpu, Some(1)).unwrap(), specs)
    }

    fn tried_on(&self, engine: &Engine, specs: &[&str]) -> Tried {
        let planted = |spec: &str| spec.replace(",shuffle", "").parse().ok();
        let asked: Vec<Asked> =
            specs.iter().map(|spec| Asked { planted: planted(spec), ..Asked::new(*spec) }).collect();
        let load = |source: &str| {
            let spec = source.parse::<Spec>().map_err(|error| Failure::from(&Error::from(error)))?;
            Ok((spec.generate(&Control::new()).unwrap(), 0.5))
        };
        let (said, mut saved) = (Mutex::new(Vec::new()), 0);
        let bench = Bench {
            evaluation: self,
            measuring: self.measuring,
            engine,
            processor: engine,
            control: &self.control,
            load: &load,
            say: &|line| said.lock().unwrap().push(line.to_owned()),
        };
        let mut report = report("tiny", vec![]);
        let done = run(&bench, &asked, &mut report, &mut |_| {
            saved += 1;
            Ok(())
        });
        report.conclude(self);
        Tried { done, report, saved, said: said.into_inner().unwrap() }
    }
}

#[test]
fn every_order_has_its_cells_and_one_that_cannot_be_made_says_why() {
    let orders =
        ["natural", "rcm", "sampled(rounds=1)", "sampled(rounds=2)", "planted", "bfs-bp(k=4) after random"];
    let cells = orders.iter().flat_map(|order| ["bfs", "pagerank"].map(|name| cell(name, order))).collect();
    let Tried { done, report, saved, .. } =
        Tiny { looks: true, ..tiny(cells) }.tried(&["community:8,shuffle"]);
    assert!(done.is_ok() && saved == 1);
    let held: Vec<String> = report.cells.iter().map(|cell| cell.order.to_string()).collect();
    assert_eq!(held, orders.map(|order| [order; 2]).concat());
    for cell in &report.cells {
        match cell.order {
            // The processor has no tiles to learn from.
            Held::Sampled(_) => assert!(cell.seconds.is_none() && cell.error.is_some(), "{cell:?}"),
            _ => {
                assert_eq!((&cell.error, cell.verify.as_deref()), (&None, Some("passed")), "{cell:?}");
                assert!(cell.runs.len() == 3 && cell.speed.unwrap() > 0.0, "{cell:?}");
            }
        }
    }
    let made = report.orders.iter().map(|o| (o.order.as_str(), o.error.is_some())).collect::<Vec<_>>();
    let shuffled = ("bfs-bp(k=4) after random", false);
    assert_eq!(made, [("natural", false), ("rcm", false), ("sampled", true), shuffled]);
    assert!([1, 3].iter().all(|i| report.orders[*i].figures["renumbered"] == true), "orders are looked at");
    assert_eq!(report.graphs[0].figures["vertices"], 256);
    assert_eq!((report.statements[0].held, report.exit_code()), (8, 0));
}

#[test]
fn what_cannot_run_or_be_loaded_ends_nothing_but_itself() {
    let tiny = tiny(vec![cell("bfs", "natural"), Wanted::new("bfs", "push+warp"), cell("mst", "natural")]);
    let Tried { done, report, saved, said } = tiny.tried(&["nothing:1", "grid:5x5"]);
    assert!(done.is_ok() && saved == 2);
    assert!(report.graphs[0].error.is_some() && report.graphs[1].error.is_none());
    let kinds = [0, 1].map(|i| report.cells[i].error.as_ref().map(|error| error.kind.as_str()));
    assert_eq!(kinds, [None, Some("plan")]);
    let begun = said.iter().filter_map(|line| Some(line.strip_prefix('[')?.split_once(']')?.0));
    assert_eq!(begun.collect::<Vec<_>>(), ["1/3", "2/3", "3/3"]);
    assert_eq!(tiny.tried(&["nothing:1"]).report.exit_code(), 2);
}

#[test]
fn cells_share_a_changed_graph_and_one_that_cannot_be_changed_says_why() {
    let changed = |name: &str, order: &str, how: &str| {
        let starts = if name == "mst" { Starts::Configured } else { Starts::Largest };
        Wanted { starts, approximation: how.parse().unwrap(), ..cell(name, order) }
    };
    let join = "latency(threshold=0)";
    let cells = vec![
        cell("mst", "natural"),
        changed("mst", "natural", join),
        changed("sssp", "natural", join),
        changed("bfs", "natural", join),
        changed("sssp", "degree", "coalesce"),
    ];
    let Tried { done, report, said, .. } = tiny(cells).tried(&["grid:6x6,w=1..9"]);
    assert!(done.is_ok());
    let kinds = report.cells.iter().map(|cell| cell.error.as_ref().map(|error| error.kind.as_str()));
    let expected = [None, None, None, Some("refused"), Some("refused")];
    assert_eq!(kinds.collect::<Vec<_>>(), expected, "{:?}", report.cells);
    let made = said.iter().filter(|line| line.ends_with(&format!("changed by {join}"))).count();
    assert_eq!(made, 1, "{said:?}");
    let inaccuracy = |at: usize| report.cells[at].exactness.as_ref()?.inaccuracy.clone();
    assert_eq!((inaccuracy(0), report.cells[0].verify.as_deref()), (None, Some("passed")));
    for at in [1, 2] {
        let cell = &report.cells[at];
        assert_eq!((cell.verify.as_deref(), cell.runs.len()), (Some("passed"), 3));
        assert!(cell.exactness.as_ref().unwrap().added > 0 && inaccuracy(at).unwrap().mean > 0.0, "{cell:?}");
    }
    assert!(
        said.iter().any(|line| line.contains("mst on grid:6x6,w=1..9 by auto with latency(threshold=0)"))
    );
}

#[test]
fn searches_start_in_the_largest_component_and_every_answer_may_be_verified() {
    let search = |starts, name| Wanted { starts, ..cell(name, "natural") };
    let mut tiny = tiny(vec![
        search(Starts::Largest, "bfs"),
        search(Starts::Largest, "bc"),
        search(Starts::LargestOnce, "sssp"),
        Wanted { handle: Handle::Fresh, ..search(Starts::LargestTogether(10), "closeness") },
        Wanted { per: Per::Sweep, clock: Clock::Call, ..cell("pagerank", "natural") },
    ]);
    (tiny.doubles, tiny.measuring.verify) = (true, Verify::All);
    let Tried { report, .. } = tiny.tried(&["kron:8,w=1..9"]);
    let sources =
        |cell: usize| report.cells[cell].runs.iter().map(|run| run.source.clone()).collect::<Vec<_>>();
    assert!(sources(0)[0].is_some() && sources(0)[0] != sources(0)[1] && sources(0) == sources(1));
    assert!(sources(2).iter().all(|source| *source == sources(0)[0]) && sources(4)[0].is_none());
    assert!(report.cells.iter().flat_map(|cell| &cell.runs).all(|run| run.verify.is_some()));
    assert_eq!(report.cells[3].config["source"].as_array().map(Vec::len), Some(10), "{:?}", report.cells[3]);
    let rank = &report.cells[4];
    let sweep = (rank.runs[0].before + rank.runs[0].seconds) / rank.runs[0].rounds as f64;
    assert!(rank.seconds.unwrap().min <= sweep && sweep <= rank.seconds.unwrap().max, "{rank:?}");
    assert!(report.graphs[0].figure::<Giant>("giant").unwrap().is_most());
    assert_eq!((report.graphs.len(), report.cells.len()), (2, 10), "another graph is made from the first");
}

#[test]
fn work_is_counted_beside_the_timed_runs_or_instead_of_them() {
    let counted = |name, plan, counts| {
        let starts = if name == "sssp" { Starts::LargestOnce } else { Starts::Configured };
        Wanted { starts, counts, ..Wanted::new(name, plan) }
    };
    let tiny = tiny(vec![
        counted("pagerank", "paths", Counts::Rounds),
        counted("sssp", "pull", Counts::Work),
        counted("sssp", "paths", Counts::Work),
        counted("sssp", "auto", Counts::Nothing),
        Wanted { handle: Handle::Own, ..counted("sssp", "paths(lambda=0.5)", Counts::Work) },
    ]);
    let Tried { report, said, .. } = tiny.tried(&["kron:7,w=1..9"]);
    let [rank, pull, paths, auto, own] = &report.cells[..] else { panic!("{:?}", report.cells) };
    let of = |cell: &Cell| cell.counted.clone().unwrap_or_default();
    assert!(of(rank).work.updates > 0 && of(rank).curve.len() > 1 && rank.residual().unwrap() < 1e-6);
    assert!(of(rank).curve.last().unwrap().edges == of(rank).work.edges, "{rank:?}");
    assert_eq!((of(pull).work, pull.seconds, pull.runs.len()), (of(paths).work, None, 0), "one thread each");
    assert!(of(paths).work.edges > 0 && of(paths).curve.is_empty() && paths.residual().is_none());
    assert_eq!((&auto.counted, auto.runs[0].source.is_some()), (&None, true));
    let first = rank.first.unwrap().paths.unwrap();
    assert!(first.making_seconds > 0.0 && rank.paths.unwrap().making_seconds == 0.0, "made once");
    let seconds = [paths, own].map(|cell| cell.first.unwrap().paths.unwrap().making_seconds);
    assert!(
        seconds[0] == 0.0 && seconds[1] > 0.0,
        "found in the shared handle, made in one's own: {seconds:?}"
    );
    assert!(own.paths.unwrap().making_seconds == 0.0 && own.paths.unwrap().hubs > paths.paths.unwrap().hubs);
    assert!(said.iter().any(|line| line == "[2/5] sssp by pull: counted, not run"), "{said:?}");
}

#[test]
fn orders_are_made_without_cells_and_given_up_in_time() {
    let mut tiny = Tiny { orders: vec![cell("bfs", "rcm")], ..tiny(vec![]) };
    let Tried { report, .. } = tiny.tried(&["kron:7"]);
    assert!(report.cells.is_empty() && report.orders[0].seconds.is_some() && report.exit_code() == 0);
    tiny.measuring.order_limit = 0;
    let Tried { report, .. } = tiny.tried(&["kron:12"]);
    assert_eq!(report.orders[0].error.as_ref().unwrap().message, "takes over 0 s");
}

#[test]
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
fn no_round_is_made_while_a_stage_is_timed() {
    let engine = crate::gpu_limits::tests::simulator();
    let cell = |rounds| cell("bfs", &format!("sampled(rounds={rounds})"));
    let stage = |rounds: u32| Wanted { plan: "push+resident".to_owned(), ..cell(rounds) };
    let tiny = tiny([1, 2, 3].map(stage).to_vec());
    let Tried { report, .. } = tiny.tried_on(&engine, &["community:9,size=32,mix=0.1,shuffle"]);
    let made: Vec<Option<(u32, u32)>> = report.cells.iter().map(|cell| cell.rounds_made).collect();
    assert_eq!(made, [1, 2, 3].map(|rounds| Some((rounds, rounds))), "{:?}", report.cells);
    assert_eq!((report.orders[0].rounds.len(), &report.orders[0].error), (3, &None));
}

#[test]
fn an_interrupt_ends_all_and_leaves_what_was_measured() {
    let tiny = tiny(vec![cell("bfs", "natural")]);
    tiny.control.cancel();
    let Tried { done, report, saved, .. } = tiny.tried(&["kron:5"]);
    assert!(done.is_err() && saved == 0 && report.cells.is_empty());
}

#[test]
fn a_report_is_written_and_reads_back() {
    let (tiny, folder) = (Tiny::default(), tempfile::tempdir().unwrap());
    let check = |force| write::check(folder.path(), &tiny, force);
    let mut report = report("tiny", vec![Made::on("g", "bfs", "bsp+push+node").seconds(2.0)]);
    report.conclude(&tiny);
    check(false).unwrap();
    write::all(folder.path(), &tiny, &report).unwrap();
    let again = read(&folder.path().join("tiny.json"), &tiny).unwrap();
    // The last bits of a float may be lost on the way.
    assert_eq!((again.cells.len(), &again.statements), (1, &report.statements));
    let page = std::fs::read_to_string(folder.path().join("tiny.md")).unwrap();
    assert_eq!(page, write::markdown(&tiny, &again));
    let parts =
        "# A try on NVIDIA H200\n;\n## Times\n;| bfs | 2.00 s |;\nMedians.\n;| every cell runs | held |";
    parts.split(';').for_each(|part| assert!(page.contains(part), "{part}\n{page}"));
    assert!(check(false).is_err() && check(true).is_ok());
}

#[test]
fn what_is_no_report_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    for (text, problem) in [
        ("x", "not JSON: "),
        (r#"{ "command": "bench" }"#, "not a report of `warpgraph bench tiny`"),
        (r#"{ "command": "bench tiny", "schema": 1 }"#, "schema 1, this build reads 2"),
        (r#"{ "command": "bench tiny", "schema": 2 }"#, "not a report: missing field"),
    ] {
        std::fs::write(&path, text).unwrap();
        let message = read(&path, &Tiny::default()).unwrap_err().to_string();
        assert!(message.contains(&format!("x.json: {problem}")), "{message}");
    }
}

#[test]
fn labels_leave_out_what_is_common_and_doubts_are_said() {
    let plans = ["bsp+push+node", "bsp+tiled(min=32)", "bsp", "bsp+push", "auto", "bsp+pull+node"];
    let labels = plans.map(|plan| Made::on("g", "bfs", plan).0.label().to_owned());
    assert_eq!(labels, ["node", "tiled(min=32)", "auto", "auto", "auto", "pull+node"]);
    let cells = ["bfs", "wcc"].map(|name| Made::on("g", name, "bsp").seconds(1.0));
    let mut report = report("tiny", cells.into());
    report.cells[0].verify = Some("failed".to_owned());
    report.cells[1].outliers = 2;
    report.conclude(&Tiny::default());
    let [wrong, far] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    assert!(wrong.ends_with("the answer is wrong; its time says nothing"), "{wrong}");
    assert!(far.contains("2 of 3 runs are far"), "{far}");
    assert_eq!(report.exit_code(), 1);
}
