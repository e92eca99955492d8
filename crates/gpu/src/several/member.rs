//! [`Member`]: a part of a graph on its device, and what programs see of its vertices.

use crate::{
    DeviceGraph,
    copies::differing_by,
    device_graph::{Made, Side},
    error::lift,
    program::chunks::ChunkTable,
    program::{Arcs, Places, Staged, width},
    variants::Functor,
};
use std::sync::{Arc, Mutex, PoisonError, atomic::Ordering};
use warpgraph_core::{
    Halt, Options, Result,
    program::{Copies, Kind, Ways},
};
use warpgraph_device::{Array, Gpu};
use warpgraph_graph::{Control, Graph, Ids, NodeMap, Origin, Vertex, atomics::atomics};
use warpgraph_parts::{
    Cut, Error, Exchange, Part,
    exchange::Local,
    halo::{Halo, Reach},
    together,
};

/// A part of a graph on its device.
#[derive(Debug)]
pub(super) struct Member {
    part: Part,
    halo: Arc<Halo>,
    device_graph: DeviceGraph,
    /// The places of own vertices that other parts read, list after list in the order of the parts.
    asked: Array<Vertex>,
    degrees: Arc<Array<u8>>,
    idle: Arc<Array<u32>>,
    /// What programs saw in the last run, and by which map.
    places: Mutex<Option<(Option<NodeMap>, Places)>>,
}

impl Member {
    /// Makes all parts of a graph, each on its device.
    ///
    /// # Errors
    /// When memory is short, on the host or on a device, or when `control` stops the work.
    pub(super) fn all(gpus: &[Gpu], graph: &Graph, cut: &Cut, control: &Control) -> Result<Vec<Self>> {
        if graph.is_directed() {
            // Once, before the parts take their rows of it.
            graph.incoming()?;
        }
        let one = |mut exchange: Local| {
            let gpu = &gpus[exchange.part()];
            let made = Self::new(gpu, graph, cut, control, &mut exchange);
            if let Err(error) = &made {
                exchange.fail(&error.to_string());
            }
            made
        };
        let made = together(gpus.len(), super::threads(gpus.len()), one);
        super::all_of(made.map_err(warpgraph_core::Error::from)?)
    }

    fn new(
        gpu: &Gpu,
        graph: &Graph,
        cut: &Cut,
        control: &Control,
        exchange: &mut Local,
    ) -> Result<Self, Error> {
        control.check("cutting a graph for several devices")?;
        let part = Part::of(graph, cut, exchange.part())?.compacted()?;
        let incoming = part.incoming().filter(|_| graph.is_directed());
        let halo = Halo::meet(&part, Reach::Both, exchange)?;
        let (own, places) = (part.own(), part.places());
        assert_eq!(halo.ghosts.len() + own.len(), places, "a place is an own vertex or a ghost");
        let ids = Ids::Range { first: 0, len: places };
        let local = Graph::new(part.arcs_by_place(part.out())?, true, ids, Origin::default())?;
        let incoming = incoming.map(|rows| part.arcs_by_place(rows)).transpose()?;
        let device_graph = DeviceGraph::of_part(gpu, &local, incoming);
        let mut degrees = vec![0u32; places];
        let degree = |v: usize| part.out().degree(v) as u32;
        (0..own.len()).for_each(|v| degrees[own.start + v] = degree(v));
        let cells = atomics(&mut degrees);
        halo.publish(exchange, degree, |at, degree: u32| {
            cells[halo.ghosts[at] as usize].store(degree, Ordering::Relaxed);
        })?;
        let mut idle = vec![0u32; places.div_ceil(32)];
        halo.ghosts.iter().for_each(|&place| idle[place as usize / 32] |= 1 << (place % 32));
        let asked: Vec<Vertex> = halo.asked.iter().flatten().map(|&v| own.start as Vertex + v).collect();
        Ok(Self {
            asked: gpu.array_of(&asked, "vertices that other parts read").map_err(lift)?,
            degrees: Arc::new(differing_by(gpu, &degrees, device_graph.is_wide())?),
            idle: Arc::new(gpu.array_of(&idle, "marks of ghosts").map_err(lift)?),
            places: Mutex::default(),
            part,
            halo,
            device_graph,
        })
    }

