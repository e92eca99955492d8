//! Splits a block into its halves: vertices stay in the order of their numbers, and rows keep the queries that still
//! matter, under new numbers.

use super::{
    CHECK, DURING, PIECE, Work,
    block::{Block, Cut, cuts},
};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Pages};

/// The new number of a query that is dropped.
const NONE: u32 = u32::MAX;

/// Moves the lengths of non-empty rows to the front and returns how many there are.
pub(super) fn keep_rows(lengths: &mut [u32]) -> usize {
    let mut kept = 0;
    for v in 0..lengths.len() {
        lengths[kept] = lengths[v];
        kept += usize::from(lengths[v] > 0);
    }
    kept
}

/// Turns rows into those of the root block, in place: gives queries new numbers, drops those that do not matter, and
/// returns the number of members of the others.
pub(super) fn root(
    lengths: &mut [u32],
    rows: &mut [u32],
    queries: usize,
    control: &Control,
) -> Result<Pages<u32>> {
    let mut numbers: Pages<u32> = Pages::zeroed(queries)?;
    for piece in rows.chunks(PIECE) {
        control.check(DURING)?;
        piece.iter().for_each(|&q| numbers[q as usize] += 1);
    }
    let degrees = number(&mut numbers, lengths.len())?;
    let (mut read, mut write) = (0, 0);
    for (v, length) in lengths.iter_mut().enumerate() {
        if v % CHECK == 0 {
            control.check(DURING)?;
        }
        let end = read + *length as usize;
        let start = write;
        while read < end {
            rows[write] = numbers[rows[read] as usize];
            write += usize::from(rows[write] != NONE);
            read += 1;
        }
        *length = (write - start) as u32;
    }
    Ok(degrees)
}

/// Replaces the number of members of each query by the new number of the query, or [`NONE`] if it does not matter.
/// Returns the number of members of the queries that matter.
fn number(members: &mut [u32], vertices: usize) -> Result<Pages<u32>> {
    let matters = |members: u32| members > 1 && (members as usize) < vertices;
    let kept = members.iter().filter(|&&members| matters(members)).count();
    let mut degrees = Pages::zeroed_lazily(kept)?;
    let mut next = 0;
    for slot in members {
        let is_kept = matters(*slot);
        if is_kept {
            degrees[next] = *slot;
        }
        *slot = if is_kept { next as u32 } else { NONE };
        next += usize::from(is_kept);
    }
    Ok(degrees)
}

/// Splits a block by `sides`. `firsts` holds the number of members of each query in the first half.
pub(super) fn split<'a>(
    mut block: Block<'a>,
    firsts: &mut [u32],
    work: &Work<'_>,
) -> Result<(Block<'a>, Block<'a>)> {
    let n = block.vertices.len();
    let (middle, arcs) = (n / 2, firsts.iter().map(|&members| members as usize).sum());
    let (numbers, mut others) = (firsts, std::mem::replace(&mut block.degrees, Pages::from(Vec::new())));
    others.iter_mut().zip(numbers.iter()).for_each(|(all, first)| *all -= first);
    let degrees = [number(numbers, middle)?, number(&mut others, n - middle)?];
    write_rows(&mut block, arcs, [numbers, &others], work.control);
    work.check()?;
    block.lengths.copy_from_slice(block.scratch);
    partition(block.vertices, block.sides, block.scratch);
    Ok(block.halves(middle, arcs, degrees))
}

/// Writes the rows of both halves to `room`, those of the second half from `arcs` on, and their lengths to `scratch`.
fn write_rows(block: &mut Block<'_>, arcs: usize, [numbers, others]: [&[u32]; 2], control: &Control) {
    let (room, other_room) = block.room.split_at_mut(arcs);
    let (lengths, other_lengths) = block.scratch.split_at_mut(block.vertices.len() / 2);
    let from =
        Source { cuts: cuts(block.lengths), lengths: block.lengths, rows: block.rows, sides: block.sides };
    rayon::join(
        || from.write(0, numbers, room, lengths, control),
        || from.write(1, others, other_room, other_lengths, control),
    );
}

/// The rows of a block that is being split.
struct Source<'a> {
    cuts: Vec<Cut>,
    lengths: &'a [u32],
    rows: &'a [u32],
    sides: &'a [u8],
}

impl Source<'_> {
    /// Writes the rows of a half under new numbers, and their lengths to `lengths`.
    fn write(&self, half: u8, numbers: &[u32], rows: &mut [u32], lengths: &mut [u32], control: &Control) {
        let (mut write, mut lengths) = (0, lengths.iter_mut());
        for cut in self.cuts.iter().take_while(|_| !control.should_stop()) {
            cut.for_each(self.lengths, self.rows, |v, row| {
                if self.sides[v] != half {
                    return;
                }
                let start = write;
                for &q in row {
                    rows[write] = numbers[q as usize];
                    write += usize::from(rows[write] != NONE);
                }
                if let Some(length) = lengths.next() {
                    *length = (write - start) as u32;
                }
            });
        }
    }
}

/// Moves the vertices of the first half to the front; the order within each half stays.
fn partition(vertices: &mut [u32], sides: &[u8], scratch: &mut [u32]) {
    let mut places = [0, vertices.len() / 2];
    for (&v, &side) in vertices.iter().zip(sides) {
        let place = &mut places[side as usize];
        scratch[*place] = v;
        *place += 1;
    }
    vertices.copy_from_slice(scratch);
}
