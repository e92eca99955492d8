//! Who watches a run on a GPU hears of it while it goes on, and can end it from there.

use crate::common::{QUESTIONS, engine, generated};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};
use warpgraph::{Control, Engine, Loaded, Order, devices::simt::Faults};

/// A graph of many supersteps, whatever is asked.
fn long(engine: &Engine) -> Loaded {
    engine.load(&generated("grid:2x60,w=1..9"), Order::Natural).unwrap()
}

#[test]
fn progress_reaches_a_watcher_as_the_run_goes_on() {
    let engine = engine(Faults::default());
    let loaded = long(&engine);
    for question in &QUESTIONS {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ear = Arc::clone(&heard);
        let control = Control::new().with_progress(move |progress| {
            ear.lock().unwrap().push((progress.stage.to_owned(), progress.done));
        });
        let run = question.ask_with(&loaded, &control).unwrap();
        let heard = heard.lock().unwrap();
        // A kernel that walks by itself tells of its levels while it runs, if it runs long enough to be asked.
        let rounds = if question.least_launches() == 1 { 2 } else { run.rounds };
        assert!(heard.len() as u64 >= rounds, "{}: {} of {} rounds", question.name, heard.len(), run.rounds);
        assert!(heard.len() > 1 && heard.iter().all(|(stage, _)| !stage.is_empty()), "{heard:?}");
    }
}

#[test]
fn a_cancel_from_the_watcher_ends_the_run_at_once_and_the_next_is_right() {
    let engine = engine(Faults::default());
    let loaded = long(&engine);
    for question in &QUESTIONS {
        let (control, heard) = (Control::new(), Arc::new(AtomicU64::new(0)));
        let (handle, ear) = (control.clone(), Arc::clone(&heard));
        let control = control.with_progress(move |_| {
            ear.fetch_add(1, Ordering::Relaxed);
            handle.cancel();
        });
        let error = question.ask_with(&loaded, &control).unwrap_err();
        assert_eq!(error.kind(), "interrupted", "{}: {error}", question.name);
        assert_eq!(heard.load(Ordering::Relaxed), 1, "{} went on", question.name);
        question.ask(&loaded).unwrap();
    }
}
