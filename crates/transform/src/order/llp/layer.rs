//! One layer: labels that spread until few change.

#[cfg(test)]
mod tests;

use super::{DURING, around::Around, bits::Bits, count::Counter, visits::Visits};
use warpgraph_graph::{Control, Pages, Result, Vertex, hash, par};

/// The most rounds per layer.
pub(super) const ROUNDS: u64 = 16;
/// A layer ends with a round in which at most one in this many vertices moves.
const FEW: usize = 100;
/// If at least one in this many vertices moved, the next round visits all vertices, and moves need not wake neighbours.
const MANY: usize = 4;
/// The most neighbours that are all counted.
pub(super) const LONG: usize = 1 << 16;
/// Vertices that a thread takes at a time.
const CHUNK: usize = 1 << 9;
/// Vertices whose rows are requested from memory together.
const GROUP: usize = 16;

/// A resolution in integers: `k` neighbours and `v` others with a label are worth `k * reward - v * penalty`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gamma {
    reward: i64,
    penalty: i64,
}

impl Gamma {
    /// No penalty for large communities.
    pub(super) const ZERO: Self = Self { reward: 1, penalty: 0 };

    /// Returns gamma = 2^-i: scores are 2^i times `k - gamma (v - k)`.
    pub(super) const fn power(i: u32) -> Self {
        Self { reward: (1 << i) + 1, penalty: 1 }
    }

    #[inline(always)]
    fn score(self, neighbours: i64, volume: i64) -> i64 {
        self.reward * neighbours - self.penalty * volume
    }
}

/// The labels, which are vertices, and how many vertices carry each.
pub(super) struct Layer<'a> {
    around: &'a Around<'a>,
    gamma: Gamma,
    salt: u64,
    labels: Pages<Vertex>,
    volumes: Pages<u32>,
    /// The vertices to visit in the next round.
    awake: Bits,
}

/// A vertex that would gain by another label.
struct Move {
    vertex: Vertex,
    label: Vertex,
    /// How many more neighbours carry the new label than the old one.
    more: i64,
}

/// The best label so far.
struct Best {
    score: i64,
    label: Vertex,
    neighbours: i64,
}

impl<'a> Layer<'a> {
    /// Creates a layer in which every vertex has its own label.
    pub(super) fn new(around: &'a Around<'a>, gamma: Gamma, salt: u64) -> Result<Self> {
        let n = around.vertices();
        let mut labels: Pages<Vertex> = Pages::scratch(n)?;
        labels.iter_mut().zip(0..).for_each(|(slot, v)| *slot = v);
        let mut volumes: Pages<u32> = Pages::scratch(n)?;
        volumes.fill(1);
        Ok(Self { around, gamma, salt, labels, volumes, awake: Bits::new(n, true) })
    }

    /// Returns the label of every vertex, and how many vertices carry each label.
    pub(super) fn into_parts(self) -> (Pages<Vertex>, Pages<u32>) {
        (self.labels, self.volumes)
    }

    /// Runs rounds until few vertices move. Calls `report` with the number of each round.
    pub(super) fn spread(&mut self, visits: &Visits, control: &Control, report: impl Fn(u64)) -> Result<()> {
        let mut moved = visits.len();
        for round in 0..ROUNDS {
            report(round);
            let wakes = moved < visits.len() / MANY;
            moved = self.round(visits, round, wakes, control)?;
            if moved <= visits.len() / FEW {
                break;
            }
            if !wakes {
                self.awake.insert_all();
            }
        }
        Ok(())
    }

    /// Visits all vertices that are awake and returns how many moved.
    fn round(&mut self, visits: &Visits, round: u64, wakes: bool, control: &Control) -> Result<usize> {
        let salt = hash::mix(self.salt, round);
        let mut moved = 0;
        for block in visits.blocks() {
            let moves = self.moves(block, salt, control);
            // If the work is to stop, some vertices were skipped.
            control.check(DURING)?;
            let vertices = self.make(moves);
            if wakes {
                self.wake(&vertices);
            }
            moved += vertices.len();
        }
        Ok(moved)
    }

