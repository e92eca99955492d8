//! Graphs cut in many ways, and runs of all their parts.

use std::sync::Arc;
use warpgraph::{
    Device, Engine, Graph,
    graph::{NO_VERTEX, NodeMap, Vertex, hash},
};
use warpgraph_conformance::fixtures::{self, Fixture};
use warpgraph_core::graph::Control;
use warpgraph_parts::{
    Column, Cut, Exchange, Part, PartAnswer, PartRun, Question, Result, drive, exchange::Local, start,
    together,
};

/// A graph in parts.
pub(crate) struct Parted {
    pub(crate) name: String,
    pub(crate) parts: Vec<Arc<Part>>,
}

/// The fixtures that are asked everything.
pub(crate) fn fixtures() -> impl Iterator<Item = &'static Fixture> {
    fixtures::all().iter().filter(|fixture| !fixture.is_large())
}

/// Returns the graph in 1, 2, 3, 4 and 7 even parts, in more parts than vertices if there are few, with empty parts, and in
/// an order in which hardly an arc stays in its part.
pub(crate) fn cuts(fixture: &Fixture) -> Vec<Parted> {
    let graph = &fixture.graph;
    let n = graph.vertices() as Vertex;
    let even = |parts: usize| Cut::even(&graph.out().csr, parts).unwrap();
    let mut cuts: Vec<Cut> = [1, 2, 3, 4, 7].map(even).into();
    if n < 20 {
        cuts.push(even(n as usize + 3));
    }
    cuts.push(Cut::new(vec![0, 0, n / 3, n / 3, n, n]).unwrap());
    let in_order = cuts.into_iter().map(|cut| {
        let part = |number| Arc::new(Part::of(graph, &cut, number).unwrap());
        let name = format!("{} in parts from {:?}", fixture.name, cut.starts());
        Parted { name, parts: (0..cut.parts()).map(part).collect() }
    });
    in_order.chain([shuffled(fixture)]).collect()
}

/// Returns a third of the cuts, another one for each fixture, so that together they meet all.
pub(crate) fn dealt(fixture: &'static Fixture) -> Vec<Parted> {
    let at = fixtures::all().iter().position(|other| std::ptr::eq(other, fixture)).unwrap();
    cuts(fixture).into_iter().enumerate().filter(|(i, _)| (i + at) % 3 == 0).map(|(_, cut)| cut).collect()
}

/// Returns the graph in three parts of a random order.
fn shuffled(fixture: &Fixture) -> Parted {
    let graph = &fixture.graph;
    let mut order: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
    order.sort_by_key(|&v| hash::mix(7, v.into()));
    let map = NodeMap::of_order(order).unwrap();
    let inner = graph.renumbered(&map, &Control::new()).unwrap();
    let cut = Cut::even(&inner.out().csr, 3).unwrap();
    let part = |number| Arc::new(Part::of_renumbered(graph, &inner, &map, &cut, number).unwrap());
    Parted { name: format!("{} in 3 parts, shuffled", fixture.name), parts: (0..3).map(part).collect() }
}

/// Runs `each` for every part, each on one thread.
pub(crate) fn on_each<T: Send>(parts: &[Arc<Part>], each: impl Fn(&Arc<Part>, Local) -> T + Sync) -> Vec<T> {
    together(parts.len(), 1, |member| each(&parts[member.part()], member)).unwrap()
}

/// Answers a question on all parts.
pub(crate) fn ask(parts: &[Arc<Part>], question: &Question) -> Result<Whole> {
    run(parts, |part, exchange| start(question, part, exchange, &Control::new()))
}

/// Runs what `start` starts on all parts.
pub(crate) fn run(
    parts: &[Arc<Part>],
    start: impl Fn(&Arc<Part>, &mut dyn Exchange) -> Result<Box<dyn PartRun>> + Sync,
) -> Result<Whole> {
    let answers = on_each(parts, |part, mut member| {
        let run = start(part, &mut member)?;
        drive(run, &mut member, &Control::new(), &mut |_, _| Ok(()))
    });
    Whole::of(answers.into_iter().collect::<Result<_>>()?)
}

/// The answers of all parts, put together.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) answers: Vec<PartAnswer>,
    vertices: usize,
}

impl Whole {
    /// Checks that the parts agree on the figures, and that each vertex has one row.
    pub(crate) fn of(answers: Vec<PartAnswer>) -> Result<Self> {
        let vertices = answers.iter().map(|answer| answer.vertices.len()).sum();
        let mut rows: Vec<Vertex> = answers.iter().flat_map(|answer| answer.vertices.clone()).collect();
        rows.sort_unstable();
        assert!(rows.into_iter().eq(0..vertices as Vertex), "every vertex has one row");
        for answer in &answers {
            assert_eq!(answer.summary, answers[0].summary);
            assert_eq!(answer.report.supersteps, answers[0].report.supersteps);
            assert_eq!(answer.table().rows(), answer.vertices.len());
        }
        Ok(Self { answers, vertices })
    }

    pub(crate) fn summary(&self) -> &serde_json::Value {
        &self.answers[0].summary
    }

    /// Returns a column by original numbers.
    fn column<T: Copy + Default>(&self, name: &str, values: impl Fn(&Column) -> Option<&[T]>) -> Vec<T> {
        let mut all = vec![T::default(); self.vertices];
        for answer in &self.answers {
            let column = answer.column(name).unwrap_or_else(|| panic!("no column {name}"));
            let values = values(column).unwrap_or_else(|| panic!("{name} is of another type: {column:?}"));
            assert_eq!(values.len(), answer.vertices.len());
            answer.vertices.iter().zip(values).for_each(|(&v, &value)| all[v as usize] = value);
        }
        all
    }

    pub(crate) fn vertices(&self, name: &str) -> Vec<Vertex> {
        let all = self.column(name, |column| match column {
            Column::Vertices(values) => Some(values),
            _ => None,
        });
        assert!(all.iter().all(|&v| v == NO_VERTEX || (v as usize) < self.vertices), "{name} is a vertex");
        all
    }

    pub(crate) fn u32s(&self, name: &str) -> Vec<u32> {
        self.column(name, |column| if let Column::U32(values) = column { Some(values) } else { None })
    }

    pub(crate) fn u64s(&self, name: &str) -> Vec<u64> {
        self.column(name, |column| if let Column::U64(values) = column { Some(values) } else { None })
    }

    pub(crate) fn i64s(&self, name: &str) -> Vec<i64> {
        self.column(name, |column| if let Column::I64(values) = column { Some(values) } else { None })
    }

    pub(crate) fn f32s(&self, name: &str) -> Vec<f32> {
        self.column(name, |column| if let Column::F32(values) = column { Some(values) } else { None })
    }

    pub(crate) fn f64s(&self, name: &str) -> Vec<f64> {
        self.column(name, |column| if let Column::F64(values) = column { Some(values) } else { None })
    }
}

/// Returns a question.
pub(crate) fn question(algorithm: &str, config: serde_json::Value) -> Question {
    Question { algorithm: algorithm.to_owned(), config, ..Question::default() }
}

/// Returns the engine of one machine.
pub(crate) fn engine() -> Engine {
    Engine::on(Device::Cpu, Some(1)).unwrap()
}

/// Returns the sources that a fixture is searched from.
pub(crate) fn sources(graph: &Graph) -> Vec<Vertex> {
    let n = graph.vertices() as Vertex;
    if n == 0 { Vec::new() } else { vec![graph.counts().max_degree_vertex, n - 1] }
}
