//! The table of variants is the whole truth: whatever is asked of the built-in algorithms and the library of programs, no kernel is
//! compiled that the table does not list, and the table lists none that nothing asks for. So what CI compiles from it for every
//! architecture is what users run.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};
use warpgraph::{
    Answer, Bc, Bfs, Closeness, Control, Device, Engine, Graph, Halt, Heads, Loaded, Options, Order,
    PageRank, Plan, Purpose, Question, Rules, Sssp, VertexProgram, Wcc,
    graph::build::EdgeWeights,
    program::library::{self, Components, HopTree, Hops, Ranks, Reach, ShortestPaths, WidestPaths},
};
use warpgraph_conformance::{
    Backend,
    cases::SUBJECTS,
    fixtures::{Edges, random, widened},
    suits,
};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::variants;

const VERTICES: usize = 12;
const EDGES: usize = 30;

/// Edges with weights of every type, small ones and such that sums of them leave 32 bits, and with none.
fn weighted() -> Vec<Edges> {
    let edges = random(VERTICES, EDGES, 1);
    let small = || (1..=EDGES as u32).map(|i| 1 + i % 9);
    let mut all = vec![edges.clone()];
    all.extend(
        [
            EdgeWeights::U32(small().collect()),
            EdgeWeights::U32(small().map(|w| w << 28).collect()),
            EdgeWeights::I32(small().map(|w| w as i32).collect()),
            EdgeWeights::I32(small().map(|w| (w as i32) << 27).collect()),
            EdgeWeights::F32(small().map(|w| w as f32 / 4.0).collect()),
            EdgeWeights::F64(small().map(|w| f64::from(w) / 3.0).collect()),
        ]
        .map(|weights| edges.clone().weights(weights)),
    );
    all
}

/// Arcs to higher vertices only, so that negative weights make no cycle.
fn negative() -> Graph {
    let pairs = (1..VERTICES as u32).flat_map(|v| [(v - 1, v), (v / 2, v)]);
    let weights = (0..2 * VERTICES as i32 - 2).map(|i| i % 7 - 3).collect();
    Edges::new(VERTICES, pairs).weights(EdgeWeights::I32(weights)).build(true)
}

/// Every plan that the rules take.
fn plans_of(rules: &Rules, graph: &Graph) -> Vec<Plan> {
    let takes = |&plan: &Plan| {
        suits(rules, plan, graph)
            && rules.check(Device::Simt, &Options { plan, ..Options::default() }).is_ok()
    };
    Plan::ALL.into_iter().filter(takes).collect()
}

/// Asks by every plan that is taken.
fn ask(loaded: &Loaded, question: &dyn Question) {
    for plan in plans_of(&question.entry().rules, loaded.graph()) {
        let answered = loaded.ask(question, &Backend::options(plan));
        answered.unwrap_or_else(|error| panic!("{} by {plan}: {error}", question.entry().name));
    }
}

/// Runs by every plan that is taken.
fn run<P: VertexProgram + Clone>(loaded: &Loaded, program: P) {
    for plan in plans_of(&Rules::of_program(&program), loaded.graph()) {
        let answered = loaded.program(program.clone()).plan(plan).run();
        answered.unwrap_or_else(|error| panic!("{} by {plan}: {error}", P::NAME));
    }
}

/// Every algorithm, and betweenness from one source, which other kernels count than those for several.
fn ask_all(loaded: &Loaded) {
    let questions = SUBJECTS.iter().flat_map(|subject| (subject.questions)(loaded.graph()));
    questions.for_each(|question| ask(loaded, &*question));
    ask(loaded, &Bc::default().source(0));
    if loaded.graph().weight_type().is_some() {
        ask(loaded, &Bc::default().source(0).weighted());
    }
}

/// A chain whose links are 16 parallel edges: 16^260 = 2^1040 paths from end to end, more than f64 can count; and as long as sets of
/// sources may be.
fn chain() -> Edges {
    Edges::new(261, (0..260).flat_map(|v| std::iter::repeat_n((v, v + 1), 16)))
}

fn ask_of_chain(loaded: &Loaded) {
    let weighted = loaded.graph().weight_type().is_some();
    ask(loaded, &Bc { weighted, ..Bc::default().source(0) });
    if !weighted {
        ask(loaded, &Closeness::default().sources(100));
        ask(loaded, &Closeness::default());
    }
}

