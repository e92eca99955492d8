//! What a run will compile, known before its graph is read: so that compiling starts when the question is known.
//!
//! An [`Outline`] is what the head of a file tells of a graph. [`OnGpu::ahead`] returns the modules of
//! the form that the engine chooses for such a graph, the ones needed first in front. It never returns modules of another
//! form. It returns fewer than a run needs if the outline does not tell, and a few more where only the arcs tell: the
//! kernels of `resident`, which serve long rows only, or PageRank's for graphs in degree order.
//!
//! [`bundled`] and [`usual`] list these modules for typical outlines. A release carries the first list as cubins, and
//! `doctor --warm` compiles the second: neither can drift from what runs ask for.

use crate::{OnGpu, advance, error::lift, variants, walk};
use std::{collections::HashSet, sync::Arc};
use warpgraph_core::{Algorithm, Options, Result, Sources, bc::Bc};
use warpgraph_device::{Gpu, Source};
use warpgraph_graph::{Control, Graph, Offsets, VertexId, WeightType, format::wg::Pending};

/// What the head of a file tells of its graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outline {
    /// Whether arcs have a direction.
    pub directed: bool,
    /// The number of vertices.
    pub vertices: u64,
    /// The number of arcs; an undirected edge is two.
    pub arcs: u64,
    /// Whether offsets have 64 bits.
    pub wide: bool,
    /// The type of the weights; `None` if there are none.
    pub weights: Option<WeightType>,
    /// The least and the greatest weight, if known.
    pub weight_range: Option<(f64, f64)>,
}

impl Outline {
    /// Returns the outline of a file that has not been read.
    pub fn of_file(file: &Pending) -> Self {
        Self {
            directed: file.is_directed(),
            vertices: file.vertices() as u64,
            arcs: file.targets().len() as u64,
            wide: matches!(file.offsets(), Offsets::Wide(_)),
            weights: file.weight_type(),
            weight_range: None,
        }
    }

    /// Returns the outline of a graph in memory. Finding the range of the weights reads them all once per graph.
    pub fn of(graph: &Graph) -> Self {
        Self {
            directed: graph.is_directed(),
            vertices: graph.vertices() as u64,
            arcs: graph.arcs() as u64,
            wide: matches!(graph.out().csr.offsets(), Offsets::Wide(_)),
            weights: graph.weight_type(),
            weight_range: graph.weight_range(),
        }
    }

    /// Returns an undirected graph of a usual size, without weights.
    const fn typical() -> Self {
        let (directed, vertices, arcs) = (false, 1 << 20, 1 << 24);
        Self { directed, vertices, arcs, wide: false, weights: None, weight_range: None }
    }

    /// Returns true if a walker can search the graph.
    pub(crate) fn can_walk(&self) -> bool {
        !self.wide && walk::is_walkable(self.arcs)
    }

    /// Returns the least weight if it is known; whole numbers of type u32 are never below 0.
    pub(crate) fn least_weight(&self) -> Option<f64> {
        match (self.weight_range, self.weights) {
            (Some((least, _)), _) => Some(least),
            (None, None) => Some(1.0),
            (None, Some(WeightType::U32)) => Some(0.0),
            (None, Some(_)) => None,
        }
    }
}

/// Returns what every expansion by a plan's balance needs: the module of frontiers, then that of `module` by each scheme,
/// then what the schemes need beside. `one_order`: one thread must take all of a row. `takes`: the schemes that go.
pub(crate) fn expansion(
    outline: &Outline,
    options: &Options,
    one_order: bool,
    takes: impl Fn(&advance::Scheme) -> bool,
    module: impl Fn(advance::Scheme) -> Result<Arc<Source>>,
) -> Result<Vec<Arc<Source>>> {
    let schemes = advance::schemes_ahead(options.plan.balance(), one_order);
    let schemes: Vec<_> = schemes.into_iter().filter(takes).collect();
    let mut all = vec![variants::frontier(outline.wide)?];
    for &scheme in &schemes {
        all.push(module(scheme)?);
    }
    for scheme in schemes {
        all.extend(variants::lists(outline.wide, scheme).transpose()?);
    }
    Ok(all)
}

/// Returns from how many vertices a question searches: the named ones, some, or all.
pub(crate) fn sources(named: &[VertexId], sources: Sources, vertices: u64) -> usize {
    match (named, sources) {
        ([], Sources::All) => vertices as usize,
        ([], Sources::Count(count)) => count.min(vertices) as usize,
        (named, _) => named.len(),
    }
}

