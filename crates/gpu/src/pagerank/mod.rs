//! PageRank: sweeps that pull, in kernels of their own if the plan is open and arcs have no weights, otherwise as a
//! program.

mod pull;

pub(crate) use pull::{PullArgs, Shares, module};

use crate::{
    DeviceGraph, OnGpu, Outline,
    form::choose,
    memory::{Extent, FIXED, Footprint, Needs, rows},
    variants,
};
use std::sync::Arc;
use warpgraph_core::{
    Form, Options, Result,
    pagerank::{PageRank, PageRankAnswer, Walk, by_program},
    program::Ways,
};
use warpgraph_device::Source;

/// The memory of a program that sums over two columns: the columns, two values, and the gathered messages.
pub(crate) const SUMMED: Needs = Needs {
    vertex: 2 * 8 + 3 * 8,
    weight: 8,
    is_sum: true,
    arc: 0,
    both_ways: false,
    fixed: 0,
    iterates: false,
    value: 8,
};

impl OnGpu for PageRank {
    fn form(&self, _: &dyn Extent, options: &Options) -> Form {
        choose::<Self>(options, "pull", !self.weighted)
    }

    fn bytes(&self, graph: &dyn Extent, form: Form, options: &Options) -> Footprint {
        match form {
            Form::Fast(_) => {
                let bytes = rows(graph, graph.is_directed(), 0) + pull::bytes(graph) + FIXED;
                Footprint { extra: pull::places_bytes(graph), ..bytes }
            }
            _ => SUMMED.bytes(graph, options),
        }
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<PageRankAnswer> {
        match form {
            Form::Fast(_) => pull::pagerank(device_graph, self, options),
            _ => by_program(device_graph, self, options),
        }
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        if let Form::General(_) = choose::<Self>(options, "pull", !self.weighted) {
            return variants::Functor::of(&Walk::example(self.weighted))?.ahead(outline, options, Ways::Out);
        }
        let fine = (self.target() < pull::COARSE).then_some(Shares::Fine);
        let shares = [Shares::Coarse, Shares::Hot].into_iter().chain(fine);
        let mut modules: Vec<_> = shares.map(|shares| variants::pagerank(outline.wide, shares)).collect();
        // Blocks keep all shares of smaller graphs.
        if outline.vertices > pull::LEAST_HOT as u64 {
            modules.extend([variants::by_degree(outline.wide), variants::sort(), variants::scan(false)]);
        }
        modules.into_iter().collect()
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        let shares = [Shares::Coarse, Shares::Hot, Shares::Fine];
        let pages =
            [Shares::Coarse, Shares::Fine].into_iter().flat_map(|shares| [(false, shares), (true, shares)]);
        shares
            .iter()
            .flat_map(|&shares| [(false, shares), (true, shares)])
            .map(|(wide, shares)| variants::pagerank(wide, shares))
            .chain(pages.map(|(wide, shares)| variants::pagerank_pages(wide, shares)))
            .chain([false, true].map(variants::by_degree))
            .collect()
    }
}
