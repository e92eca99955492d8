//! Reads warpgraph's own format, `.wg`: the arrays of a graph as they lie in memory, mapped rather than read.
//!
//! [`File::open`] checks the header, the section table and the length of the file, which takes milliseconds whatever
//! the size of the file. [`File::check`] then verifies every checksum and every invariant in one parallel pass over
//! each array, at memory speed, and returns the [`Graph`]. [`File::trust`] skips that pass for a file that the user
//! vouches for.
//!
//! A file that `reorder` wrote holds the arcs in another order than that of the ids, and the map between the two
//! orders. Its graph is the original one; see [`Stored`].
//!
//! A file may keep the paths of its arcs ([`Graph::paths`]). They are those of the arcs as the file holds them, so in a file
//! with a stored order they belong to [`Stored::graph`].
//!
//! The format is little-endian only. `docs/formats.md` describes the layout byte by byte, and `layout` implements it.

mod check;
pub(crate) mod layout;
mod paths;
mod pending;
mod slice;

pub(crate) use self::paths::KeptPaths;
pub use self::{
    layout::{MAGIC, VERSION},
    pending::{Pending, Sums},
    slice::{Slice, SliceRows},
};

use super::{
    Format, Input, Preview, ReadOptions, finished, preview,
    table::{Entry, Sign, Used},
};
use crate::{
    control::Control,
    csr::{Csr, Offsets},
    error::{Error, Result},
    graph::{Arcs, Graph, Origin, Seen},
    hash,
    ids::{Ids, Names},
    memory::{Buffer, Pages},
    node_map::NodeMap,
    stored::{OrderLabel, Stored},
    timeline::Phase,
    weights::{WeightType, Weights},
};
use bytemuck::Pod;
use layout::{Kind, Layout, Section};
use serde::{Deserialize, Serialize};
use std::{io::Read as _, path::Path};

#[cfg(not(target_endian = "little"))]
compile_error!(".wg files are little-endian and used in place; this target is not supported");

pub(super) const ENTRY: Entry = Entry {
    name: "wg",
    aliases: &[],
    endings: &["wg"],
    sign: Sign::Content(|data| data.starts_with(&MAGIC)),
    is_finished: true,
    read_parts: None,
    uses: &[Used::WeightType],
    read: |input, options, control| {
        finished::apply(File::from_input(input)?.check(control)?, options, control)
    },
    preview: |input, _, options| preview(input, options),
};

/// An opened `.wg` file whose header and section table have been checked and whose arrays have not.
///
/// ```
/// # fn main() -> warpgraph_graph::Result<()> {
/// # use warpgraph_graph::{Control, Graph, format::{wg, write::WriteOptions}};
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let (text, path) = (folder.path().join("a.gr"), folder.path().join("a.wg"));
/// # std::fs::write(&text, "p sp 3 2\na 1 2 70\na 2 3 40\n").expect("written");
/// # Graph::open(&text)?.write(&path, &WriteOptions::default(), &Control::new())?;
/// let file = wg::File::open(&path)?;
/// assert_eq!((file.vertices(), file.arcs()), (3, 2));
/// let graph = file.check(&Control::new())?;
/// # assert_eq!(graph.hash(), Graph::open(&text)?.hash());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct File {
    input: Input,
    layout: Layout,
}

/// The content of the section `order`, as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredOrder {
    #[serde(flatten)]
    pub(crate) label: OrderLabel,
    /// The [`Graph::hash`] of the graph in the order of its ids, as 16 hexadecimal digits.
    pub(crate) hash: String,
}

/// The arrays of a file before they are checked.
#[derive(Debug)]
struct Parts {
    offsets: Offsets,
    targets: Buffer<u32>,
    weights: Weights,
}

