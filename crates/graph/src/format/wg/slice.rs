//! [`Slice`]: one part of a graph as a `.wg` file, for the process that runs it.
//!
//! A slice has the rows of the vertices that its part owns. The other ends of arcs are *places*: positions in a list of the
//! vertices that the part stores something about, its own and those at the other end of its arcs, in rising order. So a slice
//! takes memory for its own arcs only, however large the graph is.
//!
//! The file has the sections of a graph (offsets, targets, weights, ids) for its own vertices, and sections of its own
//! (`docs/formats.md`). The section `slice` is required, so that a version of warpgraph that does not know slices refuses the
//! file instead of taking it for a graph; this version says what it is.

use super::{
    File,
    layout::{self, ALIGN, Kind, Layout},
};
use crate::{
    atomic_file::AtomicFile,
    control::Control,
    csr::{Offset, Offsets, Vertex, first_fall},
    error::{Error, Result},
    format::Input,
    hash,
    ids::Ids,
    memory::Buffer,
    par,
    weights::Weights,
};
use serde::{Deserialize, Serialize};
use std::{io::Write as _, path::Path};

/// The arcs of the own vertices of a slice in one direction.
#[derive(Debug, Clone)]
pub struct SliceRows {
    /// The offsets of the rows, from 0; one more than there are own vertices.
    pub offsets: Offsets,
    /// The places of the other ends, rising within a row.
    pub targets: Buffer<Vertex>,
    /// The weights of the arcs.
    pub weights: Weights,
}

/// One part of a graph.
#[derive(Debug, Clone)]
pub struct Slice {
    /// The number of the part.
    pub part: usize,
    /// The first vertex of every part, and the number of vertices of the graph at the end.
    pub starts: Vec<Vertex>,
    /// True if the graph is directed.
    pub directed: bool,
    /// The outgoing arcs.
    pub out: SliceRows,
    /// The incoming arcs of a directed graph.
    pub incoming: Option<SliceRows>,
    /// The number of the vertex at every place, in the order of the cut; rising.
    pub places: Buffer<Vertex>,
    /// The original number of the vertex at every place, if the order of the cut is not that of the ids.
    pub originals: Option<Buffer<Vertex>>,
    /// The ids of all vertices if they are a range; otherwise those of the own vertices, in their order.
    pub ids: Ids,
}

/// The content of the section `slice`, as JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    part: usize,
    starts: Vec<Vertex>,
    /// The name of the graph.
    name: String,
}

impl Slice {
    /// Returns the number of own vertices.
    pub fn vertices(&self) -> usize {
        (self.starts[self.part + 1] - self.starts[self.part]) as usize
    }

    /// Writes the slice to a file; `name` is the name of the graph. A failed write leaves no partial file.
    ///
    /// # Errors
    /// [`Error::Exists`] if the file exists and `force` is not set; [`Error::Io`] if writing fails; the error of `control` if
    /// it stops the work.
    pub fn write(&self, path: &Path, name: &str, force: bool, control: &Control) -> Result<()> {
        let head = Head { part: self.part, starts: self.starts.clone(), name: name.to_owned() };
        let head = serde_json::to_vec(&head)
            .map_err(|e| Error::invalid(format!("the cut cannot be stored: {e}"), ""))?;
        let sections = self.sections(&head);
        let contents: Vec<_> =
            sections.iter().map(|(kind, bytes)| (*kind, bytes.len() as u64, hash::bytes(bytes))).collect();
        let layout = Layout {
            directed: self.directed,
            vertices: self.vertices() as u64,
            arcs: self.out.targets.len() as u64,
            first_id: if let Ids::Range { first, .. } = self.ids { first } else { 0 },
            sections: Vec::new(),
        };
        let mut file = AtomicFile::create(path, force)?;
        let failed = |e| Error::io(path, "write", e);
        let head = layout.place(&contents).encode();
        file.write_all(&head).map_err(failed)?;
        let mut end = head.len() as u64;
        for (_, bytes) in sections {
            control.check("writing")?;
            let start = end.next_multiple_of(ALIGN);
            file.write_all(&[0; ALIGN as usize][..(start - end) as usize]).map_err(failed)?;
            file.write_all(bytes).map_err(failed)?;
            end = start + bytes.len() as u64;
        }
        file.commit()
    }

