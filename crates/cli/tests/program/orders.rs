//! Orders on the command line: answers, tables and files do not depend on them.

use crate::common::Bench;
use serde_json::{Value, json};

/// All but the natural one.
const ORDERS: [&str; 11] = [
    "random",
    "degree",
    "in-degree",
    "degree-neighbours",
    "rcm",
    "halo1(k=5)",
    "bp",
    "bfs-bp(k=3)",
    "gorder(w=2)",
    "llp",
    "halo2",
];

/// `result` of a run, and the table it wrote.
type Outcome = (Value, String);

/// Runs and verifies.
fn run(bench: &Bench, line: &str) -> Outcome {
    let report = bench.json(&format!("run {line} --verify --json --force --out out.csv"));
    assert_eq!(report["verify"], "passed", "{line}");
    (report["result"].clone(), std::fs::read_to_string(bench.path("out.csv")).unwrap())
}

/// The columns of a table that do not depend on chance: the parents of a breadth-first search do.
fn without_parents(csv: &str) -> Vec<String> {
    csv.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect()
}

#[test]
fn an_order_shows_in_the_report_and_not_in_the_result() {
    let bench = Bench::new();
    let report = |flags: &str| bench.json(&format!("run bfs kron:8 --verify --json {flags}"));
    let natural = report("");
    assert_eq!(natural["order"], "natural");
    for order in ["random", "degree"] {
        let ordered = report(&format!("--order {order}"));
        assert_eq!((&ordered["order"], &ordered["verify"]), (&json!(order), &json!("passed")));
        assert!(ordered["seconds"]["reorder"].as_f64().unwrap() > 0.0);
        assert!(ordered["seconds"]["fetch"].as_f64().unwrap() > 0.0);
        assert!(ordered["memory"]["extra"].as_u64().unwrap() > 0);
        assert_eq!((&ordered["result"], &ordered["graph"]), (&natural["result"], &natural["graph"]));
    }
    let text = bench.run("run bfs kron:8 --order degree").stdout;
    assert!(text.contains("order degree\n") && text.contains("\nreordered  in "), "{text}");
}

#[test]
fn results_and_tables_do_not_depend_on_the_order() {
    let bench = Bench::new();
    bench.run("generate kron:9,w=1..20 a.wg");
    let each = |line: &str, same: &dyn Fn(&Outcome, &Outcome) -> bool| {
        let natural = run(&bench, line);
        for order in ORDERS {
            assert!(same(&natural, &run(&bench, &format!("{line} --order {order}"))), "{line} by {order}");
        }
    };
    for line in ["sssp a.wg --source 17 --target 3", "wcc a.wg", "sssp a.wg --source random --seed 5"] {
        each(line, &|a, b| a == b);
    }
    each("bfs a.wg --source 17", &|a, b| a.0 == b.0 && without_parents(&a.1) == without_parents(&b.1));
    each("pagerank a.wg --tolerance 1e-10", &|a, b| is_near(&a.1, &b.1, 2e-10 / 0.15));
}

/// Are these tables of the same vertices, with ranks that differ by at most `bound` in all?
fn is_near(a: &str, b: &str, bound: f64) -> bool {
    let rows = |csv: &str| -> Vec<(String, f64)> {
        let row = |line: &str| line.split_once(',').map(|(v, x)| (v.to_owned(), x.parse().unwrap())).unwrap();
        csv.lines().skip(1).map(row).collect()
    };
    let (a, b) = (rows(a), rows(b));
    assert!(a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x.0 == y.0));
    let off: f64 = a.iter().zip(&b).map(|(x, y)| (x.1 - y.1).abs()).sum();
    off <= bound
}

