//! Checks the checksums and the invariants of the arrays of a `.wg` file, in one pass over each array.
//!
//! A pass hashes a block and checks it while it is in cache, so that the pass runs at memory speed. The offsets are
//! checked before the targets, because the pass over the targets finds rows by their offsets.
//!
//! To check that rows are sorted without a branch per arc, the pass counts the arcs of a block whose target is smaller
//! than the one before, and compares this count with the number of such arcs that are the first of their row. If the
//! counts are equal, targets decrease only between rows.

use super::{
    File, Parts,
    layout::{Kind, Section},
};
use crate::{
    control::Control,
    csr::{Offset, Offsets, Vertex},
    error::Result,
    graph::{Counts, Seen},
    hash::{self, Mirror},
    ids::Ids,
    weights::Weights,
};
use bytemuck::Pod;
use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

/// The arcs whose sources are written out at a time.
const SOURCES: usize = 1024;
/// Sources are written in runs of this length, also beyond the end of a row: a copy of fixed length needs no branch.
const RUN: usize = 16;

/// Checks offsets, targets and weights. Returns what it saw of the graph on the way.
pub(super) fn arrays(file: &File, parts: &Parts, control: &Control) -> Result<Seen> {
    weights(file, &parts.weights, control)?;
    let counts = match &parts.offsets {
        Offsets::Narrow(o) => structure(file, Kind::Offsets32, o, parts, control),
        Offsets::Wide(o) => structure(file, Kind::Offsets64, o, parts, control),
    }?;
    Ok(Seen { counts, ..Seen::default() })
}

fn structure<O: Offset>(
    file: &File,
    kind: Kind,
    offsets: &[O],
    parts: &Parts,
    control: &Control,
) -> Result<Option<Counts>> {
    let degrees = check_offsets(file, kind, offsets, parts.targets.len(), control)?;
    let (t, undirected) = (&parts.targets, !file.layout.directed);
    let loops = match &parts.weights {
        _ if !undirected => check_targets(file, offsets, t, |_| 0, false, control),
        Weights::None => check_targets(file, offsets, t, |_| 0, true, control),
        Weights::U32(w) => check_targets(file, offsets, t, |i| w[i].into(), true, control),
        Weights::I32(w) => check_targets(file, offsets, t, |i| w[i] as u64, true, control),
        Weights::F32(w) => check_targets(file, offsets, t, |i| w[i].to_bits().into(), true, control),
        Weights::F64(w) => check_targets(file, offsets, t, |i| w[i].to_bits(), true, control),
    }?;
    // A vertex of a directed graph without outgoing arcs may have incoming ones.
    Ok(loops.map(|self_loops| Counts { self_loops, isolated: degrees.sinks, ..degrees }))
}

/// Checks a range of elements of an array; returns a description of the problem if there is one.
type Visit<'a> = dyn Fn(Range<usize>) -> Result<(), String> + Sync + 'a;

/// Hashes a section and calls `visit` with each block, as a range of elements. Returns an error for a wrong checksum or
/// the first problem.
fn pass<T: Pod>(file: &File, kind: Kind, array: &[T], control: &Control, visit: &Visit<'_>) -> Result<()> {
    pass_bytes(file, kind, bytemuck::cast_slice(array), size_of::<T>(), control, visit)
}

/// Does the work of [`pass`] for elements of `width` bytes. The compiler makes it once rather than once per type and
/// visitor.
fn pass_bytes(
    file: &File,
    kind: Kind,
    bytes: &[u8],
    width: usize,
    control: &Control,
    visit: &Visit<'_>,
) -> Result<()> {
    let section = file.required(kind)?;
    let (per_block, len) = (hash::BLOCK / width, bytes.len() / width);
    let (checksum, said) = hash::bytes_and(bytes, |block| {
        let start = block * per_block;
        if control.should_stop() {
            return Err("stopped".to_owned());
        }
        visit(start..(start + per_block).min(len))
    });
    control.check("checking the file")?;
    self::checksum(file, section, checksum)?;
    said.into_iter().collect::<Result<(), _>>().map_err(|problem: String| file.damaged(section, &problem))
}

/// Returns an error unless a section has the checksum that the file states.
pub(super) fn checksum(file: &File, section: &Section, found: u64) -> Result<()> {
    match found == section.checksum {
        true => Ok(()),
        false => {
            Err(file.damaged(section, &format!("checksum {found:016x}, expected {:016x}", section.checksum)))
        }
    }
}

/// Accepts a block whose elements may have any value.
fn anything(_: Range<usize>) -> Result<(), String> {
    Ok(())
}