    fn sections<'a>(&'a self, head: &'a [u8]) -> Vec<(Kind, &'a [u8])> {
        let mut sections = vec![(Kind::Slice, head)];
        sections.push(match &self.out.offsets {
            Offsets::Narrow(o) => (Kind::Offsets32, bytemuck::cast_slice(o)),
            Offsets::Wide(o) => (Kind::Offsets64, bytemuck::cast_slice(o)),
        });
        sections.push((Kind::Targets, bytemuck::cast_slice(&self.out.targets)));
        sections.extend(weights_of(&self.out.weights).map(|(kind, bytes, _)| (kind, bytes)));
        if let Some(incoming) = &self.incoming {
            sections.push(match &incoming.offsets {
                Offsets::Narrow(o) => (Kind::InOffsets32, bytemuck::cast_slice(o)),
                Offsets::Wide(o) => (Kind::InOffsets64, bytemuck::cast_slice(o)),
            });
            sections.push((Kind::InTargets, bytemuck::cast_slice(&incoming.targets)));
            sections.extend(weights_of(&incoming.weights).map(|(_, bytes, _)| (Kind::InWeights, bytes)));
        }
        sections.push((Kind::Places, bytemuck::cast_slice(&self.places)));
        if let Some(originals) = &self.originals {
            sections.push((Kind::PlaceOriginals, bytemuck::cast_slice(originals)));
        }
        match &self.ids {
            Ids::Range { .. } => {}
            Ids::Numbers(ids) => sections.push((Kind::IdNumbers, bytemuck::cast_slice(ids))),
            Ids::Names(names) => {
                sections.push((Kind::NameStarts, bytemuck::cast_slice(names.starts())));
                sections.push((Kind::NameText, names.text()));
            }
        }
        sections
    }

    /// Opens a slice that [`Slice::write`] wrote, maps its arrays and checks them: lengths, checksums, the cut, offsets, places
    /// and ids. It cannot check that an undirected graph has both arcs of an edge whose ends are in two parts.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read; [`Error::Format`] if it is not a slice, or is damaged; the error of
    /// `control` if it stops the work.
    pub fn open(path: &Path, control: &Control) -> Result<Self> {
        let input = Input::open(path, control)?;
        let layout = Layout::decode(&input, input.name())?;
        let file = File { input, layout };
        file.slice(control)
    }
}

/// Returns the section of weights, its bytes, and the bytes per weight.
fn weights_of(weights: &Weights) -> Option<(Kind, &[u8], usize)> {
    match weights {
        Weights::None => None,
        Weights::U32(w) => Some((Kind::WeightsU32, bytemuck::cast_slice(w), 4)),
        Weights::I32(w) => Some((Kind::WeightsI32, bytemuck::cast_slice(w), 4)),
        Weights::F32(w) => Some((Kind::WeightsF32, bytemuck::cast_slice(w), 4)),
        Weights::F64(w) => Some((Kind::WeightsF64, bytemuck::cast_slice(w), 8)),
    }
}

impl File {
    /// Refuses a slice where a whole graph is wanted.
    pub(super) fn refuse_slice(&self) -> Result<()> {
        let Some(section) = self.layout.find(Kind::Slice) else { return Ok(()) };
        let whole = match serde_json::from_slice::<Head>(self.bytes(section)) {
            Ok(head) => format!(
                "part {} of {} of the graph {:?}",
                head.part,
                head.starts.len().saturating_sub(1),
                head.name
            ),
            Err(_) => "one part of a graph".to_owned(),
        };
        Err(Error::format(
            crate::error::Position::file(self.input.name()),
            format!("this file holds {whole}, not a whole graph"),
            "name the graph that `warpgraph partition` cut; a slice is for the process that runs its part",
        ))
    }

