//! Reads serialised graphs of the GAP Benchmark Suite, `.sg` and `.wsg`.
//!
//! ```text
//! u8 directed, i64 arcs, i64 vertices, i64 offsets[vertices + 1],
//! i32 neighbours[arcs]                 (.wsg: pairs of i32 neighbour, i32 weight)
//! if directed: offsets and neighbours of the incoming arcs in the same form
//! ```
//!
//! Numbers are little-endian and not aligned, so all threads copy the arrays into memory of their own. The length of
//! the file distinguishes `.sg` from `.wsg`. The reader skips incoming arcs: they follow from the outgoing ones, and a
//! file whose two halves disagree would otherwise make two graphs out of one. The reader sorts the adjacency rows if
//! they are not sorted.

use super::{
    Format, Input, Preview, ReadOptions, claim, detect, finished, preview,
    table::{Entry, Sign},
};
use crate::{
    control::Control,
    csr::{Csr, Offset, Offsets, Vertex},
    error::{Error, Position, Result},
    graph::{Arcs, Graph, Origin},
    ids::Ids,
    memory::{Buffer, Pages},
    par,
    weights::{WeightType, Weights},
};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) const ENTRY: Entry = Entry {
    name: "gap",
    aliases: &["sg", "wsg"],
    endings: &["sg", "wsg"],
    sign: Sign::Ending,
    is_finished: true,
    read_parts: None,
    uses: &[],
    read: |input, options, control| read(&input, options, control),
    preview: |input, _, options| preview(&input, options),
};

const HEADER: usize = 17;
const HELP: &str = "the file is cut short or no GAP graph; make it anew with GAP's converter";
/// The number of elements that a task converts.
const BLOCK: usize = 1 << 16;

struct Header {
    directed: bool,
    weighted: bool,
    vertices: usize,
    arcs: usize,
}

/// Reads a GAP graph.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let header = header(input)?;
    let first_neighbour = HEADER + (header.vertices + 1) * 8;
    let offset_bytes = &input[HEADER..first_neighbour];
    let offsets = if u32::try_from(header.arcs).is_ok() {
        Offsets::Narrow(convert_offsets::<u32>(offset_bytes, header.arcs, input.name())?)
    } else {
        Offsets::Wide(convert_offsets::<u64>(offset_bytes, header.arcs, input.name())?)
    };
    control.check("reading")?;
    let rows = &input[first_neighbour..];
    let (mut targets, mut weights) = if header.weighted {
        let (targets, weights) = split_pairs(&rows[..header.arcs * 8])?;
        (targets, Some(weights))
    } else {
        (copy_targets(&rows[..header.arcs * 4])?, None)
    };
    control.check("reading")?;
    sort_rows(&offsets, &mut targets, weights.as_deref_mut());
    let csr = Csr::new(offsets, targets.into(), input.name())?;
    let weights = weights.map_or(Ok(Weights::None), typed)?;
    let ids = Ids::zero_based(header.vertices);
    let origin = origin(input.name(), &header);
    let graph = Graph::new(Arcs { csr, weights }, header.directed, ids, origin)?;
    finished::apply(graph, options, control)
}

/// Returns what the header says of the graph.
fn preview(input: &Input, options: &ReadOptions) -> Result<Preview> {
    preview::refuse_packed(input)?;
    let header = header(input)?;
    let directed = options.directed.unwrap_or(header.directed);
    let mirrored = header.directed && !directed;
    let arcs = header.arcs as u64 * if mirrored { 2 } else { 1 };
    let preview = Preview::by_header(Format::Gap, header.vertices as u64, arcs, directed);
    Ok(preview.with_weights(header.weighted.then_some(WeightType::U32), options))
}

fn origin(name: &str, header: &Header) -> Origin {
    let word = if header.directed { "directed" } else { "undirected" };
    Origin {
        name: name.to_owned(),
        format: Format::Gap.name().to_owned(),
        listed: header.arcs as u64,
        direction_because: format!("the header says {word}"),
        ..Origin::default()
    }
}

fn header(input: &Input) -> Result<Header> {
    let at = Position::file(input.name());
    let number = |start: usize| {
        let bytes = input.get(start..start + 8).and_then(|b| b.try_into().ok());
        let value = bytes.map(i64::from_le_bytes).and_then(|v| u64::try_from(v).ok());
        value.ok_or_else(|| {
            Error::format(at.clone(), "the 17-byte header is cut short or has a negative count", HELP)
        })
    };
    let (arcs, vertices) = (number(1)?, number(9)?);
    let directed = match input[0] {
        0 => false,
        1 => true,
        other => {
            return Err(Error::format(at, format!("byte 1 says directed = {other}, expected 0 or 1"), HELP));
        }
    };
    let length = input.len() as u64;
    let wanted = |bytes_per_arc| expected_length(directed, vertices, arcs, bytes_per_arc);
    let named_weighted = detect::ending(input.name()) == "wsg";
    let weighted = match (wanted(4) == Some(length), wanted(8) == Some(length)) {
        (true, true) => named_weighted,
        (false, false) => {
            let wanted = wanted(if named_weighted { 8 } else { 4 });
            let wanted = wanted.map_or_else(|| "more than 2^64".to_owned(), |w| w.to_string());
            let problem = format!(
                "{length} bytes, expected {wanted} for {vertices} vertices and {arcs} arcs as the header says"
            );
            return Err(Error::format(at, problem, HELP));
        }
        (_, weighted) => weighted,
    };
    let vertices = claim::vertices(&at, vertices)?;
    Ok(Header { directed, weighted, vertices, arcs: arcs as usize })
}

