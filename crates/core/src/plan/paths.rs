//! The model `paths`: asynchronous walks along paths, with a sketch of hubs \[1\]. [`PathPlan`] has its options; how paths
//! are made is in `transform::paths`, how they are laid out in [`warpgraph_graph::paths`].
//!
//! \[1\] Y. Zhang et al., AsynGraph: maximizing data parallelism for efficient iterative graph processing on GPUs, TACO 2020.

use crate::brackets::{Brackets, Wrong};
use std::{fmt, num::NonZeroU32, str::FromStr};
use warpgraph_graph::{Graph, Paths, paths::Recipe};

/// The options of the model `paths`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PathPlan {
    /// How often a hub chunk is walked each time it is handled, at most (the paper's Np).
    pub np: NonZeroU32,
    /// The share of vertices that are hubs; `None` takes the paper's value for the average degree.
    pub lambda: Option<Share>,
    /// The share of vertices that are sampled to find the least important hub; `None` takes the paper's value for the size.
    pub beta: Option<Share>,
    /// What makes a vertex important; `None` takes the degree, or whatever the paths that are kept were made with.
    pub importance: Option<Importance>,
    /// False makes no sketch: all paths are cold (the paper's AsynGraph-t).
    pub sketch: bool,
    /// False walks forward only, on paths that contain both arcs of every undirected edge (AsynGraph-w).
    pub backward: bool,
}

/// A share of all vertices, in millionths, from 0.000001 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share(NonZeroU32);

/// What makes a vertex important for the spreading of values (the paper's IOP).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Importance {
    /// Its degree: of incoming and outgoing arcs together.
    Degree,
    /// How close it is to the others, in the harmonic mean of hops from sampled vertices.
    Closeness,
    /// How many shortest paths from sampled sources go through it.
    Betweenness,
}

impl Importance {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Degree, Self::Closeness, Self::Betweenness];

    /// Returns its name in a plan.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Degree => "degree",
            Self::Closeness => "closeness",
            Self::Betweenness => "betweenness",
        }
    }
}

impl Share {
    /// One million.
    pub const WHOLE: u32 = 1_000_000;

    /// Returns a share; `None` if it is 0 or more than all.
    pub const fn millionths(millionths: u32) -> Option<Self> {
        match NonZeroU32::new(millionths) {
            Some(number) if millionths <= Self::WHOLE => Some(Self(number)),
            _ => None,
        }
    }

    /// Returns it in millionths.
    pub const fn in_millionths(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0.get()) / f64::from(Self::WHOLE))
    }
}

impl FromStr for Share {
    type Err = ();

    /// Reads a decimal of at most six places.
    fn from_str(text: &str) -> Result<Self, ()> {
        let millionths = text.parse::<f64>().map_err(drop)? * f64::from(Self::WHOLE);
        let whole = millionths.round();
        let is_exact = (millionths - whole).abs() < 1e-6 && (1.0..=f64::from(Self::WHOLE)).contains(&whole);
        if is_exact { Self::millionths(whole as u32).ok_or(()) } else { Err(()) }
    }
}

impl PathPlan {
    /// The name of the model in a plan.
    pub const NAME: &'static str = "paths";
    /// Default options.
    pub const DEFAULT: Self = Self {
        np: NonZeroU32::new(3).unwrap(),
        lambda: None,
        beta: None,
        importance: None,
        sketch: true,
        backward: true,
    };
    /// The greatest `np`.
    const MOST: u32 = 64;
    /// The usual share of hubs, and that on graphs with few arcs per vertex, in millionths.
    const HUBS: u32 = 5_000;
    const MANY_HUBS: u32 = 25_000;
    /// Graphs with fewer arcs per vertex get more hubs.
    const FEW_ARCS: usize = 18;

    pub(super) fn read(options: &mut Brackets<'_>) -> Result<Self, Wrong> {
        let np = options.number("np", 1..=Self::MOST, 3)?.and_then(NonZeroU32::new);
        let (lambda, beta) =
            (Share::read(options, "lambda", "0.005")?, Share::read(options, "beta", "0.01")?);
        let importance =
            match options.one_of("importance", &["auto", "degree", "closeness", "betweenness"])? {
                "auto" => None,
                name => Importance::ALL.into_iter().find(|importance| importance.name() == name),
            };
        let (sketch, backward) = (options.switch("sketch")?, options.switch("backward")?);
        if !sketch && (lambda.is_some() || np.is_some()) {
            let what = "lambda and np are about the sketch, and sketch=off leaves it out".to_owned();
            return Err((what, "leave out sketch=off, or the other two".to_owned()));
        }
        Ok(Self { np: np.unwrap_or(Self::DEFAULT.np), lambda, beta, importance, sketch, backward })
    }

    /// Returns the options that differ from their defaults, as `key=value`.
    pub(super) fn written(&self) -> Vec<String> {
        let np = (self.np != Self::DEFAULT.np).then(|| format!("np={}", self.np));
        let lambda = self.lambda.map(|share| format!("lambda={share}"));
        let beta = self.beta.map(|share| format!("beta={share}"));
        let importance = self.importance.map(|importance| format!("importance={}", importance.name()));
        let off = |key: &str, is_on: bool| (!is_on).then(|| format!("{key}=off"));
        let switches = [off("sketch", self.sketch), off("backward", self.backward)];
        [np, lambda, beta, importance].into_iter().chain(switches).flatten().collect()
    }

