//! [`Approximate`]: what [`Loaded`] keeps of a graph that an approximation has changed.
//!
//! A changed graph may have copies of vertices ([`NodeMap`](warpgraph_graph::NodeMap)). Programs run on it as it is, because
//! their engines reflect copies. Every other form runs on the *merged* graph, in which each copy is part of its master: it has
//! the same answer. Answers are about the *changed* graph, which is the merged one with the vertices and ids of the original.

use crate::{Ask, Engine, Loaded, view::View};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{Approximation, Chunks, Error, Exactness, Options, Order, Result};
use warpgraph_graph::{Control, Graph, NodeMap, OrderLabel, Stored, timeline::Phase};
use warpgraph_transform::{Means, OnCpu, Transformed};

/// A graph that an approximation has changed, beside the merged graph in the view of its [`Loaded`].
#[derive(Debug)]
pub(crate) struct Approximate {
    exactness: Exactness,
    /// The graph that answers are about.
    changed: Graph,
    /// The graph with copies; `None` if there are none.
    copied: Option<View>,
    /// Vertices that programs iterate together, by the numbers of the graph that programs run on.
    chunks: Option<Arc<Chunks>>,
}

impl Engine {
    /// Loads as [`Engine::load_with`] does, with the graph changed by an approximation: algorithms and programs answer about the
    /// changed graph, faster and nearly right. [`Run::exactness`](warpgraph_core::Run::exactness) says what was changed.
    ///
    /// ```
    /// use warpgraph::{Answer, Control, Engine, Graph, Order, Sssp};
    ///
    /// # fn main() -> Result<(), warpgraph::Error> {
    /// let graph = Graph::from_edges(4, &[(0, 1), (1, 2), (0, 2), (2, 3)], false)?;
    /// let approximation = "latency(threshold=0.9)".parse()?;
    /// let loaded = Engine::auto()?.load_approximate(&graph, Order::Natural, approximation, 1, &Control::new())?;
    /// let answer = loaded.sssp(Sssp::from(0)).run()?;
    /// assert_eq!(answer.run().exactness.as_ref().unwrap().approximation, approximation);
    /// answer.verify(loaded.answered()).expect("the shortest paths of the changed graph");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The same as [`Engine::load_with`], and [`Error::Refused`] if the approximation cannot start from the order.
    pub fn load_approximate(
        &self,
        graph: &Graph,
        order: Order,
        approximation: Approximation,
        seed: u64,
        control: &Control,
    ) -> Result<Loaded> {
        approximation.check_order("a graph", order)?;
        self.load_with(graph, order, seed, control)?.approximated(approximation, seed, control)
    }
}

impl Loaded {
    /// Returns a handle on the same graph, changed by an approximation; see [`Engine::load_approximate`]. `none` changes
    /// nothing.
    ///
    /// # Errors
    /// [`Error::Refused`] if the approximation cannot start from the order, or if this graph is a changed one already; when
    /// memory is short, and when `control` stops the work.
    pub fn approximated(&self, approximation: Approximation, seed: u64, control: &Control) -> Result<Self> {
        if approximation.is_none() {
            return Ok(self.clone());
        }
        approximation.check_order("a graph", self.order())?;
        if self.exactness().is_some() {
            let what = format!("a graph that is changed already cannot be changed by {approximation}");
            return Err(Error::Refused { what, help: "load the original graph".to_owned() });
        }
        let (start, _span) = (Instant::now(), control.span(Phase::Reordering));
        let view = self.view();
        let (graph, map) = view.renumbered().map_or((self.graph(), None), |(graph, map)| (graph, Some(map)));
        let make = || {
            let means = Means { seed, traverse: &OnCpu, control };
            let transformed = warpgraph_transform::approximate(graph, approximation, &means)?;
            let label = OrderLabel { name: approximation.to_string(), seed: Some(seed) };
            Approximate::new(self.graph(), map, transformed, label, control)
        };
        let (mut approximate, merged) = self.engine().install(make)?;
        approximate.exactness.seconds = start.elapsed().as_secs_f64();
        Ok(self.changed(merged, approximate))
    }

    /// Returns what an approximation changed in the graph; `None` if there was none.
    pub fn exactness(&self) -> Option<&Exactness> {
        self.approximate().map(|approximate| &approximate.exactness)
    }

    /// Returns the approximation that changed the graph; `none` if there was none.
    pub fn approximation(&self) -> Approximation {
        self.exactness().map_or(Approximation::NONE, |exactness| exactness.approximation)
    }

    /// Returns the graph that answers are about, with the vertices and ids of [`Loaded::graph`]: another one only if an
    /// approximation has changed that. Answers verify on this graph.
    pub fn answered(&self) -> &Graph {
        self.approximate().map_or(self.graph(), |approximate| &approximate.changed)
    }

    /// Returns the graph as a run on a GPU, or on the processor, sees it, and completes the options of such a run.
    pub(crate) fn seen_by<Q: Ask>(&self, question: &Q, options: &Options, on_gpu: bool) -> (View, Options) {
        let view = self.view();
        let mut options = Options { chunks: None, merged: None, ..options.clone() };
        let Some(approximate) = self.approximate() else { return (view, options) };
        if !question.reflects(view.graph(), &options, on_gpu) {
            return (view, options);
        }
        options.merged = approximate.copied.as_ref().map(|_| view.graph().clone());
        let view = approximate.copied.clone().unwrap_or(view);
        options.chunks = approximate.chunks.clone();
        options.map = view.renumbered().map(|(_, map)| map.clone());
        (view, options)
    }
}

impl Approximate {
    /// Returns what is kept, and the view of the merged graph. `map` leads from the vertices of `original` to those that were
    /// transformed, if they differ.
    fn new(
        original: &Graph,
        map: Option<&NodeMap>,
        transformed: Transformed,
        label: OrderLabel,
        control: &Control,
    ) -> Result<(Self, View)> {
        let whole = |inner: &NodeMap| map.map_or_else(|| Ok(inner.clone()), |map| map.then(inner));
        let merged = transformed.merged(control)?;
        let exactness = transformed.exactness.clone().unwrap_or_default();
        let merged_map = whole(&merged.map)?;
        let changed = match exactness.is_exact() {
            true => original.clone(),
            false => {
                // Stands for the changed graph in the original order, which nothing reads before it is verified.
                let hash = merged.graph.hash();
                let stored = Stored::new(label, merged.graph.clone(), merged_map.clone())?;
                Graph::from_stored(stored, original.ids().clone(), hash)?
            }
        };
        let copied = match transformed.map.is_renumbering() {
            true => None,
            false => Some(View::new(&transformed.graph, Some(whole(&transformed.map)?))),
        };
        let merged = View::new(&merged.graph, Some(merged_map));
        Ok((Self { exactness, changed, copied, chunks: transformed.chunks }, merged))
    }

    /// Returns the bytes held beside the merged graph.
    pub(crate) fn bytes(&self) -> u64 {
        let copied = self.copied.as_ref().and_then(View::renumbered);
        let chunks =
            self.chunks.as_ref().map_or(0, |chunks| 4 * (chunks.starts().len() + chunks.all().len()));
        copied.map_or(0, |(graph, map)| graph.bytes() + map.bytes()) + chunks as u64
    }
}
