//! Where a run goes: `--device` and what belongs to it.

use crate::common::Bench;
use serde_json::{Value, json};

const DEVICES: &str =
    "devices: auto, cpu, cuda, cuda:N (the N-th GPU, from 0), simt; several GPUs: cuda:0,cuda:1 or simt:4";

pub(crate) fn what_is_no_device_is_refused_with_the_one_that_was_meant() {
    let bench = Bench::new();
    for (name, help) in [
        ("warp", DEVICES.to_owned()),
        ("gpu", format!("did you mean cuda? {DEVICES}")),
        ("smt", format!("did you mean simt? {DEVICES}")),
    ] {
        let outcome = bench.run(&format!("run bfs grid:3x3 --device {name}"));
        let expected = format!("warpgraph: there is no device {name:?}\nhelp: {help}\n");
        assert_eq!((outcome.code, outcome.stderr, outcome.stdout.as_str()), (2, expected, ""));
    }
    let outcome = bench.run("run bfs grid:3x3 --device cuda:first");
    let expected = "warpgraph: device \"cuda:first\": expected the number of a GPU after `cuda:`, got \"first\"\n\
                    help: GPUs are numbered from 0, as cuda:0; warpgraph doctor lists them\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, expected));
}

pub(crate) fn a_gpu_that_is_not_there_is_an_error_with_a_next_step() {
    let bench = Bench::new();
    for command in ["run bfs grid:3x3", "bench grid:3x3"] {
        let outcome = bench.run(&format!("{command} --device cuda"));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{command}");
        assert!(outcome.stderr.starts_with("warpgraph: no NVIDIA driver: "), "{command}: {}", outcome.stderr);
        let help = "\nhelp: install the NVIDIA driver (nvidia-smi must list the GPU), or use --device cpu\n";
        assert!(outcome.stderr.ends_with(help), "{command}: {}", outcome.stderr);
    }
    let outcome = bench.run("run bfs grid:3x3 --device cuda:1 --json");
    let error: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((outcome.code, &error["error"]["kind"]), (2, &json!("no-driver")));
}

pub(crate) fn what_gpus_do_not_take_is_refused_before_one_is_looked_for() {
    let outcome = Bench::new().run("run kcore grid:3x3 --device cuda --plan push");
    let expected = "warpgraph: kcore on cuda:0 cannot run with `push`: it peels vertices by degree\n\
                    help: use --plan auto, or leave --plan out\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, expected));
}

pub(crate) fn a_plan_that_only_gpus_take_says_that_there_is_none() {
    let outcome = Bench::new().run("run bfs grid:3x3 --plan workload");
    let expected = "warpgraph: bfs on cpu cannot run with `workload`: balances share arcs among the threads of a GPU\n\
                    help: use --plan auto, or leave --plan out; a GPU would take it, but there is none to use: no NVIDIA driver: ";
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.starts_with(expected), "{}", outcome.stderr);
}

pub(crate) fn auto_says_why_it_took_the_processor() {
    let bench = Bench::new();
    let outcome = bench.run("run wcc grid:3x3 --trace -q");
    let reason = "chosen  cpu: 24 arcs, and a GPU pays from 4194304\n";
    assert!(outcome.stderr.starts_with(reason), "{}", outcome.stderr);
    assert_eq!(bench.json("run wcc grid:3x3 --device cpu --json")["device_because"], Value::Null);
}

pub(crate) fn auto_says_that_there_is_no_gpu() {
    let bench = Bench::new();
    let report = bench.json("run wcc grid:1100x1100 --json");
    let because = report["device_because"].as_str().unwrap();
    assert!(because.starts_with("cpu: no NVIDIA driver: "), "{because}");
    assert_eq!((&report["device"], &report["warnings"]), (&json!("cpu"), &json!([])));
}

pub(crate) fn flags_for_gpus_are_refused_on_the_processor() {
    let bench = Bench::new();
    for (flag, value) in
        [("--gpu-memory", "4G"), ("--keep-kernels", "4G"), ("--oversubscribe", "--plan=unified")]
    {
        let outcome = bench.run(&format!("run bfs grid:3x3 --device cpu {flag} {value}"));
        let expected = format!(
            "warpgraph: {flag} is for GPUs, and --device cpu asks for none\nhelp: leave {flag} out, or use --device cuda\n"
        );
        assert_eq!((outcome.code, outcome.stderr), (2, expected));
    }
    let outcome = bench.run("run bfs grid:3x3 --gpu-memory 4X");
    let expected = "warpgraph: invalid value '4X' for '--gpu-memory <B>': \
                    expected bytes, or a number with K, M, G or T, such as 512M or 4G; there is no unit \"x\"\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, expected));
    let kept = bench.run("run bfs grid:3x3 --keep-kernels kernels -q");
    assert_eq!(
        (kept.code, kept.stderr.as_str()),
        (0, "warning: no kernel was kept: it ran on the processor; --device cuda asks for a GPU\n")
    );
}

