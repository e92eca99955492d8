//! A program of one's own: the most reliable way to everywhere.
//!
//! Every arc works with some probability. A way works if all its arcs do, so its probability is the product of theirs. From one
//! vertex, which is the most reliable way to every other, and how reliable is it?
//!
//! Run it with `cargo run --release -p warpgraph --example custom_program`.

use std::error::Error;
use warpgraph::{
    Answer, Engine, Graph, Order,
    program::{Combine, Dialect, Edge, Seeds, Traced, Vertex, VertexProgram},
};

/// The probability of the most reliable way from `source`: x[v] = max(x[v], x[u] * p(u, v)).
#[derive(Clone)]
struct MostReliable {
    source: u32,
}

impl VertexProgram for MostReliable {
    // A vertex holds one number, the best probability so far.
    type Value = f32;
    // An arc's weight is its probability. Whatever type the graph stores is read as f32.
    type Weight = f32;
    // Nothing else is read of vertices.
    type Column = ();
    const NAME: &'static str = "most-reliable";
    // Of all that arrives the greatest counts. This is all the engine needs to push with atomics and to pull without.
    const COMBINE: Combine = Combine::Max;
    // max(a, b) * p = max(a * p, b * p), as no probability is negative.
    const DISTRIBUTES: bool = true;

    // `d` is the dialect: plain numbers now, or handles that are written down when the program is traced. `d.param` is a number
    // that may differ from run to run, `d.lit` one that never does.
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<f32> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(1.0), d.lit(0.0))
    }

    // Only the source has anything to tell at first.
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }

    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<f32> {
        e.value * e.weight
    }

    // Weights that are no probabilities would never end: a cycle of factors above 1 gets better and better.
    fn check(&self, graph: &Graph) -> warpgraph::Result<()> {
        match graph.weight_range() {
            Some((least, most)) if least < 0.0 || most > 1.0 => Err(warpgraph::Error::config(
                Self::NAME,
                format!("weights must be probabilities, and range from {least} to {most}"),
                "divide them by the greatest one",
            )),
            _ => Ok(()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // Five machines; usually a graph is read with `Graph::open` instead.
    let edges = [(0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.6), (2, 3, 0.5), (4, 0, 1.0)];
    let graph = Graph::from_weighted_edges(5, &edges, true)?;
    let loaded = Engine::auto()?.load(&graph, Order::Natural)?;
    let program = MostReliable { source: 0 };

    // What the program computes can be looked at.
    println!("message:\n{}", Traced::of(&program)?.message);

    let answer = loaded.program(program).trace(true).run()?;
    for v in 0..5u32 {
        println!("vertex {v}: {:?}", answer.value(v));
    }
    // 0 -> 1 -> 2 is better than 0 -> 2, and nothing leads to 4.
    assert_eq!(answer.values(), [1.0, 0.9, 0.9 * 0.8, 0.9 * 0.8 * 0.5, 0.0]);

    // The answer checks itself: no message improves it, and every value is attained by a way from the source.
    answer.verify(&graph)?;
    println!("{} supersteps, plan {}, {}", answer.run().rounds, answer.run().plan, answer.summary());
    Ok(())
}
