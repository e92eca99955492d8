//! What an approximated graph asks of the engine before each superstep of `Min`, `Max` and `Or`.
//!
//! *Chunks* are iterated first: messages cross the arcs inside a chunk for a few rounds, and the members that they improve join
//! the frontier. So a superstep starts from values that several supersteps would have brought. This changes no fixed point:
//! messages are the same, and a member that improved sends along all its arcs.
//!
//! Then *copies* are reflected: a copy of a vertex in the frontier takes over its value and joins too. A copy has no incoming
//! arcs, so no message ever reaches one.

use super::{Engine, counts::Tally, frontier::Frontier};
use crate::parts::Team;
use warpgraph_core::{
    Chunks,
    program::{Copies, Scalar, VertexProgram},
};
use warpgraph_graph::{Offset, Vertex, View};

/// The most rounds inside a chunk before a superstep.
const ROUNDS: usize = 4;
/// The chunk of a vertex that is in none.
const NONE: u32 = u32::MAX;

/// Lets the copies of the frontier take over their masters' values and join it.
pub(super) fn reflect<T: Scalar, O: Offset>(
    copies: &Copies,
    cells: &[T::Cell],
    frontier: &mut Frontier<T>,
    is_bitmap: bool,
    out: View<'_, O>,
) {
    let mut woken = Vec::new();
    frontier.for_each(is_bitmap, |master| {
        for &copy in copies.of_master(master) {
            T::store(&cells[copy as usize], T::load(&cells[master as usize]));
            woken.push(copy);
        }
    });
    frontier.add(is_bitmap, &woken, out);
}

/// Chunks, with the chunk of every vertex.
pub(super) struct Together<'a> {
    chunks: &'a Chunks,
    homes: Vec<u32>,
}

/// A chunk with members in the frontier.
struct Active {
    chunk: u32,
    /// These members.
    members: Vec<Vertex>,
    /// The other members that have improved.
    improved: Vec<Vertex>,
}

impl<'a> Together<'a> {
    /// Returns the chunks that the engine iterates; `None` if there are none or the program needs supersteps.
    pub(super) fn new<P: VertexProgram, O: Offset>(engine: &Engine<'a, P, O>) -> Option<Self> {
        let chunks = engine.prepared.chunks(engine.options)?;
        let mut homes = vec![NONE; engine.out.vertices()];
        for chunk in 0..chunks.len() {
            chunks.members(chunk).iter().for_each(|&v| homes[v as usize] = chunk as u32);
        }
        Some(Self { chunks, homes })
    }

    /// Iterates the chunks with members in the frontier. Members that improve join it.
    pub(super) fn iterate<P: VertexProgram, O: Offset>(
        &self,
        engine: &Engine<'_, P, O>,
        team: &Team,
        cells: &[<P::Value as Scalar>::Cell],
        frontier: &mut Frontier<P::Value>,
        is_bitmap: bool,
    ) {
        let mut active = self.active(frontier, is_bitmap);
        team.each(&mut active, |_, chunk| self.settle(engine, cells, chunk));
        let improved: Vec<Vertex> = active.into_iter().flat_map(|chunk| chunk.improved).collect();
        frontier.add(is_bitmap, &improved, engine.out);
    }

    /// Returns the chunks with members in the frontier. Those with one member have no arcs inside.
    fn active<T: Default + Send>(&self, frontier: &mut Frontier<T>, is_bitmap: bool) -> Vec<Active> {
        let mut members = Vec::new();
        frontier.for_each(is_bitmap, |v| {
            let home = self.homes[v as usize];
            if home != NONE && self.chunks.members(home as usize).len() > 1 {
                members.push((home, v));
            }
        });
        members.sort_unstable();
        let groups = members.chunk_by(|a, b| a.0 == b.0);
        let active = groups.map(|group| Active {
            chunk: group[0].0,
            members: group.iter().map(|&(_, v)| v).collect(),
            improved: Vec::new(),
        });
        active.collect()
    }

    /// Sends messages inside a chunk until none improves a member, or for [`ROUNDS`] rounds. No other thread changes the values
    /// of its members meanwhile.
    fn settle<P: VertexProgram, O: Offset>(
        &self,
        engine: &Engine<'_, P, O>,
        cells: &[<P::Value as Scalar>::Cell],
        active: &mut Active,
    ) {
        let mut senders = active.members.clone();
        let mut tally = Tally::default();
        for _ in 0..ROUNDS {
            let mut improved = Vec::new();
            for &u in &senders {
                let value = P::Value::load(&cells[u as usize]);
                for (&v, arc) in engine.out.neighbors(u).iter().zip(engine.out.arcs_of(u)) {
                    tally.arcs += 1;
                    if self.homes[v as usize] != active.chunk {
                        continue;
                    }
                    // SAFETY: u and v are the ends of this outgoing arc.
                    let told = unsafe { engine.push_message(u, v, arc, value) };
                    tally.edges += 1;
                    let own = &cells[v as usize];
                    let old = P::Value::load(own);
                    if P::COMBINE.improves(old, told) {
                        P::Value::store(own, P::COMBINE.join(old, told));
                        improved.push(v);
                    }
                }
            }
            tally.rows += senders.len() as u64;
            tally.updates += improved.len() as u64;
            if improved.is_empty() {
                break;
            }
            improved.sort_unstable();
            improved.dedup();
            active.improved.extend_from_slice(&improved);
            senders = improved;
        }
        active.improved.sort_unstable();
        active.improved.dedup();
        let members = &active.members;
        active.improved.retain(|v| members.binary_search(v).is_err());
        engine.count(|| tally);
    }
}