pub(crate) fn a_simulated_gpu_gives_the_answers_of_the_processor() {
    let bench = Bench::new();
    for algorithm in ["bfs", "sssp", "wcc"] {
        let on = |device: &str| {
            bench.json(&format!(
                "run {algorithm} kron:8,w=1..9 --device {device} --order degree --verify --json"
            ))
        };
        let (simt, cpu) = (on("simt"), on("cpu"));
        assert_eq!((&simt["device"], &simt["device_name"]), (&json!("simt"), &json!("simulated GPU")));
        assert_eq!((&simt["verify"], &simt["warnings"]), (&json!("passed"), &json!([])), "{algorithm}");
        assert_eq!(simt["result"], cpu["result"], "{algorithm}");
    }
}

pub(crate) fn a_run_on_a_gpu_reports_what_it_took_there() {
    let bench = Bench::new();
    let report = bench.json("run bfs kron:8 --device simt --runs 2 --gpu-memory 64M --json");
    let (seconds, memory) = (&report["seconds"], &report["memory"]);
    for field in ["transfer", "fetch"] {
        assert!(seconds[field].as_f64().is_some_and(|s| s > 0.0), "{field}: {seconds}");
    }
    // 0 if all modules were compiled while the graph was read.
    assert!(seconds["compile"].as_f64().is_some(), "{seconds}");
    assert_eq!(memory["budget"], 64 << 20);
    let (peak, graph) = (memory["device_peak"].as_u64().unwrap(), memory["graph"].as_u64().unwrap());
    assert!(peak >= graph && peak <= 64 << 20, "{memory}");
    assert_eq!(report["device_because"], Value::Null, "it was asked for by name");
    let text = bench.run("run bfs kron:8 --device simt -q").stdout;
    let lines: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for start in ["bfs on simt (simulated GPU), plan auto", "copied in "] {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}: {text}");
    }
    assert!(lines.iter().any(|line| line.starts_with("memory ") && line.ends_with(" KiB on simt")), "{text}");
}

pub(crate) fn a_budget_that_is_too_small_says_what_would_do() {
    let bench = Bench::new();
    let outcome = bench.run("run bfs kron:10 --device simt --gpu-memory 10K --json");
    let error: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let error = &error["error"];
    assert_eq!((outcome.code, &error["kind"]), (2, &json!("device-memory")));
    let (message, help) = (error["message"].as_str().unwrap(), error["help"].as_str().unwrap());
    let words = help.strip_prefix("allow it at least ").unwrap_or_else(|| panic!("{help}"));
    let (needed, rest) = words.split_once(' ').unwrap();
    assert_eq!(rest, "bytes with --gpu-memory, or use --device cpu");
    let start = "simt has 10240 bytes free, and bfs on this graph needs ";
    assert_eq!(message, format!("{start}{needed} there even with all edges off the device"));
    let enough = bench.json(&format!("run bfs kron:10 --device simt --gpu-memory {needed} --json"));
    assert_eq!(enough["memory"]["budget"].to_string(), needed, "{enough}");
}

pub(crate) fn kernels_are_kept_and_their_first_compilation_is_announced() {
    let bench = Bench::new();
    let run = |flags: &str| {
        let mut command = bench.command(&format!("run pagerank grid:3x3 --device simt {flags}"));
        bench.outcome(command.env("XDG_CACHE_HOME", bench.path("cache")))
    };
    let first = run("--keep-kernels kernels");
    assert_eq!(first.code, 0, "{}", first.stderr);
    for announced in ["compiling for this device; later runs find kernels in the cache\n  ", "\n  pagerank-"]
    {
        assert!(first.stderr.contains(announced), "{}", first.stderr);
    }
    let kept: Vec<_> = bench.path("kernels").read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    assert!(
        !kept.is_empty() && kept.iter().all(|file| file.extension().is_some_and(|e| e == "cu")),
        "{kept:?}"
    );
    assert!(std::fs::read_to_string(&kept[0]).unwrap().contains("__global__"), "{kept:?}");
    let again = run("");
    assert!(!again.stderr.contains("compiling"), "{}", again.stderr);
    std::fs::remove_dir_all(bench.path("cache")).unwrap();
    assert!(!run("-q").stderr.contains("compiling"), "-q");
}

