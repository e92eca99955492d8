//! One cell: an order of a graph, what it cost, how searches lie in it and what they take. An order that cannot be made says
//! why; it ends nothing but itself.

use super::{
    Searches,
    ordered::{Ordered, explained, ordered},
    report::{Cell, Gaps, NATURAL, Sample, Staircase, Times, Transfer},
};
use crate::{algorithms, runner::How, statistics::Spread};
use std::time::Duration;
use warpgraph::{
    Answer, Bfs, Control, Engine, Graph, Loaded, Locality, Order, Result,
    graph::NodeMap,
    transform::unified::{self, REGION},
};

/// How to measure.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Searches a graph.
    pub searches: u64,
    /// What sources and drawn orders are drawn from.
    pub seed: u64,
    /// Timed runs of an algorithm in an order.
    pub runs: u64,
    /// Untimed runs before them.
    pub warmup: u64,
    /// Bytes of an edge in the modelled array.
    pub edge_bytes: u32,
    /// Device memory for edges in the model, over the bytes of all edges.
    pub memory_share: f64,
    /// An order that is not there after this long is given up.
    pub order_limit: Duration,
}

/// A graph to be measured.
#[derive(Debug)]
pub struct Subject<'a> {
    engine: &'a Engine,
    cpu: &'a Engine,
    graph: &'a Graph,
    setting: Setting,
    searches: Searches,
}

