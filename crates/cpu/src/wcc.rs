//! Weakly connected components by Afforest [1].
//!
//! `component[v]` always points to a vertex of the same component that is at most `v`, so the pointers form a forest.
//! Hooking the larger root below the smaller one joins two trees, and in the end every tree is a star below the
//! smallest vertex of its component. Hooking along a few arcs of every vertex joins nearly all of the giant component;
//! a sample finds its root, and then only vertices outside of it process their other arcs.
//!
//! Departures from the paper: the first hook needs no search, since the first neighbour in a sorted list is the
//! smallest. The same pass over the graph notes a second neighbour, so that the second hook does not read the graph. On
//! undirected graphs a vertex stops at the first arc that brings it into the giant component, because its other
//! neighbours outside process the arc from their side. A directed graph without a transpose has only one side, so all
//! its arcs are hooked.
//!
//! [1] M. Sutton, T. Ben-Nun, A. Barak, Optimizing parallel graph connectivity computation via subgraph sampling, IPDPS
//! 2018.

use crate::{
    AlongPaths, Options, Recorder,
    parts::{Forest, Team, atomics, team},
};
use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Instant,
};
use warpgraph_core::{
    Direction, Halted, Plan, Result, Run,
    program::Copies,
    wcc::{Wcc, WccAnswer, by_program},
};
use warpgraph_graph::{Graph, Offset, Pages, Vertex, View, with_view};

/// Computes the component of every vertex, named by its smallest vertex.
///
/// # Errors
/// If interrupted, or if memory is short.
pub fn wcc(graph: &Graph, _: &Wcc, options: &Options) -> Result<WccAnswer> {
    if options.plan.paths().is_some() {
        return by_program(&AlongPaths::new(graph), options);
    }
    let (components, run) = components(graph, options)?;
    Ok(WccAnswer::new(graph, components, run))
}

/// Computes the components themselves, and the report. A copy of a vertex is in the component of its master, and the arcs in its
/// row are arcs of that component.
pub(crate) fn components(graph: &Graph, options: &Options) -> Result<(Pages<Vertex>, Run)> {
    let prepared = Instant::now();
    let copies = Copies::of_run(graph, options)?;
    let mut recorder = Recorder::start(options, prepared);
    let n = graph.vertices();
    let mut components = Pages::scratch(n)?;
    let mut seconds = Pages::scratch(n)?;
    let cells = atomics(&mut components);
    with_view!(graph.out().csr, |out| team(|team| -> Result<()> {
        let forest = Forest { cells };
        forest.hook_first(team, out, atomics(&mut seconds));
        if let Some(copies) = &copies {
            forest.unite(team, copies);
        }
        forest.compress(team);
        options.control.check("joining components")?;
        forest.hook_second(team, &seconds);
        forest.compress(team);
        recorder.step(n, Direction::Push, || "hooked two arcs of each".to_owned());
        options.control.check("joining components")?;
        if !options.whole(graph).is_directed() {
            let giant = forest.sample(n as u64);
            forest.hook_outside(team, giant, out);
        } else if graph.has_incoming() {
            let giant = forest.sample(n as u64);
            with_view!(graph.incoming()?.csr, |incoming| forest.hook_both(team, giant, out, incoming));
        } else {
            forest.hook_rest(team, out);
        }
        options.control.check("joining components")?;
        forest.compress(team);
        recorder.step(n, Direction::Push, || "hooked what was left outside the giant".to_owned());
        Ok(())
    }))?;
    let run = recorder.finish(Plan::bsp(None), Halted::Converged, 8 * n as u64);
    Ok((components, run))
}

impl Forest<'_> {
    /// Points every vertex to the smaller of itself and its first neighbour, and notes another neighbour of each.
    fn hook_first<O: Offset>(&self, team: &Team, out: View<'_, O>, seconds: &[AtomicU32]) {
        self.for_all(team, |v| {
            let neighbors = out.neighbors(v);
            let first = *neighbors.first().unwrap_or(&v);
            let second = if first > v { first } else { *neighbors.get(1).unwrap_or(&v) };
            self.cells[v as usize].store(first.min(v), Relaxed);
            seconds[v as usize].store(second, Relaxed);
        });
    }

    fn hook_second(&self, team: &Team, seconds: &[Vertex]) {
        self.for_all(team, |v| {
            self.link(v, seconds[v as usize]);
        });
    }

    fn hook_outside<O: Offset>(&self, team: &Team, giant: Option<Vertex>, out: View<'_, O>) {
        self.for_all(team, |v| {
            if Some(self.get(v)) == giant {
                return;
            }
            for &u in out.neighbors(v) {
                self.link(v, u);
                if Some(self.get(v)) == giant {
                    return;
                }
            }
        });
    }

    fn hook_both<O: Offset, I: Offset>(
        &self,
        team: &Team,
        giant: Option<Vertex>,
        out: View<'_, O>,
        incoming: View<'_, I>,
    ) {
        self.for_all(team, |v| {
            if Some(self.get(v)) == giant {
                return;
            }
            out.neighbors(v).iter().for_each(|&u| {
                self.link(v, u);
            });
            incoming.neighbors(v).iter().for_each(|&u| {
                self.link(v, u);
            });
        });
    }

    fn hook_rest<O: Offset>(&self, team: &Team, out: View<'_, O>) {
        self.for_all(team, |v| {
            out.neighbors(v).iter().for_each(|&u| {
                self.link(v, u);
            });
        });
    }
}