pub(crate) fn a_bench_measures_a_gpu_beside_what_it_cannot_do() {
    let bench = Bench::new();
    let line = "bench kron:7 --algorithms bfs,kcore --device simt --plan push --runs 2 --verify";
    let report = bench.json(&format!("{line} --json"));
    let (bfs, kcore) = (&report["cases"][0], &report["cases"][1]);
    assert_eq!(
        (&bfs["device"], &bfs["verify"], &bfs["traffic"]),
        (&json!("simt"), &json!("passed"), &Value::Null)
    );
    assert!(bfs["seconds"]["transfer"].is_f64() && bfs["device_peak"].is_u64(), "{bfs}");
    let refusal = "kcore on simt cannot run with `push`: it peels vertices by degree";
    assert_eq!(kcore["error"]["message"], refusal);
    let text = bench.run(&format!("{line} -q")).stdout;
    let row = |line: &str| line.split_whitespace().take(4).eq(["kron:7", "bfs", "simt", "bsp+push"]);
    assert!(text.lines().any(row), "{text}");
}

pub(crate) fn a_bench_of_a_gpu_is_held_against_the_limits_of_that_gpu() {
    let bench = Bench::new();
    let line = "bench kron:7 --algorithms bfs,pagerank,scc --device simt --order random --runs 2";
    let report = bench.json(&format!("{line} --out a.json --json"));
    assert!(report["limits"].is_null() && report["gpu_limits"]["copy"].as_f64() > Some(0.0), "{report}");
    for case in &report["cases"].as_array().unwrap()[..2] {
        let (limit, median) = (&case["limit"], case["seconds"]["median"].as_f64().unwrap());
        let least = limit["seconds"].as_f64().unwrap();
        let terms = limit["terms"].as_array().unwrap().iter().map(|term| term["seconds"].as_f64().unwrap());
        assert_eq!(terms.fold(0.0, f64::max), least, "{case}");
        let share = case["share"].as_f64().unwrap();
        assert!(share > 0.0 && (share * median - least).abs() <= 1e-9 * least, "{case}");
    }
    let scc = &report["cases"][2];
    assert!(scc["error"].is_null() && scc.get("limit").is_none() && scc.get("share").is_none(), "{scc}");
    let text = bench.run(&format!("{line} -q --compare a.json")).stdout;
    let head: Vec<&str> = text.lines().next().unwrap().split("  ").map(str::trim).collect();
    assert!(head.contains(&"limit") && head.contains(&"of limit"), "{text}");
    let bound = ["bandwidth", "gather", "atomic", "barrier"];
    let words = |name: &str| -> Vec<&str> {
        let found = text.lines().find(|line| line.split_whitespace().nth(1) == Some(name));
        found.unwrap_or_else(|| panic!("{name} in {text}")).split_whitespace().collect()
    };
    assert!(words("bfs").iter().any(|word| bound.contains(word)), "{text}");
    assert!(words("scc").ends_with(&["-", "-", "-"]), "{text}");
    assert!(text.contains("geometric mean of the ratios"), "{text}");
    let small = bench.json("bench kron:7 --algorithms bfs --device simt --runs 1 --gpu-memory 1M --json");
    assert!(small["cases"][0]["error"].is_null() && small["cases"][0].get("limit").is_none(), "{small}");
    let why = "the limits of simt could not be measured: simt has no room for ";
    assert!(small["warnings"][0].as_str().unwrap().starts_with(why), "{small}");
    assert!(report["cases"][0]["device_peak"].as_u64() < Some(1 << 20), "limits are not in it: {report}");
    let alone = bench.run("bench --limits --device simt --gpu-memory 10K -q");
    assert!(alone.code == 2 && alone.stderr.contains(why), "{}", alone.stderr);
    let alone = bench.run("bench --limits --device simt -q").stdout;
    assert!(alone.contains("Random accesses, G/s") && !alone.contains("waking"), "{alone}");
}

pub(crate) fn shells_complete_devices_and_their_flags() {
    let script = Bench::new().run("completions bash").stdout;
    assert!(script.contains("auto cpu cuda simt"), "{script}");
    assert!(script.contains("--keep-kernels") && script.contains("--gpu-memory"));
}

