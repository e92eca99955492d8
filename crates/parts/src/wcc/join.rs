//! Joins the ends of the arcs of a part, as Afforest does on one machine.

use super::Components;
use crate::{Part, Result, forest::Forest};
use std::{ops::Range, sync::atomic::Ordering::Relaxed};
use warpgraph_graph::{Control, NO_VERTEX, Pages, Vertex, atomics::atomics, par};

/// One of so many vertices is joined with a ghost, so that the largest trees of two parts share vertices.
const GHOSTS: usize = 16;

impl Components {
    /// Joins the ends of own arcs: two arcs of every vertex, to own vertices if it has such, then the others of those outside
    /// the largest tree.
    pub(super) fn join(&mut self, control: &Control) -> Result<()> {
        let (part, own) = (&*self.part, self.part.own());
        let (rows, targets) = (part.out(), part.out().targets());
        let mut seconds = Pages::<Vertex>::scratch(part.vertices())?;
        let (forest, noted) = (Forest { cells: atomics(&mut self.parents) }, atomics(&mut seconds));
        each(part, |v, place| {
            let row = &targets[rows.arcs_of(v)];
            // Ghosts have no rows here, so trees below them would stay small: own vertices first.
            let before = row.partition_point(|&target| (target as usize) < own.start);
            let near = match row.get(before) {
                Some(&target) if own.contains(&(target as usize)) => &row[before..],
                _ => row,
            };
            // The first of a sorted row is the smallest, so no search is needed to hook below it.
            let smallest = *near.first().unwrap_or(&place);
            let second = match outermost(row, &own).filter(|_| v % GHOSTS == 0) {
                Some(ghost) => ghost,
                None if smallest > place => smallest,
                None => *near.get(1).unwrap_or(&place),
            };
            forest.cells[place as usize].store(smallest.min(place), Relaxed);
            noted[v].store(second, Relaxed);
        });
        forest.compress(own.clone());
        control.check("joining components")?;
        each(part, |v, place| forest.link(place, noted[v].load(Relaxed)));
        forest.compress(own.clone());
        control.check("joining components")?;
        let giant = if own.is_empty() { None } else { forest.sample(own.start, own.len()) };
        let skips = |place: Vertex| !part.whole().directed && Some(forest.get(place)) == giant;
        each(part, |v, place| {
            if skips(place) {
                return;
            }
            for &target in &targets[rows.arcs_of(v)] {
                forest.link(place, target);
                if skips(place) {
                    return;
                }
            }
        });
        control.check("joining components")?;
        forest.compress(0..part.places());
        self.giant = giant.map(|root| forest.get(root));
        self.skipped = !part.whole().directed;
        self.label();
        Ok(())
    }

    /// Gives every root the smallest original number in its tree.
    fn label(&mut self) {
        let Self { part, parents, labels, restored, .. } = self;
        let own = part.own();
        if part.is_in_order() {
            // The root is the smallest place, and so the smallest number.
            par::parts_mut(labels, par::FINE, |first, labels| part.numbers_from(first, labels));
        } else {
            labels.fill(NO_VERTEX);
            for (place, &root) in parents.iter().enumerate() {
                let label = &mut labels[root as usize];
                *label = (*label).min(part.original_at(place));
            }
        }
        for (v, label) in restored.take().into_iter().flatten().enumerate() {
            let root = &mut labels[parents[own.start + v] as usize];
            *root = (*root).min(label);
        }
    }

    /// Goes through the arcs to ghosts that vertices in the largest tree skipped.
    pub(super) fn join_giants(&mut self) {
        let (part, own) = (self.part.clone(), self.part.own());
        let (rows, targets, giant) = (part.out(), part.out().targets(), self.giant);
        let labels: Vec<Vertex> = (0..part.vertices()).map(|v| self.label_at(own.start + v)).collect();
        let is_giant: Vec<bool> = own.clone().map(|place| Some(self.parents[place]) == giant).collect();
        let forest = Forest { cells: atomics(&mut self.parents) };
        par::ranges(part.vertices(), par::FINE, |range| {
            for v in range.filter(|&v| is_giant[v]) {
                let ghosts =
                    targets[rows.arcs_of(v)].iter().filter(|place| !own.contains(&(**place as usize)));
                ghosts.for_each(|&place| forest.link((own.start + v) as Vertex, place));
            }
        });
        forest.compress(0..part.places());
        self.giant = giant.map(|root| forest.get(root));
        self.skipped = false;
        self.restored = Some(labels);
        self.label();
    }
}

/// Returns a ghost of a sorted row, if an end of the row is one.
fn outermost(row: &[Vertex], own: &Range<usize>) -> Option<Vertex> {
    [row.first(), row.last()].into_iter().flatten().copied().find(|&end| !own.contains(&(end as usize)))
}

/// Calls `work` with every own vertex and its place, on all threads, in roughly rising order.
fn each(part: &Part, work: impl Fn(usize, Vertex) + Sync) {
    let first = part.own().start;
    par::ranges(part.vertices(), par::FINE, |range| range.for_each(|v| work(v, (first + v) as Vertex)));
}
