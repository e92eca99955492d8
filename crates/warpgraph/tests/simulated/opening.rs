//! Files that go straight to the GPU.

use crate::engines::{graph, simulator};
use std::path::{Path, PathBuf};
use warpgraph::{
    Answer, Bfs, Control, Device, Engine, Graph, Opened, Order, Purpose, Settings, Sssp, graph::ReadOptions,
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

pub(crate) fn other_files_and_graphs_not_worth_it_are_read_by_the_processor() {
    let file = written("kron:8");
    let (named, auto) = (simulator(Settings::default()), Engine::auto().unwrap());
    assert!(!read(&auto, &file.path, None).unwrap().is_on_gpu(), "the graph is small");
    let text = file.path.with_file_name("a.el");
    file.graph.write(&text, &Default::default(), &Control::new()).unwrap();
    assert!(!read(&named, &text, None).unwrap().is_on_gpu());
    assert!(!read(&named, &file.path, Some(Order::Degree)).unwrap().is_on_gpu());
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
