//! Files that go straight to the GPU.

use crate::engines::{graph, simulator};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use warpgraph::{
    Answer, Bfs, Control, Device, Engine, Graph, Opened, Order, Outline, Plan, Purpose, Settings, Sssp,
    graph::ReadOptions,
};

struct File {
    _folder: tempfile::TempDir,
    path: PathBuf,
    graph: Graph,
}

fn written(spec: &str) -> File {
    let (folder, graph) = (tempfile::tempdir().unwrap(), graph(spec));
    let path = folder.path().join("a.wg");
    graph.write(&path, &Default::default(), &Control::new()).unwrap();
    File { _folder: folder, path, graph }
}

fn read(engine: &Engine, path: &Path, order: Option<Order>) -> Result<Opened, warpgraph::Error> {
    engine.read(path, &ReadOptions::default(), Purpose { order, ..Purpose::default() }, &Control::new())
}

pub(crate) fn a_file_goes_straight_to_a_named_gpu_and_runs_find_it_there() {
    let (engine, file) = (simulator(Settings::default()), written("kron:8,w=1..9"));
    for order in [None, Some(Order::Natural)] {
        let opened = read(&engine, &file.path, order).unwrap();
        assert!(opened.is_on_gpu());
        assert_eq!(opened.graph().hash(), file.graph.hash());
        let loaded = engine.load_opened(opened, order, 0, &Control::new()).unwrap();
        let (hops, lengths) =
            (loaded.bfs(Bfs::from(0)).run().unwrap(), loaded.sssp(Sssp::from(0)).run().unwrap());
        for run in [hops.run(), lengths.run()] {
            assert_eq!((run.device, run.transfer_seconds), (Device::Simt, 0.0));
        }
        hops.verify(&file.graph).unwrap();
        lengths.verify(&file.graph).unwrap();
    }
}

pub(crate) fn a_reordered_file_goes_there_in_its_order() {
    let (engine, file) = (simulator(Settings::default()), written("kron:8"));
    let path = file.path.with_file_name("b.wg");
    let reordered = engine.reorder(&file.graph, Order::Degree, 1, &Control::new()).unwrap();
    let stored =
        warpgraph::graph::Stored::new(Order::Degree.label(1), reordered.graph, reordered.map).unwrap();
    let graph = file.graph.stored_as(Some(stored)).unwrap();
    graph.write(&path, &Default::default(), &Control::new()).unwrap();
    assert!(!read(&engine, &path, Some(Order::Natural)).unwrap().is_on_gpu(), "runs need another order");
    let opened = read(&engine, &path, None).unwrap();
    assert!(opened.is_on_gpu());
    let loaded = engine.load_opened(opened, None, 1, &Control::new()).unwrap();
    let answer = loaded.bfs(Bfs::from(3)).run().unwrap();
    assert_eq!((loaded.order(), answer.run().transfer_seconds), (Order::Degree, 0.0));
    answer.verify(&file.graph).unwrap();
}

pub(crate) fn a_damaged_file_is_refused_on_the_way_there() {
    let (engine, file) = (simulator(Settings::default()), written("kron:8"));
    let mut bytes = std::fs::read(&file.path).unwrap();
    let last = bytes.len() - 1;
    bytes[last - 400] ^= 1;
    std::fs::write(&file.path, bytes).unwrap();
    let found = read(&engine, &file.path, None).unwrap_err().to_string();
    let expected = Graph::open(&file.path).unwrap_err().to_string();
    assert_eq!(found, expected);
    assert!(found.contains("checksum"), "{found}");
}

pub(crate) fn a_file_whose_edges_stay_in_host_memory_is_not_copied_ahead() {
    let file = written("kron:8");
    let engine = simulator(Settings::default());
    for (plan, goes) in
        [("auto", true), ("push+tiled+device", true), ("zero-copy", false), ("unified", false)]
    {
        let modules = |_: &Outline| Ok::<_, warpgraph::Error>(panic_unless(goes));
        let purpose = Purpose { plan: plan.parse().unwrap(), modules: Some(&modules), ..Purpose::default() };
        let opened = engine.read(&file.path, &ReadOptions::default(), purpose, &Control::new()).unwrap();
        assert_eq!(opened.is_on_gpu(), goes, "{plan}");
    }
    let budget = Settings { memory_budget: Some(8 << 10), ..Settings::default() };
    let engine = simulator(budget);
    let opened = read(&engine, &file.path, None).unwrap();
    assert!(!opened.is_on_gpu(), "the budget is smaller than the file");
    let answer =
        engine.load_opened(opened, None, 0, &Control::new()).unwrap().bfs(Bfs::from(0)).run().unwrap();
    assert!(answer.run().stored.is_some(), "{:?}", answer.run().plan);
    answer.verify(&file.graph).unwrap();
}

