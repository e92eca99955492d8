//! Encodes and decodes the header and the section table of a `.wg` file, and makes every check that does not read the
//! arrays.
//!
//! ```text
//! header, 64 bytes      magic[8] version:u32 flags:u32 vertices:u64 arcs:u64 first_id:u64
//!                       sections:u32 reserved:u32 length:u64 checksum:u64
//! table, 32 each        kind:u32 flags:u32 start:u64 length:u64 checksum:u64
//! sections              in the order of the table, each from a multiple of 64
//! ```
//!
//! The `checksum` of the header is [`hash::bytes`] over the header (with 0 in place of the checksum) and the table. The
//! `checksum` of a section is [`hash::bytes`] over the section.

use crate::{
    csr::MAX_VERTICES,
    error::{Error, Position, Result},
    hash,
    paths::{LANES, SLOTS},
    weights::WeightType,
};
use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// The first bytes of every `.wg` file, chosen so that a copy in text mode damages them.
pub const MAGIC: [u8; 8] = *b"\x89WG\r\n\x1a\n\0";

/// The version of the format that this build writes and reads.
pub const VERSION: u32 = 1;

/// Alignment of sections: each starts at a multiple of this number of bytes.
pub(crate) const ALIGN: u64 = 64;

const DIRECTED: u32 = 1;
const REQUIRED: u32 = 1;
/// Largest accepted number of sections, more than any version is likely to have.
const MAX_SECTIONS: u32 = 1024;

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct RawHeader {
    magic: [u8; 8],
    version: u32,
    flags: u32,
    vertices: u64,
    arcs: u64,
    first_id: u64,
    sections: u32,
    reserved: u32,
    length: u64,
    checksum: u64,
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct RawSection {
    kind: u32,
    flags: u32,
    start: u64,
    length: u64,
    checksum: u64,
}

const HEADER: usize = size_of::<RawHeader>();
const ENTRY: usize = size_of::<RawSection>();

/// The content of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Offsets32 = 1,
    Offsets64 = 2,
    Targets = 3,
    WeightsU32 = 4,
    WeightsI32 = 5,
    WeightsF32 = 6,
    WeightsF64 = 7,
    IdNumbers = 8,
    NameStarts = 9,
    NameText = 10,
    Origin = 11,
    Masters = 12,
    Originals = 13,
    Order = 14,
    Paths = 15,
    PathVertices = 16,
    PathArcs32 = 17,
    PathArcs64 = 18,
    PathJoins = 19,
    Slice = 20,
    Places = 21,
    PlaceOriginals = 22,
    InOffsets32 = 23,
    InOffsets64 = 24,
    InTargets = 25,
    InWeights = 26,
}

const KINDS: [(Kind, &str); 26] = [
    (Kind::Offsets32, "offsets-32"),
    (Kind::Offsets64, "offsets-64"),
    (Kind::Targets, "targets"),
    (Kind::WeightsU32, "weights-u32"),
    (Kind::WeightsI32, "weights-i32"),
    (Kind::WeightsF32, "weights-f32"),
    (Kind::WeightsF64, "weights-f64"),
    (Kind::IdNumbers, "id-numbers"),
    (Kind::NameStarts, "name-starts"),
    (Kind::NameText, "name-text"),
    (Kind::Origin, "origin"),
    (Kind::Masters, "masters"),
    (Kind::Originals, "originals"),
    (Kind::Order, "order"),
    (Kind::Paths, "paths"),
    (Kind::PathVertices, "path-vertices"),
    (Kind::PathArcs32, "path-arcs-32"),
    (Kind::PathArcs64, "path-arcs-64"),
    (Kind::PathJoins, "path-joins"),
    (Kind::Slice, "slice"),
    (Kind::Places, "places"),
    (Kind::PlaceOriginals, "place-originals"),
    (Kind::InOffsets32, "in-offsets-32"),
    (Kind::InOffsets64, "in-offsets-64"),
    (Kind::InTargets, "in-targets"),
    (Kind::InWeights, "in-weights"),
];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// Returns true if a reader that does not know the section must refuse the file.
    fn is_required(self) -> bool {
        let optional = [
            Self::Origin,
            Self::Paths,
            Self::PathVertices,
            Self::PathArcs32,
            Self::PathArcs64,
            Self::PathJoins,
        ];
        !optional.contains(&self)
    }

    fn from_number(number: u32) -> Option<Self> {
        KINDS.iter().map(|(kind, _)| *kind).find(|kind| *kind as u32 == number)
    }

    /// Returns the length in bytes that the section must have, or `None` if it may have any length.
    fn length(self, vertices: u64, arcs: u64) -> Option<u64> {
        let (count, size) = match self {
            Self::Offsets32 => (vertices + 1, 4),
            Self::Offsets64 | Self::NameStarts => (vertices + 1, 8),
            Self::Targets | Self::WeightsU32 | Self::WeightsI32 | Self::WeightsF32 => (arcs, 4),
            Self::WeightsF64 => (arcs, 8),
            Self::IdNumbers => (vertices, 8),
            Self::Masters | Self::Originals => (vertices, 4),
            Self::NameText | Self::Origin | Self::Order | Self::Paths => return None,
            // `Slice` checks these.
            Self::Slice | Self::Places | Self::PlaceOriginals | Self::InOffsets32 => return None,
            Self::InOffsets64 | Self::InTargets | Self::InWeights => return None,
            // These depend on the number of chunks; `Layout::complete_paths` checks them.
            Self::PathVertices | Self::PathArcs32 | Self::PathArcs64 | Self::PathJoins => return None,
        };
        // A saturated length matches no section, because all sections lie within the file.
        Some(u64::saturating_mul(count, size))
    }
}