/// Edges of so long a ring that no block keeps the shares of its first vertices.
fn ring() -> Edges {
    Edges::new(2000, (0..2000).map(|v| (v, (v + 1) % 2000)))
}

/// Until an order was found by both balances that one is found by.
fn learn(loaded: &Loaded) {
    for plan in ["tiled", "resident"] {
        let sampled = loaded.engine().load(loaded.graph(), Order::Sampled).unwrap();
        while sampled.rounds().is_empty() {
            sampled.wcc(Wcc {}).plan(plan.parse().unwrap()).run().unwrap();
        }
    }
}

fn run_all(loaded: &Loaded) {
    let (graph, halt) = (loaded.graph(), Halt::l1(1e-3));
    run(loaded, HopTree { source: 0, limit: 5 });
    run(loaded, Hops::from(0));
    run(loaded, Reach::from([0, 3], VERTICES));
    run(loaded, ShortestPaths::<u32>::from(0));
    run(loaded, ShortestPaths::<i32>::from(0));
    run(loaded, ShortestPaths::<u64>::from(0));
    run(loaded, ShortestPaths::<f32>::from(0));
    run(loaded, ShortestPaths::<f64>::from(0));
    run(loaded, WidestPaths::<f32>::from(0));
    run(loaded, WidestPaths::<f64>::from(0));
    run(loaded, Ranks::<f32>::of(graph, 0.85, halt));
    run(loaded, Ranks::<f64>::of(graph, 0.85, halt));
    for weighted in [false, true] {
        let (inject, pass) = (vec![1.0; VERTICES], vec![0.01; VERTICES]);
        run(loaded, library::Adsorption { inject, pass, weighted, halt });
    }
    if !graph.is_directed() {
        run(loaded, Components {});
        for size in Heads::SIZES {
            let plan: Plan = format!("device(heads={size})").parse().unwrap();
            loaded.bfs(Bfs::from(0)).plan(plan).run().unwrap();
            loaded.wcc(Wcc {}).plan(plan).run().unwrap();
        }
    }
}

/// Copies partitions of edges in host memory ahead of supersteps.
fn copy_ahead(loaded: &Loaded) {
    let plan: Plan = "push+zero-copy(hot=off,ahead=all)".parse().unwrap();
    let answer = loaded.bfs(Bfs::from(0)).plan(plan).run().unwrap();
    assert!(Answer::run(&answer).partitions.is_some_and(|partitions| partitions.copied > 0));
}

/// Orders the graph by degree on the device.
fn order_by_degree(loaded: &Loaded) {
    let ordered = loaded.engine().load(loaded.graph(), Order::Degree).unwrap();
    ordered.bfs(Bfs::from(0)).run().unwrap();
}

/// Opens a file of the graph on the device.
fn open_file(loaded: &Loaded) {
    let folder = tempfile::tempdir().unwrap();
    let (path, control) = (folder.path().join("a.wg"), Control::new());
    loaded.graph().write(&path, &Default::default(), &control).unwrap();
    let opened = loaded.engine().read(&path, &Default::default(), Purpose::default(), &control).unwrap();
    assert!(opened.is_on_gpu());
    assert_eq!(opened.graph().hash(), loaded.graph().hash());
}