#[test]
fn a_reordered_file_is_the_same_graph() {
    let bench = Bench::new();
    bench.file("a.wel", "ann bob 3\nbob eve 4\neve dan 1\nann dan 9\nzoe zoe 2\n");
    bench.run("convert a.wel a.wg");
    for order in ORDERS {
        let said = bench.run(&format!("reorder a.wg --out b.wg --order {order} --force"));
        assert_eq!(said.code, 0, "{}", said.stderr);
        for line in ["reordered  by ", "before     log gap ", "after      log gap ", "written    b.wg (wg, "]
        {
            assert!(said.stderr.contains(line), "{line}: {}", said.stderr);
        }
        let [a, b] = ["a.wg", "b.wg"].map(|file| bench.json(&format!("info {file} --json")));
        assert_eq!(a["graph"]["hash"], b["graph"]["hash"]);
        assert_eq!((&a["order"], &b["order"]), (&json!("natural"), &json!(order)));
        assert_eq!((&a["stats"]["out"], &a["ids"]), (&b["stats"]["out"], &b["ids"]));
        for line in ["sssp FILE --source ann --target dan", "wcc FILE", "sssp FILE --source max-degree"] {
            let [a, b] = ["a.wg", "b.wg"].map(|file| run(&bench, &line.replace("FILE", file)));
            assert_eq!(a, b, "{line}");
        }
        let [a, b] = ["a.wg", "b.wg"].map(|file| run(&bench, &format!("bfs {file} --source bob")));
        assert_eq!((a.0, without_parents(&a.1)), (b.0, without_parents(&b.1)));
        let [a, b] = ["a.wg", "b.wg"].map(|file| run(&bench, &format!("pagerank {file} --tolerance 1e-6")).1);
        assert!(is_near(&a, &b, 2e-6 / 0.15));
        let [a, b] = ["a.wg", "b.wg"].map(|file| bench.run(&format!("convert {file} - --to wel -q")).stdout);
        let edges = |text: String| {
            text.lines().filter(|l| !l.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(edges(a), edges(b));
    }
    assert!(bench.run("run wcc b.wg").stderr.contains("order      stored by halo2; ids are unchanged\n"));
}

#[test]
fn a_reordered_file_runs_in_its_order_unless_another_is_asked_for() {
    let bench = Bench::new();
    bench.run("reorder kron:8 a.wg --order random --seed 9");
    let report = |flags: &str| bench.json(&format!("run wcc a.wg --json {flags}"));
    let stored = report("");
    assert_eq!((&stored["order"], &stored["seconds"]["reorder"]), (&json!("random"), &Value::Null));
    assert!(stored["seconds"]["fetch"].as_f64().unwrap() > 0.0);
    assert_eq!(report("--order natural")["order"], "natural");
    assert!(report("--order random --seed 9")["seconds"]["reorder"].is_null(), "the stored one");
    assert!(report("--order random --seed 8")["seconds"]["reorder"].is_number(), "another one");
    assert!(report("--order degree")["seconds"]["reorder"].is_number());
    bench.run("convert a.wg b.wg");
    assert_eq!(bench.json("info b.wg --json")["order"], "random");
    bench.run("reorder a.wg c.wg --order natural");
    assert_eq!(bench.json("info c.wg --json")["order"], "natural");
    assert_eq!(
        bench.json("info a.wg --trust --json")["graph"]["hash"],
        bench.json("info kron:8 --json")["graph"]["hash"]
    );
}

#[test]
fn reorder_reports_in_json_and_writes_its_map() {
    let bench = Bench::new();
    bench.file("a.el", "7 8\n9 8\n9 7\n9 10\n");
    let report = bench.json("reorder a.el a.wg --order degree --map map.csv --json");
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "schema",
            "version",
            "command",
            "graph",
            "order",
            "seed",
            "out",
            "locality",
            "threads",
            "seconds",
            "order_bytes",
            "memory",
            "warnings"
        ]
    );
    assert_eq!(
        (&report["command"], &report["order"], &report["seed"]),
        (&json!("reorder"), &json!("degree"), &Value::Null)
    );
    assert_eq!(report["out"]["bytes"].as_u64(), Some(bench.path("a.wg").metadata().unwrap().len()));
    for step in ["load", "order", "reorder", "write"] {
        assert!(report["seconds"][step].as_f64().unwrap() > 0.0, "{step}");
    }
    // 9 -> 7, 8, 10 and 7 -> 8: gaps 1 and 2 before; 9 is 0, 7 is 1, then 8 and 10: gaps 1 and 1 after.
    assert_eq!(report["locality"]["before"]["log_gap"], 0.5);
    assert_eq!(report["locality"]["after"]["log_gap"], 0.0);
    let map = std::fs::read_to_string(bench.path("map.csv")).unwrap();
    assert_eq!(map, "vertex,inner\n7,1\n8,2\n9,0\n10,3\n");
    assert_eq!(bench.json("reorder a.el b.wg --order random --seed 3 --json")["seed"], 3);
}

#[test]
fn reorder_refuses_what_it_cannot_write() {
    let bench = Bench::new();
    let fails = |line: &str| {
        let outcome = bench.run(line);
        assert_eq!(outcome.code, 2, "{line}: {}", outcome.stdout);
        outcome.stderr
    };
    assert_eq!(
        fails("reorder kron:8 a.el --order degree"),
        "warpgraph: a.el: only a .wg file can hold a graph in another order\nhelp: name the file with the ending .wg\n"
    );
    assert!(
        fails("reorder kron:8 a.wg --order degre")
            .contains("did you mean degree? orders: natural, random, degree")
    );
    assert!(fails("reorder kron:8 a.wg").contains("--order <O>"));
    assert!(fails("reorder kron:8 --order rcm").contains("<OUT>"));
    assert!(fails("reorder kron:8 a.wg --order halo2(k=1)").contains("from 2 to 65536"));
    bench.file("a.wg", "precious");
    assert!(fails("reorder kron:8 a.wg --order degree").contains("a.wg"));
    assert!(fails("reorder kron:8 b.wg --order degree --map map.txt").contains(".csv, .tsv, .npy"));
    assert_eq!(bench.names(), ["a.wg"]);
}