/// Returns the length of a file with such a header, or `None` if it exceeds 64 bits.
fn expected_length(directed: bool, vertices: u64, arcs: u64, bytes_per_arc: u64) -> Option<u64> {
    let one = vertices.checked_add(1)?.checked_mul(8)?.checked_add(arcs.checked_mul(bytes_per_arc)?)?;
    one.checked_mul(if directed { 2 } else { 1 })?.checked_add(HEADER as u64)
}

/// Converts offsets to the type that the graph stores. Returns an error for values beyond `arcs`, before it narrows
/// them; [`Csr::new`] checks their order with everything else.
fn convert_offsets<O: Offset>(bytes: &[u8], arcs: usize, file: &str) -> Result<Buffer<O>> {
    let mut offsets = Pages::<O>::zeroed(bytes.len() / 8)?;
    let (bad, values) = (AtomicUsize::new(usize::MAX), bytes.as_chunks::<8>().0);
    par::parts_mut(&mut offsets, BLOCK, |first, part| {
        for (i, (to, from)) in part.iter_mut().zip(&values[first..]).enumerate() {
            let value = u64::from_le_bytes(*from);
            if value > arcs as u64 {
                bad.fetch_min(first + i, Ordering::Relaxed);
                return;
            }
            *to = O::from_index(value as usize);
        }
    });
    match bad.into_inner() {
        usize::MAX => Ok(offsets.into()),
        v => {
            let value = i64::from_le_bytes(values[v]);
            let problem = format!("the offset of vertex {v} is {value}, expected 0 to {arcs}");
            Err(Error::format(Position::file(file), problem, HELP))
        }
    }
}

fn copy_targets(bytes: &[u8]) -> Result<Pages<Vertex>> {
    let mut targets = Pages::<Vertex>::zeroed(bytes.len() / 4)?;
    let values = bytes.as_chunks::<4>().0;
    par::parts_mut(&mut targets, BLOCK, |first, part| {
        for (to, from) in part.iter_mut().zip(&values[first..]) {
            *to = Vertex::from_le_bytes(*from);
        }
    });
    Ok(targets)
}

/// Splits pairs into the neighbours and the bits of their weights.
fn split_pairs(bytes: &[u8]) -> Result<(Pages<Vertex>, Pages<u32>)> {
    let mut targets = Pages::<Vertex>::zeroed(bytes.len() / 8)?;
    let mut weights = Pages::<u32>::zeroed(bytes.len() / 8)?;
    let pairs = bytes.as_chunks::<8>().0;
    par::parts_of_two(&mut targets, &mut weights, BLOCK, |first, targets, weights| {
        for ((target, weight), from) in targets.iter_mut().zip(weights).zip(&pairs[first..]) {
            let pair = u64::from_le_bytes(*from);
            *target = pair as Vertex;
            *weight = (pair >> 32) as u32;
        }
    });
    Ok((targets, weights))
}

/// Returns i32 weights, given as their bits, as u32, or as i32 if at least one is negative.
fn typed(bits: Pages<u32>) -> Result<Weights> {
    let has_sign = |chunk: &[u32]| chunk.iter().fold(0, |all, w| all | w) > i32::MAX as u32;
    if par::all(bits.len(), BLOCK, |range| !has_sign(&bits[range])) {
        return Ok(Weights::U32(bits.into()));
    }
    let mut signed = Pages::<i32>::zeroed(bits.len())?;
    signed.copy_from_slice(bytemuck::cast_slice(&bits));
    Ok(Weights::I32(signed.into()))
}

/// Sorts the adjacency rows if at least one is not sorted. It leaves decreasing offsets for [`Csr::new`] to refuse.
fn sort_rows(offsets: &Offsets, targets: &mut [Vertex], weights: Option<&mut [u32]>) {
    let n = offsets.len() - 1;
    let row = |v: usize| offsets.get(v)..offsets.get(v + 1);
    let is_sorted = |v: usize| targets.get(row(v)).is_none_or(<[Vertex]>::is_sorted);
    let sane = par::all(n, par::FINE, |mut range| range.all(|v| offsets.get(v) <= offsets.get(v + 1)));
    if !sane || par::all(n, 1024, |mut range| range.all(is_sorted)) {
        return;
    }
    sort_range(offsets, 0..n, targets, weights);
}

/// Sorts the adjacency rows of the vertices in `range`. The slices hold exactly the arcs of these rows.
fn sort_range(
    offsets: &Offsets,
    range: std::ops::Range<usize>,
    targets: &mut [Vertex],
    weights: Option<&mut [u32]>,
) {
    let start = offsets.get(range.start);
    if range.len() > 1 {
        let middle = range.start + range.len() / 2;
        let cut = offsets.get(middle) - start;
        let (low, high) = targets.split_at_mut(cut);
        let (low_weights, high_weights) = weights.map(|w| w.split_at_mut(cut)).unzip();
        rayon::join(
            || sort_range(offsets, range.start..middle, low, low_weights),
            || sort_range(offsets, middle..range.end, high, high_weights),
        );
        return;
    }
    match weights {
        None => targets.sort_unstable(),
        Some(weights) => {
            let mut row: Vec<(Vertex, u32)> = targets.iter().copied().zip(weights.iter().copied()).collect();
            row.sort_unstable();
            for ((target, weight), sorted) in targets.iter_mut().zip(weights).zip(row) {
                (*target, *weight) = sorted;
            }
        }
    }
}