    fn slice(&self, control: &Control) -> Result<Slice> {
        let Some(section) = self.layout.find(Kind::Slice) else {
            return Err(Error::format(
                crate::error::Position::file(self.input.name()),
                "this file holds a whole graph, not a part of one",
                "cut it with `warpgraph partition`",
            ));
        };
        for section in &self.layout.sections {
            control.check("checking a slice")?;
            super::check::checksum(self, section, hash::bytes(self.bytes(section)))?;
        }
        let not_json =
            |e: serde_json::Error| self.damaged(section, &format!("not the JSON it should be: {e}"));
        let head: Head = serde_json::from_slice(self.bytes(section)).map_err(not_json)?;
        let own = match (head.starts.get(head.part), head.starts.get(head.part.wrapping_add(1))) {
            (Some(first), Some(end)) if head.starts.is_sorted() && head.starts[0] == 0 => *first..*end,
            _ => return Err(self.damaged(section, "the cut does not rise from 0, or has no such part")),
        };
        let n = head.starts.last().copied().unwrap_or_default();
        if u64::from(own.end - own.start) != self.layout.vertices {
            let what =
                format!("the part owns {} vertices, the header says {}", own.len(), self.layout.vertices);
            return Err(self.damaged(section, &what));
        }
        let places = self.places(own, n)?;
        let parts = self.parts()?;
        let out = SliceRows { offsets: parts.offsets, targets: parts.targets, weights: parts.weights };
        self.check_rows(Kind::Targets, &out, places.len())?;
        let incoming = self.incoming(&out.weights)?;
        if let Some(incoming) = &incoming {
            self.check_rows(Kind::InTargets, incoming, places.len())?;
        }
        if self.layout.directed != incoming.is_some() {
            return Err(layout::missing(self.input.name(), Kind::InTargets));
        }
        Ok(Slice {
            part: head.part,
            directed: self.layout.directed,
            originals: self.place_originals(places.len(), n)?,
            ids: self.slice_ids(n)?,
            starts: head.starts,
            out,
            incoming,
            places,
        })
    }

    /// Returns the vertices that have a place, which rise, lie in the graph, and hold all own ones.
    fn places(&self, own: std::ops::Range<Vertex>, n: Vertex) -> Result<Buffer<Vertex>> {
        let section = self.required(Kind::Places)?;
        self.whole_words(Kind::Places, 4)?;
        let places: Buffer<Vertex> = self.buffer(section)?;
        if !places.windows(2).all(|pair| pair[0] < pair[1]) || places.last().is_some_and(|&last| last >= n) {
            return Err(self.damaged(section, &format!("vertices do not rise, or are not below {n}")));
        }
        let base = places.partition_point(|&v| v < own.start);
        let held = places.get(base..base + own.len()).unwrap_or_default();
        if held.len() != own.len()
            || held.first().is_some_and(|&v| v != own.start)
            || held.last().is_some_and(|&v| v + 1 != own.end)
        {
            return Err(self.damaged(section, "an own vertex has no place"));
        }
        Ok(places)
    }

    fn place_originals(&self, places: usize, n: Vertex) -> Result<Option<Buffer<Vertex>>> {
        let Some(section) = self.layout.find(Kind::PlaceOriginals) else { return Ok(None) };
        if section.length != 4 * places as u64 {
            return Err(self.damaged(section, &format!("{} bytes for {places} places", section.length)));
        }
        let originals: Buffer<Vertex> = self.buffer(section)?;
        let mut sorted = originals.to_vec();
        sorted.sort_unstable();
        match sorted.windows(2).all(|pair| pair[0] < pair[1]) && sorted.last().is_none_or(|&v| v < n) {
            true => Ok(Some(originals)),
            false => Err(self.damaged(section, &format!("a number occurs twice, or is not below {n}"))),
        }
    }

    fn slice_ids(&self, n: Vertex) -> Result<Ids> {
        let ids = self.ids()?;
        if let Ids::Range { first, .. } = ids {
            if first.checked_add(n.into()).is_none() {
                return Err(layout::damaged(self.input.name(), "ids run beyond 64 bits"));
            }
            return Ok(Ids::Range { first, len: n as usize });
        }
        if let Ids::Numbers(numbers) = &ids
            && !numbers.windows(2).all(|pair| pair[0] < pair[1])
        {
            return Err(layout::damaged(self.input.name(), "section id-numbers: ids do not rise"));
        }
        Ok(ids)
    }

