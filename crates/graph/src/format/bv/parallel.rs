//! Reads ranges of nodes in parallel, using the `.offsets` file, which stores the bit at which each list starts.
//!
//! A first pass reads the out-degrees of all nodes, so that each range knows where its arcs go. A range that refers to
//! lists before its first node decodes those lists itself: it follows the chain of references back to a list that
//! refers to none, or that it has decoded already, and decodes forward from there. Each list must end where the next
//! one starts, so the result equals that of reading in order.

use super::{
    bits::Bits,
    lists::Lists,
    read::{BLOCK, File},
};
use crate::{
    control::Control,
    csr::{Offset, Vertex},
    error::{Error, Position, Result},
    format::{Input, claim::Meter},
    par,
};
use std::{collections::HashMap, ops::Range};

const WITHOUT: &str = "it may be of another graph or damaged; without it the graph is read by one thread";

/// Returns the bit at which each list starts, and the bit at which the last one ends.
///
/// These are the sums of the gaps in the `.offsets` file.
pub(super) fn positions(file: &File<'_>, offsets: &Input, control: &Control) -> Result<Vec<u64>> {
    let damaged = |problem: String| Error::format(Position::file(offsets.name()), problem, WITHOUT);
    let (mut bits, end, code) =
        (Bits::new(offsets), file.data.len() as u64 * 8, file.properties.codes.offsets);
    if bits.len() <= file.vertices as u64 {
        let (bits, count) = (bits.len(), file.vertices + 1);
        return Err(damaged(format!("{bits} bits for {count} positions, and each takes one at least")));
    }
    let mut positions = Vec::with_capacity(file.vertices + 1);
    let mut at = 0u64;
    for x in 0..=file.vertices {
        if x % BLOCK == 0 {
            control.check("reading")?;
        }
        let gap = bits.read(code);
        at = at.saturating_add(gap);
        let is_right = if x == 0 { gap == 0 } else { gap > 0 };
        if bits.is_broken() {
            return Err(damaged(format!("it ends before the position of node {x} of {}", file.vertices)));
        }
        if !is_right || at > end {
            let problem =
                format!("the list of node {x} starts at bit {at}, {gap} after the one before, of {end}");
            return Err(damaged(problem));
        }
        positions.push(at);
    }
    Ok(positions)
}

/// Reads the out-degree of every node and writes the prefix sums to `offsets`.
pub(super) fn degrees<O: Offset>(
    file: &File<'_>,
    positions: &[u64],
    offsets: &mut [O],
    control: &Control,
) -> Result<()> {
    let blocks = par::map_each(offsets[1..].chunks_mut(BLOCK).collect(), |block, degrees| {
        control.check("reading")?;
        let mut lists = file.lists();
        for (i, degree) in degrees.iter_mut().enumerate() {
            let x = block * BLOCK + i;
            lists.bits.seek(positions[x]);
            *degree = O::from_index(lists.degree(x)?);
        }
        Ok(())
    });
    blocks.into_iter().collect::<Result<()>>()?;
    let mut sum = 0;
    for offset in &mut offsets[1..] {
        sum += offset.index();
        if sum > file.arcs {
            return Err(file.other_arcs("more"));
        }
        *offset = O::from_index(sum);
    }
    if sum == file.arcs { Ok(()) } else { Err(file.other_arcs(&sum.to_string())) }
}

/// Reads all lists into `targets`, ranges of nodes in parallel.
pub(super) fn read<O: Offset>(
    file: &File<'_>,
    positions: &[u64],
    offsets: &[O],
    targets: &mut [Vertex],
    control: &Control,
) -> Result<()> {
    let meter = Meter::new(control, file.data.len());
    let mut rest = targets;
    let mut pieces = Vec::new();
    for nodes in ranges(positions, offsets) {
        let (piece, after) = rest.split_at_mut(offsets[nodes.end].index() - offsets[nodes.start].index());
        pieces.push((nodes, piece));
        rest = after;
    }
    let done: Vec<Result<()>> = par::map_each(pieces, |_, (nodes, targets)| {
        let bits = positions[nodes.end] - positions[nodes.start];
        meter.advance((bits / 8) as usize)?;
        let earlier = Earlier { lists: file.lists(), positions, control, known: HashMap::new() };
        read_range(file.lists(), earlier, nodes, offsets, targets)
    });
    done.into_iter().collect()
}

