//! Maps ids to vertices: numbers in increasing order, or texts in the order of their bytes, so that the smallest id is
//! vertex 0, as the readers of files do.
//!
//! Numbers that are not much larger than they are many are ranked by a bit set, others by sorting them. Texts are numbered by
//! a hash table and sorted once each is known.

use super::{
    Column, Values,
    column::{Texts, with_numbers},
};
use rayon::prelude::*;
use std::collections::HashMap;
use warpgraph::graph::{Ids, MAX_VERTICES, Names, Vertex};

/// A bit set is used up to this many bits per id.
const SPARSE: u64 = 64;

/// The ids of the vertices, and the edges between these.
pub(super) struct Numbered {
    pub(super) ids: Ids,
    pub(super) pairs: Vec<[Vertex; 2]>,
}

/// The ids that the vertices have.
pub(crate) enum Universe {
    /// Those that occur.
    Listed,
    /// 0, 1, ... up to this number.
    Range(u64),
    /// Those of a column; they may occur or not.
    Column(Column),
}

/// Numbers the vertices.
///
/// # Errors
/// What is wrong with the ids.
pub(super) fn number(ends: [&Column; 2], universe: &Universe) -> Result<Numbered, String> {
    let [sources, targets] = ends.map(Column::len);
    if sources != targets {
        return Err(format!("{sources} sources for {targets} targets"));
    }
    let vertices = match universe {
        Universe::Column(column) => Some(column),
        _ => None,
    };
    let all = ends.into_iter().chain(vertices);
    let of_text = all.clone().filter(|column| column.is_text()).count();
    match of_text {
        0 => numbers(ends, vertices, universe),
        _ if matches!(universe, Universe::Range(_)) => {
            Err("a number of vertices is given, and the ids are text".to_owned())
        }
        _ if of_text == all.filter(|column| column.len() > 0).count() => texts(ends, vertices),
        _ => Err("some ids are numbers and some are text".to_owned()),
    }
}

/// A number that may be an id.
trait Id: Copy + std::fmt::Display {
    fn id(self) -> Option<u64>;
}

macro_rules! whole {
    ($($kind:ty),*) => {$(
        impl Id for $kind {
            #[inline(always)]
            fn id(self) -> Option<u64> {
                u64::try_from(self).ok()
            }
        }
    )*};
}
whole!(u8, u16, u32, u64, i8, i16, i32, i64);

macro_rules! decimal {
    ($($kind:ty),*) => {$(
        impl Id for $kind {
            fn id(self) -> Option<u64> {
                None
            }
        }
    )*};
}
decimal!(f32, f64);

/// Calls `take(row, id)` for every number of a column.
#[inline(always)]
fn each(column: &Column, mut take: impl FnMut(usize, u64)) -> Result<(), String> {
    let mut first = 0;
    for piece in &column.pieces {
        let Values::Numbers(numbers) = &piece.values else { continue };
        with_numbers!(numbers, |values| for (row, &value) in values.iter().enumerate() {
            take(first + row, value.id().ok_or_else(|| no_id(value, first + row))?);
        });
        first += piece.length;
    }
    Ok(())
}

fn no_id(value: impl std::fmt::Display, row: usize) -> String {
    format!("{value} in row {row} is no id of a vertex: ids are whole numbers from 0, or text")
}

/// Returns the greatest id plus 1; 0 if there are none.
fn end(column: &Column) -> Result<u64, String> {
    let mut most: Option<u64> = None;
    each(column, |_, id| most = most.max(Some(id)))?;
    match most {
        Some(u64::MAX) => Err(format!("id {} is too large", u64::MAX)),
        most => Ok(most.map_or(0, |most| most + 1)),
    }
}

