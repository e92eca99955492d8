//! What is asked for by flags, a report made up, and one measured on the simulator and read back.

use super::*;
use crate::{
    evaluation::{
        Bench, Cell, Making, Measuring, Verify,
        report::read,
        run,
        statements::Outcome,
        testing::{Made, failure, figures_have, page_has, report},
        write,
    },
    evaluations::of,
    gpu_limits::Bus,
};
use warpgraph::{Basis, Control, Device, Engine, Transfer, graph::generate::Spec};

fn cells(line: &str, name: &str) -> Vec<Wanted> {
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    of::<Residency>(line).cells(&Asked::new(name), &graph).unwrap()
}

/// Returns the algorithm, the order and the plan of every cell of a part.
fn texts(line: &str, part: &str) -> Vec<String> {
    let cells = cells(line, "kron:9");
    let of_part = cells.iter().filter(|cell| cell.parts.contains_key(part));
    of_part.map(|cell| format!("{} {} {}", cell.algorithm, cell.order, cell.plan)).collect()
}

#[test]
fn flags_choose_parts_residencies_orders_and_plans() {
    let some = "--order natural --order halo2 --order rcm --residency device --residency unified --samples 9";
    let six = ["natural", "halo2(k=9)", "rcm"]
        .map(|order| ["device", "unified"].map(|r| format!("bfs {order} push+{r}")));
    assert_eq!(texts(some, "fig6"), six.concat());
    assert_eq!(texts(some, "fig7")[3], "closeness halo2(k=9) unified");
    assert_eq!(texts("", "fig11")[7], format!("bfs halo2(k=256) push+{HOST}"));
    let sage = [TILED, RESIDENT, STREAMED].map(|plan| format!("bfs natural push+{plan}"));
    assert_eq!(texts("", "sage8"), [&sage[..], &["bfs natural zero-copy".to_owned()]].concat());
    assert_eq!(texts("--plan auto --plan zero-copy(code=ef)", "budget")[6], "sssp natural auto");
    assert_eq!(texts("", "budget").len(), ALGORITHMS.len() * PLANS.len());
    let orders = texts("", "fig6");
    assert!(orders.iter().any(|text| text.starts_with("bfs bfs-bp(k=20) after random push+")), "{orders:?}");
    assert!(!orders.iter().any(|text| text.contains("gorder")), "{orders:?}");
    assert_eq!(cells("--only budget", "kron:9").len(), 20);
    assert!(cells("", "kron:9").iter().all(|cell| cell.handle == Handle::Fresh));
    let counted = |plan: &str| cell("bfs", plan, Held::NATURAL).count_transfer;
    assert!(counted("auto") && counted("tiled+streamed") && !counted("push+device"));
    for wanted in cells("", "kron:9") {
        let options = warpgraph::Options { plan: wanted.plan.parse().unwrap(), ..Default::default() };
        warpgraph::find(&wanted.algorithm).unwrap().rules.check(Device::FIRST_GPU, &options).unwrap();
    }
}

#[test]
fn scales_are_kronecker_graphs_with_cells_of_their_own() {
    let names = |line: &str, named: &[&str]| -> Vec<String> {
        let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
        of::<Residency>(line).graphs(&named).unwrap().into_iter().map(|asked| asked.name).collect()
    };
    assert_eq!(names("--scales 8..10", &[]), ["kron:8", "kron:9", "kron:10"]);
    assert_eq!(names("--scales 8..9", &["a.el", "kron:9"]), ["a.el", "kron:9", "kron:8"]);
    assert_eq!((names("", &[]).len(), names("--quick", &["a.el"]).len()), (3, 3));
    let of_scale = cells("--scales 8..10", "kron:9");
    assert!(of_scale.iter().all(|cell| cell.parts.contains_key("fig12")) && of_scale.len() == 8);
    assert!(cells("", "kron:9").iter().all(|cell| !cell.parts.contains_key("fig12")));
    assert!(["9..8", "0..4", "x", "4..40"].iter().all(|text| scales(text).is_err()));
    for wrong in ["--residency zero-coppy", "--order halo3", "--plan tield", "--beside none.json"] {
        assert!(of::<Residency>(wrong).check().is_err(), "{wrong}");
    }
    assert!(part("fig8").unwrap_err().contains("sage8"));
}

/// A cell of a part in an order, with a time and the bytes it moved, of 100 MiB that it had to.
fn made(part: &str, algorithm: &str, order: &str, plan: &str, seconds: f64, moved: Option<u64>) -> Made {
    let mut made = Made::on("web.graph", algorithm, plan).order(order).seconds(seconds).parts(&[(part, 0)]);
    let transfer = |mib: u64| Transfer { moved: mib << 20, ideal: 100 << 20, basis: Basis::Counted };
    made.0.transfer = moved.map(transfer);
    made
}