fn check_offsets<O: Offset>(
    file: &File,
    kind: Kind,
    offsets: &[O],
    arcs: usize,
    control: &Control,
) -> Result<Counts> {
    let degrees = Mutex::new(Counts::default());
    pass(file, kind, offsets, control, &|range| {
        let window = &offsets[range.start..(range.end + 1).min(offsets.len())];
        if window.is_sorted() {
            let seen = degrees_of(window, range.start);
            let mut degrees = degrees.lock().unwrap_or_else(PoisonError::into_inner);
            *degrees = degrees.joined(&seen);
            return Ok(());
        }
        let at = window.windows(2).position(|w| w[1] < w[0]).unwrap_or(0);
        Err(format!("the offsets of vertex {} fall", range.start + at))
    })?;
    let (first, last) = (offsets[0].index(), offsets[offsets.len() - 1].index());
    if (first, last) != (0, arcs) {
        let problem = format!("offsets run from {first} to {last}, expected 0 to {arcs}");
        return Err(file.damaged(file.required(kind)?, &problem));
    }
    Ok(degrees.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the sinks and the largest degree of the rows from `first` on that rising offsets delimit.
fn degrees_of<O: Offset>(offsets: &[O], first: usize) -> Counts {
    let degree = |w: &[O]| w[1].index() - w[0].index();
    let rows = || offsets.windows(2).map(degree);
    let (sinks, most) = rows().fold((0, 0), |(sinks, most), d| (sinks + u64::from(d == 0), most.max(d)));
    let at = rows().position(|d| d == most).unwrap_or(0);
    Counts { sinks, max_degree: most as u64, max_degree_vertex: (first + at) as Vertex, ..Counts::default() }
}

/// Checks the targets and, if the graph is undirected, that every arc has its mirror image. Returns the number of loops of
/// an undirected graph.
fn check_targets<O: Offset>(
    file: &File,
    offsets: &[O],
    targets: &[Vertex],
    weight_bits: impl Fn(usize) -> u64 + Sync,
    undirected: bool,
    control: &Control,
) -> Result<Option<u64>> {
    let all = Mutex::new(Mirror::default());
    let blocks = Blocks { offsets, targets, weight_bits, undirected };
    pass(file, Kind::Targets, targets, control, &|arcs| {
        let mirror = blocks.check(arcs)?;
        all.lock().unwrap_or_else(PoisonError::into_inner).join(&mirror);
        Ok(())
    })?;
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    if all.sums != [0, 0] {
        let problem = "the file says undirected, but some edges have only one direction";
        return Err(file.damaged(file.required(Kind::Targets)?, problem));
    }
    Ok(undirected.then_some(all.loops))
}

/// The arcs of a graph, to be checked block by block.
struct Blocks<'a, O, F> {
    offsets: &'a [O],
    targets: &'a [Vertex],
    /// Returns the bits of the weight of an arc, 0 without weights.
    weight_bits: F,
    undirected: bool,
}

impl<O: Offset, F: Fn(usize) -> u64> Blocks<'_, O, F> {
    /// Checks a block of arcs, several arcs at a time where the processor can do that.
    fn check(&self, arcs: Range<usize>) -> Result<Mirror, String> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.check_with_avx2(arcs) };
        }
        self.check_anywhere(arcs)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn check_with_avx2(&self, arcs: Range<usize>) -> Result<Mirror, String> {
        self.check_anywhere(arcs)
    }

    #[inline(always)]
    fn check_anywhere(&self, arcs: Range<usize>) -> Result<Mirror, String> {
        rows_are_sound(self.offsets, self.targets, arcs.clone())?;
        Ok(if self.undirected { self.mirror(arcs) } else { Mirror::default() })
    }

    /// Returns the sums of a block of arcs.
    #[inline(always)]
    fn mirror(&self, arcs: Range<usize>) -> Mirror {
        let Self { offsets, targets, .. } = *self;
        let (mut mirror, mut sources) = (Mirror::default(), [0; SOURCES + RUN]);
        let (mut u, mut at) = (first_row(offsets, arcs.start), arcs.start);
        while at < arcs.end {
            // The sources of the next arcs, one by one, so that rows do not matter from here on.
            let end = (at + SOURCES).min(arcs.end);
            let mut filled = at;
            while filled < end {
                let row_end = offsets[u + 1].index().min(end);
                for start in (filled - at..row_end - at).step_by(RUN) {
                    sources[start..start + RUN].copy_from_slice(&[u as Vertex; RUN]);
                }
                filled = row_end;
                u += usize::from(filled < end || offsets[u + 1].index() == end);
            }
            mirror.add(&sources[..end - at], &targets[at..end], |i| (self.weight_bits)(at + i));
            at = end;
        }
        mirror
    }
}