fn numbers(ends: [&Column; 2], vertices: Option<&Column>, universe: &Universe) -> Result<Numbered, String> {
    let mut bound = end(ends[0])?.max(end(ends[1])?);
    if let &Universe::Range(count) = universe {
        if bound > count {
            let id = bound - 1;
            return Err(format!(
                "id {id} is no vertex: there are {count} vertices, 0 to {}",
                count.saturating_sub(1)
            ));
        }
        if count > MAX_VERTICES {
            return Err(format!("{count} vertices are more than {MAX_VERTICES}"));
        }
        return Ok(Numbered { ids: Ids::zero_based(count as usize), pairs: narrow(ends)? });
    }
    bound = bound.max(vertices.map_or(Ok(0), end)?);
    let listed = (2 * ends[0].len() + vertices.map_or(0, Column::len)) as u64;
    if bound <= u32::MAX.into() && bound <= SPARSE * listed.max(1 << 14) {
        ranked(ends, vertices, bound as usize)
    } else {
        sorted(ends, vertices)
    }
}

/// Returns the edges with their ids, which fit 32 bits.
fn narrow(ends: [&Column; 2]) -> Result<Vec<[Vertex; 2]>, String> {
    let mut pairs = vec![[0; 2]; ends[0].len()];
    for (side, column) in ends.into_iter().enumerate() {
        each(column, |row, id| pairs[row][side] = id as Vertex)?;
    }
    Ok(pairs)
}

/// Numbers ids by a set of bits.
fn ranked(ends: [&Column; 2], vertices: Option<&Column>, bound: usize) -> Result<Numbered, String> {
    let mut pairs = narrow(ends)?;
    let mut bits = vec![0u64; bound.div_ceil(64)];
    let mut mark = |id: usize| {
        // Another thread of Python may have changed the array since the bound was found.
        if let Some(word) = bits.get_mut(id / 64) {
            *word |= 1 << (id % 64);
        }
    };
    match vertices {
        Some(vertices) => each(vertices, |_, id| mark(id as usize))?,
        None => pairs.iter().flatten().for_each(|&id| mark(id as usize)),
    }
    let mut before = Vec::with_capacity(bits.len());
    let mut count = 0u32;
    for word in &bits {
        before.push(count);
        count += word.count_ones();
    }
    let is_known = |id: Vertex| bits.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1);
    if vertices.is_some() {
        refuse_strangers(&pairs, is_known)?;
    }
    let ids = listed_ids(&bits, count as usize);
    if !matches!(ids, Ids::Range { first: 0, .. }) {
        let rank = |id: Vertex| {
            let (word, below) = (id as usize / 64, (1u64 << (id % 64)) - 1);
            bits.get(word).map_or(0, |bits| before[word] + (bits & below).count_ones())
        };
        pairs.par_iter_mut().flatten().for_each(|id| *id = rank(*id));
    }
    Ok(Numbered { ids, pairs })
}

fn refuse_strangers(pairs: &[[Vertex; 2]], is_known: impl Fn(Vertex) -> bool + Sync) -> Result<(), String> {
    let stranger = |pair: &&[Vertex; 2]| !pair.iter().all(|&id| is_known(id));
    match pairs.iter().enumerate().find(|(_, pair)| stranger(pair)) {
        None => Ok(()),
        Some((row, &[u, v])) => Err(stranger_in(row, if is_known(u) { v } else { u })),
    }
}

fn stranger_in(row: usize, id: impl std::fmt::Display) -> String {
    format!("edge {row} has an end {id:.40}, which is not among the vertices")
}

/// Returns the ids whose bits are set: a range if they have no gaps.
fn listed_ids(bits: &[u64], count: usize) -> Ids {
    let numbers = || {
        bits.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word as u64 * 64 + bit)
        })
    };
    let first = numbers().next().unwrap_or(0);
    let last = bits.iter().rposition(|&word| word != 0);
    let last = last.map_or(0, |word| word as u64 * 64 + 63 - u64::from(bits[word].leading_zeros()));
    match count {
        0 => Ids::zero_based(0),
        _ if last - first + 1 == count as u64 => Ids::Range { first, len: count },
        _ => Ids::Numbers(numbers().collect::<Vec<_>>().into()),
    }
}

