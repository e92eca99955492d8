//! A kernel that does not end: a deadline and a cancel end it if it listens; if it does not, the device is hung.

use crate::common::{QUESTIONS, Question, compile_all, engine, generated, graph, load, spread};
use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};
use warpgraph::{
    Control, Engine, Gpu, Order, Plan, Settings,
    devices::simt::{Faults, Simt, SimtOptions},
};

/// Long enough for a run to come to its endless launch, on a busy machine.
const PATIENCE: Duration = Duration::from_millis(300);
/// How much later than asked for a run may end.
const LATE: Duration = Duration::from_secs(2);

fn endless(launch: u64) -> Engine {
    engine(Faults { endless: Some(launch), ..Faults::default() })
}

/// An engine one of whose launches neither ends nor listens, and which waits so long for it.
fn deaf(launch: u64, grace: Duration) -> Engine {
    compile_all();
    let faults = Faults { deaf: Some(launch), ..Faults::default() };
    let device =
        Simt::device(&Settings::default(), SimtOptions { faults, ..SimtOptions::default() }).unwrap();
    Engine::of(Gpu::with_grace(device, grace), Some(1)).unwrap()
}

#[test]
fn whichever_launch_does_not_end_a_deadline_ends_it_and_the_next_run_is_right() {
    for question in &QUESTIONS {
        for n in spread() {
            let engine = endless(n);
            let loaded = load(&engine);
            let start = Instant::now();
            let Err(error) = question.ask_with(&loaded, &Control::new().with_time_limit(PATIENCE)) else {
                assert!(n > question.least_launches(), "{} made fewer than {n} launches only", question.name);
                break;
            };
            let at = format!("{}, launch {n}", question.name);
            assert_eq!(error.kind(), "deadline", "{at}: {error}");
            assert!(start.elapsed() < PATIENCE + LATE, "{at}: {:?}", start.elapsed());
            question.ask(&loaded).unwrap_or_else(|error| panic!("{at}: {error}"));
        }
    }
}

#[test]
fn a_cancel_from_another_thread_ends_a_kernel_and_the_next_run_is_right() {
    for question in &QUESTIONS {
        let engine = endless(question.least_launches().min(2));
        let loaded = load(&engine);
        let control = Control::new();
        let start = Instant::now();
        let error = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(PATIENCE);
                control.cancel();
            });
            question.ask_with(&loaded, &control).unwrap_err()
        });
        assert_eq!(error.kind(), "interrupted", "{}: {error}", question.name);
        assert!(start.elapsed() < PATIENCE + LATE, "{}: {:?}", question.name, start.elapsed());
        question.ask(&loaded).unwrap();
    }
}

#[test]
fn a_kernel_that_does_not_listen_leaves_its_device_hung_and_others_alone() {
    for question in &QUESTIONS {
        let grace = Duration::from_millis(50);
        let engine = deaf(question.least_launches().min(2), grace);
        let loaded = load(&engine);
        let start = Instant::now();
        let error = question.ask_with(&loaded, &Control::new().with_time_limit(PATIENCE)).unwrap_err();
        assert_eq!(error.kind(), "device-hung", "{}: {error}", question.name);
        assert!(start.elapsed() < PATIENCE + grace + LATE, "{}: {:?}", question.name, start.elapsed());
        assert!(error.help().unwrap().starts_with("end the process"), "{error:?}");
        let start = Instant::now();
        let again = question.ask(&loaded).unwrap_err();
        assert_eq!(
            (again.kind(), again.to_string()),
            ("device-hung", error.to_string()),
            "{}",
            question.name
        );
        drop((loaded, engine));
        assert!(start.elapsed() < LATE, "{}: letting it go takes {:?}", question.name, start.elapsed());
    }
    let other = engine(Faults::default());
    QUESTIONS[0].ask(&other.load(&graph(), Order::Natural).unwrap()).unwrap();
}

/// Between two waits of a run the host looks whether it may go on; kernels that were started before are asked to end then, too.
#[test]
fn a_run_cancelled_between_two_waits_does_not_wait_for_its_kernels() {
    let is_bc = |question: &&Question| question.name == "bc";
    let question = QUESTIONS.iter().find(is_bc).unwrap();
    for launch in 4..=10 {
        let engine = endless(launch);
        let loaded = engine.load(&generated("grid:1x3"), Order::Natural).unwrap();
        let control = Control::new();
        let (handle, heard) = (control.clone(), AtomicU64::new(0));
        let control = control.with_progress(move |_| {
            if heard.fetch_add(1, Ordering::Relaxed) == 1 {
                handle.cancel();
            }
        });
        let start = Instant::now();
        let filters: Plan = "bsp".parse().unwrap();
        let error = question.ask_by(filters, &loaded, &control.with_time_limit(PATIENCE)).unwrap_err();
        assert!(["interrupted", "deadline"].contains(&error.kind()), "launch {launch}: {error}");
        assert!(start.elapsed() < PATIENCE + LATE, "launch {launch}: {:?}", start.elapsed());
        // A run that was cancelled before it came to that launch leaves it to the next one.
        let control = Control::new().with_time_limit(PATIENCE);
        if let Err(error) = question.ask_by(filters, &loaded, &control) {
            assert_eq!(error.kind(), "deadline", "launch {launch}: {error}");
        }
        question.ask(&loaded).unwrap();
    }
}
