//! Finds the levels, from the sources outwards, and counts paths.

use super::{
    DEEP, PUSH_COST, Row, Sweep, Tally, Task, WIDE, add_to, clear, gather, next_level, parts_per_group,
    scatter, take_out, within,
};
use crate::parts::Team;
use warpgraph_core::Result;
use warpgraph_graph::{Offset, Vertex};

impl<O: Offset, I: Offset, R: Row> Sweep<'_, O, I, R> {
    /// Finds all levels. Returns their totals, or `None` if the levels are too deep and narrow, or the path counts too
    /// large.
    pub(super) fn forward(&mut self, team: &Team, task: &Task<'_>) -> Result<Option<Tally>> {
        let mut last = self.scratch.levels[0].tally;
        let mut total = last;
        while last.vertices > 0 {
            task.options.control.check("counting paths")?;
            // Arcs into vertices that some lane has not reached.
            let open = self.incoming.arcs() - total.finished.min(self.incoming.arcs());
            let parts = self.scratch.levels[0].parts.len();
            next_level(&mut self.scratch.levels, &mut self.depth, parts);
            if last.out_arcs * PUSH_COST < open + self.incoming.vertices() / 8 {
                self.push(team);
            } else {
                self.pull(team);
            }
            self.reflect();
            last = self.scratch.levels[self.depth - 1].count();
            total.add(&last);
            if last.vertices > 0 && (last.huge || self.is_narrow(&total)) {
                return Ok(None);
            }
        }
        self.depth -= 1;
        Ok(Some(total))
    }

    /// Returns whether the levels are too narrow for all threads, or a vertex is rarely reached by two sources in the
    /// same level.
    fn is_narrow(&self, total: &Tally) -> bool {
        let is_apart = self.full.count_ones() > 1 && 2 * total.lanes < 3 * total.vertices;
        self.depth > DEEP && (total.vertices < WIDE * self.depth || is_apart)
    }

    fn push(&mut self, team: &Team) {
        let (out, incoming, size, full) = (self.out, self.incoming, self.size, self.full);
        let scratch = &mut self.scratch;
        let (near, far) = scratch.levels.split_at_mut(self.depth - 1);
        let (near, far) = (&near[self.depth - 2], &mut far[0]);
        let group = parts_per_group(far.parts.len(), team);
        let span = group * size;
        let rows = scratch.rows.chunks_mut(span).zip(scratch.seen.chunks_mut(span));
        let lists = scratch.marks.words_mut().chunks_mut(span / 64).zip(far.parts.chunks_mut(group));
        let mut work: Vec<_> = rows.zip(lists).collect();
        team.each(&mut work, |number, ((rows, seen), (marks, parts))| {
            let (low, high) = (number * span, number * span + rows.len());
            for part in &near.parts {
                for (&u, &row) in part.vertices.iter().zip(&part.rows) {
                    add_to(rows, low, within(out.neighbors(u), low, high), row, |i| {
                        let is_open = seen[i] != full;
                        marks[i / 64] |= u64::from(is_open) << (i % 64);
                        is_open
                    });
                }
            }
            for (w, marks) in marks.iter_mut().enumerate() {
                let part = &mut parts[w * 64 / size];
                let mut left = std::mem::take(marks);
                while left != 0 {
                    let i = w * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let v = (low + i) as Vertex;
                    part.take(v, take_out(rows, i), &mut seen[i], full, [out.degree(v), incoming.degree(v)]);
                }
            }
        });
    }

    fn pull(&mut self, team: &Team) {
        let (out, incoming, size, full) = (self.out, self.incoming, self.size, self.full);
        let scratch = &mut self.scratch;
        let (near, far) = scratch.levels.split_at_mut(self.depth - 1);
        let near = &near[self.depth - 2];
        scatter(team, near, &mut scratch.rows, size);
        let rows = &scratch.rows[..];
        let mut work: Vec<_> = scratch.seen.chunks_mut(size).zip(&mut far[0].parts).collect();
        team.each(&mut work, |p, (seen, part)| {
            for (i, seen) in seen.iter_mut().enumerate() {
                if *seen != full {
                    let v = (p * size + i) as Vertex;
                    let neighbors = incoming.neighbors(v);
                    part.take(v, gather(rows, neighbors), seen, full, [out.degree(v), neighbors.len()]);
                }
            }
        });
        clear(team, near, &mut scratch.rows, size);
    }
}
