//! Tarjan's depth-first search, without recursion, over the vertices that are not done yet.
//!
//! `numbers[v]` is 0 before v is found, then its position in the order of finding, and [`DONE`] once its component is
//! named. `DONE` is above every position, so that arcs to done vertices need no test when the search takes the lowest
//! reachable position.

use std::ops::Range;
use warpgraph_core::{Result, program::Copies};
use warpgraph_graph::{Control, Offset, Vertex, View};

/// The number of a vertex whose component is known.
pub(super) const DONE: u32 = u32::MAX;
/// Vertices between two checks of the control.
const CHECK: u32 = 1 << 16;

/// A vertex on the path from the root to the current vertex.
struct Frame {
    vertex: Vertex,
    /// Its own position.
    number: u32,
    /// The lowest reachable position so far.
    low: u32,
    /// How many rows of its copies were begun.
    copies: u32,
    /// Its arcs that are not yet processed.
    arcs: Range<usize>,
}

/// A search in progress.
pub(super) struct Tarjan<'a, O> {
    out: View<'a, O>,
    /// Copies of vertices, if there are any: the rows of copies go on from those of their masters.
    copies: Option<&'a Copies>,
    numbers: &'a mut [u32],
    components: &'a mut [Vertex],
    way: Vec<Frame>,
    /// Finished vertices whose component is not complete, with their positions, which increase.
    open: Vec<(Vertex, u32)>,
    /// Positions assigned so far.
    places: u32,
    /// Vertices found so far.
    found: usize,
}

impl<'a, O: Offset> Tarjan<'a, O> {
    /// Creates a search of the vertices whose number is 0; all others are [`DONE`].
    pub(super) fn new(
        out: View<'a, O>,
        copies: Option<&'a Copies>,
        numbers: &'a mut [u32],
        components: &'a mut [Vertex],
    ) -> Self {
        Self { out, copies, numbers, components, way: Vec::new(), open: Vec::new(), places: 0, found: 0 }
    }

    /// Names all remaining components, each by its smallest vertex. Returns the number of their vertices.
    pub(super) fn run(&mut self, control: &Control) -> Result<usize> {
        for root in 0..self.out.vertices() {
            if root % CHECK as usize == 0 {
                control.check("searching components")?;
            }
            if self.numbers[root] == 0 {
                match self.copies.is_none_or(|copies| copies.is_master(root as Vertex)) {
                    true => self.search(root as Vertex, control)?,
                    // No arc leads to a copy or a hole, and no answer has it.
                    false => self.name(root as Vertex, root as Vertex),
                }
            }
        }
        Ok(self.found)
    }

    /// Assigns a position to a vertex.
    #[inline(always)]
    fn enter(&mut self, vertex: Vertex, arcs: Range<usize>) -> Frame {
        self.found += 1;
        self.places += 1;
        self.numbers[vertex as usize] = self.places;
        Frame { vertex, number: self.places, low: self.places, copies: 0, arcs }
    }

    /// Returns true if a vertex has copies that may have arcs.
    #[inline(always)]
    fn has_copies(&self, v: Vertex) -> bool {
        self.copies.is_some_and(|copies| !copies.of_master(v).is_empty())
    }

    /// Goes on in the row of the next copy of a frame's vertex. Returns false if there is none.
    #[inline(always)]
    fn turn_row(&self, here: &mut Frame) -> bool {
        let Some(copies) = self.copies else { return false };
        let Some(&copy) = copies.of_master(here.vertex).get(here.copies as usize) else { return false };
        (here.arcs, here.copies) = (self.out.arcs_of(copy), here.copies + 1);
        true
    }

    /// Searches from a root. The frame of the current vertex is not on the stack.
    fn search(&mut self, root: Vertex, control: &Control) -> Result<()> {
        let targets = self.out.targets();
        let mut here = self.enter(root, self.out.arcs_of(root));
        loop {
            while let Some(arc) = here.arcs.next() {
                let v = targets[arc];
                let number = self.numbers[v as usize];
                if number != 0 {
                    here.low = here.low.min(number);
                    continue;
                }
                let arcs = self.out.arcs_of(v);
                if arcs.is_empty() && !self.has_copies(v) {
                    self.found += 1;
                    self.name(v, v);
                    continue;
                }
                let deeper = self.enter(v, arcs);
                self.way.push(std::mem::replace(&mut here, deeper));
                if self.places.is_multiple_of(CHECK) {
                    control.check("searching components")?;
                }
            }
            if self.turn_row(&mut here) {
                continue;
            }
            if here.low == here.number {
                self.close(here.vertex, here.number);
            } else {
                self.open.push((here.vertex, here.number));
            }
            let Some(above) = self.way.pop() else { return Ok(()) };
            // A closed component has a position above those of all vertices on the path, so it changes nothing.
            here = Frame { low: above.low.min(here.low), ..above };
        }
    }

    /// Names the component of `vertex`: itself, and the open vertices after its position.
    #[inline(always)]
    fn close(&mut self, vertex: Vertex, number: u32) {
        let mut name = vertex;
        let mut first = self.open.len();
        while first > 0 && self.open[first - 1].1 > number {
            first -= 1;
            name = name.min(self.open[first].0);
        }
        self.name(vertex, name);
        while self.open.len() > first {
            if let Some((v, _)) = self.open.pop() {
                self.name(v, name);
            }
        }
    }

    #[inline(always)]
    fn name(&mut self, vertex: Vertex, name: Vertex) {
        self.numbers[vertex as usize] = DONE;
        self.components[vertex as usize] = name;
    }
}
