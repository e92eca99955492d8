//! The search for blocks: one depth-first traversal that remembers the earliest vertex each subtree has an edge to.

use super::{Blocks, NO_BLOCK};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Offset, Vertex, View};

/// Vertices left between two checks of the control.
const PATIENCE: u32 = 1 << 16;

/// A traversal in progress.
pub(super) struct Search<'a, O> {
    view: View<'a, O>,
    /// When a vertex was met, from 1; 0 if it was not met yet.
    met: Vec<u32>,
    /// The earliest vertex, by `met`, that an edge from the subtree of a vertex leads to.
    earliest: Vec<u32>,
    /// The vertices from the root to the present one, and their next arc.
    path: Vec<(Vertex, usize)>,
    /// Vertices met whose home is not known yet.
    open: Vec<Vertex>,
    clock: u32,
}

impl<'a, O: Offset> Search<'a, O> {
    pub(super) fn new(view: View<'a, O>) -> Self {
        let n = view.vertices();
        Self { view, met: vec![0; n], earliest: vec![0; n], path: Vec::new(), open: Vec::new(), clock: 0 }
    }

    /// Visits all components.
    ///
    /// # Errors
    /// If interrupted.
    pub(super) fn run(&mut self, control: &Control, blocks: &mut Blocks) -> Result<()> {
        let n = self.view.vertices();
        blocks.homes = vec![NO_BLOCK; n];
        for root in 0..n as Vertex {
            if self.met[root as usize] == 0 {
                let first = blocks.tops.len() as u32;
                self.enter(root);
                self.visit(control, blocks)?;
                self.open.clear();
                let end = blocks.tops.len() as u32;
                blocks.components.extend((first < end).then_some((first..end, 0)));
            }
        }
        Ok(())
    }

    fn enter(&mut self, v: Vertex) {
        self.clock += 1;
        self.met[v as usize] = self.clock;
        self.earliest[v as usize] = self.clock;
        self.path.push((v, self.view.arcs_of(v).start));
        self.open.push(v);
    }

    fn visit(&mut self, control: &Control, blocks: &mut Blocks) -> Result<()> {
        while let Some((v, arc)) = self.path.last_mut() {
            let v = *v;
            if *arc == self.view.arcs_of(v).end {
                self.path.pop();
                self.leave(v, blocks);
                if self.met[v as usize].is_multiple_of(PATIENCE) {
                    control.check("finding blocks")?;
                }
                continue;
            }
            let u = self.view.targets()[*arc];
            *arc += 1;
            match self.met[u as usize] {
                0 => self.enter(u),
                met => self.earliest[v as usize] = self.earliest[v as usize].min(met),
            }
        }
        Ok(())
    }

    /// Closes the block of `v` and its parent if no edge from below leads above the parent.
    fn leave(&mut self, v: Vertex, blocks: &mut Blocks) {
        let Some(&(parent, _)) = self.path.last() else { return };
        let earliest = self.earliest[v as usize];
        self.earliest[parent as usize] = self.earliest[parent as usize].min(earliest);
        if earliest < self.met[parent as usize] {
            return;
        }
        let block = blocks.tops.len() as u32;
        blocks.tops.push(parent);
        while let Some(member) = self.open.pop() {
            blocks.homes[member as usize] = block;
            if member == v {
                break;
            }
        }
    }
}
