//! What runs compile was known before their graphs were read, and is in the lists of releases.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};
use warpgraph_core::{Algorithm, Chunks, Options, Plan, Result, bc::Bc, pagerank::PageRank, sssp::Sssp};
use warpgraph_device::{
    Settings, Source,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, OnGpu, Outline, ahead};
use warpgraph_graph::{Control, Graph, NodeMap, generate::Spec};

/// An undirected graph without weights and a long row, a directed one, and one with whole weights.
const GRAPHS: [&str; 3] = ["kron:7", "powerlaw:200", "grid:12x12,w=1..9"];

fn graph(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

fn names(sources: &[Arc<Source>]) -> BTreeSet<String> {
    sources.iter().map(|source| source.name.clone()).collect()
}

/// Runs a question and returns the names of the modules that the run asked for.
fn compiled<A: OnGpu>(config: &A, graph: &Graph, options: &Options, folder: &Path) -> BTreeSet<String> {
    let settings = Settings { keep_kernels: Some(folder.to_owned()), ..Settings::default() };
    let gpu = Simt::open(&settings, SimtOptions::default()).unwrap();
    warpgraph_gpu::run(&DeviceGraph::new(&gpu, graph), config, options).unwrap();
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

/// Asserts that a run asks for modules of [`OnGpu::ahead`] only; returns what it asked for.
fn assert_known_ahead<A: OnGpu>(config: &A, graph: &Graph, options: &Options) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let compiled = compiled(config, graph, options, folder.path());
    let ahead = names(&config.ahead(&Outline::of(graph), options).unwrap());
    let (name, of) = (A::NAME, &graph.origin().name);
    assert!(!compiled.is_empty(), "{name} on {of}");
    assert!(compiled.is_subset(&ahead), "{name} on {of}: {compiled:?} of {ahead:?}");
    compiled
}

macro_rules! each_algorithm {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        /// Asserts for every algorithm.
        fn assert_all(check: impl Fn(&str, BTreeSet<String>), options: &Options) {
            for spec in GRAPHS {
                $({
                    type Config = warpgraph_core::$module::$config;
                    // Every question gets a new graph: after one run has made the incoming arcs, later runs on the
                    // same graph also pull, which needs more modules.
                    let (question, graph) = (Config::usual(), graph(spec));
                    if Algorithm::check(&question, &graph).is_ok() {
                        check(Config::NAME, assert_known_ahead(&question, &graph, options));
                    }
                })*
            }
        }

        /// Returns the names of all algorithms.
        fn algorithms() -> Vec<&'static str> {
            vec![$(warpgraph_core::$module::$config::NAME),*]
        }

        fn ahead_of_all(outline: &Outline, options: &Options) -> Result<Vec<Vec<Arc<Source>>>> {
            Ok(vec![$(warpgraph_core::$module::$config::usual().ahead(outline, options)?),*])
        }
    };
}
warpgraph_core::for_each_algorithm!(each_algorithm);

#[test]
fn every_default_run_finds_all_its_modules_in_the_lists_of_warming_and_of_releases() {
    let bundled: Vec<_> =
        ahead::ARCHITECTURES.iter().map(|&sm| (sm, names(&ahead::bundled(sm).unwrap()))).collect();
    let check = |name: &str, compiled: BTreeSet<String>| {
        let usual = names(&ahead::usual(&[name]).unwrap());
        assert!(compiled.is_subset(&usual), "{name}: {compiled:?}");
        for (sm, all) in &bundled {
            assert!(compiled.is_subset(all), "{name} for sm_{sm}: {compiled:?}");
        }
    };
    assert_all(check, &Options::default());
}

#[test]
fn runs_under_a_plan_that_names_something_are_known_ahead_too() {
    for plan in ["bsp", "tiled", "node"] {
        let plan: Plan = plan.parse().unwrap();
        assert_all(|_, _| {}, &Options { plan, ..Options::default() });
    }
}

#[test]
fn deterministic_runs_are_known_ahead_too() {
    assert_all(|_, _| {}, &Options { deterministic: true, ..Options::default() });
}