/// No modules; asking for them is a mistake unless they are compiled ahead.
fn panic_unless(compiles: bool) -> Vec<std::sync::Arc<warpgraph::devices::Source>> {
    assert!(compiles, "no module is compiled ahead for another residency");
    Vec::new()
}

/// Changes a file.
type Change = fn(&std::fs::File);

pub(crate) fn a_file_that_changes_while_it_is_used_is_an_error() {
    let change: [(&str, Change); 3] = [
        ("it had ", |file| file.set_len(100).unwrap()),
        ("it had ", |file| file.set_len(file.metadata().unwrap().len() + 1).unwrap()),
        ("something wrote to it", |file| {
            let later = file.metadata().unwrap().modified().unwrap() + Duration::from_secs(1);
            file.set_modified(later).unwrap();
        }),
    ];
    for plan in ["zero-copy", "zero-copy(hot=off,heads=off)", "streamed"] {
        for (how, change) in change {
            let (engine, file) = (simulator(Settings::default()), written("kron:8"));
            let plan: Plan = plan.parse().unwrap();
            let purpose = Purpose { plan, ..Purpose::default() };
            let opened = engine.read(&file.path, &ReadOptions::default(), purpose, &Control::new()).unwrap();
            let loaded = engine.load_opened(opened, None, 0, &Control::new()).unwrap();
            loaded.bfs(Bfs::from(0)).plan(plan).run().unwrap();
            change(&std::fs::OpenOptions::new().write(true).open(&file.path).unwrap());
            let error = loaded.bfs(Bfs::from(0)).plan(plan).run().unwrap_err();
            let start = format!("{} changed while it was in use: {how}", file.path.display());
            assert_eq!(error.kind(), "file");
            assert!(error.to_string().starts_with(&start), "{error}");
            assert!(error.help().unwrap().starts_with("run again"), "{:?}", error.help());
        }
    }
}

pub(crate) fn a_file_that_changes_does_no_harm_once_its_edges_are_on_the_gpu() {
    let (engine, file) = (simulator(Settings::default()), written("kron:8"));
    let opened = read(&engine, &file.path, None).unwrap();
    let loaded = engine.load_opened(opened, None, 0, &Control::new()).unwrap();
    let before = loaded.bfs(Bfs::from(0)).run().unwrap();
    let open = std::fs::OpenOptions::new().append(true).open(&file.path).unwrap();
    open.set_len(open.metadata().unwrap().len() + 1).unwrap();
    let after = loaded.bfs(Bfs::from(0)).run().unwrap();
    assert_eq!(before.summary()["sum"], after.summary()["sum"]);
}

pub(crate) fn a_file_is_ordered_by_degree_where_it_was_opened() {
    let (engine, file) = (simulator(Settings::default()), written("kron:8"));
    let opened = read(&engine, &file.path, Some(Order::Degree)).unwrap();
    assert!(opened.is_on_gpu());
    let loaded = engine.load_opened(opened, Some(Order::Degree), 1, &Control::new()).unwrap();
    let answer = loaded.bfs(Bfs::from(3)).run().unwrap();
    assert_eq!((loaded.order(), answer.run().transfer_seconds), (Order::Degree, 0.0));
    assert!(loaded.is_renumbered() && loaded.reorder_seconds().is_some());
    answer.verify(&file.graph).unwrap();
}

pub(crate) fn other_files_and_graphs_not_worth_it_are_read_by_the_processor() {
    let file = written("kron:8");
    let (named, auto) = (simulator(Settings::default()), Engine::auto().unwrap());
    assert!(!read(&auto, &file.path, None).unwrap().is_on_gpu(), "the graph is small");
    let text = file.path.with_file_name("a.el");
    file.graph.write(&text, &Default::default(), &Control::new()).unwrap();
    assert!(!read(&named, &text, None).unwrap().is_on_gpu());
    assert!(!read(&named, &file.path, Some(Order::InDegree)).unwrap().is_on_gpu());
    let options = ReadOptions { directed: Some(true), ..ReadOptions::default() };
    let opened = named.read(&file.path, &options, Purpose::default(), &Control::new()).unwrap();
    assert!(!opened.is_on_gpu() && opened.graph().is_directed());
    let tight = simulator(Settings { memory_budget: Some(4096), ..Settings::default() });
    let opened = read(&tight, &file.path, None).unwrap();
    assert!(!opened.is_on_gpu());
    let loaded = tight.load_opened(opened, None, 0, &Control::new()).unwrap();
    assert_eq!(loaded.bfs(Bfs::from(0)).run().unwrap_err().kind(), "device-memory");
    assert_eq!(read(&named, Path::new("gone.wg"), None).unwrap_err().kind(), "io");
}
