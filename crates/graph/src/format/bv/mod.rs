//! WebGraph's BV graphs \[1\], `X.graph` with `X.properties` beside it.
//!
//! Lists of successors as a string of bits: copied from earlier lists, as intervals, and as gaps ([`lists`]) in codes
//! that the `.properties` name ([`properties`], [`bits`]). Lists are sorted, so arcs are written where they belong, and
//! nothing is sorted or merged. Without `X.offsets` one thread reads the lists in order; with it (where each list
//! starts, as gaps) ranges of nodes are read in parallel, and lists before a range that it refers to are read for it
//! once more ([`parallel`]): O(arcs) work, and the memory of the finished arcs, 8 bytes a node more with offsets.
//!
//! Headers are believed as far as the file can back them: a node takes one bit at least, and no node has more
//! successors than there are nodes. Memory for the arcs is reserved but touched only as they are read.
//!
//! \[1\] P. Boldi, S. Vigna. The WebGraph Framework I: Compression Techniques. WWW 2004.

mod bits;
mod lists;
mod parallel;
mod properties;

use self::{lists::Lists, properties::Properties};
use super::{
    Format, Input, Preview, ReadOptions,
    claim::{self, Meter},
    detect, finished,
};
use crate::{
    control::Control,
    csr::{Csr, Offset, Offsets, Vertex},
    error::{Error, Position, Result},
    graph::{Arcs, Graph, Origin},
    ids::Ids,
    memory::{Buffer, Pages},
    weights::Weights,
};
use std::path::{Path, PathBuf};

/// Nodes read between two looks at the control.
const BLOCK: usize = 1 << 14;

/// A BV graph whose header has been judged.
struct File<'a> {
    name: &'a str,
    data: &'a [u8],
    properties: Properties,
    vertices: usize,
    arcs: usize,
}

/// Is this the `.graph` of a WebGraph: are there `.properties` beside it that say so?
pub(super) fn is_webgraph(input: &Input) -> Result<bool> {
    if detect::ending(input.name()) != "graph" {
        return Ok(false);
    }
    Ok(input.beside("properties")?.is_some_and(|beside| properties::is_webgraph(&beside)))
}

/// The `.graph` of a WebGraph that is named by its `.properties`, or without any ending.
pub(super) fn graph_of(path: &Path) -> Option<PathBuf> {
    let with = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    if path.extension().is_some_and(|ending| ending == "properties") {
        return Some(path.with_extension("graph")).filter(|graph| graph.is_file() && path.is_file());
    }
    let is_base = !path.exists() && with(".properties").is_file();
    Some(with(".graph")).filter(|graph| is_base && graph.is_file())
}

/// Reads a BV graph.
pub(super) fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let beside = input.beside("properties")?.ok_or_else(|| no_properties(input))?;
    let file = File::new(input, Properties::parse(&beside)?)?;
    let positions = match input.beside("offsets")? {
        Some(offsets) => Some(parallel::positions(&file, &offsets, control)?),
        None => None,
    };
    let (offsets, targets) = if u32::try_from(file.arcs).is_ok() {
        let (offsets, targets) = file.arcs::<u32>(positions.as_deref(), control)?;
        (Offsets::Narrow(offsets), targets)
    } else {
        let (offsets, targets) = file.arcs::<u64>(positions.as_deref(), control)?;
        (Offsets::Wide(offsets), targets)
    };
    let csr = Csr::new(offsets, targets, input.name())?;
    let arcs = Arcs { csr, weights: Weights::None };
    let graph = Graph::new(arcs, true, Ids::zero_based(file.vertices), file.origin())?;
    finished::apply(graph, options, control)
}

/// What the `.properties` say of the graph.
pub(super) fn preview(input: &Input, options: &ReadOptions) -> Result<Preview> {
    let beside = input.beside("properties")?.ok_or_else(|| no_properties(input))?;
    let properties = Properties::parse(&beside)?;
    let directed = options.directed.unwrap_or(true);
    let arcs = properties.arcs.saturating_mul(if directed { 1 } else { 2 });
    Ok(Preview::by_header(Format::WebGraph, properties.nodes, arcs, directed))
}

fn no_properties(input: &Input) -> Error {
    Error::format(
        Position::file(input.name()),
        "a WebGraph is a .graph and a .properties file, and there is no .properties beside this one",
        "put the .properties file of the same name into the same folder; a pipe has no folder",
    )
}

impl<'a> File<'a> {
    /// Refuses counts that the file cannot hold.
    fn new(input: &'a Input, properties: Properties) -> Result<Self> {
        let at = Position::file(&properties.name);
        let (nodes, arcs, bits) = (properties.nodes, properties.arcs, input.len() as u64 * 8);
        let refuse = |problem: String| Err(Error::format(at.clone(), problem, lists::DAMAGED));
        if nodes > bits {
            return refuse(format!(
                "{nodes} nodes, but {} has {bits} bits, and a node takes one at least",
                input.name()
            ));
        }
        if nodes.checked_mul(nodes).is_some_and(|most| arcs > most) {
            return refuse(format!("{arcs} arcs between {nodes} nodes, expected {} at most", nodes * nodes));
        }
        let vertices = claim::vertices(&at, nodes)?;
        Ok(Self { name: input.name(), data: input, vertices, arcs: arcs as usize, properties })
    }

    fn origin(&self) -> Origin {
        Origin {
            name: self.name.to_owned(),
            format: Format::WebGraph.name().to_owned(),
            listed: self.properties.arcs,
            direction_because: "WebGraph files store arcs".to_owned(),
            ..Origin::default()
        }
    }

    /// A reader at the first list.
    fn lists(&self) -> Lists<'_> {
        Lists::new(self.name, self.data, &self.properties)
    }

    /// Offsets and targets; in parallel if it is known where the lists start.
    fn arcs<O: Offset>(
        &self,
        positions: Option<&[u64]>,
        control: &Control,
    ) -> Result<(Buffer<O>, Buffer<Vertex>)> {
        let mut offsets = Pages::<O>::zeroed(self.vertices + 1)?;
        let mut targets = Pages::<Vertex>::scratch(self.arcs)?;
        match positions {
            Some(positions) => {
                parallel::degrees(self, positions, &mut offsets, control)?;
                parallel::read(self, positions, &offsets, &mut targets, control)?;
            }
            None => self.read_in_order(&mut offsets, &mut targets, control)?,
        }
        Ok((offsets.into(), targets.into()))
    }

    /// Reads all lists one after the other.
    fn read_in_order<O: Offset>(
        &self,
        offsets: &mut [O],
        targets: &mut [Vertex],
        control: &Control,
    ) -> Result<()> {
        let (mut lists, meter) = (self.lists(), Meter::new(control, self.data.len()));
        let mut start = 0;
        for x in 0..self.vertices {
            if x % BLOCK == 0 {
                meter.reach((lists.bits.position() / 8) as usize)?;
            }
            let head = lists.head(x)?;
            let (before, rest) = targets.split_at_mut(start);
            let Some(row) = rest.get_mut(..head.degree) else { return Err(self.other_arcs("more")) };
            let reference = head.reference.map(|y| &before[offsets[y].index()..offsets[y + 1].index()]);
            lists.body(x, reference, row)?;
            start += head.degree;
            offsets[x + 1] = O::from_index(start);
        }
        if start == self.arcs { Ok(()) } else { Err(self.other_arcs(&start.to_string())) }
    }

    fn other_arcs(&self, found: &str) -> Error {
        let problem = format!("its properties promise {} arcs, but {found} follow", self.arcs);
        Error::format(Position::file(self.name), problem, lists::DAMAGED)
    }
}
