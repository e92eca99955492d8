//! Rounds of Borůvka over a list of edges between trees.
//!
//! A round finds the least edge of every tree, joins the trees at its ends, and drops the edges that are now inside a
//! tree. Each round at least halves the number of trees, so the list is soon short enough to be sorted and taken in
//! order (Kruskal).

use super::weight::Edge;
use crate::parts::{Forest, Team};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU32, Ordering::Relaxed},
};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Vertex};

/// No edge has been found for a tree.
const NONE: u32 = u32::MAX;
/// The most edges for which sorting is faster than more rounds.
const FEW: usize = 1 << 11;
/// Edges that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// An edge and the roots of the trees at its ends.
#[derive(Clone, Copy)]
pub(super) struct Between<K> {
    pub(super) edge: Edge<K>,
    pub(super) a: Vertex,
    pub(super) b: Vertex,
}

/// The trees, and the index of the least edge found for each of them.
pub(super) struct Trees<'a> {
    pub(super) forest: Forest<'a>,
    pub(super) least: &'a [AtomicU32],
}

impl Trees<'_> {
    /// Prepares a tree for the next round.
    #[inline(always)]
    pub(super) fn clear(&self, root: Vertex) {
        self.least[root as usize].store(NONE, Relaxed);
    }

    /// Joins all trees that edges of the list connect, by the least of these edges. Requires that all roots in the list
    /// are cleared.
    pub(super) fn join_all<K: Ord + Copy + Send + Sync>(
        &self,
        team: &Team,
        mut list: Vec<Between<K>>,
        taken: &mut Vec<Edge<K>>,
        control: &Control,
    ) -> Result<()> {
        while list.len() > FEW && list.len() < NONE as usize {
            control.check("growing trees")?;
            self.find_least(team, &list);
            self.join_least(team, &list, taken);
            list = self.left(team, &list);
        }
        control.check("growing trees")?;
        list.sort_unstable_by_key(|between| between.edge);
        let is_new = |between: &&Between<K>| {
            let (a, b) = (self.forest.find(between.a), self.forest.find(between.b));
            a != b && self.forest.link(a, b)
        };
        taken.extend(list.iter().filter(is_new).map(|between| between.edge));
        Ok(())
    }

    fn find_least<K: Ord + Copy + Sync>(&self, team: &Team, list: &[Between<K>]) {
        team.round(list.len().div_ceil(CHUNK), &|_, chunk| {
            for (number, between) in list.iter().enumerate().skip(chunk * CHUNK).take(CHUNK) {
                for root in [between.a, between.b] {
                    self.lower(root, number, list);
                }
            }
        });
    }

    /// Makes an edge the least of a tree, unless the tree has a smaller one.
    #[inline(always)]
    fn lower<K: Ord>(&self, root: Vertex, number: usize, list: &[Between<K>]) {
        let cell = &self.least[root as usize];
        let mut held = cell.load(Relaxed);
        while held == NONE || list[number].edge < list[held as usize].edge {
            match cell.compare_exchange_weak(held, number as u32, Relaxed, Relaxed) {
                Ok(_) => break,
                Err(other) => held = other,
            }
        }
    }

    fn join_least<K: Ord + Copy + Send + Sync>(
        &self,
        team: &Team,
        list: &[Between<K>],
        taken: &mut Vec<Edge<K>>,
    ) {
        let taken = Mutex::new(taken);
        team.round(list.len().div_ceil(CHUNK), &|_, chunk| {
            let mut own = Vec::new();
            for (number, &Between { edge, a, b }) in list.iter().enumerate().skip(chunk * CHUNK).take(CHUNK) {
                let is_least = |root: Vertex| self.least[root as usize].load(Relaxed) == number as u32;
                if (is_least(a) || is_least(b)) && self.forest.link(a, b) {
                    own.push(edge);
                }
            }
            append(&taken, &own);
        });
    }

    /// Returns the edges that still connect two trees, with their new roots, which are cleared.
    fn left<K: Copy + Send + Sync>(&self, team: &Team, list: &[Between<K>]) -> Vec<Between<K>> {
        let mut left = Vec::with_capacity(list.len() / 2);
        let all = Mutex::new(&mut left);
        team.round(list.len().div_ceil(CHUNK), &|_, chunk| {
            let mut own = Vec::with_capacity(CHUNK);
            for between in &list[chunk * CHUNK..list.len().min((chunk + 1) * CHUNK)] {
                let (a, b) = (self.forest.find(between.a), self.forest.find(between.b));
                if a != b {
                    self.clear(a);
                    self.clear(b);
                    own.push(Between { edge: between.edge, a, b });
                }
            }
            append(&all, &own);
        });
        left
    }
}

/// Appends what one thread has found.
pub(super) fn append<T: Copy>(all: &Mutex<&mut Vec<T>>, own: &[T]) {
    if !own.is_empty() {
        all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(own);
    }
}
