//! Finds the source of a traversal, which one part owns.

use crate::{Exchange, Part, Question, Reduce, Result, collective, part::Names};
use warpgraph_core::Source;
use warpgraph_graph::{Error, NO_VERTEX, Vertex, VertexId, hash};

/// A source vertex.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Its original number.
    pub(crate) number: Vertex,
    /// Its number within the part that owns it; `None` in all others.
    pub(crate) own: Option<usize>,
    /// Its id.
    pub(crate) id: VertexId,
}

/// Returns the source of a question; collective. Rules pick the vertex that a run on one machine picks.
///
/// # Errors
/// When the graph has no such vertex, or no vertex at all.
pub(crate) fn find(
    source: &Source,
    question: &Question,
    part: &Part,
    exchange: &mut dyn Exchange,
) -> Result<Found> {
    let n = part.whole().vertices;
    let number = match source {
        _ if n == 0 && !matches!(source, Source::Vertex(_)) => {
            let help = "check the file and the flags it was read with; `warpgraph info` describes the graph";
            return Err(Error::invalid("the graph has no vertices to start from", help).into());
        }
        Source::Vertex(id) => by_id(id, part, exchange)?,
        Source::MaxDegree => highest(part, exchange)?,
        Source::Random => draw(question, part, exchange)?,
    };
    let own = (0..part.vertices()).find(|&v| part.original(v) == number);
    let text = own.map(|_| id_of(part, number).map(|id| id.to_string()).unwrap_or_default());
    let texts = collective::gather(exchange, text.unwrap_or_default().as_bytes())?;
    let text = texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    Ok(Found { number, own, id: String::from_utf8_lossy(&text).into_owned().into() })
}

fn by_id(id: &VertexId, part: &Part, exchange: &mut dyn Exchange) -> Result<Vertex> {
    let found = match part.names() {
        Names::All(ids) => ids.find(id),
        Names::Own { ids, numbers } => ids.find(id).map(|at| numbers[at as usize]),
    };
    let mut words = [u64::from(found.unwrap_or(NO_VERTEX))];
    exchange.all_reduce(&mut words, Reduce::Min)?;
    if words[0] < u64::from(NO_VERTEX) {
        return Ok(words[0] as Vertex);
    }
    let universe = match part.names() {
        Names::All(ids) => ids.describe(),
        Names::Own { .. } => {
            format!("the graph has {} vertices, in {} parts", part.whole().vertices, exchange.parts())
        }
    };
    Err(Error::NoSuchVertex { id: id.to_string(), universe }.into())
}

/// Returns the id of an own vertex.
pub(crate) fn id_of(part: &Part, number: Vertex) -> Option<VertexId> {
    match part.names() {
        Names::All(ids) => Some(ids.id(number)),
        Names::Own { ids, numbers } => numbers.binary_search(&number).ok().map(|at| ids.id(at as Vertex)),
    }
}

/// Returns the vertex with the largest out-degree, the smallest number on ties.
fn highest(part: &Part, exchange: &mut dyn Exchange) -> Result<Vertex> {
    let own = (0..part.vertices()).map(|v| (part.out().degree(v) as u64, part.original(v)));
    let best = own.max_by_key(|&(degree, number)| (degree, std::cmp::Reverse(number)));
    let most = collective::greatest(exchange, best.map(|(degree, _)| degree))?;
    let number = best.filter(|(degree, _)| Some(*degree) == most).map(|(_, number)| number);
    Ok(collective::least(exchange, number)?.unwrap_or(0))
}

/// Draws as [`Source::resolve`] does, the next 1,000 numbers at a time.
fn draw(question: &Question, part: &Part, exchange: &mut dyn Exchange) -> Result<Vertex> {
    let n = part.whole().vertices as u64;
    let pick = |attempt: u64| (hash::mix(hash::mix(question.seed, question.run), attempt) % n) as Vertex;
    let mut with_arcs: Vec<Vertex> =
        (0..part.vertices()).filter(|&v| part.out().degree(v) > 0).map(|v| part.original(v)).collect();
    with_arcs.sort_unstable();
    let has_arcs = |v: Vertex| with_arcs.binary_search(&v).is_ok();
    let hit = (0..1000u64).find(|&attempt| has_arcs(pick(attempt)));
    if let Some(attempt) = collective::least(exchange, hit)? {
        return Ok(pick(attempt));
    }
    // The next vertex with arcs, around the end; or vertex 0 if there is none.
    let start = pick(0);
    let after = with_arcs.get(with_arcs.partition_point(|&v| v < start)).copied();
    let next = collective::least(exchange, after)?;
    let first = collective::least(exchange, with_arcs.first().copied())?;
    Ok(next.or(first).unwrap_or(0))
}
