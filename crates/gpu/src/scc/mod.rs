//! Strong components as filters: trimming, one search in both directions for the giant, and colours for all others at
//! once.
//!
//! A vertex is *done* when it has a component. Its arcs are then removed, once, in both directions. A vertex that loses
//! its last arc of a side lies on no cycle and is done too (*trimming* \[1\]). *Rounds* search the rest, in three steps
//! each:
//!
//! 1. Colours spread forward, and the greatest colour that reaches a vertex wins. In the first round only one vertex
//!    has a colour: the one with the most pairs of incoming and outgoing arcs, which lies in the giant component of
//!    nearly every graph that has one \[1\]. Later every vertex has its own colour \[2\].
//! 2. A vertex that kept its own colour is a *root*. From all roots at once, a search goes backward among the vertices
//!    of their colour: the root reaches them, and they reach the root. These are whole components, and they are done;
//!    each is named by its smallest vertex.
//! 3. Trimming starts from these vertices.
//!
//! No component has two colours, so colours are the *parts* of the next round: the search does not go along arcs
//! between parts. Each round draws new colours (a one-to-one hash of the vertex). So a chain of components comes apart
//! in the middle, not at its end, and on average each vertex is done or half as many vertices reach it as before. So
//! there are O(log n) rounds with high probability, whatever the graph; most graphs need two or three. A round is two
//! searches, which go along an arc again when a greater colour comes, O(log n) times.
//!
//! The strong components of an undirected graph are its connected components. Afforest finds them if the plan is open,
//! otherwise the program `components`.
//!
//! A graph may have copies of vertices ([`crate::copies`]). A copy reflects its master: it is done with it, has its colour,
//! and joins each frontier that the master joins. What copies find on the way back is combined: a master is found with the
//! first of its copies, and the arcs that a copy loses are subtracted from those of its master. So components are those of
//! the graph in which copies are merged. This takes one or two launches more per wave.
//!
//! The host waits once per wave; a long chain has half as many waves as vertices. Memory: 36 bytes per vertex.
//!
//! \[1\] G. M. Slota, S. Rajamanickam, K. Madduri, BFS and coloring-based parallel algorithms for strongly connected
//! components, IPDPS 2014. \[2\] S. Orzan, On distributed verification and verified distribution, 2004. There colours
//! are the numbers of vertices.

mod search;

use crate::{
    DeviceGraph, OnGpu, Outline,
    form::choose,
    machine::Machine,
    memory::{Extent, Footprint, Needs},
    variants,
    waves::{self, Waves},
    wcc,
};
use search::{Kernels, Search};
use std::sync::Arc;
use warpgraph_core::{
    Algorithm, Direction, Form, Halted, Options, Plan, Recorder, Result, Run,
    program::{Prepared, Ran, Runs, Ways, library::Components},
    scc::{Scc, SccAnswer},
    wcc::Wcc,
};
use warpgraph_device::Source;
use warpgraph_graph::{Graph, Pages, Vertex};

pub(crate) use search::FILTERS;

impl OnGpu for Scc {
    fn form(&self, graph: &dyn Extent, options: &Options) -> Form {
        choose::<Self>(options, wcc::AFFOREST, !graph.is_directed())
    }

    fn bytes(&self, graph: &dyn Extent, form: Form, options: &Options) -> Footprint {
        if matches!(form, Form::Fast(_)) {
            return Wcc {}.bytes(graph, form, options);
        }
        let needs = match options.merged.as_ref().map_or(graph.is_directed(), Graph::is_directed) {
            true => Needs { vertex: 24, both_ways: true, ..Needs::default() },
            // Of a graph with copies, outgoing arcs alone are the arcs of both directions.
            false => Needs { vertex: 4, ..Needs::default() },
        };
        needs.bytes(graph, options)
    }

