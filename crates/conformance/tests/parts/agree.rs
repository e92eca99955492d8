//! What a graph in parts must answer: the same as on one machine, for the four algorithms and programs of the library.

use crate::common::{Parted, Whole, ask, engine, question, run};
use serde_json::json;
use std::sync::Arc;
use warpgraph::{
    Answer, Graph, Halt, Loaded, Order, VertexProgram,
    graph::Control,
    program::{Scalar, ScalarType, Ways, library},
};
use warpgraph_parts::{Exchange, Result, start_program};

/// Returns the values of a program of all parts.
pub(crate) fn values<P: VertexProgram>(found: &Whole) -> Vec<P::Value> {
    match P::Value::TYPE {
        ScalarType::U32 | ScalarType::Bool => found.u32s("value").into_iter().map(P::Value::of_u32).collect(),
        ScalarType::U64 => found.u64s("value").into_iter().map(P::Value::of_u64).collect(),
        ScalarType::I32 => found.i64s("value").into_iter().map(|x| P::Value::of_i32(x as i32)).collect(),
        ScalarType::F32 => found.f32s("value").into_iter().map(P::Value::of_f32).collect(),
        ScalarType::F64 => found.f64s("value").into_iter().map(P::Value::of_f64).collect(),
    }
}

/// The answers of one machine.
pub(crate) struct One {
    loaded: Loaded,
}

impl One {
    pub(crate) fn of(graph: &Graph) -> Self {
        Self { loaded: engine().load(graph, Order::Natural).unwrap() }
    }

    /// Asks everything in parts, on members of this process.
    pub(crate) fn agrees(&self, parted: &Parted) {
        self.algorithms(&parted.name, |algorithm| ask(&parted.parts, &question(algorithm, json!(null))));
        self.programs(parted);
    }

    /// Runs programs of the library in parts, on members of this process.
    pub(crate) fn programs(&self, parted: &Parted) {
        let at = &parted.name;
        self.program(at, library::Hops::from(0), |program| in_parts(parted, program));
        self.program(at, library::ShortestPaths::<f64>::from(0), |program| in_parts(parted, program));
        self.program(at, library::Components {}, |program| in_parts(parted, program));
        self.sum(at, |program| in_parts(parted, program));
    }

    /// Compares the four algorithms; `answer` asks them.
    pub(crate) fn algorithms(&self, at: &str, answer: impl Fn(&str) -> Result<Whole>) {
        let answer = |name: &str| answer(name).unwrap_or_else(|error| panic!("{at}, {name}: {error}"));
        let loaded = &self.loaded;
        let wcc = loaded.wcc(Default::default()).run().unwrap();
        assert_eq!(answer("wcc").vertices("component"), wcc.components(), "{at}");
        let (bfs, found) = (loaded.bfs(Default::default()).run().unwrap(), answer("bfs"));
        assert_eq!(found.u32s("distance"), bfs.distances(), "{at}");
        assert_eq!(found.summary(), &bfs.summary(), "{at}");
        let sssp = loaded.sssp(Default::default()).run().unwrap();
        assert_eq!(answer("sssp").summary(), &sssp.summary(), "{at}");
        let ranks = loaded.pagerank(Default::default()).run().unwrap();
        let found = answer("pagerank").f64s("rank");
        let off: f64 = ranks.ranks().iter().zip(&found).map(|(a, b)| (a - b).abs()).sum();
        // Each is within 1e-6 / (1 - 0.85) of the fixed point.
        assert!(off <= 2e-6 / 0.15, "{at}: {off:e}");
    }

    /// Compares a program bit for bit; `answer` runs it. Programs that refuse the graph are passed over.
    pub(crate) fn program<P: VertexProgram + Clone>(
        &self,
        at: &str,
        program: P,
        answer: impl Fn(&Arc<P>) -> Result<Whole>,
    ) {
        let Ok(one) = self.loaded.program(program.clone()).run() else { return };
        let found = answer(&Arc::new(program)).unwrap_or_else(|error| panic!("{at}, {}: {error}", P::NAME));
        let bits = |values: &[P::Value]| values.iter().map(|x| x.bits()).collect::<Vec<_>>();
        assert_eq!(bits(&values::<P>(&found)), bits(one.values()), "{at}, {}", P::NAME);
        assert_eq!(found.summary(), &one.summary(), "{at}, {}", P::NAME);
    }

    /// Compares ranks as a program, a sum; `answer` runs it.
    pub(crate) fn sum(&self, at: &str, answer: impl Fn(&Arc<library::Ranks<f64>>) -> Result<Whole>) {
        let halt = Halt::l1(1e-9).or(Halt::rounds(1000));
        let program = library::Ranks::<f64>::of(self.loaded.graph(), 0.85, halt);
        let one = self.loaded.program(program.clone()).run().unwrap();
        let found = answer(&Arc::new(program)).unwrap_or_else(|error| panic!("{at}, ranks: {error}"));
        let found = values::<library::Ranks<f64>>(&found);
        let off: f64 = found.iter().zip(one.values()).map(|(a, b)| (a - b).abs()).sum();
        // Each is within 1e-9 / (1 - 0.85) of the fixed point.
        assert!(off <= 2e-9 / 0.15, "{at}: {off:e}");
    }
}

/// Runs a program on members of this process.
pub(crate) fn in_parts<P: VertexProgram>(parted: &Parted, program: &Arc<P>) -> Result<Whole> {
    let start = |part: &Arc<_>, exchange: &mut dyn Exchange| {
        start_program(program, part, Ways::Out, exchange, &Control::new())
    };
    run(&parted.parts, start)
}
