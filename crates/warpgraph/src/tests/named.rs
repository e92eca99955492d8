//! Errors of a GPU that was given by name are errors of the run.

use super::fake::{self, Fails};
use crate::{
    Algorithm, Answer, Ask, Bfs, Device, Engine, Graph, Kcore, Options, Order, Place, Result, Rules, Wcc,
    WccAnswer,
};
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
    assert_eq!(cpu.bfs(Bfs::from(0)).run().unwrap().run().device, Device::Cpu);
}

#[test]
fn what_a_named_gpu_has_no_form_of_is_refused_not_moved() {
    let (gpu, _) = fake::gpu("simt", 1 << 30, Fails::Lost);
    let engine = Engine::of(gpu, Some(1)).unwrap();
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let error = engine
        .load(&graph, Order::Natural)
        .unwrap()
        .kcore(Kcore {})
        .plan("push".parse().unwrap())
        .run()
        .unwrap_err();
    assert_eq!(error.to_string(), "kcore on simt cannot run with `push`: it peels vertices by degree");
}

#[test]
fn a_label_that_is_no_device_makes_no_engine() {
    let (gpu, _) = fake::gpu("tpu", 1 << 30, Fails::Lost);
    assert_eq!(Engine::of(gpu, Some(1)).unwrap_err().to_string(), "there is no device \"tpu\"");
}

/// Answers wcc on the CPU while it holds the GPU, and calls the closure first.
struct Watched<F>(F);

impl<F: Fn(&Place<'_>) + Send + Sync> Ask for Watched<F> {
    type Reply = WccAnswer;

    fn rules(&self) -> Rules {
        Wcc::RULES
    }

    fn check(&self, _: &Graph) -> Result<()> {
        Ok(())
    }

    fn device_bytes(&self, _: &Graph, _: &Options) -> warpgraph_gpu::Footprint {
        warpgraph_gpu::Footprint::default()
    }

    fn answer(&self, place: &Place<'_>, options: &Options) -> Result<WccAnswer> {
        (self.0)(place);
        warpgraph_cpu::wcc(place.original, &Wcc {}, options)
    }
}

#[test]
fn runs_on_one_gpu_take_turns() {
    let (gpu, _) = fake::gpu("cuda:0", 1 << 30, Fails::Lost);
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let loaded = Engine::of(gpu, Some(3)).unwrap().load(&graph, Order::Natural).unwrap();
    let is_taken = AtomicBool::new(false);
    let question = Watched(|_: &Place<'_>| {
        assert!(!is_taken.swap(true, Ordering::SeqCst), "another run is on it");
        thread::sleep(Duration::from_millis(20));
        is_taken.store(false, Ordering::SeqCst);
    });
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| loaded.run(&question, Options::default()).unwrap());
        }
    });
}

#[test]
fn a_run_within_a_run_does_not_wait_for_itself() {
    let (gpu, _) = fake::gpu("cuda:0", 1 << 30, Fails::Lost);
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let loaded = Engine::of(gpu, Some(1)).unwrap().load(&graph, Order::Natural).unwrap();
    let on_gpu = AtomicBool::new(false);
    let inner = Watched(|place: &Place<'_>| on_gpu.store(place.device_graph.is_some(), Ordering::SeqCst));
    let outer = Watched(|_: &Place<'_>| drop(loaded.run(&inner, Options::default()).unwrap()));
    loaded.run(&outer, Options::default()).unwrap();
    assert!(on_gpu.into_inner());
}
