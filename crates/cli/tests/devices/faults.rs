//! Devices that fail, from the command line: a stand-in for the driver (`crates/device/tests/cuda_stand_in/driver.c`, built here by the
//! host's C compiler) that is too old, taken or full; caches that cannot be used or are shared.

use crate::common::{Bench, Outcome};
use serde_json::{Value, json};
use std::path::Path;

const DRIVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../device/tests/cuda_stand_in/driver.c");

/// A folder to work in, with the stand-in as `libcuda.so`.
fn with_driver() -> Bench {
    let bench = Bench::new();
    let mut compiler = std::process::Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-pthread", "-o"])
        .arg(bench.path("libcuda.so"))
        .arg(Path::new(DRIVER));
    assert!(compiler.status().unwrap().success());
    bench
}

/// Runs a line that finds the stand-in as driver and NVRTC, set up so.
fn run(bench: &Bench, line: &str, settings: &[(&str, &str)]) -> Outcome {
    let mut command = bench.command(line);
    command.env("LD_LIBRARY_PATH", bench.folder()).env("WARPGRAPH_NVRTC", bench.path("libcuda.so"));
    command.env("XDG_CACHE_HOME", bench.path("cache"));
    for (name, value) in settings {
        command.env(name, value);
    }
    bench.outcome(&mut command)
}

/// What is wrong with the stand-in, the kind of error, and parts of message and help.
const TROUBLES: [(&str, &str, &str, &str, &str); 6] = [
    ("STAND_IN_INIT", "803", "no-driver", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "install the NVIDIA driver"),
    ("STAND_IN_VERSION", "11080", "no-driver", "CUDA 11.8, and 12.0 or later", "install the NVIDIA driver"),
    (
        "STAND_IN_CAPABILITY",
        "61",
        "capability",
        "compute capability 6.1, and 7.0 or later is needed",
        "a newer GPU",
    ),
    (
        "WARPGRAPH_NVRTC",
        "/nowhere.so",
        "no-compiler",
        "NVRTC was not found: /nowhere.so",
        "pip install nvidia-cuda-nvrtc",
    ),
    ("STAND_IN_RETAIN", "46", "no-device", "another process holds it alone", "--device cpu always works"),
    (
        "STAND_IN_MEMORY",
        "1000",
        "device-memory",
        "bytes free, and bfs on this graph needs ",
        "allow it at least ",
    ),
];

pub(crate) fn a_gpu_that_cannot_be_used_is_an_error_with_its_kind_and_a_next_step() {
    let bench = with_driver();
    for (name, value, kind, message, help) in TROUBLES {
        let outcome = run(&bench, "run bfs grid:9x9 --device cuda --json", &[(name, value)]);
        let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let error = &report["error"];
        assert_eq!((outcome.code, &error["kind"]), (2, &json!(kind)), "{name}: {error}");
        assert!(error["message"].as_str().unwrap().contains(message), "{name}: {error}");
        assert!(error["help"].as_str().unwrap().contains(help), "{name}: {error}");
    }
}

pub(crate) fn auto_leaves_a_gpu_that_cannot_be_used_and_says_why() {
    let bench = with_driver();
    for (name, value, kind, message, _) in TROUBLES {
        let outcome = run(&bench, "run wcc grid:1100x1100 --json", &[(name, value)]);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
        let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(report["device"], "cpu", "{name}");
        let because = report["device_because"].as_str().unwrap();
        let is_full = kind == "device-memory";
        assert!(because.starts_with("cpu: ") && (is_full || because.contains(message)), "{name}: {because}");
        let warnings = report["warnings"].as_array().unwrap().len();
        match kind {
            "no-driver" => assert_eq!(warnings, 0, "most machines have none: {report}"),
            "capability" | "no-compiler" => assert_eq!(warnings, 1, "{name}: {report}"),
            _ => {}
        }
    }
}

pub(crate) fn doctor_lists_a_gpu_that_cannot_be_used_with_the_reason() {
    let bench = with_driver();
    // Without a C++ compiler there is no simulator to be checked, which takes its time.
    let no_simulator = ("CXX", "/nowhere");
    for (name, value, kind, message, _) in &TROUBLES[2..5] {
        let outcome = run(&bench, "doctor -q", &[no_simulator, (name, value)]);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stdout);
        let found = |text: &str| outcome.stdout.contains(text);
        let why = match *kind {
            "no-compiler" => "without NVRTC it runs only kernels that the cache or the bundle has",
            _ => "it cannot be used: ",
        };
        assert!(found("cuda:0: Stand-in 0") && found(why), "{name}: {}", outcome.stdout);
        assert!(found(message), "{name}: {}", outcome.stdout);
    }
}

