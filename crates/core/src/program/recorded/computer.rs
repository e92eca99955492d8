//! [`Computer`]: computes the functions of a recorded program for blocks of arcs or vertices.

use super::{Recorded, numbers};
use crate::program::{
    Scalar,
    trace::{BLOCK, Expression, Field, Input, Interpreter, Lane},
};
use warpgraph_graph::{Csr, NodeMap, Vertex, Weights, with_weights};

/// The graph as a recorded program sees it.
#[derive(Debug)]
pub struct RecordedSight<'a> {
    /// The program.
    pub recorded: &'a Recorded,
    /// Outgoing arcs, which give the degrees.
    out: &'a Csr,
    /// The weights of the arcs that blocks name.
    weights: &'a Weights,
    originals: Option<&'a [Vertex]>,
    columns: Vec<Lane>,
}

/// Arcs to compute at once, at most [`BLOCK`] of them: their ends, and their indices among the weights.
#[derive(Debug, Default)]
pub struct Block {
    /// Where they start.
    pub sources: Vec<Vertex>,
    /// Where they end.
    pub targets: Vec<Vertex>,
    /// Their indices.
    pub arcs: Vec<usize>,
}

impl Block {
    /// Returns an empty block.
    pub fn new() -> Self {
        Self {
            sources: Vec::with_capacity(BLOCK),
            targets: Vec::with_capacity(BLOCK),
            arcs: Vec::with_capacity(BLOCK),
        }
    }

    /// Adds an arc. Returns true if the block is full.
    #[inline]
    pub fn push(&mut self, source: Vertex, target: Vertex, arc: usize) -> bool {
        self.sources.push(source);
        self.targets.push(target);
        self.arcs.push(arc);
        self.arcs.len() == BLOCK
    }

    /// Removes all arcs.
    pub fn clear(&mut self) {
        self.sources.clear();
        self.targets.clear();
        self.arcs.clear();
    }
}

impl<'a> RecordedSight<'a> {
    /// Takes the outgoing arcs of a graph, and the weights of the arcs that blocks will name; `map` leads from the original
    /// vertices to those of the graph, if they differ.
    pub fn new(recorded: &'a Recorded, out: &'a Csr, weights: &'a Weights, map: Option<&'a NodeMap>) -> Self {
        let columns = recorded.inner_columns(map);
        Self { recorded, out, weights, originals: map.map(|map| &**map.originals()), columns }
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.out.vertices()
    }

    /// Returns the original number of a vertex.
    pub fn original(&self, v: Vertex) -> Vertex {
        self.originals.map_or(v, |originals| originals[v as usize])
    }

    /// Returns what computes one of the functions of the program.
    pub fn computer<'s>(&'s self, function: &'s Expression) -> Computer<'s, 'a> {
        Computer { sight: self, interpreter: Interpreter::new(function) }
    }

    fn field(&self, field: Field, vertices: &[Vertex], lane: &mut Lane) {
        match field {
            Field::Id => lane.fill(vertices.iter().map(|&v| self.original(v))),
            Field::Degree => lane.fill(vertices.iter().map(|&v| self.out.degree(v) as u32)),
            Field::Column(at) => lane.gather(&self.columns[at as usize], vertices),
        }
    }

    fn weight(&self, arcs: &[usize], lane: &mut Lane) {
        with_weights!(
            self.weights,
            |w| lane.fill(arcs.iter().map(|&arc| w[arc])),
            none: lane.fill(arcs.iter().map(|_| 1u32))
        );
    }
}

/// Computes one function, with buffers of its own.
#[derive(Debug)]
pub struct Computer<'s, 'a> {
    sight: &'s RecordedSight<'a>,
    interpreter: Interpreter<'s>,
}

impl Computer<'_, '_> {
    /// Returns the messages along the arcs of a block, if `value` returns the values of their sources.
    pub fn messages<T: Scalar>(&mut self, block: &Block, value: impl Fn(Vertex) -> T) -> &[T] {
        let sight = self.sight;
        let fill = |input: Input, lane: &mut Lane| match input {
            Input::Value => lane.fill(block.sources.iter().map(|&u| value(u))),
            Input::Weight => sight.weight(&block.arcs, lane),
            Input::Source(field) => sight.field(field, &block.sources, lane),
            Input::Target(field) => sight.field(field, &block.targets, lane),
            Input::Arrived | Input::Own(_) => unreachable!("checked when the program was made"),
        };
        numbers(self.interpreter.run(block.arcs.len(), fill))
    }

    /// Returns what the function gives at these vertices, given what they hold and what arrived there; both are left empty for
    /// functions that read neither.
    pub fn at<T: Scalar>(&mut self, vertices: &[Vertex], held: &[T], arrived: &[T]) -> &Lane {
        let sight = self.sight;
        self.interpreter.run(vertices.len(), |input, lane| match input {
            Input::Value => lane.fill(held.iter().copied()),
            Input::Arrived => lane.fill(arrived.iter().copied()),
            Input::Own(field) => sight.field(field, vertices, lane),
            Input::Weight | Input::Source(_) | Input::Target(_) => {
                unreachable!("checked when the program was made")
            }
        })
    }
}