pub(crate) fn a_trace_says_of_every_superstep_on_a_gpu_what_it_went_by_and_why() {
    let bench = Bench::new();
    let steps = |line: &str| {
        let said = bench.run(&format!("{line} --device simt --trace -q")).stderr;
        said.split_once("\n\n").unwrap_or_else(|| panic!("no waterfall: {said}")).0.to_owned()
    };
    let said = steps("run bfs kron:7 --source 0 --plan push");
    let mut lines = said.lines();
    let titles: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(titles, ["round", "frontier", "edges", "direction", "balance", "time", "why"]);
    let rounds: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
    assert!(rounds.len() > 2, "{said}");
    for (round, step) in rounds.iter().enumerate() {
        assert_eq!((step[0], step[3]), (round.to_string().as_str(), "push"), "{said}");
        let [frontier, edges] = [1, 2].map(|i| step[i].replace(',', "").parse::<u64>().unwrap());
        assert!(frontier <= edges, "everyone that is reached has an arc: {said}");
        assert!(["node", "tiled", "workload"].contains(&step[4]), "{said}");
        assert!(step.ends_with(&["longest", "row", step.last().unwrap()]), "{said}");
        let longest: u64 = step.last().unwrap().parse().unwrap();
        assert!(longest <= edges && edges <= longest * frontier, "{said}");
    }
    let fixed = steps("run sssp kron:7,w=1..9 --plan push+split");
    assert!(fixed.lines().skip(1).all(|line| line.contains("  split  ")), "{fixed}");
    assert!(!fixed.contains("longest"), "nothing was chosen: {fixed}");
}

pub(crate) fn a_run_on_a_gpu_records_what_it_waited_for_there() {
    let bench = Bench::new();
    let mut command = bench.command("run bfs kron:8 --device simt --plan workload --json");
    let outcome = bench.outcome(command.env("XDG_CACHE_HOME", bench.path("cold")));
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let timeline = &report["timeline"];
    let spans = timeline["spans"].as_array().unwrap();
    let of = |phase: &str| spans.iter().filter(|span| span["phase"] == phase).count();
    for phase in ["compiler", "kernels", "compiling", "copying", "allocating", "running", "fetching"] {
        assert!(of(phase) > 0, "{phase}: {timeline}");
    }
    let mut compiled = spans.iter().filter(|span| span["phase"] == "compiling");
    let is_named = |span: &Value| span["what"].as_str().is_some_and(|name| !name.is_empty());
    assert!(compiled.all(|span| is_named(span) && span["lane"] != "device"), "{timeline}");
    let main = spans.iter().filter(|span| span["lane"] == "main");
    let own: f64 = main.map(|span| span["own"].as_f64().unwrap()).sum();
    let (other, total) = (timeline["other"].as_f64().unwrap(), timeline["total"].as_f64().unwrap());
    assert!((own + other - total).abs() < 1e-8 * total && other < 0.1 * total, "{timeline}");
}

pub(crate) fn several_gpus_share_a_graph_and_say_how() {
    let bench = Bench::new();
    let outcome = bench.run("run bfs kron:7 --device simt:3 --verify");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for row in ["parts     3, sent one another ", " times the mean\n", "verified  passed"] {
        assert!(outcome.stdout.contains(row), "{row}: {}", outcome.stdout);
    }
    let (one, three) =
        ("run sssp kron:7,w=1..9 --device simt --json", "run sssp kron:7,w=1..9 --device simt:3 --json");
    let (one, three) = (bench.json(one), bench.json(three));
    assert_eq!((&one["parts"], &three["parts"]["parts"]), (&Value::Null, &json!(3)));
    assert_eq!((&three["result"], &three["device"]), (&one["result"], &json!("simt:3")));
}

pub(crate) fn what_takes_one_gpu_refuses_several() {
    let bench = Bench::new();
    let outcome = bench.run("run kcore grid:3x3 --device simt:2");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("warpgraph: kcore on simt:2 cannot run: only programs"),
        "{}",
        outcome.stderr
    );
    let outcome = bench.run("estimate bfs grid:3x3 --device cuda:0,cuda:1");
    let expected = "warpgraph: estimate knows one GPU, not cuda:0,cuda:1\n\
                    help: use one device; --parts 2 says how large the parts are\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, expected));
}
