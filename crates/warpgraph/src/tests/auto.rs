//! `auto` never fails because a GPU is missing, and reports why it chose a device.

use super::fake::{self, Fails};
use crate::{
    Accepted, Algorithm, Answer, Bfs, Choice, Control, Device, Engine, Error, Graph, Options, Order, Plan,
    Settings, Wcc, accelerator::Accelerator, program::library::Components,
};
use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};
use warpgraph_device::{
    Gpu,
    simt::{Faults, Simt, SimtOptions},
};

fn auto_with(gpu: Gpu) -> Engine {
    Engine::new(Device::Auto, Some(1), Accelerator::of(gpu, Device::FIRST_GPU)).unwrap()
}

fn auto_without() -> Engine {
    let no_driver = warpgraph_device::Error::NoDriver { what: "nothing is there".to_owned() };
    let gpus = Accelerator::failed(Device::FIRST_GPU, warpgraph_gpu::lift(no_driver));
    Engine::new(Device::Auto, Some(1), gpus).unwrap()
}

/// Runs wcc on the graph; returns the device it ran on, and why.
fn wcc(engine: &Engine, graph: &Graph) -> (String, Choice) {
    let (answer, choice) = engine.load(graph, Order::Natural).unwrap().wcc(Wcc {}).run_chosen().unwrap();
    answer.verify(graph).unwrap();
    (answer.run().device.to_string(), choice.unwrap())
}

#[test]
fn an_engine_looks_for_no_gpu_for_a_small_graph() {
    let engine = Engine::with(Device::Auto, Some(1), Settings::default()).unwrap();
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let (device, choice) = wcc(&engine, &graph);
    assert_eq!(
        (device.as_str(), choice.to_string().as_str()),
        ("cpu", "cpu: 2 arcs, and a GPU pays from 4194304")
    );
    assert!(engine.gpu().is_none() && engine.why_no_gpu().is_none() && !choice.is_trouble());
}

#[test]
fn a_missing_gpu_leaves_the_processor_and_a_reason() {
    let engine = auto_without();
    let (device, choice) = wcc(&engine, &fake::large());
    assert_eq!(
        (device.as_str(), choice.to_string().as_str()),
        ("cpu", "cpu: no NVIDIA driver: nothing is there")
    );
    assert_eq!(engine.why_no_gpu().map(Error::kind), Some("no-driver"));
    assert!(!choice.is_trouble() && !choice.had_gpu(), "most machines have none");
}

#[test]
fn what_only_gpus_refuse_runs_on_the_processor() {
    let (gpu, asked) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Lost);
    let loaded = auto_with(gpu).load(&fake::large(), Order::Natural).unwrap();
    let refusal = Error::Refused { what: "wcc on cuda:0 cannot run: a test".to_owned(), help: String::new() };
    let accepted = Accepted { gpu_refusal: Some(Arc::new(refusal)), ..Accepted::default() };
    let options = Options { accepted: Some(accepted), ..Options::default() };
    let (answer, choice) = loaded.wcc(Wcc {}).options(options).run_chosen().unwrap();
    assert_eq!(answer.run().device, Device::Cpu);
    assert_eq!(choice.unwrap().to_string(), "cpu: wcc on cuda:0 cannot run: a test");
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

#[test]
fn a_gpu_without_room_is_left_alone() {
    let (gpu, asked) = fake::gpu("cuda:0", 1000, Fails::Lost);
    let (device, choice) = wcc(&auto_with(gpu), &fake::large());
    assert_eq!(device, "cpu");
    assert!(matches!(choice, Choice::NoRoom { needed, free: 1000, .. } if needed > 1000), "{choice}");
    assert!(choice.had_gpu() && !choice.is_trouble());
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

#[test]
fn a_gpu_that_is_lost_is_not_asked_again() {
    let (gpu, asked) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Lost);
    let (engine, graph) = (auto_with(gpu), fake::large());
    let (device, choice) = wcc(&engine, &graph);
    assert_eq!(
        (device.as_str(), choice.to_string().as_str()),
        ("cpu", "cpu: the GPU failed: cuda:0 is lost: it is made up")
    );
    assert!(choice.is_trouble());
    let times = asked.load(Ordering::Relaxed);
    assert!(times > 0, "it was tried");
    let (device, choice) = wcc(&engine, &graph);
    assert_eq!((device.as_str(), choice.error().map(Error::kind)), ("cpu", Some("device-lost")));
    assert_eq!(
        (asked.load(Ordering::Relaxed), engine.why_no_gpu().map(Error::kind)),
        (times, Some("device-lost"))
    );
}

#[test]
fn a_gpu_that_was_full_may_be_asked_again() {
    let (gpu, asked) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Full);
    let (engine, graph) = (auto_with(gpu), fake::large());
    for _ in 0..2 {
        let before = asked.load(Ordering::Relaxed);
        let (device, choice) = wcc(&engine, &graph);
        assert_eq!((device.as_str(), choice.error().map(Error::kind)), ("cpu", Some("device-memory")));
        assert!(asked.load(Ordering::Relaxed) > before);
    }
    assert!(engine.why_no_gpu().is_none());
}

#[test]
fn a_program_falls_back_like_an_algorithm() {
    let (gpu, _) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Lost);
    let loaded = auto_with(gpu).load(&fake::large(), Order::Natural).unwrap();
    let (answer, choice) = loaded.program(Components {}).run_chosen().unwrap();
    assert_eq!(answer.run().device, Device::Cpu);
    assert!(matches!(choice, Some(Choice::Failed { .. })), "{choice:?}");
}

