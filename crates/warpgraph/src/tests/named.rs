//! A GPU that was asked for by name: its errors are those of the run.

use super::fake::{self, Fails};
use crate::{Answer, Bfs, Device, Engine, Graph, Kcore, Order};

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
    let error = engine.load(&graph, Order::Natural).unwrap().kcore(Kcore {}).run().unwrap_err();
    assert_eq!(error.to_string(), "kcore on simt cannot run: it has no form for GPUs");
}

#[test]
fn a_label_that_is_no_device_makes_no_engine() {
    let (gpu, _) = fake::gpu("tpu", 1 << 30, Fails::Lost);
    assert_eq!(Engine::of(gpu, Some(1)).unwrap_err().to_string(), "there is no device \"tpu\"");
}