#[test]
fn runs_on_approximated_graphs_are_known_ahead_too() {
    // Vertex 3 is a copy of vertex 0.
    let graph = || Graph::from_edges(4, &[(0, 1), (1, 2), (3, 2)], true).unwrap();
    let map = NodeMap::new(vec![0, 1, 2].into(), vec![0, 1, 2, 0].into(), "a test").unwrap();
    let mut chunks = Chunks::default();
    chunks.push(&[1, 2]);
    let options = Options {
        plan: "bsp".parse().unwrap(),
        approximation: "coalesce+latency".parse().unwrap(),
        map: Some(map),
        chunks: Some(Arc::new(chunks)),
        ..Options::default()
    };
    let has = |names: &BTreeSet<String>, kind: &str| names.iter().any(|name| name.contains(kind));
    let sssp = assert_known_ahead(&Sssp::from(0), &graph(), &options);
    assert!(has(&sssp, "-reflect-") && has(&sssp, "-chunks-"), "{sssp:?}");
    let pagerank = assert_known_ahead(&PageRank::default(), &graph(), &options);
    assert!(has(&pagerank, "-reflect-") && !has(&pagerank, "-chunks-"), "{pagerank:?}");
    let none = Options { map: None, chunks: None, ..options };
    let sssp = assert_known_ahead(&Sssp::from(0), &graph(), &none);
    assert!(!has(&sssp, "-reflect-") && !has(&sssp, "-chunks-"), "{sssp:?}");
}

#[test]
fn sampled_betweenness_is_known_ahead_and_in_the_lists() {
    let config = Bc::default().max_error(0.2);
    let usual = names(&ahead::usual(&[Bc::NAME]).unwrap());
    for spec in ["kron:10", "kron:7,directed", "grid:12x12,w=1..9"] {
        let compiled = assert_known_ahead(&config, &graph(spec), &Options::default());
        // The lists are for large graphs, of which exact answers come from walkers.
        let mut listed = compiled.iter().filter(|name| !name.starts_with("bc-hops-"));
        assert!(listed.all(|name| usual.contains(name)), "{compiled:?}");
    }
}

#[test]
fn what_is_not_known_is_left_out_and_never_of_another_form() {
    let outline = Outline::of(&graph("grid:12x12,w=1..9"));
    let unknown = Outline { weight_range: None, ..outline };
    let sssp = Sssp::default();
    let of = |outline: &Outline| names(&sssp.ahead(outline, &Options::default()).unwrap());
    let is_walker = |name: &String| name.starts_with("sssp-walk-");
    assert!(of(&unknown).is_superset(&of(&outline)) && of(&unknown).iter().all(is_walker));
    let decimals = Outline { weights: Some(warpgraph_graph::WeightType::F64), ..unknown };
    assert_eq!(of(&decimals).len(), 0, "there may be negative ones");
    let wide = Outline { wide: true, arcs: 1 << 33, ..outline };
    assert!(!of(&wide).is_empty() && !of(&wide).iter().any(is_walker), "{:?}", of(&wide));
}

#[test]
fn lists_name_no_module_twice_and_those_of_one_algorithm_are_among_all() {
    let all = ahead::usual(&[]).unwrap();
    assert_eq!(names(&all).len(), all.len());
    for name in algorithms() {
        assert!(names(&ahead::usual(&[name]).unwrap()).is_subset(&names(&all)), "{name}");
    }
    let known = names(&warpgraph_gpu::variants::all().unwrap());
    for sm in ahead::ARCHITECTURES {
        assert!(names(&ahead::bundled(sm).unwrap()).is_subset(&known), "sm_{sm}");
    }
}

#[test]
fn graphs_with_wide_offsets_get_modules_for_wide_offsets() {
    let outline = Outline { wide: true, arcs: 1 << 33, ..Outline::of(&graph("kron:7")) };
    for modules in ahead_of_all(&outline, &Options::default()).unwrap() {
        let of_any_width = |name: &String| name.starts_with("sort-") || name.starts_with("scan-");
        assert!(
            names(&modules).iter().all(|name| name.contains("-64-") || of_any_width(name)),
            "{modules:?}"
        );
    }
}