    fn incoming(&self, own: &Weights) -> Result<Option<SliceRows>> {
        let offsets = match (self.layout.find(Kind::InOffsets32), self.layout.find(Kind::InOffsets64)) {
            (None, None) => return Ok(None),
            (Some(section), _) => {
                self.whole_words(Kind::InOffsets32, 4)?;
                Offsets::Narrow(self.buffer(section)?)
            }
            (_, Some(section)) => {
                self.whole_words(Kind::InOffsets64, 8)?;
                Offsets::Wide(self.buffer(section)?)
            }
        };
        if offsets.len() as u64 != self.layout.vertices + 1 {
            let what = format!("{} incoming offsets for {} vertices", offsets.len(), self.layout.vertices);
            return Err(layout::damaged(self.input.name(), &what));
        }
        self.whole_words(Kind::InTargets, 4)?;
        let targets: Buffer<Vertex> = self.buffer(self.required(Kind::InTargets)?)?;
        let width = weights_of(own).map(|(_, _, width)| width);
        if let Some(width) = width {
            let section = self.required(Kind::InWeights)?;
            if section.length != (targets.len() * width) as u64 {
                let what = format!("{} bytes for {} arcs", section.length, targets.len());
                return Err(self.damaged(section, &what));
            }
        }
        let weights = match own {
            Weights::None => Weights::None,
            Weights::U32(_) => Weights::U32(self.buffer(self.required(Kind::InWeights)?)?),
            Weights::I32(_) => Weights::I32(self.buffer(self.required(Kind::InWeights)?)?),
            Weights::F32(_) => Weights::F32(self.buffer(self.required(Kind::InWeights)?)?),
            Weights::F64(_) => Weights::F64(self.buffer(self.required(Kind::InWeights)?)?),
        };
        Ok(Some(SliceRows { offsets, targets, weights }))
    }

    /// Refuses a section that is no whole number of words.
    fn whole_words(&self, kind: Kind, width: u64) -> Result<()> {
        let section = self.required(kind)?;
        match section.length.is_multiple_of(width) {
            true => Ok(()),
            false => Err(self.damaged(section, &format!("{} bytes, no multiple of {width}", section.length))),
        }
    }

    /// Checks that offsets rise from 0 to the number of arcs, that targets are places and rise in their rows, and that weights
    /// are finite.
    fn check_rows(&self, kind: Kind, rows: &SliceRows, places: usize) -> Result<()> {
        fn sound<O: Offset>(offsets: &[O], targets: &[Vertex], places: usize) -> Result<(), String> {
            let ends = offsets.first().map(|o| o.index()).zip(offsets.last().map(|o| o.index()));
            if ends != Some((0, targets.len())) || first_fall(offsets).is_some() {
                return Err(format!("offsets do not rise from 0 to {} arcs", targets.len()));
            }
            let is_bad = |&v: &usize| {
                let row = &targets[offsets[v].index()..offsets[v + 1].index()];
                !row.is_sorted() || row.last().is_some_and(|&last| last as usize >= places)
            };
            match par::find_first(offsets.len() - 1, 1024, |mut range| range.find(is_bad)) {
                None => Ok(()),
                Some(v) => {
                    Err(format!("the arcs of own vertex {v} do not rise, or lead beyond {places} places"))
                }
            }
        }
        let checked = match &rows.offsets {
            Offsets::Narrow(offsets) => sound(offsets, &rows.targets, places),
            Offsets::Wide(offsets) => sound(offsets, &rows.targets, places),
        };
        let is_finite = match &rows.weights {
            Weights::F32(w) => w.iter().all(|w| w.is_finite()),
            Weights::F64(w) => w.iter().all(|w| w.is_finite()),
            _ => true,
        };
        let checked = checked.and(if is_finite { Ok(()) } else { Err("a weight is not finite".to_owned()) });
        checked
            .map_err(|what| layout::damaged(self.input.name(), &format!("section {}: {what}", kind.name())))
    }
}
