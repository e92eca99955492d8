//! Part of the cases on the simulator with AddressSanitizer, which sees every access of a kernel outside of its arrays: each algorithm
//! and a program of a user's own, on a few graphs around the sizes of words, warps and blocks, by every plan.
//!
//! The sanitizer must be in a process from its start, so the tests here start themselves again with it. The first time, kernels are
//! compiled with it, which takes a minute; later they are in the cache.

use std::process::{Command, Output};
use warpgraph_conformance::{
    Backend,
    cases::{self, SUBJECTS},
    devices, fixtures,
};
use warpgraph_device::{Address, Arguments, Gpu, PRELUDE, Shape, Source, arguments, simt::SimtOptions};
use warpgraph_testing::{Suite, Test, needs, tests};

/// Says to the inner tests that the sanitizer is there.
const INSIDE: &str = "WARPGRAPH_SANITIZED";

/// Empty, tiny, with loops and parallel edges; a row longer than a warp; vertices and arcs that do not fill a word or a block.
static GRAPHS: [&str; 7] = [
    "empty, directed",
    "one vertex with a loop, directed",
    "weighted parallel edges kept, directed",
    "ids with gaps, undirected",
    "path of 65, directed",
    "binary tree, undirected",
    "random 130, directed",
];

fn open() -> Gpu {
    devices::simulated(SimtOptions { sanitize: true, ..SimtOptions::default() })
}

/// Runs the inner tests whose names start so in a process with the sanitizer.
fn run_again(tests: &str) -> Output {
    let library = needs::address_sanitizer_path().expect("the need of this test");
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.arg(tests).env(INSIDE, "1").env("LD_PRELOAD", library).env("ASAN_OPTIONS", "detect_leaks=0");
    again.output().unwrap()
}

/// Returns whether this process is the one with the sanitizer.
pub(crate) fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// The tests of the process with the sanitizer: each algorithm's comparison with the oracle, weighted labels, and programs.
pub(crate) fn inner() -> Suite {
    Suite::default().tests(inner_cases()).tests(tests![inner_overflow])
}

fn inner_cases() -> Vec<Test> {
    let of_subjects = SUBJECTS.iter().map(|subject| (subject.name, &subject.cases[0]));
    let more = ["follows_weights", "own_apply_and_active_are_followed"];
    let more = cases::all().into_iter().filter(|(module, case)| {
        ["label_propagation", "programs"].contains(module) && more.contains(&case.name)
    });
    of_subjects
        .chain(more)
        .map(|(module, case)| {
            let run = case.run;
            Test::new(format!("inner_case_{module}_{}", case.name), move || {
                run(&Backend::gpu(open()).only(&GRAPHS));
            })
        })
        .collect()
}

fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

pub(crate) fn no_kernel_reaches_outside_of_its_arrays() {
    let output = run_again("inner_case_");
    let text = text_of(&output);
    assert!(output.status.success() && text.contains(&format!("{} passed", inner_cases().len())), "{text}");
    assert!(!text.contains("AddressSanitizer"), "{text}");
}

pub(crate) fn one_that_did_would_be_seen() {
    let output = run_again("inner_overflow");
    let text = text_of(&output);
    assert!(!output.status.success() && text.contains("heap-buffer-overflow"), "{text}");
    assert!(text.contains("planted.cu"), "{text}");
}

arguments! {
    /// Of the kernel that goes too far.
    struct Past {
        values: Address<u32>,
        vertices: u64,
    }
}

fn inner_overflow() {
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
