//! Searches of a graph, done once and looked at in any order of its vertices: levels do not depend on it.

use crate::chart::steps::Panel;
use warpgraph::{
    Bfs, Control, Engine, Graph, Order, Result, Source,
    graph::{NodeMap, Pages, Vertex},
    transform::{
        Frontiers, LevelLocality, Traversal,
        levels::Staircase,
        unified::{Model, Settings, Transfer},
    },
};

/// Ranges of ids that are told apart in a picture.
const BINS: usize = 600;

/// Breadth-first searches: of each, the level of every original vertex.
#[derive(Debug)]
pub struct Searches(Vec<Pages<u32>>);

impl Searches {
    /// Searches from `count` sources with outgoing arcs, drawn from `seed`; from none where no vertex has such arcs.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn of(engine: &Engine, graph: &Graph, (count, seed): (u64, u64), control: &Control) -> Result<Self> {
        let count = if graph.arcs() == 0 { 0 } else { count };
        let sources = (0..count).map(|run| Source::Random.resolve(graph, seed, run));
        Self::from(engine, graph, sources.collect::<Result<_, _>>()?, control)
    }

    /// Searches from these sources.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn from(engine: &Engine, graph: &Graph, sources: Vec<Vertex>, control: &Control) -> Result<Self> {
        let loaded = engine.load(graph, Order::Natural)?;
        let levels = |(&source, nth): (&Vertex, u64)| {
            control.report("searching", nth, Some(sources.len() as u64));
            let answer = loaded.bfs(Bfs::from(graph.ids().id(source))).control(control).run()?;
            let mut kept: Pages<u32> = Pages::scratch(graph.vertices())?;
            kept.copy_from_slice(answer.distances());
            Ok(kept)
        };
        Ok(Self(sources.iter().zip(0..).map(levels).collect::<Result<_>>()?))
    }

    /// Returns how near each other the vertices of levels lie in `inner`, the graph renumbered by `map`.
    ///
    /// # Errors
    /// When memory is short, or what `control` asks for.
    pub fn locality(
        &self,
        inner: &Graph,
        map: Option<&NodeMap>,
        edge_bytes: u32,
        control: &Control,
    ) -> Result<LevelLocality> {
        let mut sums = Traversal::default();
        for levels in &self.0 {
            let frontiers = Frontiers::in_order(levels, map, control)?;
            sums.add(&Traversal::of(&inner.out().csr, &frontiers, edge_bytes, control)?);
        }
        Ok(sums.means())
    }

    /// Returns what a model of unified memory moves for all searches in a row, cold at first.
    ///
    /// # Errors
    /// When the model's memory is below a region, when memory is short, or what `control` asks for.
    pub fn transfer(
        &self,
        inner: &Graph,
        map: Option<&NodeMap>,
        settings: Settings,
        control: &Control,
    ) -> Result<Transfer> {
        let mut model = Model::new(inner.arcs() as u64, settings)?;
        for levels in &self.0 {
            model.traverse(&inner.out().csr, &Frontiers::in_order(levels, map, control)?, control)?;
        }
        Ok(model.report())
    }

    /// Returns the active vertices of a search level by level, to be drawn; `None` if there is no such search.
    ///
    /// # Errors
    /// When memory is short, or what `control` asks for.
    pub fn panel(
        &self,
        nth: usize,
        map: Option<&NodeMap>,
        title: String,
        control: &Control,
    ) -> Result<Option<Panel>> {
        let Some(found) = self.0.get(nth) else { return Ok(None) };
        let Staircase { vertices, levels, rows, .. } =
            Staircase::of(&Frontiers::in_order(found, map, control)?, BINS);
        Ok(Some(Panel { title, levels, vertices, rows }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Device, graph::generate::Spec};

    #[test]
    fn searches_are_the_same_in_every_order_and_lie_otherwise() {
        let (engine, control) = (Engine::on(Device::Cpu, Some(2)).unwrap(), Control::new());
        let graph = "grid:60x60".parse::<Spec>().unwrap().generate(&control).unwrap();
        let searches = Searches::of(&engine, &graph, (3, 1), &control).unwrap();
        assert_eq!(searches.0.len(), 3);
        let natural = searches.locality(&graph, None, 4, &control).unwrap();
        let done = engine.reorder(&graph, Order::Random, 1, &control).unwrap();
        let random = searches.locality(&done.graph, Some(&done.map), 4, &control).unwrap();
        let [before, after] = [&natural, &random].map(|of| (of.reached, of.edges, of.levels));
        assert_eq!(before, after);
        // A row of a grid is next to the row before.
        assert!(natural.inter_gap.unwrap() + 1.0 < random.inter_gap.unwrap(), "{natural:?} {random:?}");
        let panel = searches.panel(0, Some(&done.map), "random".to_owned(), &control).unwrap().unwrap();
        assert_eq!(panel.rows.iter().flatten().map(|&n| u64::from(n)).sum::<u64>(), 3600);
        assert!(searches.panel(3, None, String::new(), &control).unwrap().is_none());
        let without_arcs = Graph::from_edges(5, &[], true).unwrap();
        let searches = Searches::of(&engine, &without_arcs, (3, 1), &control).unwrap();
        assert!(searches.0.is_empty());
        assert_eq!(searches.locality(&without_arcs, None, 4, &control).unwrap().intra_gap, None);
    }
}