/// Returns the row that contains `arc`.
fn first_row<O: Offset>(offsets: &[O], arc: usize) -> usize {
    offsets.partition_point(|o| o.index() <= arc) - 1
}

/// Returns an error unless every target of a block is a vertex and targets are sorted within rows. Compares the first
/// arc of the block with the arc before it, too.
#[inline(always)]
fn rows_are_sound<O: Offset>(offsets: &[O], targets: &[Vertex], arcs: Range<usize>) -> Result<(), String> {
    let n = offsets.len() - 1;
    let block = &targets[arcs.clone()];
    let largest = block.iter().fold(0, |max, &t| max.max(t));
    if largest as usize >= n {
        let at = arcs.start + block.iter().position(|&t| t == largest).unwrap_or(0);
        let v = first_row(offsets, at);
        return Err(format!("vertex {v} has neighbour {largest}, expected one below {n}"));
    }
    let falls_at = |arc: usize| arc > 0 && targets[arc] < targets[arc - 1];
    let falls: u32 = block.windows(2).map(|w| u32::from(w[1] < w[0])).sum();
    let falls = falls as usize + usize::from(falls_at(arcs.start));
    let mut at_row_starts = 0;
    let mut last = usize::MAX;
    let first = offsets.partition_point(|o| o.index() < arcs.start);
    for start in offsets[first..].iter().map(|o| o.index()).take_while(|&start| start < arcs.end) {
        // An empty row starts where the next row does; count such a start once.
        at_row_starts += usize::from(start != last && falls_at(start));
        last = start;
    }
    if falls == at_row_starts {
        return Ok(());
    }
    let is_inside = |&arc: &usize| falls_at(arc) && offsets[first_row(offsets, arc)].index() != arc;
    let v = { arcs }.find(is_inside).map_or(0, |arc| first_row(offsets, arc));
    Err(format!("the neighbours of vertex {v} are not sorted"))
}

fn weights(file: &File, weights: &Weights, control: &Control) -> Result<()> {
    let finite = |yes: bool, range: Range<usize>| {
        if yes { Ok(()) } else { Err(format!("a weight of arcs {range:?} is not finite")) }
    };
    match weights {
        Weights::None => Ok(()),
        Weights::U32(w) => pass(file, Kind::WeightsU32, w, control, &anything),
        Weights::I32(w) => pass(file, Kind::WeightsI32, w, control, &anything),
        Weights::F32(w) => {
            let look = |range: Range<usize>| finite(w[range.clone()].iter().all(|x| x.is_finite()), range);
            pass(file, Kind::WeightsF32, w, control, &look)
        }
        Weights::F64(w) => {
            let look = |range: Range<usize>| finite(w[range.clone()].iter().all(|x| x.is_finite()), range);
            pass(file, Kind::WeightsF64, w, control, &look)
        }
    }
}

/// Checks the ids. For names it checks the checksums only: making [`Ids::Names`] proved them sorted and UTF-8.
pub(super) fn ids(file: &File, ids: &Ids) -> Result<()> {
    let control = Control::new();
    match ids {
        Ids::Range { .. } => Ok(()),
        Ids::Numbers(numbers) => pass(file, Kind::IdNumbers, numbers, &control, &|range| {
            let window = &numbers[range.start..(range.end + 1).min(numbers.len())];
            match window.windows(2).position(|w| w[1] <= w[0]) {
                None => Ok(()),
                Some(i) => Err(format!("id {} is not greater than the one before it", range.start + i + 1)),
            }
        }),
        Ids::Names(names) => {
            pass(file, Kind::NameStarts, names.starts(), &control, &anything)?;
            pass(file, Kind::NameText, names.text(), &control, &anything)
        }
    }
}

/// Checks the checksums of a stored order. Making the map, later, proves that its two arrays invert each other.
pub(super) fn order(file: &File, control: &Control) -> Result<()> {
    checksums(file, &[Kind::Masters, Kind::Originals, Kind::Order], control)
}

/// Checks the checksums of paths. What they mean is checked against the graph, later.
pub(super) fn paths(file: &File, control: &Control) -> Result<()> {
    let kinds = [Kind::Paths, Kind::PathVertices, Kind::PathArcs32, Kind::PathArcs64, Kind::PathJoins];
    checksums(file, &kinds, control)
}

/// Checks the checksums of those of the sections that the file has.
fn checksums(file: &File, kinds: &[Kind], control: &Control) -> Result<()> {
    for &kind in kinds {
        if let Some(section) = file.layout.find(kind) {
            pass(file, kind, file.bytes(section), control, &anything)?;
        }
    }
    Ok(())
}
