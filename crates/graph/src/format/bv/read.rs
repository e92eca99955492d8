//! Reads the successor lists of a BV graph into a CSR.

use super::{
    lists::{self, Lists},
    no_properties, parallel,
    properties::Properties,
};
use crate::{
    control::Control,
    csr::{Csr, Offset, Offsets, Vertex},
    error::{Error, Position, Result},
    format::{
        Format, Input, ReadOptions,
        claim::{self, Meter},
        finished,
    },
    graph::{Arcs, Graph, Origin},
    ids::Ids,
    memory::{Buffer, Pages},
    weights::Weights,
};

/// Nodes to read between two checks of the control.
pub(super) const BLOCK: usize = 1 << 14;

/// A BV graph whose header counts have been checked.
pub(super) struct File<'a> {
    pub(super) name: &'a str,
    pub(super) data: &'a [u8],
    pub(super) properties: Properties,
    pub(super) vertices: usize,
    pub(super) arcs: usize,
}

/// Reads a BV graph and applies `options` to it.
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

impl<'a> File<'a> {
    /// Checks the counts of the header. Fails if the file is too short for the nodes, or the nodes are too few for the
    /// arcs.
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

    /// Returns a decoder at the first list.
    pub(super) fn lists(&self) -> Lists<'_> {
        Lists::new(self.name, self.data, &self.properties)
    }

    /// Reads the offsets and targets of the CSR, in parallel if `positions` says where each list starts.
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

    /// Reads all lists in order on one thread.
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

    pub(super) fn other_arcs(&self, found: &str) -> Error {
        let problem = format!("its properties promise {} arcs, but {found} follow", self.arcs);
        Error::format(Position::file(self.name), problem, lists::DAMAGED)
    }
}