/// Graphs that the engine meets most: undirected and directed ones without weights, and with weights of these types.
fn outlines(wide: bool, weights: &[WeightType]) -> Vec<Outline> {
    let typical = Outline { wide, ..Outline::typical() };
    let typical = if wide { Outline { vertices: 1 << 27, arcs: 5 << 30, ..typical } } else { typical };
    let weights = weights.iter().map(|&kind| Outline {
        weights: Some(kind),
        weight_range: Some((1.0, 255.0)),
        ..typical
    });
    [typical, Outline { directed: true, ..typical }].into_iter().chain(weights).collect()
}

/// Returns what an open plan of an algorithm needs on these graphs.
fn of<A: OnGpu>(outlines: &[Outline]) -> Result<Vec<Arc<Source>>> {
    let mut all = Vec::new();
    for outline in outlines {
        for config in [A::usual(), A::default()] {
            all.extend(config.ahead(outline, &Options::default())?);
        }
    }
    Ok(all)
}

/// Returns the modules in their order, each text once.
fn each_once(all: Vec<Arc<Source>>) -> Vec<Arc<Source>> {
    let mut seen = HashSet::new();
    all.into_iter().filter(|source| seen.insert(source.text.clone())).collect()
}

macro_rules! of_algorithms {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        /// Returns what the named algorithms, or all if `names` is empty, need under an open plan on graphs with these
        /// offsets and weights.
        fn of_named(names: &[&str], outlines: &[Outline]) -> Result<Vec<Arc<Source>>> {
            let mut all = Vec::new();
            $({
                type Config = warpgraph_core::$module::$config;
                if names.is_empty() || names.contains(&Config::NAME) {
                    all.extend(of::<Config>(outlines)?);
                }
            })*
            Ok(all)
        }
    };
}
warpgraph_core::for_each_algorithm!(of_algorithms);

/// Returns what the default forms of the named algorithms, or of all if `names` is empty, need on graphs with 32-bit
/// offsets: without weights, and with weights of type u32, f32 and f64; and, if one of them has no fast form, the modules
/// by which the costs of balances are measured. Also the modules of betweenness within an error, and the module that checks
/// files.
///
/// # Errors
/// None that a user can cause.
pub fn usual(names: &[&str]) -> Result<Vec<Arc<Source>>> {
    let mut all = of_named(names, &outlines(false, &[WeightType::U32, WeightType::F32, WeightType::F64]))?;
    if names.is_empty() || names.contains(&Bc::NAME) {
        for outline in outlines(false, &[]) {
            all.extend(Bc::default().max_error(0.01).ahead(&outline, &Options::default())?);
        }
    }
    if all.contains(&variants::frontier(false)?) {
        all.extend(advance::measured_texts()?);
    }
    all.push(opening(false)?);
    Ok(each_once(all))
}

/// Returns the module by which [`open`](crate::open) checks a file.
///
/// # Errors
/// None that a user can cause.
pub fn opening(wide: bool) -> Result<Arc<Source>> {
    variants::check(wide)
}

/// Returns the modules of the bundle for an architecture (90 for `sm_90`): [`usual`] of all algorithms; and for
/// architectures whose GPUs have the memory, what fast forms, bfs and sssp need on graphs with 64-bit offsets.
///
/// # Errors
/// None that a user can cause.
pub fn bundled(sm: u32) -> Result<Vec<Arc<Source>>> {
    let mut all = usual(&[])?;
    if WIDE.contains(&sm) {
        all.extend(of_named(&WIDE_ALGORITHMS, &outlines(true, &[WeightType::U32]))?);
        all.push(opening(true)?);
    }
    Ok(each_once(all))
}

/// Compiles modules on background threads and on this one, until all are compiled or in the cache.
///
/// # Errors
/// The first error of a module; when interrupted, which takes effect between two modules.
pub fn compile(gpu: &Gpu, modules: &[Arc<Source>], control: &Control) -> Result<()> {
    let _ahead = gpu.compile_ahead(modules.to_vec());
    for module in modules {
        control.check("compiling kernels")?;
        gpu.compile(module).map_err(lift)?;
    }
    Ok(())
}

/// The architectures that a release has cubins for.
pub const ARCHITECTURES: [u32; 7] = [75, 80, 86, 89, 90, 100, 120];
/// Those with GPUs for graphs of 2^32 arcs and more: A100, H100 and H200, B200.
const WIDE: [u32; 3] = [80, 90, 100];
/// Algorithms with modules for such graphs in a bundle.
const WIDE_ALGORITHMS: [&str; 5] = ["bfs", "sssp", "pagerank", "wcc", "kcore"];
