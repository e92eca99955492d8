//! Writes the answer of a part by original ids.
//!
//! A part that was cut from a graph in memory shares all ids. A slice only has those of its own vertices; the few others
//! that its answer names (parents, components) are asked for once, at the end.

use crate::{
    Exchange, Part, PartAnswer, Report, Result, collective, exchange::ExchangeError, part::Names, run::Column,
};
use warpgraph_graph::{Ids, NO_VERTEX, Names as Texts, Vertex};

/// The most vertices that a member asks another for in a round, and the bytes after which an answer goes on in the next round.
struct Batch {
    vertices: usize,
    bytes: usize,
}

const MAIL: Batch = Batch { vertices: 1 << 16, bytes: 1 << 20 };

/// Returns the answer of a part; collective. Columns of vertices have original numbers.
pub(crate) fn answer(
    part: &Part,
    summary: serde_json::Value,
    report: Report,
    mut columns: Vec<(&'static str, Column)>,
    exchange: &mut dyn Exchange,
) -> Result<PartAnswer> {
    let mut vertices = part.own_originals();
    let ids = match part.names() {
        Names::All(ids) => ids.clone(),
        Names::Own { ids, numbers } => {
            let named = columns.iter().filter_map(|(_, column)| named(column)).flatten().copied();
            let (ids, numbers) = learn(ids, numbers, &wanted(named, numbers), &MAIL, exchange)?;
            let of = |v: &mut Vertex| {
                if *v != NO_VERTEX {
                    *v = numbers.binary_search(v).unwrap_or_default() as Vertex;
                }
            };
            vertices.iter_mut().for_each(of);
            for (_, column) in &mut columns {
                if let Column::Vertices(column) = column {
                    column.iter_mut().for_each(of);
                }
            }
            ids
        }
    };
    Ok(PartAnswer { summary, report, ids, vertices, columns })
}

fn named(column: &Column) -> Option<&[Vertex]> {
    match column {
        Column::Vertices(vertices) => Some(vertices),
        _ => None,
    }
}

/// Returns the numbers that are none of the own ones, rising.
fn wanted(named: impl Iterator<Item = Vertex>, own: &[Vertex]) -> Vec<Vertex> {
    let is_other = |v: &Vertex| *v != NO_VERTEX && own.binary_search(v).is_err();
    let mut wanted: Vec<Vertex> = named.filter(is_other).collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

/// Asks all parts for the ids of some vertices; collective. Returns the own ids and these, and their numbers, both rising.
fn learn(
    ids: &Ids,
    numbers: &[Vertex],
    wanted: &[Vertex],
    batch: &Batch,
    exchange: &mut dyn Exchange,
) -> Result<(Ids, Vec<Vertex>)> {
    let mut learned = Vec::with_capacity(wanted.len());
    let mut batches = wanted.chunks(batch.vertices);
    let most = collective::greatest(exchange, Some(batches.len() as u64))?.unwrap_or(0);
    for _ in 0..most {
        let asked = ask(batches.next().unwrap_or_default(), batch, exchange)?;
        // Of each part, the own vertices that it asks for, by their position.
        let held = asked.iter().map(|asked| asked.iter().filter_map(|v| numbers.binary_search(v).ok()));
        let mut held: Vec<_> = held.map(Iterator::peekable).collect();
        loop {
            for (to, held) in held.iter_mut().enumerate() {
                let mut bytes = Vec::new();
                while let Some(at) = held.next_if(|_| bytes.len() < batch.bytes) {
                    bytes.extend(entry(numbers[at], ids, at));
                }
                if !bytes.is_empty() {
                    exchange.send(to, bytes)?;
                }
            }
            exchange.flush(&mut |_, bytes| read(bytes, wanted, &mut learned))?;
            let goes_on = held.iter_mut().any(|held| held.peek().is_some());
            if collective::sum(exchange, u64::from(goes_on))? == 0 {
                break;
            }
        }
    }
    learned.sort_unstable_by_key(|(v, _): &(Vertex, _)| *v);
    let invalid = |what: String| ExchangeError::Invalid {
        part: exchange.part(),
        name: String::new(),
        what: format!("among the ids: {what}"),
    };
    if !learned.iter().map(|(v, _)| v).eq(wanted) {
        let what = format!("{} ids for {} vertices", learned.len(), wanted.len());
        return Err(invalid(what).into());
    }
    let own = numbers.iter().enumerate().map(|(at, &v)| (v, text(ids, at)));
    let mut all: Vec<(Vertex, Vec<u8>)> = own.chain(learned).collect();
    all.sort_unstable_by_key(|(v, _)| *v);
    let numbers = all.iter().map(|(v, _)| *v).collect();
    Ok((
        ids_of(ids, all.into_iter().map(|(_, text)| text)).map_err(|what| invalid(what.to_owned()))?,
        numbers,
    ))
}

/// Asks all parts for the ids of a batch of vertices, and returns what each asks for; collective.
fn ask(wanted: &[Vertex], batch: &Batch, exchange: &mut dyn Exchange) -> Result<Vec<Vec<Vertex>>> {
    for to in (0..exchange.parts()).filter(|_| !wanted.is_empty()) {
        exchange.send(to, bytemuck::cast_slice(wanted).to_vec())?;
    }
    let mut asked = vec![Vec::new(); exchange.parts()];
    exchange.flush(&mut |from, bytes| {
        if !bytes.len().is_multiple_of(4) || asked[from].len() + bytes.len() / 4 > batch.vertices {
            let most = batch.vertices;
            return Err(format!("{} bytes, expected at most {most} vertex numbers of 4", bytes.len()));
        }
        asked[from].extend(bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>));
        Ok(())
    })?;
    Ok(asked)
}

/// Returns an id as bytes: a number as 8, a name as its text.
fn text(ids: &Ids, at: usize) -> Vec<u8> {
    match ids {
        Ids::Range { first, .. } => (first + at as u64).to_le_bytes().to_vec(),
        Ids::Numbers(numbers) => numbers[at].to_le_bytes().to_vec(),
        Ids::Names(names) => names.get(at).as_bytes().to_vec(),
    }
}

/// Returns a vertex number and its id as bytes.
fn entry(v: Vertex, ids: &Ids, at: usize) -> Vec<u8> {
    let text = text(ids, at);
    let mut bytes = v.to_le_bytes().to_vec();
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend(text);
    bytes
}

/// Reads entries of vertices that were asked for.
fn read(mut bytes: &[u8], wanted: &[Vertex], learned: &mut Vec<(Vertex, Vec<u8>)>) -> Result<(), String> {
    while !bytes.is_empty() {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let found = word(0).zip(word(4)).and_then(|(v, len)| Some((v, bytes.get(8..8 + len as usize)?)));
        let (v, text) = found.ok_or_else(|| "an id that is cut off".to_owned())?;
        if wanted.binary_search(&v).is_err() || learned.len() >= wanted.len() {
            return Err(format!("the id of vertex {v}, which was not asked for"));
        }
        learned.push((v, text.to_vec()));
        bytes = &bytes[8 + text.len()..];
    }
    Ok(())
}

/// Returns ids of the same kind from their bytes, which must rise.
fn ids_of(kind: &Ids, texts: impl Iterator<Item = Vec<u8>>) -> Result<Ids, &'static str> {
    if let Ids::Names(_) = kind {
        let (mut starts, mut all) = (vec![0u64], Vec::new());
        for text in texts {
            all.extend(text);
            starts.push(all.len() as u64);
        }
        let names = Texts::new(starts.into(), all.into(), "the ids of other parts");
        return names.map(Ids::Names).map_err(|_| "they do not rise, or are not UTF-8");
    }
    let number = |text: Vec<u8>| Some(u64::from_le_bytes(text.try_into().ok()?));
    let numbers: Vec<u64> =
        texts.map(number).collect::<Option<_>>().ok_or("a number is not one of 8 bytes")?;
    match numbers.windows(2).all(|pair| pair[0] < pair[1]) {
        true => Ok(Ids::Numbers(numbers.into())),
        false => Err("they do not rise"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::together;

    /// Three members own ten vertices each. Vertex v has the id 10 + 2 v.
    #[test]
    fn ids_arrive_whatever_the_batches_are() {
        let own = |part: usize| -> Vec<Vertex> { (0..10).map(|i| 3 * i + part as Vertex).collect() };
        for (vertices, bytes) in [(1, 1), (4, 20), (1000, 1000)] {
            let ends = together(3, 1, |mut member| {
                let numbers = own(member.part());
                let texts = |numbers: &[Vertex]| {
                    Ids::Numbers(numbers.iter().map(|&v| 10 + 2 * u64::from(v)).collect::<Vec<_>>().into())
                };
                // The last member asks for nothing.
                let wanted: Vec<Vertex> = match member.part() {
                    2 => Vec::new(),
                    part => (0..30).filter(|v| *v as usize % 3 != part && v % 4 != 0).collect(),
                };
                let batch = Batch { vertices, bytes };
                let (ids, all) = learn(&texts(&numbers), &numbers, &wanted, &batch, &mut member).unwrap();
                let mut expected = [numbers, wanted].concat();
                expected.sort_unstable();
                assert_eq!(all, expected);
                (0..all.len()).all(|at| text(&ids, at) == (10 + 2 * u64::from(all[at])).to_le_bytes())
            });
            assert!(ends.unwrap().into_iter().all(|right| right));
        }
    }

    #[test]
    fn a_member_that_asks_for_more_than_a_batch_is_refused() {
        let batch = Batch { vertices: 4, bytes: 100 };
        let ends = together(2, 1, |mut member| {
            let wanted: Vec<Vertex> = if member.part() == 1 { (0..5).collect() } else { Vec::new() };
            ask(&wanted, &batch, &mut member).map(|_| ())
        });
        for end in ends.unwrap() {
            assert!(end.unwrap_err().to_string().contains("at most 4 vertex numbers"), "part 1 asked for 5");
        }
    }
}
