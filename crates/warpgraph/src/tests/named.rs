//! A GPU that was asked for by name: its errors are those of the run.

use super::{
    fake::{self, Fails},
    own::Own,
};
use crate::{Answer, Bfs, Control, Device, Engine, Graph, Order};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

#[test]
fn a_lost_gpu_gives_its_error_for_good_and_other_engines_go_on() {
    let (gpu, _) = fake::gpu("cuda:1", 1 << 30, Fails::Lost);
    let engine = Engine::of(gpu, Some(1)).unwrap();
    assert_eq!(engine.device(), Device::Cuda(1));
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    for _ in 0..2 {
        let error = engine.load(&graph, Order::Natural).unwrap().bfs(Bfs::from(0)).run().unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            ("device-lost", "cuda:1 is lost: it is made up")
        );
    }
    let (other, _) = fake::gpu("cuda:1", 1 << 30, Fails::Full);
    let other = Engine::of(other, Some(1)).unwrap().load(&graph, Order::Natural).unwrap();
    assert_eq!(other.bfs(Bfs::from(0)).run().unwrap_err().kind(), "device-memory");
    let cpu = Engine::on(Device::Cpu, Some(1)).unwrap().load(&graph, Order::Natural).unwrap();
    assert_eq!(cpu.bfs(Bfs::from(0)).run().unwrap().run().device, "cpu");
}

#[test]
fn what_a_named_gpu_has_no_form_of_is_refused_not_moved() {
    let (gpu, _) = fake::gpu("simt", 1 << 30, Fails::Lost);
    let engine = Engine::of(gpu, Some(1)).unwrap();
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let error = engine.load(&graph, Order::Natural).unwrap().job(Own {}).run().unwrap_err();
    assert_eq!(error.to_string(), "own on simt cannot run: it has no form for GPUs");
}

#[test]
fn a_label_that_is_no_device_makes_no_engine() {
    let (gpu, _) = fake::gpu("tpu", 1 << 30, Fails::Lost);
    assert_eq!(Engine::of(gpu, Some(1)).unwrap_err().to_string(), "there is no device \"tpu\"");
}

#[test]
fn runs_on_one_gpu_take_turns() {
    let (gpu, _) = fake::gpu("cuda:0", 1 << 30, Fails::Lost);
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let loaded = Engine::of(gpu, Some(3)).unwrap().load(&graph, Order::Natural).unwrap();
    let (is_taken, control) = (AtomicBool::new(false), Control::new());
    let work = || {
        assert!(!is_taken.swap(true, Ordering::SeqCst), "another run is on it");
        thread::sleep(Duration::from_millis(20));
        is_taken.store(false, Ordering::SeqCst);
        Ok(())
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| loaded.run("bfs", &control, |_| 0, |_| Ok(()), |_, _| work()).unwrap());
        }
    });
}

#[test]
fn a_run_within_a_run_does_not_wait_for_itself() {
    let (gpu, _) = fake::gpu("cuda:0", 1 << 30, Fails::Lost);
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let loaded = Engine::of(gpu, Some(1)).unwrap().load(&graph, Order::Natural).unwrap();
    let control = Control::new();
    let inner =
        || loaded.run("bfs", &control, |_| 0, |_| Ok(()), |_, device_graph| Ok(device_graph.is_some()));
    let (on_gpu, _) = loaded.run("bfs", &control, |_| 0, |_| Ok(()), |_, _| inner()).unwrap().0;
    assert!(on_gpu);
}