/// A section whose kind this build knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Section {
    pub(crate) kind: Kind,
    pub(crate) start: u64,
    pub(crate) length: u64,
    pub(crate) checksum: u64,
}

impl Section {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }

    pub(crate) fn name(&self) -> &'static str {
        self.kind.name()
    }
}

/// A header that has been checked, with the sections whose kind this build knows.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) directed: bool,
    pub(crate) vertices: u64,
    pub(crate) arcs: u64,
    pub(crate) first_id: u64,
    pub(crate) sections: Vec<Section>,
}

impl Layout {
    pub(crate) fn find(&self, kind: Kind) -> Option<&Section> {
        self.sections.iter().find(|s| s.kind == kind)
    }

    /// Returns the section of weights and their type, or `None` if there are no weights.
    pub(crate) fn weights(&self) -> Option<(&Section, WeightType)> {
        self.sections.iter().find_map(|s| {
            Some(match s.kind {
                Kind::WeightsU32 => (s, WeightType::U32),
                Kind::WeightsI32 => (s, WeightType::I32),
                Kind::WeightsF32 => (s, WeightType::F32),
                Kind::WeightsF64 => (s, WeightType::F64),
                _ => return None,
            })
        })
    }

    /// Adds sections of the given kinds, lengths and checksums, one after the other, each aligned to [`ALIGN`].
    pub(crate) fn place(mut self, contents: &[(Kind, u64, u64)]) -> Self {
        let mut end = (HEADER + ENTRY * contents.len()) as u64;
        for &(kind, length, checksum) in contents {
            let start = end.next_multiple_of(ALIGN);
            self.sections.push(Section { kind, start, length, checksum });
            end = start + length;
        }
        self
    }

