//! Engines on the simulated GPU.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use warpgraph::{
    Answer, Bfs, Control, Device, Engine, Graph, Loaded, Order, PageRank, Plan, Settings, Wcc,
    graph::generate::Spec, program::library::Hops,
};

pub(crate) fn simulator(settings: Settings) -> Engine {
    Engine::with(Device::Simt, Some(2), settings).unwrap()
}

pub(crate) fn graph(spec: &str) -> Graph {
    spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

pub(crate) fn runs_from_many_threads_answer_right_though_others_are_stopped() {
    let engine = simulator(Settings::default());
    let graph = graph("grid:40x40");
    let loaded = engine.load(&graph, Order::Natural).unwrap();
    loaded.bfs(Bfs::from(0)).run().unwrap();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for source in 0..4 {
                    let answer = loaded.bfs(Bfs::from(source)).run().unwrap();
                    answer.verify(&graph).unwrap();
                }
            });
        }
        for millis in 0..8 {
            let control = Control::new().with_time_limit(Duration::from_millis(millis));
            match loaded.bfs(Bfs::from(0)).control(&control).run() {
                Ok(answer) => answer.verify(&graph).unwrap(),
                Err(error) => assert_eq!(error.kind(), "deadline", "{error}"),
            }
        }
    });
}

pub(crate) fn a_run_amid_another_on_the_same_thread_may_have_the_edges_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let amid: Arc<OnceLock<Loaded>> = Arc::default();
    let ask = |loaded: &Loaded, plan: &str| {
        let plan: Plan = plan.parse().unwrap();
        let answer = loaded.bfs(Bfs::from(1)).plan(plan).run().unwrap();
        answer.verify(loaded.graph()).unwrap();
        assert_eq!(answer.run().plan.residency.unwrap().name(), plan.residency.unwrap().name());
    };
    let (seen, inner) = (Arc::new(AtomicBool::new(false)), Arc::clone(&amid));
    let was = Arc::clone(&seen);
    // Heads are made between the incoming arcs and the outgoing ones.
    let compiling = move |module: &str| {
        if module.starts_with("heads") && !was.swap(true, Ordering::SeqCst) {
            ask(inner.get().unwrap(), "streamed");
        }
    };
    let engine = simulator(Settings {
        cache: Some(folder.path().to_owned()),
        compiling: Some(Arc::new(compiling)),
        ..Settings::default()
    });
    let graph = graph("kron:8,directed");
    graph.incoming().unwrap();
    let loaded = engine.load(&graph, Order::Natural).unwrap();
    amid.set(loaded.clone()).unwrap();
    ask(&loaded, "zero-copy(heads=4)");
    assert!(seen.load(Ordering::SeqCst));
}

pub(crate) fn a_graph_is_copied_by_the_first_run_and_stays_for_clones_and_other_algorithms() {
    let engine = simulator(Settings::default());
    let loaded = engine.load(&graph("kron:7"), Order::InDegree).unwrap();
    let clone = loaded.clone();
    let first = loaded.bfs(Bfs::from(0)).run().unwrap();
    assert!(first.run().transfer_seconds > 0.0 && first.run().device_bytes > 0);
    assert_eq!((first.run().device, first.run().threads), (Device::Simt, 2));
    let again = clone.bfs(Bfs::from(1)).run().unwrap();
    assert_eq!((again.run().transfer_seconds, again.run().compile_seconds), (0.0, 0.0));
    assert_eq!(clone.wcc(Wcc {}).run().unwrap().run().transfer_seconds, 0.0);
    assert!(engine.gpu().unwrap().memory().unwrap().held > 0);
    drop((loaded, clone));
    assert_eq!(engine.gpu().unwrap().memory().unwrap().held, 0, "nothing is left on the device");
}

pub(crate) fn the_order_degree_is_made_there_and_stays_there() {
    let engine = simulator(Settings::default());
    for spec in ["kron:8", "kron:8,directed,w=1..9"] {
        let graph = graph(spec);
        let loaded = engine.load(&graph, Order::Degree).unwrap();
        let answer = loaded.bfs(Bfs::from(3)).run().unwrap();
        assert_eq!((answer.run().device, answer.run().transfer_seconds), (Device::Simt, 0.0), "{spec}");
        answer.verify(&graph).unwrap();
        let ranks = loaded.pagerank(PageRank::default()).run().unwrap();
        ranks.verify(&graph).unwrap();
        let cpu = Engine::on(Device::Cpu, Some(2)).unwrap().load(&graph, Order::Degree).unwrap();
        let same = cpu.bfs(Bfs::from(3)).run().unwrap();
        assert_eq!(answer.distances(), same.distances(), "{spec}");
    }
    let tight = simulator(Settings { memory_budget: Some(100_000), ..Settings::default() });
    let loaded = tight.load(&graph("kron:9"), Order::Degree).unwrap();
    assert!(loaded.is_renumbered(), "the processor makes it where memory is short");
}

pub(crate) fn a_program_runs_there_as_an_algorithm_does() {
    let engine = simulator(Settings::default());
    let graph = graph("grid:5x4");
    let loaded = engine.load(&graph, Order::Natural).unwrap();
    let (answer, choice) = loaded.program(Hops::from(0)).run_chosen().unwrap();
    assert_eq!((answer.run().device, answer.values()[19]), (Device::Simt, 7));
    assert!(choice.is_none(), "it was asked for by name");
}

pub(crate) fn engines_with_different_settings_do_not_share_them() {
    let small = Settings { memory_budget: Some(4096), ..Settings::default() };
    let (small, large) = (simulator(small), simulator(Settings::default()));
    let graph = graph("kron:9");
    let ask = |engine: &Engine| engine.load(&graph, Order::Natural).unwrap().bfs(Bfs::from(0)).run();
    let error = ask(&small).unwrap_err();
    assert_eq!(error.kind(), "device-memory");
    assert!(error.help().unwrap().starts_with("allow it at least "), "{error:?}");
    assert_eq!(ask(&large).unwrap().run().device, Device::Simt);
    assert_eq!(ask(&small).unwrap_err().kind(), "device-memory", "and it is not lost");
}

pub(crate) fn orders_that_are_made_from_searches_are_the_same_there() {
    let engine = simulator(Settings::default());
    let cpu = Engine::on(Device::Cpu, Some(2)).unwrap();
    for spec in ["kron:8", "kron:8,directed", "grid:9x40"] {
        let graph = graph(spec);
        for order in Order::ALL.into_iter().filter(|order| order.searches()) {
            let made = |engine: &Engine| engine.reorder(&graph, order, 5, &Control::new()).unwrap().map;
            assert_eq!(made(&engine).originals()[..], made(&cpu).originals()[..], "{spec} by {order}");
        }
    }
}
