//! Searches of a graph, done once and looked at in any order of its vertices: levels do not depend on it.

use crate::chart::steps::Panel;
use rayon::prelude::*;
use warpgraph::{
    Bfs, Control, Engine, Error, Graph, Order, Source,
    graph::{NodeMap, Pages, Vertex},
    transform::{
        Frontiers, LevelLocality, Traversal,
        levels::Staircase,
        unified::{Model, Settings, Transfer},
    },
};

/// Breadth-first searches from sources drawn among the vertices with outgoing arcs.
#[derive(Debug)]
pub struct Searches {
    sources: Vec<Vertex>,
    /// Of every search, the level of every original vertex.
    levels: Vec<Pages<u32>>,
}

impl Searches {
    /// Searches from `count` sources, drawn from `seed`; from none where no vertex has outgoing arcs.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn of(
        engine: &Engine,
        graph: &Graph,
        (count, seed): (u64, u64),
        control: &Control,
    ) -> Result<Self, Error> {
        let count = if graph.arcs() == 0 { 0 } else { count };
        let source = |run| Source::Random.resolve(graph, seed, run);
        let sources = (0..count).map(source).collect::<Result<Vec<_>, _>>()?;
        Self::from(engine, graph, sources, control)
    }

    /// Searches from these sources.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn from(
        engine: &Engine,
        graph: &Graph,
        sources: Vec<Vertex>,
        control: &Control,
    ) -> Result<Self, Error> {
        let loaded = engine.load(graph, Order::Natural)?;
        let mut levels = Vec::new();
        for (i, &source) in sources.iter().enumerate() {
            control.report("searching", i as u64, Some(sources.len() as u64));
            let answer = loaded.bfs(Bfs::from(graph.ids().id(source))).control(control).run()?;
            let mut kept: Pages<u32> = Pages::scratch(graph.vertices())?;
            kept.copy_from_slice(answer.distances());
            levels.push(kept);
        }
        Ok(Self { sources, levels })
    }

    /// The sources, by original number.
    pub fn sources(&self) -> &[Vertex] {
        &self.sources
    }

    /// The frontiers of every search, one after the other, as they lie in an order.
    fn each(
        &self,
        map: Option<&NodeMap>,
        control: &Control,
        mut look: impl FnMut(&Frontiers) -> Result<(), Error>,
    ) -> Result<(), Error> {
        (0..self.levels.len()).try_for_each(|nth| look(&self.frontiers(nth, map, control)?))
    }

    /// The frontiers of a search, as they lie in an order.
    fn frontiers(&self, nth: usize, map: Option<&NodeMap>, control: &Control) -> Result<Frontiers, Error> {
        let levels = &self.levels[nth];
        let Some(map) = map else { return Ok(Frontiers::of(levels, control)?) };
        let mut moved: Pages<u32> = Pages::scratch(levels.len())?;
        let places = moved.par_iter_mut().zip(map.originals().par_iter()).with_min_len(1 << 12);
        places.for_each(|(level, &v)| *level = levels[v as usize]);
        Ok(Frontiers::of(&moved, control)?)
    }

    /// How near each other the vertices of levels lie in `inner`, the graph renumbered by `map`.
    ///
    /// # Errors
    /// When memory is short, or what `control` asks for.
    pub fn locality(
        &self,
        inner: &Graph,
        map: Option<&NodeMap>,
        edge_bytes: u32,
        control: &Control,
    ) -> Result<LevelLocality, Error> {
        let mut sums = Traversal::default();
        self.each(map, control, |frontiers| {
            sums.add(&Traversal::of(&inner.out().csr, frontiers, edge_bytes, control)?);
            Ok(())
        })?;
        Ok(sums.means())
    }

    /// What a model of unified memory moves for all searches in a row, cold at first.
    ///
    /// # Errors
    /// When the model's memory is below a region, when memory is short, or what `control` asks for.
    pub fn transfer(
        &self,
        inner: &Graph,
        map: Option<&NodeMap>,
        settings: Settings,
        control: &Control,
    ) -> Result<Transfer, Error> {
        let mut model = Model::new(inner.arcs() as u64, settings)?;
        self.each(map, control, |frontiers| Ok(model.traverse(&inner.out().csr, frontiers, control)?))?;
        Ok(model.report())
    }

    /// The active vertices of a search level by level, to be drawn; `None` if there is no such search.
    ///
    /// # Errors
    /// When memory is short, or what `control` asks for.
    pub fn panel(
        &self,
        nth: usize,
        map: Option<&NodeMap>,
        title: String,
        control: &Control,
    ) -> Result<Option<Panel>, Error> {
        if nth >= self.levels.len() {
            return Ok(None);
        }
        let Staircase { vertices, levels, rows, .. } =
            Staircase::of(&self.frontiers(nth, map, control)?, BINS);
        Ok(Some(Panel { title, levels, vertices, rows }))
    }
}

/// Ranges of ids that are told apart in a picture.
const BINS: usize = 600;

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Device, graph::generate::Spec, transform};

    #[test]
    fn searches_are_the_same_in_every_order_and_lie_otherwise() {
        let engine = Engine::on(Device::Cpu, Some(2)).unwrap();
        let control = Control::new();
        let graph = "grid:60x60".parse::<Spec>().unwrap().generate(&control).unwrap();
        let searches = Searches::of(&engine, &graph, (3, 1), &control).unwrap();
        assert_eq!(searches.sources().len(), 3);
        let natural = searches.locality(&graph, None, 4, &control).unwrap();
        let transform::Transformed { graph: inner, map, .. } =
            engine.reorder(&graph, Order::Random, 1, &control).unwrap();
        let random = searches.locality(&inner, Some(&map), 4, &control).unwrap();
        assert_eq!(
            (natural.reached, natural.edges, natural.levels),
            (random.reached, random.edges, random.levels)
        );
        // A row of a grid is next to the row before.
        assert!(natural.inter_gap.unwrap() + 1.0 < random.inter_gap.unwrap(), "{natural:?} {random:?}");
        let panel = searches.panel(0, Some(&map), "random".to_owned(), &control).unwrap().unwrap();
        assert_eq!(panel.rows.iter().flatten().map(|&n| u64::from(n)).sum::<u64>(), 3600);
        assert!(searches.panel(3, None, String::new(), &control).unwrap().is_none());
    }

    #[test]
    fn a_graph_without_arcs_has_no_searches() {
        let engine = Engine::on(Device::Cpu, Some(1)).unwrap();
        let graph = Graph::from_edges(5, &[], true).unwrap();
        let searches = Searches::of(&engine, &graph, (3, 1), &Control::new()).unwrap();
        assert!(searches.sources().is_empty());
        assert_eq!(searches.locality(&graph, None, 4, &Control::new()).unwrap().intra_gap, None);
    }
}