    fn uses_heads(&self, form: Form) -> bool {
        matches!(form, Form::Fast(_))
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<SccAnswer> {
        if matches!(form, Form::Fast(_)) {
            let (components, run) = wcc::afforest(device_graph, options)?;
            return Ok(SccAnswer::new(device_graph.graph(), components, run));
        }
        scc(device_graph, options)
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        match (outline.directed, choose::<Self>(options, wcc::AFFOREST, !outline.directed)) {
            (true, _) => FILTERS.ahead(outline, options),
            (false, Form::Fast(_)) => Wcc {}.ahead(outline, options),
            (false, _) => variants::Functor::of(&Components {})?.ahead(outline, options, Ways::Both),
        }
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        FILTERS.modules()
    }
}

/// Returns the strong component of every vertex, named by its smallest vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
fn scc(device_graph: &DeviceGraph, options: &Options) -> Result<SccAnswer> {
    let graph = device_graph.graph();
    // The plan fixes no direction, even if the balance only pushes.
    let plan = Plan::bsp(None).by(options.plan.balance());
    if !options.whole(graph).is_directed() {
        let (components, run) = connected(device_graph, options)?;
        return Ok(SccAnswer::new(graph, components, Run { plan, ..run }));
    }
    let machine = Machine::new(device_graph.gpu(), options, "searching components");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let waves = Waves::new(&machine, device_graph, options.plan.balance())?;
    let kernels = Kernels::new(&waves, device_graph)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let mut search = Search::new(device_graph, waves, kernels, options)?;
    find_all(&mut search, options, &mut recorder)?;
    let mut run = search.waves.finish(recorder, plan, Halted::Converged, search.bytes())?;
    let components = waves::fetched(&search.components, &mut run)?;
    Ok(SccAnswer::new(graph, components, run))
}

/// Returns the components of an undirected graph. The arcs of one with copies are directed, and those of masters with their
/// copies lead both ways.
fn connected(device_graph: &DeviceGraph, options: &Options) -> Result<(Pages<Vertex>, Run)> {
    let graph = device_graph.graph();
    let copies = options.map.as_ref().filter(|map| !map.is_renumbering());
    let prepared = Prepared::new(&Components {}, graph, copies)?;
    let ways = if graph.is_directed() { Ways::Out } else { Ways::Both };
    // Chunks are for programs of users, and for algorithms that are one.
    let options = Options { chunks: None, ..options.clone() };
    let Ran { values: components, run, .. } = device_graph.run(&prepared, &options, ways)?;
    Ok((components, run))
}

/// Runs rounds until every vertex is done.
fn find_all(search: &mut Search<'_, '_>, options: &Options, recorder: &mut Recorder) -> Result<()> {
    let all = search.vertices();
    let trim = |search: &mut Search<'_, '_>, recorder: &mut Recorder| -> Result<()> {
        let (found, before) = (search.done - search.found, search.done);
        let waves = search.trim()?;
        let (more, seen) = (search.done - before, search.waves.seen()?);
        let note = || format!("trimmed {more} more, {waves} waves{seen}");
        recorder.step_by(found as usize, seen.arcs(), Direction::Push, seen.balance(), note);
        options.control.report(Scc::NAME, search.done, Some(all));
        Ok(())
    };
    search.begin()?;
    trim(search, recorder)?;
    let mut pivot = search.pivot()?;
    while search.done < all {
        let (left, is_giant) = (all - search.done, pivot.is_some());
        let waves = search.colour(pivot.take())?;
        let who = if is_giant { "what the pivot reaches" } else { "by colours" };
        let seen = search.waves.seen()?;
        let note = || format!("searched {who}, {waves} waves{seen}");
        recorder.step_by(left as usize, seen.arcs(), Direction::Push, seen.balance(), note);
        let (roots, waves) = search.back()?;
        let (members, seen) = (search.done - search.found, search.waves.seen()?);
        let note = || format!("{members} reach back to {roots} roots, {waves} waves{seen}");
        recorder.step_by(roots as usize, seen.arcs(), Direction::Pull, seen.balance(), note);
        trim(search, recorder)?;
    }
    Ok(())
}