    /// Returns the moves that the vertices of a block want, in their order.
    fn moves(&self, block: &[Vertex], salt: u64, control: &Control) -> Vec<Move> {
        let chunks = par::map_with(block.len().div_ceil(CHUNK), Counter::default, |counter, i| {
            let (chunk, mut moves) = (&block[i * CHUNK..block.len().min((i + 1) * CHUNK)], Vec::new());
            for group in chunk.chunks(GROUP).take_while(|_| !control.should_stop()) {
                self.touch(group);
                moves.extend(group.iter().filter_map(|&v| self.choose(v, salt, counter)));
            }
            moves
        });
        chunks.into_iter().flatten().collect()
    }

    /// Reads the ends of the rows of a few vertices, so that the processor requests all of them from memory at once.
    #[inline(always)]
    fn touch(&self, group: &[Vertex]) {
        let ends = |row: &[Vertex]| row.first().copied().unwrap_or(0) ^ row.last().copied().unwrap_or(0);
        let read = |&v: &Vertex| {
            let [row, other] = self.around.rows(v);
            ends(row) ^ ends(other) ^ self.labels[v as usize]
        };
        std::hint::black_box(group.iter().map(read).fold(0, |a, b| a ^ b));
    }

    /// Returns the best label for `v`, if `v` is awake and that is not its current label.
    #[inline(always)]
    fn choose(&self, v: Vertex, salt: u64, counter: &mut Counter) -> Option<Move> {
        if !self.awake.remove(v) {
            return None;
        }
        let rows = self.around.rows(v);
        let stride = (rows[0].len() + rows[1].len()).div_ceil(LONG).max(1);
        rows.into_iter().for_each(|row| counter.gather(row, v, stride, &self.labels));
        let own = self.labels[v as usize];
        let mut kept = 0;
        let mut best: Option<Best> = None;
        counter.count(|label, count| {
            let neighbours = i64::from(count) * stride as i64;
            if label == own {
                kept = neighbours;
            } else {
                self.consider(&mut best, label, neighbours, |label| lot(salt, v, label));
            }
        });
        let Best { score, label, neighbours } = best?;
        let stays = self.gamma.score(kept, self.volume(own) - 1);
        (score > stays).then_some(Move { vertex: v, label, more: neighbours - kept })
    }

    /// Replaces the best label by this one if it is better.
    #[inline(always)]
    fn consider(&self, best: &mut Option<Best>, label: Vertex, neighbours: i64, lot: impl Fn(Vertex) -> u64) {
        // An upper bound, as if no other vertex had the label: most labels lose without a read of their volume.
        let most = self.gamma.score(neighbours, 1);
        if best.as_ref().is_some_and(|best| most < best.score) {
            return;
        }
        let score = self.gamma.score(neighbours, self.volume(label));
        let better = best
            .as_ref()
            .is_none_or(|best| score > best.score || score == best.score && lot(label) < lot(best.label));
        if better {
            *best = Some(Best { score, label, neighbours });
        }
    }

    #[inline(always)]
    fn volume(&self, label: Vertex) -> i64 {
        i64::from(self.volumes[label as usize])
    }

    /// Makes the moves that still gain after the earlier ones, and returns the vertices that moved.
    fn make(&mut self, moves: Vec<Move>) -> Vec<Vertex> {
        let gains = |layer: &Self, wish: &Move| {
            let own = layer.labels[wish.vertex as usize];
            layer.gamma.score(wish.more, layer.volume(wish.label) - (layer.volume(own) - 1)) > 0
        };
        let mut moved = Vec::with_capacity(moves.len());
        for wish in moves {
            if gains(self, &wish) {
                let label = std::mem::replace(&mut self.labels[wish.vertex as usize], wish.label);
                self.volumes[label as usize] -= 1;
                self.volumes[wish.label as usize] += 1;
                moved.push(wish.vertex);
            }
        }
        moved
    }

    /// Wakes the neighbours of the vertices that moved.
    fn wake(&self, moved: &[Vertex]) {
        par::ranges(moved.len(), CHUNK, |range| {
            for &u in moved[range].iter().flat_map(|&v| self.around.rows(v)).flatten() {
                self.awake.insert(u);
            }
        });
    }
}

/// Decides between equally good labels; differs by vertex and round.
#[inline(always)]
fn lot(salt: u64, v: Vertex, label: Vertex) -> u64 {
    hash::mix(salt ^ u64::from(v), u64::from(label))
}
