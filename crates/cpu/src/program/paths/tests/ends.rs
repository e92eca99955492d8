//! How runs end: by their rules, by refusals, by the caller, and by a panic.

use super::{
    Sample, along,
    graphs::{Kind, Random},
    pool,
    programs::{Grows, Halves, Undefined, Whisper},
    walk,
};
use crate::Options;
use std::time::{Duration, Instant};
use warpgraph_core::{
    Answer, Halt, Halted,
    program::{
        Combine, Dialect, Edge, Vertex, VertexProgram,
        library::{Components, Hops, Lengths, Ranks},
    },
};
use warpgraph_graph::Control;

fn ring(n: u32, directed: bool) -> Sample {
    let pairs = (0..n).map(|v| [v, (v + 1) % n]).collect();
    Sample::of(n as usize, pairs, directed, Kind::None, &mut Random::new(5))
}

fn refusal<P: VertexProgram + Clone>(sample: &Sample, program: &P, options: &Options) -> String {
    walk(sample, program, options).unwrap_err().to_string()
}

#[test]
fn graphs_without_edges_or_vertices_work() {
    for n in [0, 1, 70] {
        let sample = Sample::of(n, Vec::new(), false, Kind::None, &mut Random::new(1));
        let options = along(&sample, 3);
        let components = walk(&sample, &Components {}, &options).unwrap();
        assert!(components.values().iter().copied().eq(0..n as u32));
        let ranks = Ranks::<f64>::of(&sample.graph, 0.85, Halt::l1(1e-6));
        assert_eq!(walk(&sample, &ranks, &options).unwrap().run().halt, Halted::Tolerance);
    }
}

#[test]
fn programs_that_need_supersteps_are_refused() {
    let sample = ring(10, true);
    let options = along(&sample, 3);
    let of = |name: &str, why: &str| format!("{name} on cpu cannot run with `paths`: {why}");
    let why = "it applies messages by itself, and mirrors only join them";
    assert_eq!(refusal(&sample, &Whisper, &options), of("whisper", why));
    let mut lengths = Lengths::<u32, u32>::from(0);
    lengths.rounds = Some(10);
    let why = "a limit of supersteps has no meaning without supersteps";
    assert_eq!(refusal(&sample, &lengths, &options), of("sssp", why));
    let without = Options { paths: None, ..options };
    assert_eq!(refusal(&sample, &Halves, &without), of("halves", "the paths of the graph are not made"));
}

#[test]
fn paths_of_another_graph_are_refused() {
    let (sample, other) = (ring(10, true), ring(300, true));
    let text = refusal(&sample, &Halves, &along(&other, 3));
    assert!(text.starts_with("chunk ") && text.ends_with("names no vertex or no arc of the graph"), "{text}");
    let text = refusal(&other, &Halves, &along(&sample, 3));
    assert_eq!(text, "the paths have 10 edges, and the graph has 300");
}

#[test]
fn a_vertex_that_starts_with_nan_is_refused() {
    let sample = ring(10, true);
    let text = refusal(&sample, &Undefined, &along(&sample, 3));
    assert_eq!(text, "undefined: vertex number 0 starts with NaN");
}

#[test]
fn sums_that_do_not_converge_are_refused() {
    for threads in [1, 2] {
        let sample = ring(50, true);
        let options = along(&sample, 3);
        let refused = |factor: f64| {
            let program = Grows { factor, halt: Halt::l1(1e-6) };
            pool(threads).install(|| refusal(&sample, &program, &options))
        };
        assert!(refused(1.0).starts_with("grows: it comes no nearer to its end"), "{}", refused(1.0));
        assert!(refused(1e200).starts_with("grows: values are no numbers any more"), "{}", refused(1e200));
        assert!(refused(-1.5).starts_with("grows: "), "{}", refused(-1.5));
    }
}