impl File {
    /// Opens a file and reads only its header and section table.
    ///
    /// # Errors
    /// Returns [`Error::Io`] when the file cannot be read, and [`Error::Format`] when it is not a `.wg` file, has
    /// another version, is cut short or is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &Control::new())
    }

    /// Opens a file like [`File::open`], with a handle that can stop the reading of a pipe or a compressed file.
    ///
    /// # Errors
    /// Returns the errors of [`File::open`], and the error of `control` if `control` stops the work.
    pub fn open_with(path: impl AsRef<Path>, control: &Control) -> Result<Self> {
        Self::from_input(Input::open(path.as_ref(), control)?)
    }

    /// Opens a file that reading would use in place: an uncompressed `.wg` file that is no pipe, with options that leave
    /// its graph as it is. Returns `None` for every other file, also if it cannot be read.
    ///
    /// # Errors
    /// Returns the errors of [`File::open`] for a `.wg` file.
    pub fn in_place(
        path: impl AsRef<Path>,
        options: &ReadOptions,
        control: &Control,
    ) -> Result<Option<Self>> {
        let as_it_is = ReadOptions { format: options.format, ..ReadOptions::default() };
        let is_wg = || {
            let mut magic = [0; MAGIC.len()];
            let file = std::fs::File::open(path.as_ref()).ok();
            file.and_then(|mut file| file.read_exact(&mut magic).ok()).is_some() && magic == MAGIC
        };
        let is_as_it_is = matches!(options.format, None | Some(Format::Wg)) && *options == as_it_is;
        // Opening a pipe would wait for its writer.
        match is_as_it_is && path.as_ref().is_file() && is_wg() {
            true => Self::open_with(path.as_ref(), control).map(Some),
            false => Ok(None),
        }
    }

    /// Opens a file whose bytes are already in memory or mapped. Unless the bytes are a mapped file, the arrays will be
    /// copied.
    ///
    /// # Errors
    /// Returns the same errors as [`File::open`].
    pub fn from_input(input: Input) -> Result<Self> {
        let layout = Layout::decode(&input, input.name())?;
        let file = Self { input, layout };
        file.refuse_slice()?;
        Ok(file)
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> u64 {
        self.layout.vertices
    }

    /// Returns the number of arcs.
    pub fn arcs(&self) -> u64 {
        self.layout.arcs
    }

    /// Returns true if the graph is directed.
    pub fn is_directed(&self) -> bool {
        self.layout.directed
    }

    /// Returns the type of the weights, or `None` if the graph has no weights.
    pub fn weight_type(&self) -> Option<WeightType> {
        self.layout.weights().map(|(_, weight_type)| weight_type)
    }

    /// Returns the number of bytes that the original ids take; 0 if they are a range of numbers.
    pub fn id_bytes(&self) -> u64 {
        let kinds = [Kind::IdNumbers, Kind::NameStarts, Kind::NameText];
        kinds.into_iter().filter_map(|kind| self.layout.find(kind)).map(|section| section.length).sum()
    }

    /// Verifies checksums, offsets, targets, weights, symmetry, ids and paths in parallel, and returns the graph.
    ///
    /// # Errors
    /// Returns [`Error::Format`] with the name of the damaged section, [`Error::TooLarge`] when the arrays must be
    /// copied and memory is short, and the error of [`Control::check`] when `control` stops the work.
    pub fn check(self, control: &Control) -> Result<Graph> {
        let _span = control.span(Phase::Checking);
        let parts = self.parts()?;
        let seen = check::arrays(&self, &parts, control)?;
        let ids = self.ids()?;
        check::ids(&self, &ids)?;
        check::order(&self, control)?;
        check::paths(&self, control)?;
        // SAFETY: the lines above checked offsets, targets, weights, symmetry and ids: all that `assemble` requires.
        let graph = unsafe { self.assemble(parts, ids) }?;
        paths::check(&self, &graph, control)?;
        self.tell(&graph, seen);
        Ok(graph)
    }

    /// Tells a graph whose arrays have the checksums of this file what is known about it. The hash of a graph is made of
    /// these checksums. If the file holds the arcs in another order, it states the hash, and the counts are of another
    /// numbering.
    fn tell(&self, graph: &Graph, seen: Seen) {
        if self.layout.find(Kind::Order).is_none() {
            graph.knows(&Seen { hash: Some(self.hash()), ..seen });
        }
    }

    /// Returns the hash of the graph, given that the checksums are right.
    fn hash(&self) -> u64 {
        let sum = |kind| self.layout.find(kind).map(|section| section.checksum);
        let (weights, weight_type) = self.layout.weights().unzip();
        let range = || hash::mix(self.layout.first_id, self.layout.vertices);
        let names = || Some(hash::mix(sum(Kind::NameStarts)?, sum(Kind::NameText)?));
        let parts = hash::Parts {
            directed: self.layout.directed,
            offsets: sum(Kind::Offsets32).or(sum(Kind::Offsets64)).unwrap_or(0),
            targets: sum(Kind::Targets).unwrap_or(0),
            weights: weights.map_or(0, |section| section.checksum),
            weight_type,
            ids: sum(Kind::IdNumbers).or_else(names).unwrap_or_else(range),
        };
        parts.hash()
    }

    /// Returns the file with its arrays, for callers that check a copy of them.
    ///
    /// # Errors
    /// Returns [`Error::Format`] if an array is missing, and [`Error::TooLarge`] if arrays must be copied and memory is
    /// short.
    pub fn pending(self) -> Result<Pending> {
        Pending::new(self)
    }

    /// Returns the graph without the checks of [`File::check`] on checksums, offsets, targets, weights, symmetry and
    /// numeric ids, and without the check that its paths cover every edge. Still checks the names of the vertices, the
    /// origin, the map of a stored order, and that paths name only vertices and arcs of the graph, where the file has them.
    ///
    /// # Errors
    /// Returns the same errors as [`File::check`], for the parts that are checked.
    ///
    /// # Safety
    /// warpgraph must have written the file, and the file must not have changed since: engines index by its offsets and
    /// targets without bounds checks.
    pub unsafe fn trust(self) -> Result<Graph> {
        let (parts, ids) = (self.parts()?, self.ids()?);
        // SAFETY: the caller vouches for the arrays; `Layout::decode` has checked their sizes.
        unsafe { self.assemble(parts, ids) }
    }

    /// Makes the graph from its parts.
    ///
    /// # Safety
    /// The caller must meet the conditions of [`Csr::new_unchecked`] and [`Graph::new_unchecked`].
    unsafe fn assemble(&self, parts: Parts, ids: Ids) -> Result<Graph> {
        let origin = self.origin()?;
        // SAFETY: the caller meets the conditions of `Csr::new_unchecked`.
        let csr = unsafe { Csr::new_unchecked(parts.offsets, parts.targets) };
        let (arcs, directed) = (Arcs { csr, weights: parts.weights }, self.layout.directed);
        let Some(section) = self.layout.find(Kind::Order) else {
            // SAFETY: the caller meets the conditions of `Graph::new_unchecked`.
            let graph = unsafe { Graph::new_unchecked(arcs, directed, ids, origin) };
            return self.with_paths(graph);
        };
        let inner = Ids::zero_based(ids.len());
        // SAFETY: the caller meets the conditions of `Graph::new_unchecked`; `inner` holds as many ids as `ids`.
        let graph = self.with_paths(unsafe { Graph::new_unchecked(arcs, directed, inner, origin) })?;
        let not_json =
            |e: serde_json::Error| self.damaged(section, &format!("not the JSON it should be: {e}"));
        let order: StoredOrder = serde_json::from_slice(self.bytes(section)).map_err(not_json)?;
        let hash = u64::from_str_radix(&order.hash, 16)
            .map_err(|_| self.damaged(section, &format!("{:?} is no hash of a graph", order.hash)))?;
        Graph::from_stored(Stored::new(order.label, graph, self.map()?)?, ids, hash)
    }

    /// Returns the map to the stored order. Always checks that the two arrays invert each other, because engines index
    /// by them.
    fn map(&self) -> Result<NodeMap> {
        let masters = self.buffer(self.required(Kind::Masters)?)?;
        let originals = self.buffer(self.required(Kind::Originals)?)?;
        NodeMap::new(masters, originals, self.input.name())
    }

    fn parts(&self) -> Result<Parts> {
        let offsets = match self.layout.find(Kind::Offsets32) {
            Some(section) => Offsets::Narrow(self.buffer(section)?),
            None => Offsets::Wide(self.buffer(self.required(Kind::Offsets64)?)?),
        };
        let targets = self.buffer(self.required(Kind::Targets)?)?;
        let weights = match self.layout.weights() {
            None => Weights::None,
            Some((section, WeightType::U32)) => Weights::U32(self.buffer(section)?),
            Some((section, WeightType::I32)) => Weights::I32(self.buffer(section)?),
            Some((section, WeightType::F32)) => Weights::F32(self.buffer(section)?),
            Some((section, WeightType::F64)) => Weights::F64(self.buffer(section)?),
        };
        Ok(Parts { offsets, targets, weights })
    }

    fn ids(&self) -> Result<Ids> {
        if let Some(section) = self.layout.find(Kind::IdNumbers) {
            return Ok(Ids::Numbers(self.buffer(section)?));
        }
        match (self.layout.find(Kind::NameStarts), self.layout.find(Kind::NameText)) {
            (Some(starts), Some(text)) => {
                let names = Names::new(self.buffer(starts)?, self.buffer(text)?, self.input.name())?;
                Ok(Ids::Names(names))
            }
            _ => Ok(Ids::Range { first: self.layout.first_id, len: self.layout.vertices as usize }),
        }
    }

    /// Returns the origin of the graph as stored, with the name and the format of this file.
    fn origin(&self) -> Result<Origin> {
        let stored = match self.layout.find(Kind::Origin) {
            None => Origin::default(),
            Some(section) => serde_json::from_slice(self.bytes(section))
                .map_err(|e| self.damaged(section, &format!("not the JSON it should be: {e}")))?,
        };
        Ok(Origin { name: self.input.name().to_owned(), format: Format::Wg.name().to_owned(), ..stored })
    }

    fn required(&self, kind: Kind) -> Result<&Section> {
        self.layout.find(kind).ok_or_else(|| layout::missing(self.input.name(), kind))
    }

    fn bytes(&self, section: &Section) -> &[u8] {
        &self.input[section.range()]
    }

    /// Returns a section as an array: mapped if the file is mapped and the section is aligned, copied otherwise.
    fn buffer<T: Pod>(&self, section: &Section) -> Result<Buffer<T>> {
        let (range, len) = (section.range(), section.range().len() / size_of::<T>());
        if let Some(map) = self.input.map()
            && let Some(buffer) = Buffer::mapped(map.clone(), range.start, len)
        {
            return Ok(buffer);
        }
        let mut pages = Pages::<T>::zeroed(len)?;
        bytemuck::cast_slice_mut(&mut pages).copy_from_slice(self.bytes(section));
        Ok(pages.into())
    }

    fn damaged(&self, section: &Section, problem: &str) -> Error {
        layout::damaged(self.input.name(), &format!("section {}: {problem}", section.name()))
    }
}

/// Returns what the header says about the graph.
fn preview(input: Input, options: &ReadOptions) -> Result<Preview> {
    preview::refuse_packed(&input)?;
    let file = File::from_input(input)?;
    let directed = options.directed.unwrap_or(file.is_directed());
    let mirrored = file.is_directed() && !directed;
    let arcs = file.arcs().saturating_mul(if mirrored { 2 } else { 1 });
    let preview = Preview::by_header(Format::Wg, file.vertices(), arcs, directed);
    let id_bytes = file.id_bytes();
    Ok(Preview { id_bytes, ..preview.with_weights(file.weight_type(), options) })
}
