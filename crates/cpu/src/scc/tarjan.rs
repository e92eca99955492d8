//! Tarjan's depth-first search, without recursion, over the vertices that are not done yet.
//!
//! `numbers[v]` is 0 before v is found, then its place in the order of finding, and [`DONE`] once its component is named:
//! then it is above every place, so that arcs to what is done need no test of their own when the lowest place within
//! reach is taken.

use warpgraph_core::Result;
use warpgraph_graph::{Control, Offset, Vertex, View};

/// The number of a vertex whose component is known.
pub(super) const DONE: u32 = u32::MAX;
/// Components between two looks at the control.
const CHECK: usize = 1 << 16;

/// A vertex on the way from the root to where the search is.
struct Frame {
    vertex: Vertex,
    /// Its own place.
    number: u32,
    /// The lowest place within its reach, so far.
    low: u32,
    /// Its arcs not yet looked at.
    next: usize,
    end: usize,
}

/// A search in progress.
pub(super) struct Tarjan<'a, O> {
    out: View<'a, O>,
    numbers: &'a mut [u32],
    components: &'a mut [Vertex],
    way: Vec<Frame>,
    /// Vertices found whose component is not complete, in the order of finding.
    open: Vec<Vertex>,
    found: u32,
}

impl<'a, O: Offset> Tarjan<'a, O> {
    /// A search of the vertices whose number is 0; all others are [`DONE`].
    pub(super) fn new(out: View<'a, O>, numbers: &'a mut [u32], components: &'a mut [Vertex]) -> Self {
        Self { out, numbers, components, way: Vec::new(), open: Vec::new(), found: 0 }
    }

    /// Names all components that are left, each by its smallest vertex; gives how many vertices that were.
    pub(super) fn run(&mut self, control: &Control) -> Result<usize> {
        for root in 0..self.out.vertices() {
            if root % CHECK == 0 {
                control.check("searching components")?;
            }
            if self.numbers[root] == 0 {
                self.enter(root as Vertex);
                self.search(control)?;
            }
        }
        Ok(self.found as usize)
    }

    #[inline(always)]
    fn enter(&mut self, vertex: Vertex) {
        let arcs = self.out.arcs_of(vertex);
        self.found += 1;
        self.numbers[vertex as usize] = self.found;
        self.way.push(Frame { vertex, number: self.found, low: self.found, next: arcs.start, end: arcs.end });
    }

    fn search(&mut self, control: &Control) -> Result<()> {
        while let Some(frame) = self.way.last_mut() {
            let mut deeper = None;
            while frame.next < frame.end {
                let v = self.out.targets()[frame.next];
                frame.next += 1;
                let number = self.numbers[v as usize];
                if number == 0 {
                    deeper = Some(v);
                    break;
                }
                frame.low = frame.low.min(number);
            }
            if let Some(v) = deeper {
                self.enter(v);
                if (self.found as usize).is_multiple_of(CHECK) {
                    control.check("searching components")?;
                }
            } else {
                self.leave();
            }
        }
        Ok(())
    }

    /// Goes back from a vertex, naming its component if it is the first of it.
    #[inline(always)]
    fn leave(&mut self) {
        let Some(frame) = self.way.pop() else { return };
        if frame.low < frame.number {
            self.open.push(frame.vertex);
            if let Some(above) = self.way.last_mut() {
                above.low = above.low.min(frame.low);
            }
            return;
        }
        self.close(frame.vertex, frame.number);
    }

    /// Names the component of `vertex`: itself and what is open above its place.
    #[inline(always)]
    fn close(&mut self, vertex: Vertex, number: u32) {
        let mut first = self.open.len();
        let mut name = vertex;
        while first > 0 && self.numbers[self.open[first - 1] as usize] > number {
            first -= 1;
            name = name.min(self.open[first]);
        }
        self.open.push(vertex);
        for v in self.open.drain(first..) {
            self.numbers[v as usize] = DONE;
            self.components[v as usize] = name;
        }
    }
}
