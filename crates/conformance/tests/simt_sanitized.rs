//! Part of the cases on the simulator with AddressSanitizer, which sees every access of a kernel outside of its arrays: each algorithm
//! and a program of a user's own, on a few graphs around the sizes of words, warps and blocks, by every plan.
//!
//! The sanitizer must be in a process from its start, so the tests here start themselves again with it. The first time, kernels are
//! compiled with it, which takes a minute; later they are in the cache.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::process::{Command, Output};
use warpgraph::{Engine, Plan};
use warpgraph_conformance::{
    Backend, OnGpu,
    cases::{
        adsorption, bc, bfs, closeness, kcore, label_propagation, mst, pagerank, programs, scc, sssp,
        triangles, wcc,
    },
    fixtures::{self, Fixture},
};
use warpgraph_device::{
    Address, Arguments, Gpu, PRELUDE, Settings, Shape, Source, arguments,
    simt::{Simt, SimtOptions},
};

/// Says to the inner tests that the sanitizer is there.
const INSIDE: &str = "WARPGRAPH_SANITIZED";

/// Empty, tiny, with loops and parallel edges; a row longer than a warp; vertices and arcs that do not fill a word or a block.
const GRAPHS: [&str; 7] = [
    "empty, directed",
    "one vertex with a loop, directed",
    "weighted parallel edges kept, directed",
    "ids with gaps, undirected",
    "path of 65, directed",
    "binary tree, undirected",
    "random 130, directed",
];

/// The simulator with the sanitizer, asked about these graphs by every plan.
struct Sanitized(OnGpu);

impl Backend for Sanitized {
    fn engine(&self) -> &Engine {
        self.0.engine()
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn fixtures(&self) -> Vec<&'static Fixture> {
        GRAPHS.map(fixtures::named).into()
    }

    fn dealt(&self, _: &str, _: &Fixture, plans: Vec<Plan>) -> Vec<Plan> {
        plans
    }
}

fn open() -> Gpu {
    let options = SimtOptions { sanitize: true, ..SimtOptions::default() };
    Simt::open(&Settings::default(), options).unwrap()
}

/// Runs the ignored tests whose names start so in a process with the sanitizer; none, said aloud, where the compiler has none.
fn run_again(tests: &str) -> Option<Output> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let asked = Command::new(compiler).arg("-print-file-name=libasan.so").output().ok();
    let library = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let Some(library) = library.filter(|path| path.starts_with('/')) else {
        println!("skipped: the compiler has no libasan.so");
        return None;
    };
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--ignored", tests]).env(INSIDE, "1");
    again.env("LD_PRELOAD", library).env("ASAN_OPTIONS", "detect_leaks=0");
    Some(again.output().unwrap())
}

fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn no_kernel_reaches_outside_of_its_arrays() {
    let Some(output) = run_again("inner_case_") else { return };
    let text = text_of(&output);
    assert!(output.status.success() && text.contains("14 passed"), "{text}");
    assert!(!text.contains("AddressSanitizer"), "{text}");
}

#[test]
fn one_that_did_would_be_seen() {
    let Some(output) = run_again("inner_overflow") else { return };
    let text = text_of(&output);
    assert!(!output.status.success() && text.contains("heap-buffer-overflow"), "{text}");
    assert!(text.contains("planted.cu"), "{text}");
}

/// An inner test: does nothing where the sanitizer is not.
macro_rules! inner {
    ($($name:ident: $case:path;)+) => {$(
        #[test]
        #[ignore = "run by no_kernel_reaches_outside_of_its_arrays"]
        fn $name() {
            if std::env::var_os(INSIDE).is_some() {
                $case(&Sanitized(OnGpu::new(open())));
            }
        }
    )+};
}

inner! {
    inner_case_bfs: bfs::equals_the_oracle;
    inner_case_sssp: sssp::equals_the_oracle;
    inner_case_pagerank: pagerank::is_near_the_oracle;
    inner_case_adsorption: adsorption::is_near_the_oracle;
    inner_case_wcc: wcc::equals_the_oracle;
    inner_case_scc: scc::equals_the_oracle;
    inner_case_kcore: kcore::equals_the_oracle;
    inner_case_label_propagation: label_propagation::equals_the_oracle;
    inner_case_weighted_labels: label_propagation::follows_weights;
    inner_case_bc: bc::is_near_the_oracle;
    inner_case_mst: mst::equals_the_oracle;
    inner_case_triangles: triangles::equals_the_oracle;
    inner_case_closeness: closeness::equals_the_oracle;
    inner_case_own_programs: programs::own_apply_and_active_are_followed;
}

arguments! {
    /// Of the kernel that goes too far.
    struct Past {
        values: Address<u32>,
        vertices: u64,
    }
}

#[test]
#[ignore = "run by one_that_did_would_be_seen"]
fn inner_overflow() {
    if std::env::var_os(INSIDE).is_none() {
        return;
    }
    let text = "KERNEL(past, Past) {
        for (u64 v = thread_in_grid(); v <= args.vertices; v += grid_threads()) args.values[v] = v;
    }";
    let root = format!("#include \"prelude.cuh\"\n{}{text}\n", Past::cuda());
    let source = Source::assemble("planted", &root, &[PRELUDE], vec!["past"]).unwrap();
    let gpu = open();
    let kernel = gpu.compile(&source).unwrap().kernel("past").unwrap();
    // A value a vertex, as an engine makes it.
    let vertices = fixtures::named("random 130, directed").graph.vertices();
    let values = gpu.array::<u32>(vertices, "values").unwrap();
    let arguments = Past { values: values.address(), vertices: vertices as u64 };
    // SAFETY: the kernel takes a Past; that it writes one word behind its array is seen before it is done.
    unsafe { gpu.launch(&kernel, Shape { grid: 3, block: 64, shared: 0 }, &arguments) }.unwrap();
    gpu.finish().unwrap();
}
