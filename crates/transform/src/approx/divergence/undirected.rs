//! Edits of an undirected graph, vertex by vertex from the highest degree down.
//!
//! One thread makes them, because an edit changes two rows. An edge is looked at once: for the end that is above its goal at
//! first, or for the earlier one if both are. A new edge is looked for from its earlier end only. So no edge is dropped or
//! added twice.

use super::{
    super::{
        DURING,
        changes::{Edit, Step},
    },
    directed::random,
    goals::Goals,
    walks::Walks,
};
use crate::Means;
use warpgraph_core::Result;
use warpgraph_graph::{Graph, NodeMap, Pages, Vertex};

/// Vertices between two looks at the control.
const OFTEN: usize = 1 << 10;

/// Returns the edits that move degrees towards their goals.
pub(super) fn edits(graph: &Graph, map: &NodeMap, goals: Goals, means: &Means<'_>) -> Result<Step> {
    let mut now: Pages<u32> = Pages::scratch(map.len())?;
    for (number, slot) in now.iter_mut().enumerate() {
        *slot = graph.degree(map.original(number as Vertex)) as u32;
    }
    let mut degrees = Degrees { graph, map, goals: goals.0, now, step: Step::default() };
    degrees.drop_edges(means)?;
    degrees.add_edges(means)?;
    Ok(degrees.step)
}

/// Degrees that move. Vertices are new numbers, except in the edits.
struct Degrees<'a> {
    graph: &'a Graph,
    map: &'a NodeMap,
    goals: Pages<u32>,
    now: Pages<u32>,
    step: Step,
}

impl Degrees<'_> {
    fn original_degree(&self, number: usize) -> u32 {
        self.graph.degree(self.map.original(number as Vertex)) as u32
    }

    /// Returns how far the degree is above the goal; 0 if it is not.
    fn above(&self, number: usize) -> u32 {
        self.now[number].saturating_sub(self.goals[number])
    }

    fn below(&self, number: usize) -> u32 {
        self.goals[number].saturating_sub(self.now[number])
    }

    fn drop_edges(&mut self, means: &Means<'_>) -> Result<()> {
        for number in 0..self.now.len() {
            if number % OFTEN == 0 {
                means.control.check(DURING)?;
            }
            if self.above(number) > 0 {
                self.drop_of(number, means.seed);
            }
        }
        Ok(())
    }

    /// Drops edges of a vertex, at random, until its degree is its goal.
    fn drop_of(&mut self, number: usize, seed: u64) {
        let graph = self.graph;
        for edit in random(graph, self.map.original(number as Vertex), seed) {
            if self.above(number) == 0 {
                return;
            }
            let other = self.map.inner(edit.target) as usize;
            if self.is_mine(number, other) && self.may_lose(other) {
                self.now[number] -= 1;
                self.now[other] -= 1;
                self.step.dropped.push(edit.renamed(false, |v| v));
            }
        }
    }

    /// Returns whether an edge from `number`, which is above its goal, is looked at for `number`.
    fn is_mine(&self, number: usize, other: usize) -> bool {
        other > number || (other < number && self.original_degree(other) <= self.goals[other])
    }

    /// Returns whether a vertex may lose an edge for another one.
    fn may_lose(&self, number: usize) -> bool {
        let least = self.original_degree(number).div_ceil(2).max(1);
        self.above(number) > 0 || self.now[number] > least
    }

    fn add_edges(&mut self, means: &Means<'_>) -> Result<()> {
        let mut walks = Walks::default();
        let mut found: Vec<Edit> = Vec::new();
        for number in 0..self.now.len() {
            if number % OFTEN == 0 {
                means.control.check(DURING)?;
            }
            let wanted = self.below(number);
            if wanted == 0 {
                continue;
            }
            let accepts = |v: Vertex| {
                let other = self.map.inner(v) as usize;
                other > number && self.below(other) > 0
            };
            let from = self.map.original(number as Vertex);
            walks.take(self.graph, means.seed, from, wanted.into(), accepts, |edit| found.push(edit));
            for edit in found.drain(..) {
                self.now[number] += 1;
                self.now[self.map.inner(edit.target) as usize] += 1;
                self.step.added.push(edit.renamed(false, |v| v));
            }
        }
        Ok(())
    }
}
