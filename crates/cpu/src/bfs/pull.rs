//! Supersteps that pull: every vertex that is not done searches for a parent in the frontier.

use super::{Frontier, Search, Tree};
use crate::parts::{Bitmap, Team};
use warpgraph_core::bfs::UNREACHED;
use warpgraph_graph::{NO_VERTEX, Offset, Vertex, View};

/// Words of the bitmaps that a thread takes at a time: 64 vertices each.
const WORDS: usize = 64;

impl<O: Offset, I: Offset> Search<'_, O, I> {
    /// Pulls from the frontier's bitmap.
    pub(super) fn pull(&mut self, team: &Team, distance: u32) -> Frontier {
        let step = Step { incoming: self.incoming, tree: self.tree, front: &self.front, distance };
        let done = self.done.words_mut().chunks_mut(WORDS);
        let next = self.next_front.words_mut().chunks_mut(WORDS);
        let mut parts: Vec<_> = done.zip(next).map(|(done, next)| (done, next, 0)).collect();
        team.each(&mut parts, |part, (done, next, found)| {
            let words = done.iter_mut().zip(&mut **next).enumerate();
            *found =
                words.map(|(w, (done, next))| step.word((part * WORDS + w) * 64, done, next)).sum::<usize>();
        });
        let vertices = parts.iter().map(|(_, _, found)| found).sum();
        std::mem::swap(&mut self.front, &mut self.next_front);
        Frontier { vertices, arcs: 0 }
    }
}

/// What the threads of one superstep share.
struct Step<'a, I> {
    incoming: View<'a, I>,
    tree: Tree<'a>,
    front: &'a Bitmap,
    distance: u32,
}

impl<I: Offset> Step<'_, I> {
    /// Searches for parents of the 64 vertices from `base`, and returns how many found one.
    #[inline(always)]
    fn word(&self, base: usize, done: &mut u64, next: &mut u64) -> usize {
        let in_graph = self.incoming.vertices() - base;
        let mut left = !*done & if in_graph >= 64 { u64::MAX } else { (1 << in_graph) - 1 };
        let (mut found, mut barren) = (0u64, 0u64);
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let v = base as Vertex + bit;
            let neighbors = self.incoming.neighbors(v);
            if let Some(&u) = neighbors.iter().find(|&&u| self.front.contains(u)) {
                self.tree.hang(v, u, self.distance);
                found |= 1 << bit;
            } else if neighbors.is_empty() {
                self.tree.hang(v, NO_VERTEX, UNREACHED);
                barren |= 1 << bit;
            }
        }
        *done |= found | barren;
        *next = found;
        found.count_ones() as usize
    }
}