    pub(super) fn part(&self) -> &Part {
        &self.part
    }

    pub(super) fn cut(&self) -> &Cut {
        self.part.cut()
    }

    pub(super) fn halo(&self) -> &Halo {
        &self.halo
    }

    pub(super) fn device_graph(&self) -> &DeviceGraph {
        &self.device_graph
    }

    /// Returns the places of own vertices that other parts read.
    pub(super) fn asked(&self) -> &Array<Vertex> {
        &self.asked
    }

    /// Returns what programs see of the vertices, whose original numbers a map leads to; `None` if they have them.
    fn places(&self, map: Option<&NodeMap>) -> Result<Places> {
        let mut kept = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((None, places)) if map.is_none() => return Ok(places.clone()),
            Some((Some(known), places)) if map.is_some_and(|map| map.is_same(known)) => {
                return Ok(places.clone());
            }
            _ => {}
        }
        let number = |place: usize| {
            let number = self.part.number_at(place);
            map.map_or(number, |map| map.original(number))
        };
        let numbers: Vec<Vertex> = (0..self.part.places()).map(number).collect();
        let gpu = self.device_graph.gpu();
        let places = Places {
            originals: Arc::new(gpu.array_of(&numbers, "original numbers").map_err(lift)?),
            numbers: Arc::new(numbers),
            degrees: Arc::clone(&self.degrees),
            idle: Arc::clone(&self.idle),
        };
        *kept = Some((map.cloned(), places.clone()));
        Ok(places)
    }
}

/// A program as one part sees it.
pub(super) struct Section<'a> {
    whole: &'a (dyn Staged + Sync),
    seeds: Vec<Vertex>,
    columns: Vec<u8>,
    places: Places,
}

impl<'a> Section<'a> {
    /// Of a program on the whole graph, whose columns are `columns`, one behind the other; `map` leads to original numbers.
    pub(super) fn new(
        member: &Member,
        whole: &'a (dyn Staged + Sync),
        columns: &[u8],
        functor: &Functor,
        map: Option<&NodeMap>,
    ) -> Result<Self> {
        let (part, own) = (&member.part, member.part.own());
        let range = part.cut().range(part.number());
        let place = |number: Vertex| (own.start + (number - range.start) as usize) as Vertex;
        let seeds = match whole.seeds() {
            None => range.clone().map(place).collect(),
            Some(seeds) => seeds.into_iter().filter(|v| range.contains(v)).map(place).collect(),
        };
        let (size, n) = (width(functor.types.column), part.whole().vertices);
        let mut mine = Vec::with_capacity(functor.types.columns * part.places() * size);
        for column in columns.chunks_exact((n * size).max(1)).take(functor.types.columns) {
            for place in 0..part.places() {
                let at = part.number_at(place) as usize * size;
                mine.extend_from_slice(&column[at..at + size]);
            }
        }
        let places = member.places(map.filter(|_| whole.is_renumbered()))?;
        Ok(Self { whole, seeds, columns: mine, places })
    }
}

impl Staged for Section<'_> {
    fn kind(&self) -> Kind {
        self.whole.kind()
    }

    fn halt(&self) -> Halt {
        self.whole.halt()
    }

    fn is_plain(&self) -> bool {
        self.whole.is_plain()
    }

    fn seeds(&self) -> Option<Vec<Vertex>> {
        Some(self.seeds.clone())
    }

    fn is_renumbered(&self) -> bool {
        false
    }

    fn copies(&self) -> Option<&Copies> {
        None
    }

    fn columns(&self) -> Vec<u8> {
        self.columns.clone()
    }

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }

    fn arcs(&self, device_graph: &DeviceGraph, side: Side) -> Result<Arcs> {
        self.whole.arcs(device_graph, side)
    }

    fn chunks(&self, _: &DeviceGraph, _: &Options, _: Ways) -> Result<Option<Arc<Made<ChunkTable>>>> {
        Ok(None)
    }
}

/// Returns the error of a device as one of a run in parts.
pub(super) fn lifted(error: warpgraph_device::Error) -> Error {
    lift(error).into()
}
