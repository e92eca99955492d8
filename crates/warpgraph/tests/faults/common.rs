//! Engines with faults, and the questions they are asked.

use std::{sync::Once, time::Duration};
use warpgraph::{
    Adsorption, Answer, Bc, Bfs, Closeness, Control, Dispatch, Engine, Graph, Kcore, LabelPropagation,
    Loaded, Mst, Order, PageRank, Plan, Result, Run, Scc, Settings, Sssp, Triangles, Wcc,
    devices::simt::{Faults, Simt, SimtOptions},
    graph::generate::Spec,
};

/// An algorithm that has a form for GPUs, and a question for it.
pub(crate) struct Question {
    /// Its name.
    pub(crate) name: &'static str,
    ask: fn(&Loaded, Plan, &Control) -> Result<Run>,
}

/// One for each algorithm. Together they take weights, both directions, and state of every kind.
pub(crate) const QUESTIONS: [Question; 12] = [
    Question { name: "bfs", ask: |on, plan, control| answer(on, Bfs::default(), plan, control) },
    Question { name: "sssp", ask: |on, plan, control| answer(on, Sssp::default(), plan, control) },
    Question {
        name: "pagerank",
        ask: |on, plan, control| {
            let weighted = on.graph().weight_type().is_some();
            answer(on, PageRank { weighted, ..PageRank::default() }, plan, control)
        },
    },
    Question {
        name: "adsorption",
        ask: |on, plan, control| answer(on, Adsorption::default(), plan, control),
    },
    Question {
        name: "bc",
        ask: |on, plan, control| {
            let weighted = on.graph().weight_type().is_some();
            answer(on, Bc { weighted, ..Bc::default().sources(2) }, plan, control)
        },
    },
    Question { name: "wcc", ask: |on, plan, control| answer(on, Wcc {}, plan, control) },
    Question { name: "mst", ask: |on, plan, control| answer(on, Mst::default(), plan, control) },
    Question { name: "triangles", ask: |on, plan, control| answer(on, Triangles::local(), plan, control) },
    Question { name: "closeness", ask: |on, plan, control| answer(on, Closeness::default(), plan, control) },
    Question { name: "scc", ask: |on, plan, control| answer(on, Scc::default(), plan, control) },
    Question { name: "kcore", ask: |on, plan, control| answer(on, Kcore {}, plan, control) },
    Question {
        name: "label-propagation",
        ask: |on, plan, control| {
            let weighted = on.graph().weight_type().is_some();
            answer(on, LabelPropagation { weighted, ..LabelPropagation::default() }, plan, control)
        },
    },
];

impl Question {
    /// Asks; an answer has passed its verifier. Gives up after a while, long after any of these should have ended.
    pub(crate) fn ask(&self, loaded: &Loaded) -> Result<Run> {
        self.ask_with(loaded, &Control::new())
    }

    /// Launches that an answer takes at least: of those that are walked by one kernel, that one.
    pub(crate) fn least_launches(&self) -> u64 {
        if ["bfs", "sssp"].contains(&self.name) { 1 } else { 5 }
    }

    /// [`Question::ask`], steered.
    pub(crate) fn ask_with(&self, loaded: &Loaded, control: &Control) -> Result<Run> {
        self.ask_by(Plan::AUTO, loaded, control)
    }

    /// [`Question::ask_with`], by a plan.
    pub(crate) fn ask_by(&self, plan: Plan, loaded: &Loaded, control: &Control) -> Result<Run> {
        (self.ask)(loaded, plan, &control.clone().with_time_limit(Duration::from_secs(120)))
    }
}

fn answer<A: Dispatch>(loaded: &Loaded, config: A, plan: Plan, control: &Control) -> Result<Run> {
    let answer = loaded.job(config).plan(plan).control(control).run()?;
    answer.verify(loaded.graph()).unwrap();
    assert_eq!(answer.run().device, loaded.engine().device());
    Ok(answer.run().clone())
}

/// A simulator with these faults, whose kernels are compiled already: deadlines are to end runs, not compiles.
pub(crate) fn engine(faults: Faults) -> Engine {
    compile_all();
    engine_with(&Settings::default(), faults)
}

/// Puts the kernels of all questions into the cache, once.
pub(crate) fn compile_all() {
    static COMPILED: Once = Once::new();
    COMPILED.call_once(|| {
        let engine = engine_with(&Settings::default(), Faults::default());
        for graph in [graph(), generated("grid:2x60,w=1..9"), generated("grid:1x3")] {
            let loaded = engine.load(&graph, Order::Natural).unwrap();
            QUESTIONS.iter().for_each(|question| drop(question.ask(&loaded).unwrap()));
        }
    });
}

/// [`engine`], with settings.
pub(crate) fn engine_with(settings: &Settings, faults: Faults) -> Engine {
    let options = SimtOptions { faults, ..SimtOptions::default() };
    Engine::of(Simt::open(settings, options).unwrap(), Some(1)).unwrap()
}

/// A small graph with frontiers both small and large enough for either balance; directed, with weights.
pub(crate) fn graph() -> Graph {
    generated("kron:7,directed,w=1..9")
}

/// A graph by its description.
pub(crate) fn generated(spec: &str) -> Graph {
    spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

/// The graph on an engine.
pub(crate) fn load(engine: &Engine) -> Loaded {
    engine.load(&graph(), Order::Natural).unwrap()
}

/// Bytes of device memory that the engine holds.
pub(crate) fn held(engine: &Engine) -> u64 {
    engine.gpu().unwrap().memory().unwrap().held
}

/// 1, 2, 3, 5, 8, 13, ...: few numbers that are near to each other where most happens.
pub(crate) fn spread() -> impl Iterator<Item = u64> {
    std::iter::successors(Some((1, 2)), |&(a, b)| Some((b, a + b))).map(|(a, _)| a)
}
