//! Computes dependencies, from the farthest level back to the sources.

use super::{
    PUSH_COST, Part, Row, Sweep, Task, add_to, clear, gather, parts_per_group, scatter, take_out, within,
};
use crate::parts::Team;
use warpgraph_core::Result;
use warpgraph_graph::Offset;

impl<O: Offset, I: Offset, R: Row> Sweep<'_, O, I, R> {
    /// Adds the dependencies of all vertices except the sources to `sums`.
    pub(super) fn backward(&mut self, team: &Team, task: &Task<'_>, sums: &mut [f64]) -> Result<()> {
        for depth in (1..self.depth).rev() {
            task.options.control.check("adding dependencies")?;
            let near = self.scratch.levels[depth].tally;
            let far = self.scratch.levels.get(depth + 1).map(|level| level.tally);
            match far.filter(|_| depth + 1 < self.depth) {
                None => self.end(team, depth, sums),
                Some(far) if far.in_arcs * PUSH_COST < near.out_arcs => self.push_back(team, depth, sums),
                Some(_) => self.pull_back(team, depth, sums),
            }
        }
        Ok(())
    }

    /// Handles the last level, which has no successors.
    fn end(&mut self, team: &Team, depth: usize, sums: &mut [f64]) {
        let parts = &mut self.scratch.levels[depth].parts;
        let (size, mut work) = (self.size, sums.chunks_mut(self.size).zip(parts).collect::<Vec<_>>());
        team.each(&mut work, |p, (sums, part)| part.depend(p * size, sums, |_, _| R::ZERO));
    }

    fn pull_back(&mut self, team: &Team, depth: usize, sums: &mut [f64]) {
        let (out, size, scratch) = (self.out, self.size, &mut self.scratch);
        let (near, far) = scratch.levels.split_at_mut(depth + 1);
        scatter(team, &far[0], &mut scratch.rows, size);
        let rows = &scratch.rows[..];
        let mut work: Vec<_> = sums.chunks_mut(size).zip(&mut near[depth].parts).collect();
        team.each(&mut work, |p, (sums, part)| {
            part.depend(p * size, sums, |i, _| gather(rows, out.neighbors((p * size + i) as u32)));
        });
        clear(team, &far[0], &mut scratch.rows, size);
    }

    fn push_back(&mut self, team: &Team, depth: usize, sums: &mut [f64]) {
        let (incoming, size, scratch) = (self.incoming, self.size, &mut self.scratch);
        let (near, far) = scratch.levels.split_at_mut(depth + 1);
        let (near, far) = (&mut near[depth], &far[0]);
        let group = parts_per_group(near.parts.len(), team);
        let span = group * size;
        let rows = scratch.rows.chunks_mut(span).zip(scratch.marks.words_mut().chunks_mut(span / 64));
        let lists = sums.chunks_mut(span).zip(near.parts.chunks_mut(group));
        let mut work: Vec<_> = rows.zip(lists).collect();
        team.each(&mut work, |number, ((rows, marks), (sums, parts))| {
            let (low, high) = (number * span, number * span + rows.len());
            let listed = || parts.iter().flat_map(|part| &part.vertices).map(|&u| u as usize - low);
            listed().for_each(|i| marks[i / 64] |= 1 << (i % 64));
            for part in &far.parts {
                for (&v, &row) in part.vertices.iter().zip(&part.rows) {
                    let neighbors = within(incoming.neighbors(v), low, high);
                    add_to(rows, low, neighbors, row, |i| marks[i / 64] >> (i % 64) & 1 != 0);
                }
            }
            listed().for_each(|i| marks[i / 64] = 0);
            for part in &mut **parts {
                part.depend(low, sums, |i, _| take_out(rows, i));
            }
        });
    }
}

impl<R: Row> Part<R> {
    /// Replaces counts by `(1 + delta) / sigma` and adds the deltas to `sums`. `behind(vertex - base, row)` returns the
    /// sum over the successors.
    #[inline(always)]
    fn depend(&mut self, base: usize, sums: &mut [f64], mut behind: impl FnMut(usize, R) -> R) {
        for (&u, row) in self.vertices.iter().zip(&mut self.rows) {
            let i = u as usize - base;
            let (next, deltas) = row.depend(behind(i, *row));
            *row = next;
            sums[i] += deltas;
        }
    }
}
