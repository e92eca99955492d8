//! Computes dependencies, from the farthest level back to the sources.

use super::{
    Masses, PUSH_COST, Part, Row, Sweep, Task, add_to, clear, gather, parts_per_group, scatter, take_out,
    within,
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
                Some(far) if far.in_arcs * PUSH_COST < near.out_arcs && self.copies.is_none() => {
                    self.push_back(team, depth, sums);
                }
                Some(_) => self.pull_back(team, depth, sums),
            }
        }
        Ok(())
    }

    /// Handles the last level, which has no successors.
    fn end(&mut self, team: &Team, depth: usize, sums: &mut [f64]) {
        let (stands, parts) = ((self.masses, self.sources), &mut self.scratch.levels[depth].parts);
        let (size, mut work) = (self.size, sums.chunks_mut(self.size).zip(parts).collect::<Vec<_>>());
        team.each(&mut work, |p, (sums, part)| part.depend(p * size, sums, stands, |_, _| R::ZERO));
    }

    fn pull_back(&mut self, team: &Team, depth: usize, sums: &mut [f64]) {
        let stands = (self.masses, self.sources);
        let (out, size, scratch) = (self.out, self.size, &mut self.scratch);
        let (near, far) = scratch.levels.split_at_mut(depth + 1);
        scatter(team, &far[0], &mut scratch.rows, size);
        let (rows, copies) = (&scratch.rows[..], self.copies);
        let mut work: Vec<_> = sums.chunks_mut(size).zip(&mut near[depth].parts).collect();
        team.each(&mut work, |p, (sums, part)| {
            part.depend(p * size, sums, stands, |i, _| {
                let u = (p * size + i) as u32;
                let own = gather(rows, out.neighbors(u));
                let of_copies = copies.map_or(&[][..], |copies| copies.of_master(u)).iter();
                of_copies.fold(own, |sum, &copy| sum.plus(gather(rows, out.neighbors(copy))))
            });
        });
        clear(team, &far[0], &mut scratch.rows, size);
    }

    fn push_back(&mut self, team: &Team, depth: usize, sums: &mut [f64]) {
        let stands = (self.masses, self.sources);
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
                part.depend(low, sums, stands, |i, _| take_out(rows, i));
            }
        });
    }
}

impl<R: Row> Part<R> {
    /// Replaces counts by `(mass + delta) / sigma` and adds the deltas to `sums`. `masses` are those of all vertices, and of
    /// the sources. `behind(vertex - base, row)` returns the sum over the successors.
    #[inline(always)]
    fn depend(
        &mut self,
        base: usize,
        sums: &mut [f64],
        (masses, sources): (Masses<'_>, R),
        mut behind: impl FnMut(usize, R) -> R,
    ) {
        for (&u, row) in self.vertices.iter().zip(&mut self.rows) {
            let i = u as usize - base;
            let (next, deltas) = row.depend(behind(i, *row), masses.of(u), sources);
            *row = next;
            sums[i] += deltas;
        }
    }
}