/// Numbers ids with large gaps by sorting them.
fn sorted(ends: [&Column; 2], vertices: Option<&Column>) -> Result<Numbered, String> {
    let mut wide = vec![[0u64; 2]; ends[0].len()];
    for (side, column) in ends.into_iter().enumerate() {
        each(column, |row, id| wide[row][side] = id)?;
    }
    let mut known = Vec::new();
    match vertices {
        Some(vertices) => each(vertices, |_, id| known.push(id))?,
        None => known.extend(wide.iter().flatten()),
    }
    known.par_sort_unstable();
    known.dedup();
    refuse_too_many(known.len())?;
    let place = |(row, pair): (usize, &[u64; 2])| {
        let find = |id: u64| known.binary_search(&id).map_err(|_| stranger_in(row, id));
        Ok::<_, String>([find(pair[0])? as Vertex, find(pair[1])? as Vertex])
    };
    let pairs = wide.par_iter().enumerate().map(place).collect::<Result<Vec<_>, _>>()?;
    let first = known.first().copied().unwrap_or(0);
    let gapless = known.last().is_none_or(|last| last - first + 1 == known.len() as u64);
    let ids = if gapless { Ids::Range { first, len: known.len() } } else { Ids::Numbers(known.into()) };
    Ok(Numbered { ids, pairs })
}

fn refuse_too_many(count: usize) -> Result<(), String> {
    match count as u64 <= MAX_VERTICES {
        true => Ok(()),
        false => Err(format!("{count} vertices are more than {MAX_VERTICES}")),
    }
}

/// The texts met so far, each with its number, in the order of their first occurrence.
#[derive(Default)]
struct Table<'a> {
    numbers: HashMap<&'a str, Vertex>,
    texts: Vec<&'a str>,
}

impl<'a> Table<'a> {
    fn number(&mut self, text: &'a str) -> Vertex {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as Vertex - 1
        })
    }

    /// Calls `take(row, number)` for every text of a column.
    fn each(&mut self, column: &'a Column, mut take: impl FnMut(usize, Vertex)) -> Result<(), String> {
        let mut first = 0;
        for piece in &column.pieces {
            match &piece.values {
                Values::Numbers(_) => {}
                Values::Texts(texts) => {
                    for row in 0..piece.length {
                        take(first + row, self.number(text(texts, row)?));
                    }
                }
                Values::Coded { codes, known } => {
                    let mut numbers: Vec<Option<Vertex>> = vec![None; known.len()];
                    with_numbers!(codes, |codes| for (row, &code) in codes.iter().enumerate() {
                        let code = code.id().unwrap_or(u64::MAX) as usize;
                        let number = match numbers.get(code) {
                            Some(&Some(number)) => number,
                            _ => self.number(text(known, code)?),
                        };
                        if let Some(slot) = numbers.get_mut(code) {
                            *slot = Some(number);
                        }
                        take(first + row, number);
                    });
                }
            }
            first += piece.length;
        }
        Ok(())
    }
}

fn text(texts: &Texts, at: usize) -> Result<&str, String> {
    texts.get(at).ok_or_else(|| format!("text {at} of a column is damaged or not UTF-8"))
}

fn texts(ends: [&Column; 2], vertices: Option<&Column>) -> Result<Numbered, String> {
    let mut table = Table::default();
    if let Some(vertices) = vertices {
        table.each(vertices, |_, _| ())?;
    }
    let known = table.texts.len();
    let mut pairs = vec![[0; 2]; ends[0].len()];
    for (side, column) in ends.into_iter().enumerate() {
        table.each(column, |row, number| pairs[row][side] = number)?;
    }
    refuse_too_many(table.texts.len())?;
    if vertices.is_some() && table.texts.len() > known {
        let row = pairs.iter().position(|pair| pair.contains(&(known as Vertex))).unwrap_or(0);
        return Err(stranger_in(row, format!("{:?}", table.texts[known])));
    }
    let mut order: Vec<Vertex> = (0..table.texts.len() as Vertex).collect();
    order.par_sort_unstable_by_key(|&number| table.texts[number as usize]);
    let mut ranks = vec![0; order.len()];
    let (mut starts, mut all) = (vec![0], Vec::new());
    for (rank, &number) in order.iter().enumerate() {
        ranks[number as usize] = rank as Vertex;
        all.extend_from_slice(table.texts[number as usize].as_bytes());
        starts.push(all.len() as u64);
    }
    pairs.par_iter_mut().flatten().for_each(|number| *number = ranks[*number as usize]);
    let names = Names::new(starts.into(), all.into(), "memory").map_err(|error| error.to_string())?;
    Ok(Numbered { ids: Ids::Names(names), pairs })
}