/// Returns which devices accept bfs with this plan.
fn accepted(plan: Plan) -> Accepted {
    Bfs::RULES.accept(Device::Auto, &Options { plan, ..Options::default() }).unwrap()
}

#[test]
fn a_plan_that_only_gpus_take_is_refused_where_there_is_none() {
    let engine = auto_without();
    let plan: Plan = "workload".parse().unwrap();
    let early = engine.expect(&accepted(plan)).unwrap_err();
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let late = engine.load(&graph, Order::Natural).unwrap().bfs(Bfs::from(0)).plan(plan).run().unwrap_err();
    assert_eq!(early.to_string(), late.to_string());
    assert_eq!(
        late.to_string(),
        "bfs on cpu cannot run with `workload`: balances share arcs among the threads of a GPU"
    );
    assert_eq!(
        late.help().unwrap(),
        "use --plan auto, or leave --plan out; a GPU would take it, but there is none to use: no NVIDIA driver: nothing is there"
    );
}

#[test]
fn a_plan_that_only_gpus_take_goes_there_and_fails_there() {
    let (gpu, _) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Lost);
    let engine = auto_with(gpu);
    let plan: Plan = "workload".parse().unwrap();
    engine.expect(&accepted(plan)).unwrap();
    let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
    let error = engine.load(&graph, Order::Natural).unwrap().bfs(Bfs::from(0)).plan(plan).run().unwrap_err();
    assert_eq!(error.kind(), "device-lost");
}

#[test]
fn clones_share_what_is_on_the_gpu_and_other_handles_do_not() {
    let (gpu, _) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Lost);
    let (engine, graph) = (auto_with(gpu), Graph::from_edges(3, &[(0, 1)], false).unwrap());
    let loaded = engine.load(&graph, Order::Natural).unwrap();
    let (clone, other) = (loaded.clone(), engine.load(&graph, Order::Natural).unwrap());
    assert!(loaded.view().is(&clone.view()));
    assert!(!loaded.view().is(&other.view()));
}

/// Returns an `auto` engine whose GPU is a simulator; prints why and returns `None` if the simulator cannot be used.
fn auto_with_simulator(faults: Faults) -> Option<Engine> {
    let options = SimtOptions { faults, ..SimtOptions::default() };
    let opened = Simt::open(&Settings::default(), options);
    opened.map(auto_with).map_err(|error| println!("skipped: {error}")).ok()
}

#[test]
fn a_run_whose_kernel_traps_is_done_by_the_processor() {
    let Some(engine) = auto_with_simulator(Faults { trap: Some(1), ..Faults::default() }) else { return };
    let graph = fake::large();
    let (device, choice) = wcc(&engine, &graph);
    assert_eq!(device, "cpu");
    assert!(matches!(&choice, Choice::Failed { error } if error.kind() == "device-lost"), "{choice}");
    let (device, choice) = wcc(&engine, &graph);
    assert_eq!(device, "cpu");
    assert!(matches!(&choice, Choice::NoGpu { error } if error.kind() == "device-lost"), "{choice}");
    assert!(choice.is_trouble() && choice.to_string().contains("trapped"), "{choice}");
}

#[test]
fn a_gpu_without_a_compiler_leaves_the_processor_and_is_trouble() {
    let faults = Faults { no_compiler: true, ..Faults::default() };
    let Some(engine) = auto_with_simulator(faults) else { return };
    let (device, choice) = wcc(&engine, &fake::large());
    assert_eq!((device.as_str(), choice.error().map(Error::kind)), ("cpu", Some("no-compiler")));
    assert!(choice.is_trouble() && choice.error().unwrap().help().unwrap().contains("install"), "{choice}");
    assert_eq!(engine.why_no_gpu().map(Error::kind), Some("no-compiler"));
}

#[test]
fn a_run_that_is_stopped_on_the_gpu_is_not_begun_again_on_the_processor() {
    let Some(engine) = auto_with_simulator(Faults { endless: Some(1), ..Faults::default() }) else { return };
    let loaded = engine.load(&fake::large(), Order::Natural).unwrap();
    let control = Control::new().with_time_limit(Duration::from_millis(400));
    let error = loaded.bfs(Bfs::from(0)).control(&control).run().unwrap_err();
    assert_eq!(error.kind(), "deadline", "{error}");
    assert!(engine.why_no_gpu().is_none(), "it is as good as before");
}

#[test]
fn an_order_whose_searches_fail_on_the_gpu_is_made_by_the_processor() {
    let (graph, order) = (fake::large(), "halo2(k=2)".parse().unwrap());
    let made =
        |engine: &Engine| engine.reorder(&graph, order, 1, &Control::new()).unwrap().map.originals().to_vec();
    let (gpu, asked) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Lost);
    let engine = auto_with(gpu);
    assert_eq!(made(&engine), made(&Engine::on(Device::Cpu, Some(2)).unwrap()));
    assert!(asked.load(Ordering::Relaxed) > 0, "it was worth a try");
    assert_eq!(engine.why_no_gpu().map(Error::kind), Some("device-lost"));
    // A search that does not fit a GPU given by name is not an error either.
    let (gpu, asked) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Full);
    assert_eq!(made(&Engine::of(gpu, Some(2)).unwrap()), made(&Engine::on(Device::Cpu, Some(2)).unwrap()));
    assert!(asked.load(Ordering::Relaxed) > 0);
    // An order without searches does not use the GPU.
    let (gpu, asked) = fake::gpu("cuda:0", u64::MAX / 2, Fails::Lost);
    auto_with(gpu).reorder(&graph, Order::Degree, 1, &Control::new()).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}