#[test]
fn a_sum_stops_at_its_limit_of_rounds() {
    let sample = ring(500, false);
    let options = Options { trace: true, ..along(&sample, 3) };
    let program = Grows { factor: 0.49, halt: Halt::l1(1e-12).or(Halt::rounds(4)) };
    let answer = walk(&sample, &program, &options).unwrap();
    assert_eq!(answer.run().halt, Halted::MaxIterations);
    assert!(answer.residual().unwrap() >= 1e-12);
    answer.verify(&sample.graph).unwrap();
}

#[test]
fn a_trace_adds_up_to_the_work() {
    for threads in [1, 3] {
        let sample = Sample::random(20, 400, Kind::None);
        let options = Options { trace: true, ..along(&sample, 2) };
        let run = pool(threads).install(|| walk(&sample, &Halves, &options)).unwrap().run().clone();
        let (work, paths) = (run.work.unwrap(), run.paths.unwrap());
        assert_eq!(run.trace.len() as u64, run.rounds);
        assert_eq!(run.trace.iter().map(|step| step.edges.unwrap()).sum::<u64>(), work.edges);
        assert_eq!(run.trace.iter().map(|step| step.frontier).sum::<u64>(), paths.handled);
        let last = run.trace.last().unwrap();
        assert_eq!(last.note, format!("{} updates so far", work.updates));
    }
}

#[test]
fn a_worker_on_its_own_sends_each_change_of_a_path_once() {
    let pairs = (0..30).map(|v| [v, v + 1]).collect();
    let sample = Sample::of(31, pairs, true, Kind::None, &mut Random::new(0));
    let run = pool(1).install(|| walk(&sample, &Hops::from(0), &along(&sample, 3))).unwrap().run().clone();
    let work = run.work.unwrap();
    assert_eq!((work.updates, work.edges), (30, 30), "{run:?}");
}

#[test]
fn a_cancelled_run_ends_at_once() {
    for threads in [1, 2, 8] {
        let sample = Sample::random(30, 2000, Kind::None);
        let control = Control::new();
        control.cancel();
        let options = Options { control, ..along(&sample, 3) };
        let text = pool(threads).install(|| refusal(&sample, &Halves, &options));
        assert_eq!(text, "interrupted while walking along paths");
    }
}

/// A sum that would run for minutes, under a deadline and cancelled from another thread.
#[test]
fn a_run_that_would_not_end_is_interrupted() {
    let sample = ring(2000, false);
    let program = Grows { factor: 0.5, halt: Halt::l1(1e-300).or(Halt::rounds(u64::MAX)) };
    for threads in [1, 4] {
        let start = Instant::now();
        let control = Control::new().with_time_limit(Duration::from_millis(50));
        let options = Options { control, ..along(&sample, 3) };
        let text = pool(threads).install(|| refusal(&sample, &program, &options));
        assert!(text.contains("walking along paths"), "{text}");
        let control = Control::new();
        let options = Options { control: control.clone(), ..along(&sample, 3) };
        let text = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                control.cancel();
            });
            pool(threads).install(|| refusal(&sample, &program, &options))
        });
        assert_eq!(text, "interrupted while walking along paths");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

/// Panics at a message from vertex 7.
#[derive(Clone)]
struct Bug;

impl VertexProgram for Bug {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "bug";
    const COMBINE: Combine = Combine::Min;
    fn init<D: Dialect>(&self, _: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        v.id
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        // Only the processor computes at once, and only its size is that of a number.
        let is_native = size_of::<D::Val<u64>>() == 8 && size_of::<D>() == 0;
        if is_native && MESSAGES.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 3000 {
            panic!("a bug in a message");
        }
        e.value + d.lit(1)
    }
}

static MESSAGES: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

#[test]
fn a_panic_in_a_message_reaches_the_caller_and_stops_all_workers() {
    let sample = ring(5000, true);
    let pool = pool(4);
    let run = || pool.install(|| walk(&sample, &Bug, &along(&sample, 3)).map(drop));
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"a bug in a message"));
}