    /// Returns how to make the paths of a graph for this plan.
    pub fn recipe(&self, graph: &Graph) -> Recipe {
        let (n, m) = (graph.vertices(), graph.arcs());
        let usual = if m < Self::FEW_ARCS * n { Self::MANY_HUBS } else { Self::HUBS };
        let sample = match n {
            0..1_000_000 => 10_000,
            1_000_000..10_000_000 => 1_000,
            _ => 100,
        };
        Recipe {
            lambda: if self.sketch { self.lambda.map_or(usual, Share::in_millionths) } else { 0 },
            beta: self.beta.map_or(sample, Share::in_millionths),
            importance: self.importance.unwrap_or(Importance::Degree).name().to_owned(),
            both_arcs: !self.backward && !graph.is_directed(),
        }
    }

    /// Returns about how many slots the paths of a graph will have: a path has a vertex more than edges, and many paths have
    /// one edge.
    pub fn guessed_slots(&self, arcs: u64, directed: bool) -> u64 {
        let edges = if !directed && self.backward { arcs.div_ceil(2) } else { arcs };
        2 * edges
    }

    /// Returns about how many bytes of host memory the paths of a graph will take, homes included.
    pub fn guessed_bytes(&self, vertices: u64, arcs: u64, directed: bool) -> u64 {
        let (slots, arc) =
            (self.guessed_slots(arcs, directed), if arcs > u64::from(u32::MAX) { 8 } else { 4 });
        slots * (4 + arc) + slots / 8 + 2 * slots + 4 * (vertices + 1)
    }

    /// Returns how many of all workers prefer hub chunks, so that hub chunks are walked `np` times while all cold ones are
    /// walked once (the paper's Ns): with lambda the share of hub chunks, `lambda * workers * np / (1 - lambda + lambda * np)`,
    /// at least 1 and not all, where there are chunks of both kinds.
    pub fn hub_workers(&self, paths: &Paths, workers: usize) -> usize {
        let (chunks, hubs) = (paths.chunks(), paths.hub_chunks());
        match hubs {
            0 => 0,
            _ if hubs == chunks || workers == 1 => workers,
            _ => {
                let (lambda, np) = (hubs as f64 / chunks as f64, f64::from(self.np.get()));
                let exact = lambda * workers as f64 * np / (1.0 - lambda + lambda * np);
                (exact.round() as usize).clamp(1, workers - 1)
            }
        }
    }

    /// Returns true if paths of this recipe will do for this plan: every option that the plan names agrees.
    pub fn takes(&self, recipe: &Recipe, graph: &Graph) -> bool {
        let own = self.recipe(graph);
        let agrees = |named: bool, same: bool| !named || same;
        agrees(self.lambda.is_some(), own.lambda == recipe.lambda)
            && agrees(self.beta.is_some(), own.beta == recipe.beta)
            && agrees(self.importance.is_some(), own.importance == recipe.importance)
            && self.sketch == (recipe.lambda > 0)
            && own.both_arcs == recipe.both_arcs
    }
}

impl Default for PathPlan {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Share {
    fn read(options: &mut Brackets<'_>, key: &'static str, example: &str) -> Result<Option<Self>, Wrong> {
        let Some(text) = options.text(key)? else { return Ok(None) };
        text.parse().map(Some).map_err(|()| {
            let what = format!("{key} is a share from 0.000001 to 1, got {text:?}");
            (what, format!("{}({key}={example})", PathPlan::NAME))
        })
    }
}

impl fmt::Display for PathPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.written();
        f.write_str(Self::NAME)?;
        if options.is_empty() { Ok(()) } else { write!(f, "({})", options.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_reads_back_as_it_prints() {
        for millionths in [1, 20, 100, 5_000, 25_000, 123_456, 999_999, 1_000_000] {
            let share = Share::millionths(millionths).unwrap();
            assert_eq!(share.to_string().parse(), Ok(share), "{share}");
        }
        for wrong in ["0", "-0.5", "1.1", "0.0000001", "NaN", "inf", "x", ""] {
            assert_eq!(wrong.parse::<Share>(), Err(()), "{wrong:?}");
        }
    }

    #[test]
    fn sparse_graphs_get_more_hubs_and_large_ones_smaller_samples() {
        let sparse = Graph::from_edges(100, &[(0, 1), (1, 2)], false).unwrap();
        let recipe = PathPlan::DEFAULT.recipe(&sparse);
        assert_eq!((recipe.lambda, recipe.beta, recipe.both_arcs), (25_000, 10_000, false));
        let arcs: Vec<_> = (0..50).flat_map(|u| (0..50).map(move |v| (u, v))).collect();
        let dense = Graph::from_edges(50, &arcs, true).unwrap();
        assert_eq!(PathPlan::DEFAULT.recipe(&dense).lambda, 5_000);
        let forward = PathPlan { backward: false, ..PathPlan::DEFAULT };
        assert!(forward.recipe(&sparse).both_arcs && !forward.recipe(&dense).both_arcs);
    }

    #[test]
    fn kept_paths_serve_every_plan_that_names_nothing_else() {
        let graph = Graph::from_edges(3, &[(0, 1), (1, 2)], false).unwrap();
        let kept = Recipe { lambda: 300_000, beta: 1, importance: "own".into(), both_arcs: false };
        let takes = |text: &str| {
            let (_, mut options) = Brackets::of(text).unwrap();
            PathPlan::read(&mut options).unwrap().takes(&kept, &graph)
        };
        for text in ["paths", "paths(np=7)", "paths(lambda=0.3)", "paths(beta=0.000001)"] {
            assert!(takes(text), "{text}");
        }
        for text in
            ["paths(lambda=0.2)", "paths(importance=degree)", "paths(sketch=off)", "paths(backward=off)"]
        {
            assert!(!takes(text), "{text}");
        }
    }
}