    /// Returns the header and the table as bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let header = RawHeader {
            magic: MAGIC,
            version: VERSION,
            flags: if self.directed { DIRECTED } else { 0 },
            vertices: self.vertices,
            arcs: self.arcs,
            first_id: self.first_id,
            sections: self.sections.len() as u32,
            reserved: 0,
            length: self.sections.last().map_or(HEADER as u64, |s| s.start + s.length),
            checksum: 0,
        };
        let table = self.sections.iter().map(|s| RawSection {
            kind: s.kind as u32,
            flags: if s.kind.is_required() { REQUIRED } else { 0 },
            start: s.start,
            length: s.length,
            checksum: s.checksum,
        });
        let mut bytes = bytemuck::bytes_of(&header).to_vec();
        table.for_each(|entry| bytes.extend_from_slice(bytemuck::bytes_of(&entry)));
        let checksum = hash::bytes(&bytes);
        bytes[HEADER - 8..HEADER].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads and checks the header and the table of the file `data`; `file` is its name in errors.
    pub(crate) fn decode(data: &[u8], file: &str) -> Result<Self> {
        let header = header(data, file)?;
        let table = table(data, &header, file)?;
        let mut layout = Self {
            directed: header.flags & DIRECTED != 0,
            vertices: header.vertices,
            arcs: header.arcs,
            first_id: header.first_id,
            sections: Vec::new(),
        };
        let mut end = (HEADER + table.len() * ENTRY) as u64;
        for (index, entry) in table.iter().enumerate() {
            end = placed(entry, index, end, header.length, file)?;
            if let Some(section) = known(entry, index, file)? {
                layout.add(section, file)?;
            }
        }
        layout.complete(file)?;
        Ok(layout)
    }

    fn add(&mut self, section: Section, file: &str) -> Result<()> {
        let name = section.name();
        if self.find(section.kind).is_some() {
            return Err(damaged(file, &format!("section {name} occurs twice")));
        }
        if let Some(wanted) = section.kind.length(self.vertices, self.arcs).filter(|&w| w != section.length) {
            let (length, vertices, arcs) = (section.length, self.vertices, self.arcs);
            return Err(damaged(
                file,
                &format!(
                    "section {name} has {length} bytes, expected {wanted} for {vertices} vertices and {arcs} arcs"
                ),
            ));
        }
        self.sections.push(section);
        Ok(())
    }

    /// Returns an error if a section that a graph needs is missing, or if two sections exclude each other.
    fn complete(&self, file: &str) -> Result<()> {
        let has = |kind| self.find(kind).is_some();
        let clash = |a: Kind, b: Kind| {
            let problem = format!("sections {} and {} exclude each other", a.name(), b.name());
            Err(damaged(file, &problem))
        };
        if !has(Kind::Offsets32) && !has(Kind::Offsets64) {
            return Err(missing(file, Kind::Offsets32));
        }
        if !has(Kind::Targets) {
            return Err(missing(file, Kind::Targets));
        }
        if has(Kind::NameStarts) != has(Kind::NameText) {
            return Err(missing(file, if has(Kind::NameText) { Kind::NameStarts } else { Kind::NameText }));
        }
        const ORDER: [Kind; 3] = [Kind::Masters, Kind::Originals, Kind::Order];
        if let Some(&lost) = ORDER.iter().find(|&&kind| !has(kind) && ORDER.iter().any(|&k| has(k))) {
            return Err(missing(file, lost));
        }
        const WEIGHTS: [Kind; 4] = [Kind::WeightsU32, Kind::WeightsI32, Kind::WeightsF32, Kind::WeightsF64];
        const OTHERS: [[Kind; 2]; 3] = [
            [Kind::Offsets32, Kind::Offsets64],
            [Kind::IdNumbers, Kind::NameText],
            [Kind::PathArcs32, Kind::PathArcs64],
        ];
        for group in [&WEIGHTS[..]].into_iter().chain(OTHERS.iter().map(|pair| &pair[..])) {
            let mut there = group.iter().filter(|&&kind| has(kind));
            if let (Some(&a), Some(&b)) = (there.next(), there.next()) {
                return clash(a, b);
            }
        }
        self.complete_paths(file)
    }

    /// Returns an error if the sections of paths are not all there, or not of the same number of chunks.
    fn complete_paths(&self, file: &str) -> Result<()> {
        let arcs = if self.find(Kind::PathArcs64).is_some() { Kind::PathArcs64 } else { Kind::PathArcs32 };
        let kinds = [Kind::Paths, Kind::PathJoins, Kind::PathVertices, arcs];
        let found = kinds.map(|kind| self.find(kind));
        if found.iter().all(Option::is_none) {
            return Ok(());
        }
        if let Some((&lost, _)) = kinds.iter().zip(&found).find(|(_, section)| section.is_none()) {
            return Err(missing(file, lost));
        }
        let [_, Some(joins), arrays @ ..] = found else { return Ok(()) };
        let chunks = joins.length / (4 * LANES as u64);
        let width = if arcs == Kind::PathArcs64 { 8 } else { 4 };
        let slots = chunks * SLOTS as u64;
        let wanted =
            [(Some(joins), 4 * chunks * LANES as u64), (arrays[0], 4 * slots), (arrays[1], width * slots)];
        for (section, wanted) in wanted.into_iter().filter_map(|(section, wanted)| Some((section?, wanted))) {
            if section.length != wanted {
                let (name, length) = (section.name(), section.length);
                let problem =
                    format!("section {name} has {length} bytes, expected {wanted} for {chunks} chunks");
                return Err(damaged(file, &problem));
            }
        }
        Ok(())
    }
}