fn as_in_the_papers() -> Report {
    let bfs = |order: &str, residency: &str, seconds, moved| {
        made("fig6", "bfs", order, &format!("bsp+push+{residency}"), seconds, moved)
    };
    let sage = |plan: &str, seconds| {
        made("sage8", "bfs", "natural", &format!("bsp+push+{plan}"), seconds, Some(125))
    };
    let within = |plan: &str, seconds, moved| made("budget", "bfs", "natural", plan, seconds, moved);
    let scale = |order: &str, seconds| made("fig12", "bfs", order, "bsp+push+unified", seconds, None);
    let mut refused = made("budget", "wcc", "natural", "device", 1.0, None);
    refused.0.error = Some(failure("device-memory"));
    refused.0.seconds = None;
    let cells = vec![
        bfs("natural", HOST, 2.0, Some(200)),
        bfs("random", HOST, 4.0, Some(400)),
        bfs("halo2(k=20)", HOST, 1.0, Some(110)),
        bfs("bfs-bp(k=20) after random", HOST, 1.6, Some(150)),
        bfs("natural", ADVISED, 3.0, Some(300)),
        bfs("halo2(k=20)", ADVISED, 1.5, Some(150)),
        bfs("natural", UNADVISED, 6.0, Some(600)),
        bfs("natural", DEVICE, 0.5, None),
        made("fig7", "closeness", "natural", HOST, 3.0, None),
        made("fig7", "closeness", "halo2(k=20)", HOST, 4.0, None),
        made("fig11", "bfs", "halo2(k=2)", &format!("bsp+push+{HOST}"), 2.0, None),
        made("fig11", "bfs", "halo2(k=8)", &format!("bsp+push+{HOST}"), 1.0, None),
        sage(TILED, 1.0),
        sage(STREAMED, 2.5),
        within("auto", 2.0, Some(160)),
        within("zero-copy(code=ef)", 1.0, Some(80)),
        within("device", 0.25, None),
        refused,
        scale("natural", 3.8),
        scale("halo2(k=20)", 2.0),
    ];
    let mut report = report("residency", cells);
    report.gpu_memory = Some((300 << 20) + 500);
    report.options = json!(of::<Residency>(""));
    let sizes = Sizes { offsets: 400, targets: 400 << 20, weights: 400 << 20 };
    let bus = Bus { bytes: 1 << 28, to_device: f64::from(200 << 20), to_host: 1e9, pageable_to_device: 1e9 };
    let figures = [("edges", json!(sizes)), ("bus", json!(bus))];
    report.graphs[0].figures.extend(figures.map(|(name, value)| (name.to_owned(), value)));
    let mut figures = Map::new();
    figures.insert("transfer".to_owned(), json!({ "amplification": 1.75 }));
    let (graph, order) = ("web.graph".to_owned(), "natural".to_owned());
    report.orders.push(Making { graph, order, figures, ..Making::default() });
    report.conclude(&of::<Residency>(""));
    report
}

#[test]
fn the_page_has_every_table_and_judges_the_papers() {
    let report = as_in_the_papers();
    let parts = [
        "# Edges beyond the memory of the GPU on NVIDIA H200\n",
        "- budget of device memory: 300.0 MiB; searches at a time in figure 7: 10\n",
        "| web.graph | 1,048,576 | 33,554,432 | 800.0 MiB | 100.0 MiB | 0.2 | 1.50 s |",
        "## Figure 1: bfs in the natural order, pushing\n",
        "| zero-copy(hot=off,heads=off) | 2.00 s | 0.0040 | 0.05 | 8% | 0.25 |",
        "| device | 500 ms | 0.0160 | - | - | 1.00 |",
        "| zero-copy(hot=off,heads=off) | halo2(k=20) | 1.00 s | 10% | 0.0080 | 2.00 | passed |",
        "| zero-copy(hot=off,heads=off) | bfs-bp(k=20) after random | 1.60 s | 10% | 0.0050 | 1.25 | passed |",
        "| zero-copy(hot=off,heads=off) | halo2(k=20) | 1 | 2.00 | 0.75 | 1.10 |",
        "| zero-copy(hot=off,heads=off) | halo2(k=20) | 110.0 MiB | 100.0 MiB | 1.10 | 55% | counted | 0.55 |",
        "| halo2(k=2) | - | 2.00 s | 10% | 0.0040 | - | passed |",
        "| unified | natural | 1.75 | 3.80 s | 10% | 0.0021 | 1.00 | - | passed |",
        "| natural | 6.00 s | 3.00 s | 2.00 | 2.00 |\n| halo2(k=20) | - | 1.50 s | - | 4.00 |",
        "| tiled+zero-copy(hot=off,heads=off) | 1.00 s | 10% | 0.0080 | 2.50 | 125.0 MiB | 100.0 MiB | 1.25 | 62% | counted | passed |",
        "## Beyond memory: four algorithms within 300.0 MiB\n",
        "| bfs | auto | auto | 2.00 s | 10% | 8.00 | 160.0 MiB | 100.0 MiB | 1.60 | 40% | counted | 500 ms | 25% | passed |",
        "| wcc | device | device-memory: cuda:0 has no room",
        "| 6 | bfs: halo2 is faster than random | held | in 1 of 1 case: 4.00 times |",
        "| 7 | several searches at a time: halo2 is faster than natural, 1.7 times on average | no |",
        "| 13 | read-mostly advice makes unified memory faster, 1.85 times on average | held | in 1 of 1 case: 2.00 times |",
        "| SAGE 8 | tiles that read host memory are faster than streamed rows | held |",
    ];
    page_has(&of::<Residency>(""), &report, &parts);
    let outcome =
        |figure: &str| report.statements.iter().find(|verdict| verdict.figure == figure).unwrap().outcome;
    assert_eq!([outcome("6"), outcome("9"), outcome("12")], [Outcome::Held, Outcome::Held, Outcome::Held]);
}