/// The report of `doctor --warm`, as modules, compiled, found.
fn warmed(outcome: &Outcome) -> [u64; 3] {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    ["modules", "compiled", "found"].map(|field| report["warm"][field].as_u64().unwrap())
}

pub(crate) fn warming_compiles_what_is_missing_and_finds_it_the_next_time() {
    let bench = with_driver();
    let [modules, compiled, found] = warmed(&run(&bench, "doctor --warm --json", &[]));
    assert!(modules > 30 && compiled == modules && found == 0, "{modules} {compiled} {found}");
    assert_eq!(warmed(&run(&bench, "doctor --warm --json", &[])), [modules, 0, modules]);
    let [of_two, ..] = warmed(&run(&bench, "doctor --warm bfs wcc --device cuda:0 --json", &[]));
    assert_eq!(of_two, 3, "one each, and the one that checks files");

    std::fs::remove_dir_all(bench.path("cache")).unwrap();
    let outcome = run(&bench, "doctor --warm sssp", &[]);
    assert!(outcome.stderr.contains("compiling for cuda:0\n  1: sssp-walk-"), "{}", outcome.stderr);
    let is_summary = outcome.stdout.contains(" for cuda:0: ") && outcome.stdout.contains(" 0 were there, ");
    assert!(is_summary, "{}", outcome.stdout);
}

pub(crate) fn warming_without_what_it_needs_is_an_error_with_a_next_step() {
    let bench = with_driver();
    for (line, settings, message) in [
        ("doctor --warm --device cpu", ("", ""), "--warm compiles for a GPU, and --device cpu is none"),
        ("doctor --warm bsf", ("", ""), "there is no algorithm \"bsf\""),
        ("doctor --warm", ("WARPGRAPH_NVRTC", "/nowhere.so"), "NVRTC was not found: /nowhere.so"),
        ("doctor --warm", ("STAND_IN_INIT", "100"), "the driver sees no GPU"),
        ("doctor --device cuda", ("", ""), "--warm"),
    ] {
        let settings = Some(settings).filter(|(name, _)| !name.is_empty());
        let outcome = run(&bench, line, settings.as_slice());
        assert_eq!(outcome.code, 2, "{line}: {}", outcome.stdout);
        assert!(outcome.stderr.contains(message), "{line}: {}", outcome.stderr);
    }
}

pub(crate) fn warming_the_simulator_fills_its_cache_too() {
    let bench = Bench::new();
    let ask = || {
        let mut command = bench.command("doctor --warm wcc --device simt --json");
        warmed(&bench.outcome(command.env("XDG_CACHE_HOME", bench.path("cache"))))
    };
    assert_eq!((ask(), ask()), ([2, 2, 0], [2, 0, 2]), "its own module, and the one that checks files");
}

pub(crate) fn a_run_goes_on_without_a_cache_that_can_be_written() {
    let bench = Bench::new();
    bench.file("no-folder", "mine");
    let mut command = bench.command("run wcc grid:9x9 --device simt --plan push+node --verify --json");
    let outcome = bench.outcome(command.env("XDG_CACHE_HOME", bench.path("no-folder")));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&report["device"], &report["verify"]), (&json!("simt"), &json!("passed")));
    assert_eq!(std::fs::read_to_string(bench.path("no-folder")).unwrap(), "mine");
}

pub(crate) fn two_processes_at_once_with_one_cold_cache_are_both_right() {
    let bench = Bench::new();
    let ask = || {
        let mut command = bench.command("run wcc grid:9x9 --device simt --plan push+node --verify --json");
        let outcome = bench.outcome(command.env("XDG_CACHE_HOME", bench.path("cache")));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        serde_json::from_str::<Value>(&outcome.stdout).unwrap()
    };
    let both =
        std::thread::scope(|scope| [scope.spawn(ask), scope.spawn(ask)].map(|run| run.join().unwrap()));
    for report in &both {
        assert_eq!((&report["device"], &report["verify"]), (&json!("simt"), &json!("passed")));
        assert_eq!(report["result"], both[0]["result"]);
    }
    let compiled = || bench.path("cache/warpgraph/kernels").read_dir().unwrap().count();
    let entries = compiled();
    assert!(entries >= 3, "{entries} files");
    assert_eq!((ask()["result"].clone(), compiled()), (both[0]["result"].clone(), entries), "all is there");
}