#[test]
fn info_measures_locality_on_request() {
    let bench = Bench::new();
    assert!(bench.json("info grid:9x9 --json")["locality"].is_null());
    let natural = bench.json("info grid:64x64 --locality --json")["locality"].clone();
    bench.run("reorder grid:64x64 a.wg --order random");
    let random = bench.json("info a.wg --locality --json")["locality"].clone();
    assert!(natural["log_gap"].as_f64().unwrap() < random["log_gap"].as_f64().unwrap());
    assert!(natural["sectors_per_tile"].as_f64().unwrap() < random["sectors_per_tile"].as_f64().unwrap());
    assert_eq!(natural["neighbours_per_tile"], random["neighbours_per_tile"]);
    let text = bench.run("info grid:64x64 --locality").stdout;
    let line = text.lines().find(|line| line.starts_with("locality")).unwrap();
    assert!(line.contains("log gap ") && line.contains(" sectors a tile of 3.94 neighbours"), "{line}");
}

#[test]
fn info_measures_the_levels_of_searches_and_models_unified_memory() {
    let bench = Bench::new();
    // 4.3 MiB of edges: memory for one region.
    bench.run("reorder grid:530x530 a.wg --order random");
    let [natural, random] = ["grid:530x530", "a.wg"]
        .map(|graph| bench.json(&format!("info {graph} --locality --sources 3 --json"))["locality"].clone());
    for measured in [&natural, &random] {
        let levels = &measured["levels"];
        assert_eq!((&levels["sources"], &levels["reached"]), (&json!(3), &json!(3 * 530 * 530)));
        assert_eq!(measured["unified"]["ideal_bytes"], 4 * levels["edges"].as_u64().unwrap());
        let filled = levels["pages"].as_f64().unwrap() / levels["ideal_pages"].as_f64().unwrap();
        assert!((levels["page_ratio"].as_f64().unwrap() / filled - 1.0).abs() < 1e-12);
        assert_eq!(measured["unified"]["settings"]["memory"], 2 * 4 * 529 * 530);
        assert!(measured["unified"]["evicted_regions"].as_u64().unwrap() > 0);
    }
    assert_eq!(natural["levels"]["levels"], random["levels"]["levels"], "the same searches");
    let less = |path: &[&str]| {
        let of = |measured: &Value| path.iter().fold(measured.clone(), |value, key| value[key].clone());
        assert!(of(&natural).as_f64().unwrap() < of(&random).as_f64().unwrap(), "{path:?}");
    };
    less(&["levels", "intra_gap"]);
    less(&["levels", "inter_gap"]);
    less(&["unified", "amplification"]);
    let text = bench.run("info a.wg --locality --sources 1").stdout;
    let has = |words: &str| assert!(text.contains(words), "{words}: {text}");
    has("; 1 search of ");
    has(" pages of 4 KiB of edges a level, ");
    has("unified  ");
    has("modelled, with memory for half of the edges (2.1 MiB): ");
}

#[test]
fn levels_are_measured_where_there_are_any() {
    let bench = Bench::new();
    bench.file("sink.el", "3 9\n7 9\n");
    let alone = bench.run("info grid:1x1 --locality").stdout;
    assert!(alone.contains("none: no vertex has outgoing arcs"), "{alone}");
    let small = bench.run("info grid:9x9 --locality").stdout;
    assert!(small.contains("not modelled: half of the edges are less than a region of 2.0 MiB"), "{small}");
    let report = bench.json("info grid:9x9 --locality --seed 5 --json")["locality"].clone();
    assert!(report["unified"].is_null() && report["levels"]["inter_gap"].is_number());
    // Sources are drawn among vertices with outgoing arcs: 3 and 7, never 9.
    let levels =
        bench.json("info sink.el --directed --locality --sources 50 --json")["locality"]["levels"].clone();
    assert_eq!((&levels["sources"], &levels["edges"]), (&json!(50), &json!(50)));
    assert_eq!(bench.run("info grid:9x9 --sources 3").code, 2, "without --locality");
    assert_eq!(bench.run("info grid:9x9 --locality --sources 0").code, 2);
}