fn header(data: &[u8], file: &str) -> Result<RawHeader> {
    if !data.starts_with(&MAGIC) {
        return Err(Error::format(
            Position::file(file),
            "not a .wg file: its first 8 bytes are not the mark of one",
            "name its format with --format, or make it anew with `warpgraph convert`",
        ));
    }
    let Some(bytes) = data.get(..HEADER) else {
        return Err(damaged(
            file,
            &format!("cut short in the header, after {} of {HEADER} bytes", data.len()),
        ));
    };
    let header: RawHeader = bytemuck::pod_read_unaligned(bytes);
    if header.version != VERSION {
        return Err(Error::format(
            Position::file(file),
            format!("version {} of the .wg format, this build reads version {VERSION}", header.version),
            "make it anew with `warpgraph convert`, or use the version of warpgraph that wrote it",
        ));
    }
    if header.length != data.len() as u64 {
        return Err(damaged(
            file,
            &format!("{} bytes, expected {} as the header says", data.len(), header.length),
        ));
    }
    Ok(header)
}

fn table(data: &[u8], header: &RawHeader, file: &str) -> Result<Vec<RawSection>> {
    let end = HEADER + ENTRY * header.sections.min(MAX_SECTIONS) as usize;
    let Some(bytes) = data.get(HEADER..end).filter(|_| header.sections <= MAX_SECTIONS) else {
        return Err(damaged(file, &format!("{} sections do not fit the file", header.sections)));
    };
    let mut both = data[..end].to_vec();
    both[HEADER - 8..HEADER].fill(0);
    let found = hash::bytes(&both);
    if found != header.checksum {
        return Err(damaged(
            file,
            &format!("the header has checksum {found:016x}, expected {:016x}", header.checksum),
        ));
    }
    if header.flags & !DIRECTED != 0 || header.reserved != 0 {
        return Err(unknown(file, &format!("header flags {:#x}", header.flags)));
    }
    if header.vertices > MAX_VERTICES {
        return Err(damaged(file, &format!("{} vertices, the most is {MAX_VERTICES}", header.vertices)));
    }
    if header.first_id.checked_add(header.vertices).is_none() {
        return Err(damaged(file, &format!("ids from {} run beyond 64 bits", header.first_id)));
    }
    Ok(bytes.chunks_exact(ENTRY).map(bytemuck::pod_read_unaligned).collect())
}

/// Checks that a section is aligned, starts at or after `before` and lies within the file; returns its end.
fn placed(entry: &RawSection, index: usize, before: u64, length: u64, file: &str) -> Result<u64> {
    let name = Kind::from_number(entry.kind).map_or_else(|| format!("{index}"), |k| k.name().to_owned());
    if !entry.start.is_multiple_of(ALIGN) {
        return Err(damaged(
            file,
            &format!("section {name} starts at byte {}, no multiple of {ALIGN}", entry.start),
        ));
    }
    if entry.start < before {
        let problem =
            format!("section {name} starts at byte {}, inside what ends at byte {before}", entry.start);
        return Err(damaged(file, &problem));
    }
    match entry.start.checked_add(entry.length) {
        Some(end) if end <= length => Ok(end),
        _ => Err(damaged(
            file,
            &format!(
                "section {name} has {} bytes from byte {}, beyond the {length} of the file",
                entry.length, entry.start
            ),
        )),
    }
}

/// Returns the section if this build knows its kind, `None` if the kind is unknown and not required, and an error if it
/// is unknown and required.
fn known(entry: &RawSection, index: usize, file: &str) -> Result<Option<Section>> {
    match Kind::from_number(entry.kind) {
        Some(kind) => {
            let RawSection { start, length, checksum, .. } = *entry;
            Ok(Some(Section { kind, start, length, checksum }))
        }
        None if entry.flags & REQUIRED == 0 => Ok(None),
        None => Err(unknown(file, &format!("section {index} of kind {}, which is required", entry.kind))),
    }
}

/// Makes the error for a damaged file.
pub(crate) fn damaged(file: &str, problem: &str) -> Error {
    Error::format(
        Position::file(file),
        problem,
        "the file is damaged; copy it again, or make it anew with `warpgraph convert`",
    )
}

/// Makes the error for a missing section.
pub(crate) fn missing(file: &str, kind: Kind) -> Error {
    damaged(file, &format!("section {} is missing", kind.name()))
}

fn unknown(file: &str, what: &str) -> Error {
    Error::format(
        Position::file(file),
        format!("unknown {what}"),
        "a newer warpgraph wrote this file; use that version, or make the file anew with this one",
    )
}