pub(crate) fn what_runs_is_in_the_table_and_what_is_in_the_table_runs() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { keep_kernels: Some(folder.path().to_owned()), ..Settings::default() };
    let engine = Engine::of(Simt::open(&settings, SimtOptions::default()).unwrap(), Some(2)).unwrap();
    let of_both_widths = |graph: Graph, work: &dyn Fn(&Loaded)| {
        for graph in [widened(&graph), graph] {
            work(&engine.load(&graph, Order::Natural).unwrap());
        }
    };
    for edges in weighted() {
        for directed in [false, true] {
            of_both_widths(edges.build(directed), &ask_all);
        }
    }
    of_both_widths(negative(), &|loaded| ask(loaded, &Sssp::from(0)));
    let links = 16 * 260;
    of_both_widths(chain().build(true), &ask_of_chain);
    for weights in [
        EdgeWeights::U32(vec![3; links]),
        EdgeWeights::I32(vec![3; links]),
        EdgeWeights::F32(vec![0.5; links]),
        EdgeWeights::F64(vec![0.5; links]),
    ] {
        of_both_widths(chain().weights(weights).build(true), &ask_of_chain);
    }
    of_both_widths(ring().build(false), &|loaded| {
        loaded.pagerank(PageRank::default().tolerance(1e-9)).run().unwrap();
    });
    for directed in [false, true] {
        of_both_widths(random(VERTICES, EDGES, 1).build(directed), &run_all);
    }
    of_both_widths(random(VERTICES, EDGES, 1).build(true), &learn);
    of_both_widths(random(VERTICES, EDGES, 1).build(true), &copy_ahead);
    of_both_widths(random(VERTICES, EDGES, 1).build(true), &order_by_degree);
    of_both_widths(random(VERTICES, EDGES, 1).build(false), &open_file);

    let all = variants::all().unwrap();
    let files = folder.path().read_dir().unwrap().map(|file| file.unwrap().path());
    let kept: BTreeMap<String, String> = files
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    // A text for another residency is the one in the table behind some definitions.
    let kept: BTreeMap<String, String> = kept
        .into_iter()
        .map(|(name, text)| match text.starts_with("#define EDGES_") {
            false => (name, text),
            true => {
                let plain: String = text
                    .split_inclusive('\n')
                    .skip_while(|line| line.starts_with("#define EDGES_"))
                    .collect();
                let listed = all.iter().find(|source| source.text == plain);
                (listed.map_or(name, |source| source.name.clone()), plain)
            }
        })
        .collect();
    let table: BTreeMap<String, String> =
        all.iter().map(|source| (source.name.clone(), source.text.clone())).collect();
    let only_in = |one: &BTreeMap<String, String>, other: &BTreeMap<String, String>| -> Vec<String> {
        one.iter()
            .filter(|(name, text)| other.get(*name) != Some(*text))
            .map(|(name, _)| name.clone())
            .collect()
    };
    assert_eq!(only_in(&kept, &table), [""; 0], "these ran, and are not in the table");
    let mut unasked = only_in(&table, &kept);
    // What balances are measured by is only asked for by real devices; the crate's own tests run it.
    // So is the bus, for which these graphs are too small. Copies and chunks of approximated graphs, and sampled paths, have tests of
    // their own in the crate (`tests/approximate` and `bc::sampled`): graphs as small as these are answered exactly. Parts of a
    // graph need several devices (`tests/several`).
    let has_own_tests = |name: &str| {
        ["probe-", "link-", "bc-paths-"].iter().any(|start| name.starts_with(start))
            || ["-reflect-", "-copies-", "-chunks-", "-parts-"].iter().any(|part| name.contains(part))
    };
    unasked.retain(|name| !has_own_tests(name));
    assert_eq!(unasked, [""; 0], "these are in the table, and nothing asked for them");
}

pub(crate) fn other_parameters_need_no_other_kernels() {
    let compiled = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&compiled);
    let tell = move |name: &str| heard.lock().unwrap().push(name.to_owned());
    let cache = tempfile::tempdir().unwrap();
    let settings = Settings {
        cache: Some(cache.path().to_owned()),
        compiling: Some(Arc::new(tell)),
        ..Settings::default()
    };
    let engine = Engine::of(Simt::open(&settings, SimtOptions::default()).unwrap(), None).unwrap();
    let graph = Graph::from_edges(3, &[(0, 1), (1, 2)], false).unwrap();
    let loaded = engine.load(&graph, Order::Natural).unwrap();
    let hops = |source, limit| {
        loaded
            .program(Hops { source, limit })
            .plan("push+node".parse().unwrap())
            .run()
            .unwrap()
            .into_values()
            .to_vec()
    };
    assert_eq!(hops(0, 9), [0, 1, 2]);
    let first = compiled.lock().unwrap().len();
    assert!(first > 0, "a cold cache");
    assert_eq!((hops(2, 9), hops(1, 0)), (vec![2, 1, 0], vec![u32::MAX, 0, u32::MAX]));
    assert_eq!(compiled.lock().unwrap().len(), first, "{:?}", compiled.lock().unwrap());
}