#[test]
fn pictures_are_drawn_of_degrees_and_of_searches_before_and_after() {
    let bench = Bench::new();
    bench.run("info kron:8,directed --plot degrees.svg -q");
    let svg = std::fs::read_to_string(bench.path("degrees.svg")).unwrap();
    assert!(svg.contains("out-degree") && svg.contains("in-degree") && svg.contains("kron:8"), "{svg}");
    let report = bench.json("reorder grid:20x20,shuffle a.wg --order rcm --plot levels.svg --json");
    assert_eq!(report["out"]["plot"], "levels.svg");
    let levels = std::fs::read_to_string(bench.path("levels.svg")).unwrap();
    assert!(levels.contains("BFS level") && levels.contains("rcm, log gap within levels"), "{levels}");
    bench.file("none.el", "5 5\n");
    bench.run("reorder none.el c.wg --loops drop --order halo2 --map map.csv --plot none.svg");
    assert!(std::fs::read_to_string(bench.path("none.svg")).unwrap().contains("no searches"));
    for line in ["info kron:8 --plot degrees.svg", "reorder kron:8 b.wg --order rcm --plot degrees.svg"] {
        let outcome = bench.run(line);
        assert!(outcome.code == 2 && outcome.stderr.contains("degrees.svg"), "{}", outcome.stderr);
    }
    let outcome = bench.run("info kron:8 --plot degrees.png");
    assert!(outcome.code == 2 && outcome.stderr.contains("a file that ends in .svg"), "{}", outcome.stderr);
    assert_eq!(
        bench.names(),
        ["a.wg", "c.wg", "degrees.svg", "levels.svg", "map.csv", "none.el", "none.svg"]
    );
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn sampled_makes_the_rounds_that_are_asked_for_and_reports_them() {
    let bench = Bench::new();
    let line = "run bfs community:7,degree=8,shuffle --device simt --plan tiled --order sampled --reorder-rounds 2 --runs 2 --verify";
    let report = bench.json(&format!("{line} --json"));
    assert_eq!((&report["order"], &report["verify"]), (&json!("sampled"), &json!("passed")));
    let rounds = report["reorder"]["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2, "{report}");
    let mut spent = 0.0;
    for (nth, round) in rounds.iter().enumerate() {
        // 16 sectors are found in 4 halvings.
        assert_eq!((&round["round"], &round["samples"]), (&json!(nth + 1), &json!(6)));
        assert!(round["moved"].as_u64().unwrap() > 0);
        assert!(round["sectors_before"].is_f64() && round["sectors_after"].is_f64());
        assert!(round["speed_before"].is_f64() && round["speed_after"].is_f64());
        spent += round["sampling_seconds"].as_f64().unwrap() + round["renumbering_seconds"].as_f64().unwrap();
    }
    assert_eq!(report["reorder"]["settled"], "no more were asked for");
    assert!(report["seconds"]["reorder"].as_f64().unwrap() >= spent);
    let natural = bench.json("run bfs community:7,degree=8,shuffle --json");
    assert_eq!((&natural["result"], &natural["reorder"]), (&report["result"], &Value::Null));
    let text = bench.run(line).stdout;
    for part in [
        "\nround 1 ",
        "\nround 2 ",
        " sectors a tile, ",
        " million edges a second of kernels\n",
        "\nsettled ",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let learning =
        bench.json("run bfs community:7,degree=8,shuffle --device simt --plan tiled --order sampled --json");
    assert_eq!(learning["reorder"], json!({ "rounds": [], "settled": null }));
}

#[test]
fn sampled_is_refused_where_it_cannot_learn_and_its_rounds_are_for_no_other_order() {
    let bench = Bench::new();
    let refused = |flags: &str| {
        let outcome = bench.run(&format!("run bfs kron:6 {flags}"));
        assert_eq!(outcome.code, 2, "{flags}: {}", outcome.stdout);
        outcome.stderr
    };
    assert_eq!(
        refused("--device cpu --order sampled"),
        "warpgraph: bfs on cpu cannot run in order `sampled`: it is found by runs on a GPU\n\
         help: use --device cuda:0 and --plan tiled, or another order\n"
    );
    let text = refused("--device simt --order sampled");
    assert!(text.contains("bfs on simt cannot run in order `sampled` with plan auto"), "{text}");
    let text = refused("--order degree --reorder-rounds 3");
    assert!(
        text.contains("--reorder-rounds 3 is for --order sampled: order degree is made before the runs"),
        "{text}"
    );
    let text = refused("--reorder-rounds 3");
    assert!(text.contains("--reorder-rounds 3 is for --order sampled: the order of the file"), "{text}");
}