#[test]
fn every_figure_is_drawn_from_the_report() {
    let expected: [(&str, &[&str]); 10] = [
        ("figure1", &["web.graph", "zero-copy", ">device<", FAST_WORDS]),
        (
            "figure6-zero-copy-hot-off-heads-off",
            &[">random<", "0.50", "2.00", "after random", "line: natural"],
        ),
        ("figure7-zero-copy-hot-off-heads-off", &["several at a time", "0.75"]),
        ("figure9-unified-advice-off", &["6.00", "line: ideal"]),
        ("figure11", &["samples", "web.graph"]),
        ("figure12", &["scale", "natural, unified"]),
        ("figure12-modelled", &["modelled bytes moved", "natural, unified"]),
        ("figure13", &["halo2, with advice", "4.00"]),
        ("sage-figure8", &["tiled+streamed"]),
        ("budget-bfs", &["zero-copy(code=ef)", "1.00 s"]),
    ];
    let drawn = figures_have(&of::<Residency>(""), &as_in_the_papers(), &expected);
    assert!(!drawn.contains_key("figure9-device") && !drawn.contains_key("budget-wcc"), "{:?}", drawn.keys());
    assert!(of::<Residency>("").figures(&report("residency", vec![])).is_empty());
}

const FAST_WORDS: &str = "billion arcs per second";

#[test]
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
fn a_run_on_the_simulator_is_verified_and_reads_back_with_device_times_of_another_report() {
    let (engine, processor) =
        (crate::gpu_limits::tests::simulator(), Engine::on(Device::Cpu, Some(1)).unwrap());
    let load = |source: &str| Ok((source.parse::<Spec>().unwrap().generate(&Control::new()).unwrap(), 0.5));
    let (control, folder) = (Control::new(), tempfile::tempdir().unwrap());
    let measuring =
        Measuring { runs: 2, warmup: 0, seed: 1, case_limit: 60, order_limit: 60, verify: Verify::Once };
    let measured = |line: &str, names: &[&str]| {
        let evaluation = of::<Residency>(line);
        evaluation.check().unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let graphs = evaluation.graphs(&names).unwrap();
        let (evaluation, say) = (&evaluation, &|_: &str| {});
        let bench = Bench {
            evaluation,
            measuring,
            engine: &engine,
            processor: &processor,
            control: &control,
            load: &load,
            say,
        };
        let mut made = report("residency", vec![]);
        made.options = json!(evaluation);
        run(&bench, &graphs, &mut made, &mut |_| Ok(())).unwrap();
        made.conclude(evaluation);
        let wrong: Vec<&Cell> =
            made.cells.iter().filter(|cell| cell.verify.as_deref() != Some("passed")).collect();
        assert!(!made.cells.is_empty() && wrong.is_empty(), "{wrong:?}");
        write::all(folder.path(), evaluation, &made).unwrap();
        read(&folder.path().join("residency.json"), evaluation).unwrap()
    };
    let names = ["kron:6,w=1..9"];
    let whole = measured("--only budget --plan device", &names);
    let path = folder.path().join("whole.json");
    std::fs::copy(folder.path().join("residency.json"), &path).unwrap();
    let orders = "--order natural --order halo2 --order random --samples 2 --together 3 --plan auto";
    let report = measured(&format!("{orders} --scales 5..6 --beside {}", path.display()), &names);
    assert_eq!(figure::<Vec<Whole>>(&report.figures, DEVICE).unwrap().len(), Whole::of(&whole).len());
    let parts: Vec<bool> = PARTS.iter().map(|part| !report.algorithms_of(part).is_empty()).collect();
    assert_eq!((parts, report.exit_code()), (vec![true; 6], 0));
    let together = report.cells.iter().find(|cell| cell.algorithm == "closeness").unwrap();
    assert_eq!(together.config["source"].as_array().map(Vec::len), Some(3));
    assert!(report.graphs[0].figure::<Bus>("bus").is_some() && report.graphs.len() == 3);
    let all = ["Figure 1:", "Figure 6", "Figure 7", "Figure 11", "Figure 12", "SAGE", "Beyond memory"];
    page_has(&of::<Residency>(""), &report, &all);
    assert!(
        folder.path().join("figure6-unified.svg").exists() && folder.path().join("budget-sssp.svg").exists()
    );
}
