//! Shortest paths as the program [`Lengths`]: arcs are relaxed until no distance falls. With negative weights this is
//! Bellman-Ford: if distances still fall after as many rounds as there are vertices, the source reaches a negative cycle.

use super::{Distances, Sssp, SsspAnswer, kinds};
use crate::{
    Error, Halted, Options, PathPlan, Result, Run,
    program::{Prepared, Ran, Runs, Scalar, ScalarType, Ways, library::Lengths},
};
use warpgraph_graph::{Graph, Pages, Vertex};

/// Finds the distances of one type from a source.
pub trait Finds {
    /// Returns the name of the device, for messages.
    fn label(&self) -> String;

    /// Runs the program of these types, by itself or by a form that gives the same distances.
    ///
    /// # Errors
    /// Those of [`answer`].
    fn find<T: Scalar, W: Scalar>(&self, prepared: &Prepared<'_, Lengths<T, W>>) -> Result<(Pages<T>, Run)>;
}

/// Returns the distance of every vertex from a source that is one.
///
/// # Errors
/// When the source can reach a negative cycle, whose vertices the error does not name; when interrupted, when memory is
/// short, or when the device fails; when a distance is beyond the range of its type; when negative whole weights are so
/// large that their sums cannot be exact here.
pub fn answer(engine: &impl Finds, graph: &Graph, source: Vertex, options: &Options) -> Result<SsspAnswer> {
    let (least, most) = graph.weight_range().unwrap_or((1.0, 1.0));
    let refused = |what: String, help: &str| Error::Refused { what, help: help.to_owned() };
    if least < 0.0 && options.plan.paths().is_some() {
        let (label, name) = (engine.label(), PathPlan::NAME);
        let what = format!(
            "sssp on {label} cannot run with `{name}`: weights are negative, the least is {least}, and walks around a \
             negative cycle would never end"
        );
        return Err(refused(what, "leave --plan out"));
    }
    let task = Task { engine, graph, source, least, options };
    match kinds(graph.weight_type(), (least, most), graph.vertices() as u64) {
        Some((ScalarType::F32, _)) => task.answer::<f32, f32>(|d| Ok(Distances::F32(d))),
        Some((ScalarType::F64, ScalarType::F64)) => task.answer::<f64, f64>(|d| Ok(Distances::F64(d))),
        Some((ScalarType::F64, _)) => task.answer::<f64, i32>(whole),
        Some((ScalarType::U32, ScalarType::I32)) => task.answer::<u32, i32>(|d| Ok(Distances::U32(d))),
        Some((_, ScalarType::I32)) => task.answer::<u64, i32>(|d| Ok(Distances::U64(d))),
        Some((ScalarType::U32, _)) => task.answer::<u32, u32>(|d| Ok(Distances::U32(d))),
        Some(_) => task.answer::<u64, u32>(|d| Ok(Distances::U64(d))),
        None => Err(refused(
            format!("sssp on {} cannot add up negative weights of this size exactly", engine.label()),
            "use --device cpu",
        )),
    }
}

/// The question.
struct Task<'a, E> {
    engine: &'a E,
    graph: &'a Graph,
    source: Vertex,
    /// The least weight.
    least: f64,
    options: &'a Options,
}

impl<E: Finds> Task<'_, E> {
    fn answer<T: Scalar, W: Scalar>(
        &self,
        wrap: impl FnOnce(Pages<T>) -> Result<Distances>,
    ) -> Result<SsspAnswer> {
        let mut program = Lengths::<T, W>::from(self.options.original(self.source));
        // A shortest path has fewer arcs than there are vertices. One more round shows that no distance falls.
        program.rounds = (self.least < 0.0).then(|| self.graph.vertices() as u64 + 1);
        let prepared = Prepared::new(&program, self.graph, self.options.map.as_ref())?;
        let (distances, run) = self.engine.find(&prepared)?;
        if run.halt == Halted::MaxIterations {
            return Err(Error::NegativeCycle { vertices: Vec::new(), weight: f64::NAN });
        }
        SsspAnswer::found(self.graph, self.source, wrap(distances)?, run)
    }
}

/// Converts sums of whole numbers, computed in f64, to i64.
fn whole(decimals: Pages<f64>) -> Result<Distances> {
    let mut distances = Pages::<i64>::scratch(decimals.len())?;
    for (whole, &decimal) in distances.iter_mut().zip(&*decimals) {
        *whole = if decimal.is_finite() { decimal as i64 } else { i64::MAX };
    }
    Ok(Distances::I64(distances))
}

/// An engine of programs with its options.
struct AsProgram<'a, E> {
    engine: &'a E,
    options: &'a Options,
}

impl<E: Runs> Finds for AsProgram<'_, E> {
    fn label(&self) -> String {
        self.engine.label()
    }

    fn find<T: Scalar, W: Scalar>(&self, prepared: &Prepared<'_, Lengths<T, W>>) -> Result<(Pages<T>, Run)> {
        let Ran { values, run, .. } = self.engine.run(prepared, self.options, Ways::Out)?;
        Ok((values, run))
    }
}

/// Returns the distance of every vertex from the source of a question.
///
/// # Errors
/// Those of [`answer`], and when the source is not in the graph.
pub fn by_program(engine: &impl Runs, config: &Sssp, options: &Options) -> Result<SsspAnswer> {
    let source = config.source.resolve(engine.graph(), options.seed, options.run)?;
    answer(&AsProgram { engine, options }, engine.graph(), source, options)
}
