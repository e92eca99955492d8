//! The algorithms that prove errors, and how far their answers are off, in the quantities that the reports name.

use super::{Subject, Trial};
use warpgraph::{
    Accuracy, Answer, Bc, Closeness, ClosenessAnswer, Control, Error, Graph, Options, PageRank, Result,
    Source, Triangles, pagerank::Share,
};

/// Makes the trial of a seed.
pub type Ask<'a> = Box<dyn FnMut(u64, &Control) -> Result<Trial> + 'a>;

/// An algorithm that proves an error.
#[derive(Debug)]
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// The error that trials allow.
    pub error: f64,
    /// Whether trials make sense on a graph.
    pub is_about: fn(&Graph) -> bool,
    /// Computes what all trials on a graph share.
    pub trials: for<'a> fn(&'a Subject, f64) -> Result<Ask<'a>>,
}

/// All of them.
pub const ALL: [Check; 4] = [
    Check { name: "bc", error: 0.02, is_about: |_| true, trials: bc },
    Check { name: "closeness", error: 0.1, is_about: |_| true, trials: closeness },
    // Of a directed graph, triangles are those of another graph than that of its pairs of neighbours.
    Check { name: "triangles", error: 0.02, is_about: |graph| !graph.is_directed(), trials: triangles },
    Check { name: "pagerank", error: 1e-3, is_about: |_| true, trials: pagerank },
];

/// Options of the trial of a seed: an engine that has begun to sample goes on.
fn options(seed: u64, control: &Control) -> Options {
    Options { seed, deterministic: true, control: control.clone(), ..Options::default() }
}

fn trial(answer: &dyn Answer, off: f64) -> Result<Trial> {
    let accuracy: Option<Accuracy> = answer.run().accuracy.clone();
    let accuracy = accuracy.ok_or_else(|| {
        Error::config(
            "bounds",
            "the run does not say how near its answer is",
            "this is a defect; please report it",
        )
    })?;
    Ok(Trial { accuracy, off, seconds: answer.run().seconds })
}

fn greatest(errors: impl Iterator<Item = f64>) -> f64 {
    errors.fold(0.0, f64::max)
}

/// Normalised scores of all vertices.
fn bc(subject: &Subject, error: f64) -> Result<Ask<'_>> {
    let exact = subject.reference.bc(Bc::default().normalized()).run()?;
    Ok(Box::new(move |seed, control| {
        let config = Bc::default().normalized().max_error(error);
        let answer = subject.tested.bc(config).options(options(seed, control)).run()?;
        let pairs = answer.scores().iter().zip(exact.scores());
        trial(&answer, greatest(pairs.map(|(score, right)| (score - right).abs())))
    }))
}

/// The three means of every vertex.
fn closeness(subject: &Subject, error: f64) -> Result<Ask<'_>> {
    let exact = subject.reference.closeness(Closeness::default()).run()?;
    let others = (subject.graph().vertices() as f64 - 1.0).max(1.0);
    let diameter = f64::from(exact.figures().diameter).max(1.0);
    Ok(Box::new(move |seed, control| {
        let config = Closeness::default().max_error(error);
        let answer = subject.tested.closeness(config).options(options(seed, control)).run()?;
        let off = |v: usize| {
            let harmonic = (answer.harmonic()[v] - exact.harmonic()[v]).abs() / others;
            let reached = f64::from(answer.reached()[v].abs_diff(exact.reached()[v])) / others;
            let far = (mean(&answer, v, others) - mean(&exact, v, others)).abs() / diameter;
            // An estimated number of vertices is rounded, and so are both means that are computed from it.
            let rounded = if answer.drawn().is_some() { 1.0 / others } else { 0.0 };
            harmonic.max(reached - rounded).max(far - rounded)
        };
        trial(&answer, greatest((0..subject.graph().vertices()).map(off)))
    }))
}

/// Returns the mean distance of a vertex to all others, 0 for those that do not reach it.
fn mean(answer: &ClosenessAnswer, v: usize, others: f64) -> f64 {
    let share = f64::from(answer.reached()[v]) / others;
    if answer.closeness()[v] > 0.0 { share * share / answer.closeness()[v] } else { 0.0 }
}

/// The share of pairs of neighbours that are joined.
fn triangles(subject: &Subject, error: f64) -> Result<Ask<'_>> {
    let exact = subject.reference.triangles(Triangles::default()).run()?.triangles() as f64;
    let csr = &subject.graph().out().csr;
    let degrees = (0..subject.graph().vertices() as u32).map(|v| csr.degree(v) as f64);
    let thirds = degrees.map(|degree| degree * (degree - 1.0) / 6.0).sum::<f64>().max(1.0);
    Ok(Box::new(move |seed, control| {
        let config = Triangles { max_error: Some(error), ..Triangles::default() };
        let answer = subject.tested.triangles(config).options(options(seed, control)).run()?;
        // The estimate is a whole number.
        let off = ((answer.triangles() as f64 - exact).abs() - 0.5).max(0.0);
        trial(&answer, off / thirds)
    }))
}

/// The sum over all vertices of the error of the rank, from a vertex that the seed draws.
fn pagerank(subject: &Subject, error: f64) -> Result<Ask<'_>> {
    Ok(Box::new(move |seed, control| {
        let v = Source::Random.resolve(subject.graph(), seed, 0)?;
        let personalize = vec![Share { vertex: subject.graph().ids().id(v), share: 1.0 }];
        let config = PageRank { max_iterations: 10_000, personalize, ..PageRank::default() };
        let asked = config.clone().max_error(error);
        let answer = subject.tested.pagerank(asked).options(options(seed, control)).run()?;
        let exact = subject.reference.pagerank(config.tolerance(1e-13)).run()?;
        let pairs = answer.ranks().iter().zip(exact.ranks());
        trial(&answer, pairs.map(|(rank, right)| (rank - right).abs()).sum())
    }))
}
