//! Devices that fail in the middle of a run end it on all devices, with the error of the one that failed.

use std::time::{Duration, Instant};
use warpgraph::{Answer, Bfs, Control, Engine, Error, Graph, Order, graph::generate::Spec};
use warpgraph_conformance::devices;
use warpgraph_device::simt::{Faults, SimtOptions};

fn graph() -> Graph {
    let spec: Spec = "kron:8".parse().unwrap();
    spec.generate(&Control::new()).unwrap()
}

/// Opens three simulators, the second of which has faults.
fn engine(faults: Faults) -> Engine {
    let one = |part| {
        let faults = if part == 1 { faults.clone() } else { Faults::default() };
        devices::simulated(SimtOptions { faults, ..SimtOptions::default() })
    };
    Engine::of_several((0..3).map(one).collect(), Some(1)).unwrap()
}

pub(crate) fn an_allocation_that_fails_on_one_device_ends_all() {
    let graph = graph();
    let mut failures = 0;
    for number in (1..40).step_by(3) {
        let faults = Faults { allocation: Some(number), ..Faults::default() };
        let loaded = engine(faults).load(&graph, Order::Natural).unwrap();
        // Only that allocation fails, in whichever run it is made: all others are right.
        let failed = (0..3).filter(|_| match loaded.bfs(Bfs::default()).run() {
            Ok(answer) => answer.verify(&graph).is_err(),
            Err(error) => {
                assert_eq!(error.kind(), "device-memory", "allocation {number}: {error}");
                true
            }
        });
        let failed = failed.count();
        assert!(failed <= 1, "allocation {number}: {failed} runs failed");
        failures += failed;
    }
    assert!(failures >= 4, "{failures} allocations failed");
}

pub(crate) fn a_device_that_is_lost_ends_all() {
    let graph = graph();
    for number in [1, 5, 9, 14] {
        let loaded =
            engine(Faults { trap: Some(number), ..Faults::default() }).load(&graph, Order::Natural).unwrap();
        let error = loaded.bfs(Bfs::default()).run().unwrap_err();
        assert_eq!(error.kind(), "device-lost", "launch {number}: {error}");
        assert_eq!(loaded.bfs(Bfs::default()).run().unwrap_err().kind(), "device-lost", "it stays lost");
    }
}

pub(crate) fn a_run_that_is_cancelled_ends_on_all_devices() {
    let graph = graph();
    let loaded =
        engine(Faults { endless: Some(9), ..Faults::default() }).load(&graph, Order::Natural).unwrap();
    let control = Control::new().with_time_limit(Duration::from_millis(1500));
    let begun = Instant::now();
    let error = loaded.bfs(Bfs::default()).control(&control).run().unwrap_err();
    assert!(matches!(error, Error::Graph(_)), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    loaded.bfs(Bfs::default()).run().unwrap().verify(&graph).unwrap();
}
