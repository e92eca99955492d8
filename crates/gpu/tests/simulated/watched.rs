//! What a watcher sees of a run: the rows of every superstep, and what has crossed the bus after it.

use std::sync::{Arc, Mutex};
use warpgraph_core::{
    Algorithm, Answer, Error, Form, General, Options, Result, Rows, Transfer, Watch, bfs::Bfs, wcc::Wcc,
};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, OnGpu, bfs, wcc};
use warpgraph_graph::{Control, Graph, Vertex, generate::Spec};

/// The rows of an expansion; `None`: of all vertices.
type Read = (Rows, Option<Vec<Vertex>>);

#[derive(Debug, Default)]
struct Seen {
    /// The expansions of each superstep, and those of the one under way.
    steps: Vec<Vec<Read>>,
    now: Vec<Read>,
    crossed: Vec<Option<Transfer>>,
}

#[derive(Debug, Default)]
struct Watcher(Mutex<Seen>);

impl Watch for Watcher {
    fn reads(&self, rows: Rows, vertices: Option<&[Vertex]>) -> Result<()> {
        self.0.lock().unwrap().now.push((rows, vertices.map(<[Vertex]>::to_vec)));
        Ok(())
    }

    fn ends(&self, crossed: Option<Transfer>) -> Result<()> {
        let mut seen = self.0.lock().unwrap();
        let now = std::mem::take(&mut seen.now);
        seen.steps.push(now);
        seen.crossed.push(crossed);
        Ok(())
    }
}

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

fn device_graph(graph: &Graph) -> DeviceGraph {
    DeviceGraph::new(&Simt::open(&Settings::default(), SimtOptions::default()).unwrap(), graph)
}

fn watched(plan: &str) -> (Options, Arc<Watcher>) {
    let watcher = Arc::<Watcher>::default();
    let watch: Option<Arc<dyn Watch>> = Some(Arc::<Watcher>::clone(&watcher));
    let plan = plan.parse().unwrap();
    (Options { plan, trace: true, count_transfer: true, watch, ..Options::default() }, watcher)
}

#[test]
fn the_rows_of_a_search_are_those_of_its_levels() {
    let graph = generated("kron:9");
    for plan in ["push+zero-copy(hot=off)", "push+zero-copy(code=ef)", "push+unified", "push+streamed"] {
        let (options, watcher) = watched(plan);
        let answer = bfs(&device_graph(&graph), &Bfs::from(1), &options).unwrap();
        let seen = watcher.0.lock().unwrap();
        assert_eq!(seen.steps.len(), answer.run().trace.len(), "{plan}");
        for (level, reads) in (0..).zip(&seen.steps) {
            let is_at = |v: &Vertex| answer.distances()[*v as usize] == level;
            let vertices: Vec<Vertex> = (0..graph.vertices() as Vertex).filter(is_at).collect();
            assert_eq!(*reads, [(Rows::Out, Some(vertices))], "{plan}, level {level}");
        }
        assert!(seen.now.is_empty());
    }
}

#[test]
fn components_of_a_directed_graph_read_rows_of_both_directions() {
    let graph = generated("powerlaw:300");
    let (options, watcher) = watched("push+zero-copy(hot=off)");
    wcc(&device_graph(&graph), &Wcc {}, &options).unwrap();
    let seen = watcher.0.lock().unwrap();
    assert_eq!(seen.steps[0], [(Rows::Out, None), (Rows::In, None)]);
    assert!(seen.steps.iter().all(|reads| reads.len() == 2));
}

/// Asserts that what crossed the bus only rises, up to what the run reports. A fast form shows nothing.
fn assert_rises<A: OnGpu>(config: &A, spec: &str, plan: &str) {
    let graph = generated(spec);
    let (options, watcher) = watched(plan);
    let is_kernels = matches!(A::RULES.on_gpu, General::Kernels(_));
    if Algorithm::check(config, &graph).is_err() || (is_kernels && plan == "streamed") {
        return;
    }
    let answer = warpgraph_gpu::run(&device_graph(&graph), config, &options).unwrap();
    let (run, seen) = (answer.run(), watcher.0.lock().unwrap());
    let at = format!("{} on {spec} by {plan}", A::NAME);
    if is_kernels || matches!(run.form, Form::Fast(_)) {
        assert!(seen.steps.is_empty() && seen.now.is_empty(), "{at}");
        return;
    }
    assert_eq!(seen.steps.len(), run.trace.len(), "{at}: a step for each of the trace");
    assert!(seen.steps.iter().flatten().next().is_some(), "{at}: some rows are read");
    let total = run.transfer.unwrap();
    let crossed: Vec<Transfer> = seen.crossed.iter().map(|crossed| crossed.unwrap()).collect();
    assert!(crossed.is_sorted_by(|a, b| a.moved <= b.moved && a.ideal <= b.ideal), "{at}: {crossed:?}");
    let last = crossed.last().unwrap();
    assert_eq!(last.basis, total.basis, "{at}");
    match seen.now.is_empty() {
        true => assert_eq!(*last, total, "{at}: nothing is read after the last superstep"),
        false => assert!(last.ideal < total.ideal, "{at}: a sweep that ends no superstep"),
    }
}

macro_rules! each_algorithm {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        #[test]
        fn what_has_crossed_the_bus_rises_to_what_the_run_reports() {
            for spec in ["kron:7,w=1..9", "kron:7,directed,w=1..9"] {
                for plan in ["zero-copy(hot=off)", "bsp+zero-copy(hot=off)", "bsp+unified", "streamed"] {
                    $(assert_rises(&warpgraph_core::$module::$config::usual(), spec, plan);)*
                }
            }
        }
    };
}
warpgraph_core::for_each_algorithm!(each_algorithm);

#[test]
fn an_error_of_the_watcher_ends_the_run() {
    #[derive(Debug)]
    struct Refuses;
    impl Watch for Refuses {
        fn reads(&self, _: Rows, _: Option<&[Vertex]>) -> Result<()> {
            Err(Error::Refused { what: "enough".to_owned(), help: String::new() })
        }
        fn ends(&self, _: Option<Transfer>) -> Result<()> {
            Ok(())
        }
    }
    let (graph, watch) = (generated("kron:7"), Some(Arc::new(Refuses) as Arc<dyn Watch>));
    let (options, device_graph) = (Options { watch, ..watched("push+streamed").0 }, device_graph(&graph));
    assert_eq!(bfs(&device_graph, &Bfs::from(1), &options).unwrap_err().to_string(), "enough");
    let plain = watched("push+streamed").0;
    bfs(&device_graph, &Bfs::from(1), &plain).unwrap().verify(&graph).unwrap();
}