/// Returns ranges of nodes of about equal work, which counts the bits to read and 8 per arc to write.
fn ranges<O: Offset>(positions: &[u64], offsets: &[O]) -> Vec<Range<usize>> {
    let nodes = positions.len() - 1;
    let work = |x: usize| positions[x] + 8 * offsets[x].index() as u64;
    let all = work(nodes);
    let count = (all >> 18).clamp(1, 8 * rayon::current_num_threads() as u64);
    let mut starts: Vec<usize> = Vec::new();
    for i in 0..=count {
        let aim = (u128::from(all) * u128::from(i) / u128::from(count)) as u64;
        let from = starts.last().copied().unwrap_or(0);
        starts.push(if i == count { nodes } else { first(from..nodes, |x| work(x) >= aim) });
    }
    starts.windows(2).map(|w| w[0]..w[1]).collect()
}

/// Returns the first number of `range` for which `is_after` is true, or the end of the range. Binary search: `is_after`
/// must stay true once it is.
fn first(mut range: Range<usize>, is_after: impl Fn(usize) -> bool) -> usize {
    while !range.is_empty() {
        let middle = range.start + range.len() / 2;
        if is_after(middle) { range.end = middle } else { range.start = middle + 1 }
    }
    range.start
}

fn read_range<O: Offset>(
    mut lists: Lists<'_>,
    mut earlier: Earlier<'_>,
    nodes: Range<usize>,
    offsets: &[O],
    targets: &mut [Vertex],
) -> Result<()> {
    let row = |x: usize| {
        let first = offsets[nodes.start].index();
        offsets[x].index() - first..offsets[x + 1].index() - first
    };
    lists.bits.seek(earlier.positions[nodes.start]);
    for x in nodes.clone() {
        if x % BLOCK == 0 {
            earlier.control.check("reading")?;
        }
        let head = lists.head(x)?;
        let (before, rest) = targets.split_at_mut(row(x).start);
        let reference = match head.reference {
            Some(y) if y < nodes.start => Some(earlier.list(y)?),
            Some(y) => Some(&before[row(y)]),
            None => None,
        };
        lists.body(x, reference, &mut rest[..head.degree])?;
        let (end, next) = (lists.bits.position(), earlier.positions[x + 1]);
        if end != next {
            return Err(lists.damaged(x, format!("the .offsets say that its list ends at bit {next}")));
        }
    }
    Ok(())
}

/// The decoded lists before a range that the range refers to.
struct Earlier<'a> {
    lists: Lists<'a>,
    positions: &'a [u64],
    control: &'a Control,
    known: HashMap<usize, Vec<Vertex>>,
}

impl Earlier<'_> {
    /// Returns the list of `y`. A chain of references has no length limit, so the function follows it without
    /// recursion.
    fn list(&mut self, y: usize) -> Result<&[Vertex]> {
        let mut chain = Vec::new();
        let mut next = Some(y);
        while let Some(x) = next.filter(|x| !self.known.contains_key(x)) {
            self.control.check("reading")?;
            self.lists.bits.seek(self.positions[x]);
            next = self.lists.head(x)?.reference;
            chain.push(x);
        }
        while let Some(x) = chain.pop() {
            self.control.check("reading")?;
            self.lists.bits.seek(self.positions[x]);
            let head = self.lists.head(x)?;
            let mut list = vec![0; head.degree];
            let reference = head.reference.and_then(|y| self.known.get(&y));
            self.lists.body(x, reference.map(Vec::as_slice), &mut list)?;
            self.known.insert(x, list);
        }
        Ok(self.known.get(&y).map_or(&[], Vec::as_slice))
    }
}