impl<'a> Subject<'a> {
    /// Searches the graph. Orders are made on `engine`, which may have a GPU for their searches; times are taken on `cpu`.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn new(
        (engine, cpu): (&'a Engine, &'a Engine),
        graph: &'a Graph,
        setting: Setting,
        control: &Control,
    ) -> Result<Self> {
        let searches = Searches::of(cpu, graph, (setting.searches, setting.seed), control)?;
        Ok(Self { engine, cpu, graph, setting, searches })
    }

    /// Measures an order. Which graph it is, the caller knows.
    ///
    /// # Errors
    /// Only when the whole measurement must stop: it was interrupted, or its time is over.
    pub fn cell(&self, order: Order, control: &Control) -> Result<Cell> {
        let mut cell = Cell { order: order.to_string(), ..Cell::default() };
        match self.ordered(order, control).and_then(|ordered| self.fill(&mut cell, &ordered, control)) {
            Err(error) if control.should_stop() => return Err(error),
            Err(error) => cell.error = Some(explained(&error, self.setting.order_limit)),
            Ok(()) => {}
        }
        Ok(cell)
    }

    /// Measures `halo2` with so many samples.
    ///
    /// # Errors
    /// As [`Subject::cell`].
    pub fn sample(&self, samples: u32, control: &Control) -> Result<Sample> {
        let mut sample = Sample { samples, ..Sample::default() };
        let measured = self.ordered(Order::Halo2 { samples }, control).and_then(|ordered| {
            let (inner, map) = ordered.inner();
            sample.seconds = ordered.ordering.map(|ordering| ordering.seconds);
            self.cpu.install(|| {
                sample.within =
                    self.searches.locality(inner, map, self.setting.edge_bytes, control)?.intra_gap;
                sample.amplification = self.transfer(&ordered, true, control)?.and_then(|t| t.amplification);
                Ok(())
            })
        });
        match measured {
            Err(error) if control.should_stop() => return Err(error),
            Err(error) => sample.error = Some(explained(&error, self.setting.order_limit)),
            Ok(()) => {}
        }
        Ok(sample)
    }

    fn ordered(&self, order: Order, control: &Control) -> Result<Ordered> {
        ordered(self.engine, self.graph, order, (self.setting.seed, self.setting.order_limit), control)
    }

    fn fill(&self, cell: &mut Cell, ordered: &Ordered, control: &Control) -> Result<()> {
        let (inner, map) = ordered.inner();
        cell.ordering = ordered.ordering;
        cell.gaps = Some(self.cpu.install(|| self.gaps(inner, map, control))?);
        cell.transfer = self.cpu.install(|| self.transfer(ordered, true, control))?;
        if cell.order == NATURAL {
            cell.without_prefetch = self.cpu.install(|| self.transfer(ordered, false, control))?;
        }
        if let Some(panel) = self.cpu.install(|| self.searches.panel(0, map, String::new(), control))? {
            cell.staircase =
                Some(Staircase { vertices: panel.vertices, levels: panel.levels, rows: panel.rows });
        }
        let loaded = self.cpu.load_as_stored(&ordered.graph)?;
        cell.bfs = self.bfs(&loaded, control)?;
        cell.pagerank = self.pagerank(&loaded, control)?;
        Ok(())
    }

    fn gaps(&self, inner: &Graph, map: Option<&NodeMap>, control: &Control) -> Result<Gaps> {
        let arcs = Locality::of(&inner.out().csr);
        let levels = self.searches.locality(inner, map, self.setting.edge_bytes, control)?;
        Ok(Gaps {
            within: levels.intra_gap,
            between: levels.inter_gap,
            neighbours: arcs.log_gap,
            sectors_per_tile: arcs.sectors_per_tile,
            levels: levels.levels,
        })
    }

    /// What the model moves; `None` where its memory would be less than a region.
    fn transfer(&self, ordered: &Ordered, prefetch: bool, control: &Control) -> Result<Option<Transfer>> {
        let (inner, map) = ordered.inner();
        let array = inner.arcs() as u64 * u64::from(self.setting.edge_bytes);
        let memory = (array as f64 * self.setting.memory_share) as u64;
        if memory < REGION {
            return Ok(None);
        }
        let edge_bytes = self.setting.edge_bytes;
        let settings = unified::Settings { edge_bytes, prefetch, ..unified::Settings::with_memory(memory) };
        let seen = self.searches.transfer(inner, map, settings, control)?;
        Ok(Some(Transfer {
            memory,
            array_bytes: seen.array_bytes,
            ideal_bytes: seen.ideal_bytes,
            moved_bytes: seen.moved_bytes,
            amplification: seen.amplification,
            faults: seen.faults,
            batches: seen.batches,
            prefetched_pages: seen.prefetched_pages,
            evicted_pages: seen.evicted_pages,
            refetched_pages: seen.refetched_pages,
            pages_by_fetches: seen.pages_by_fetches,
        }))
    }

    /// Searches from the first sources, each as often as the others.
    fn bfs(&self, loaded: &Loaded, control: &Control) -> Result<Option<Times>> {
        let ids = self.graph.ids();
        let sources = self.searches.sources().iter().cycle().map(|&v| ids.id(v));
        let (warmup, count) = (self.setting.warmup as usize, self.setting.runs as usize);
        let (mut runs, mut verify) = (Vec::new(), None);
        for (i, source) in sources.take(warmup + count).enumerate() {
            let answer = loaded.bfs(Bfs::from(source)).control(control).run()?;
            if i == 0 {
                verify = Some(if answer.verify(self.graph).is_ok() { "passed" } else { "failed" }.to_owned());
            }
            if i >= warmup {
                runs.push(answer.run().seconds);
            }
        }
        Ok(Spread::of(&runs).map(|spread| Times { runs, spread, verify }))
    }

    fn pagerank(&self, loaded: &Loaded, control: &Control) -> Result<Option<Times>> {
        let Some(entry) = algorithms::find("pagerank") else { return Ok(None) };
        let how = How { runs: 1, verify: true, ..How::new(control) };
        let verify = (entry.measure)(loaded, &how)?.figures.verdict().map(str::to_owned);
        let timed = How { runs: self.setting.runs, warmup: self.setting.warmup, ..How::new(control) };
        let runs = (entry.measure)(loaded, &timed)?.figures.runs;
        Ok(Spread::of(&runs).map(|spread| Times { runs, spread, verify }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Device, graph::generate::Spec};

    fn setting() -> Setting {
        let order_limit = Duration::from_secs(60);
        Setting { searches: 4, seed: 1, runs: 2, warmup: 0, edge_bytes: 8, memory_share: 0.5, order_limit }
    }

    #[test]
    fn every_order_is_measured_alike() {
        let engine = Engine::on(Device::Cpu, Some(2)).unwrap();
        let control = Control::new();
        // 8 MB of edges: two regions of memory.
        let graph = "community:15,shuffle".parse::<Spec>().unwrap().generate(&control).unwrap();
        let subject = Subject::new((&engine, &engine), &graph, setting(), &control).unwrap();
        let natural = subject.cell(Order::Natural, &control).unwrap();
        assert!(natural.ordering.is_none() && natural.without_prefetch.is_some());
        let halo2 = subject.cell("halo2(k=4)".parse().unwrap(), &control).unwrap();
        assert!(halo2.ordering.unwrap().seconds > 0.0 && halo2.without_prefetch.is_none());
        for cell in [&natural, &halo2] {
            let times = [&cell.bfs, &cell.pagerank].map(|times| times.as_ref().unwrap());
            assert!(times.iter().all(|t| t.runs.len() == 2 && t.verify.as_deref() == Some("passed")));
            assert!(cell.staircase.is_some() && cell.within().is_some() && cell.error.is_none());
        }
        let [a, b] = [&natural, &halo2].map(|cell| cell.transfer.clone().unwrap());
        assert_eq!((a.ideal_bytes, a.memory), (b.ideal_bytes, b.memory), "the same searches");
        let sample = subject.sample(4, &control).unwrap();
        assert_eq!((sample.within, sample.amplification), (halo2.within(), b.amplification));
    }

    #[test]
    fn an_order_that_takes_too_long_says_so_and_an_interrupt_ends_all() {
        let engine = Engine::on(Device::Cpu, Some(1)).unwrap();
        let control = Control::new();
        let graph = "kron:12".parse::<Spec>().unwrap().generate(&control).unwrap();
        let setting = Setting { order_limit: Duration::ZERO, ..setting() };
        let subject = Subject::new((&engine, &engine), &graph, setting, &control).unwrap();
        let cell = subject.cell(Order::Rcm, &control).unwrap();
        assert_eq!(cell.error.unwrap().message, "takes over 0 s");
        control.cancel();
        assert!(subject.cell(Order::Rcm, &control).is_err());
    }
}
