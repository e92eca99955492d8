//! Brandes' algorithm for one source on one thread: a queue on the way out, and the same queue on the way back.
//!
//! Path counts are `count * 2^(512 * scale)`. Scales stay 0, and are ignored, until counts come near the limit of f64;
//! from that level on every vertex has its own. Two counts whose scales differ by 2 or more differ by a factor above
//! 2^512, so the smaller one adds nothing.
//!
//! On meshes the processor cannot predict whether a neighbour is new, so the code does not branch on it: it writes
//! every neighbour to the end of the queue, which advances only if the neighbour was new.

use super::{ledger::Walk, masses::Stands};
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use warpgraph_core::Result;
use warpgraph_graph::{Control, Offset, Pages, Vertex, View};

/// The level of a vertex not yet reached.
const UNSEEN: u32 = u32::MAX;
/// Counts from this value on move to the next scale.
pub(super) const CARRY: f64 = TWO_TO_256 * TWO_TO_256;
pub(super) const TWO_TO_256: f64 = (1u128 << 127) as f64 * (1u128 << 127) as f64 * 4.0;
/// Counts above this might exceed f64 in the level after the next, whatever the degrees: 2^900.
const HUGE: f64 = CARRY * TWO_TO_256 * ((1u128 << 127) as f64) * 32.0;
/// Vertices between two checks of the control.
const PATIENCE: usize = 1 << 14;
/// If a search has reached less than this part of all vertices, only these are reset.
pub(super) const FEW: usize = 4;

/// The state of a vertex.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Node {
    /// The number of shortest paths; on the way back `(mass + delta) / count`.
    count: f64,
    level: u32,
    scale: u32,
}

const FRESH: Node = Node { count: 0.0, level: UNSEEN, scale: 0 };

/// Returns `2^(512 * -less)`, the factor for counts whose scale is `less` below another.
#[inline(always)]
pub(super) fn shrink(less: u32) -> f64 {
    match less {
        0 => 1.0,
        1 => 1.0 / CARRY,
        _ => 0.0,
    }
}

/// Adds count `b` of scale `s` to `a` of scale `r`.
#[inline(always)]
pub(super) fn add_scaled(a: &mut f64, r: &mut u32, b: f64, s: u32) {
    if *r >= s {
        *a += b * shrink(*r - s);
    } else {
        *a = *a * shrink(s - *r) + b;
        *r = s;
    }
}

/// Brings a count below 2^512.
#[inline(always)]
pub(super) fn carry(count: &mut f64, scale: &mut u32) {
    if *count >= CARRY {
        *count *= 1.0 / CARRY;
        *scale += 1;
    }
}

/// Returns the memory of a walker in bytes.
pub(super) fn bytes(vertices: usize) -> u64 {
    (vertices * (size_of::<Node>() + size_of::<Vertex>() + size_of::<f64>())) as u64
}

/// Walks from one source after another.
pub(super) struct Walker<'a, O> {
    out: View<'a, O>,
    stands: Stands<'a>,
    /// All fresh except for the vertices reached.
    nodes: Pages<Node>,
    /// The vertices reached, nearest first, and one more slot.
    queue: Pages<Vertex>,
    reached: usize,
    deltas: Pages<f64>,
    /// The position in the queue from which on counts have scales.
    scaled: usize,
}

impl<'a, O: Offset> Walker<'a, O> {
    pub(super) fn new(out: View<'a, O>, stands: Stands<'a>) -> Result<Self> {
        let n = out.vertices();
        let (mut nodes, queue, deltas) = (Pages::scratch(n)?, Pages::zeroed(n + 1)?, Pages::zeroed(n)?);
        nodes.fill(FRESH);
        Ok(Self { out, stands, nodes, queue, reached: 0, deltas, scaled: 0 })
    }

    /// Makes all nodes fresh.
    fn forget(&mut self) {
        if self.reached > self.nodes.len() / FEW {
            self.nodes.fill(FRESH);
        } else {
            self.queue[..self.reached].iter().for_each(|&v| self.nodes[v as usize] = FRESH);
        }
    }

    fn forward(&mut self, source: Vertex, control: &Control) -> Result<()> {
        self.forget();
        self.nodes[source as usize] = Node { count: 1.0, level: 0, scale: 0 };
        self.queue[0] = source;
        self.reached = 1;
        self.scaled = usize::MAX;
        let (mut start, mut next, mut looked, mut most) = (0, 1, 0, 1.0);
        while start < self.reached {
            let end = self.reached;
            if start >= looked {
                control.check("counting paths")?;
                looked = start + PATIENCE;
            }
            if most > HUGE {
                self.scaled = self.scaled.min(start);
                self.push_scaled(start..end, next);
            } else {
                most = self.push(start..end, next);
            }
            (start, next) = (end, next + 1);
        }
        Ok(())
    }

    /// Pushes along the arcs of a level and returns the largest count of the level.
    fn push(&mut self, level: Range<usize>, next: u32) -> f64 {
        let mut most = 0.0f64;
        for at in level {
            let u = self.queue[at];
            let count = self.nodes[u as usize].count;
            most = most.max(count);
            for row in self.stands.rows(u) {
                for &v in self.out.neighbors(row) {
                    debug_assert!((v as usize) < self.nodes.len());
                    // SAFETY: v is a target of a checked CSR over as many vertices as there are nodes.
                    let node = unsafe { self.nodes.get_unchecked_mut(v as usize) };
                    self.queue[self.reached] = v;
                    self.reached += usize::from(node.level == UNSEEN);
                    node.count += if node.level >= next { count } else { 0.0 };
                    node.level = node.level.min(next);
                }
            }
        }
        most
    }

    /// Like [`Walker::push`], with scales.
    fn push_scaled(&mut self, level: Range<usize>, next: u32) {
        for at in level {
            let u = self.queue[at];
            let node = &mut self.nodes[u as usize];
            carry(&mut node.count, &mut node.scale);
            let Node { count, scale, .. } = *node;
            for row in self.stands.rows(u) {
                for &v in self.out.neighbors(row) {
                    let node = &mut self.nodes[v as usize];
                    if node.level == UNSEEN {
                        *node = Node { count, level: next, scale };
                        self.queue[self.reached] = v;
                        self.reached += 1;
                    } else if node.level == next {
                        add_scaled(&mut node.count, &mut node.scale, count, scale);
                    }
                }
            }
        }
    }

    fn backward(&mut self, control: &Control) -> Result<()> {
        let mut end = self.reached;
        while end > 0 {
            control.check("adding dependencies")?;
            let start = end.saturating_sub(PATIENCE);
            // The level before the first one with scales has successors with scales.
            let first = match self.scaled {
                usize::MAX => usize::MAX,
                scaled => self.before(scaled),
            };
            let middle = first.clamp(start, end);
            self.depend::<true>(middle..end);
            self.depend::<false>(start..middle);
            end = start;
        }
        self.deltas[0] = 0.0;
        Ok(())
    }

    /// Returns where the level before that of a position in the queue starts.
    fn before(&self, place: usize) -> usize {
        let level = self.nodes[self.queue[place] as usize].level;
        self.queue[..place].partition_point(|&u| self.nodes[u as usize].level + 1 < level)
    }

    fn depend<const SCALED: bool>(&mut self, places: Range<usize>) {
        for at in places.rev() {
            let u = self.queue[at];
            let node = self.nodes[u as usize];
            let mut behind = 0.0;
            for row in self.stands.rows(u) {
                for &v in self.out.neighbors(row) {
                    debug_assert!((v as usize) < self.nodes.len());
                    // SAFETY: as in `push`.
                    let next = unsafe { *self.nodes.get_unchecked(v as usize) };
                    let is_next = next.level == node.level + 1;
                    if SCALED {
                        // A count is at least as large as those it is the sum of, and so is its scale.
                        let less = next.scale.wrapping_sub(node.scale);
                        behind += if is_next { next.count * shrink(less) } else { 0.0 };
                    } else {
                        behind += if is_next { next.count } else { 0.0 };
                    }
                }
            }
            let delta = node.count * behind;
            self.deltas[at] = delta;
            self.nodes[u as usize].count = (self.stands.masses.of(u) + delta) / node.count;
        }
    }
}

impl<O: Offset> Walk for Walker<'_, O> {
    fn walk(&mut self, source: Vertex, control: &Control) -> Result<()> {
        self.forward(source, control)?;
        self.backward(control)
    }

    fn dependencies(&self) -> (&[Vertex], &[f64]) {
        (&self.queue[..self.reached], &self.deltas[..self.reached])
    }

    fn degree(&self, v: Vertex) -> usize {
        self.stands.degree(self.out, v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_the_powers_they_are_said_to_be() {
        assert_eq!((CARRY, HUGE), (2f64.powi(512), 2f64.powi(900)));
        assert_eq!(shrink(1), 2f64.powi(-512));
    }

    #[test]
    fn scaled_counts_add_up() {
        let (mut a, mut scale) = (1.0, 0);
        (0..2000).for_each(|_| {
            let (b, s) = (a, scale);
            add_scaled(&mut a, &mut scale, b, s);
            carry(&mut a, &mut scale);
        });
        assert_eq!((a.log2(), scale), (2000.0 - 3.0 * 512.0, 3));
        add_scaled(&mut a, &mut scale, 1.0, 0);
        assert_eq!((a.log2(), scale), (464.0, 3));
        let (mut b, mut low) = (1.0, 2);
        add_scaled(&mut b, &mut low, a, scale);
        assert_eq!((b.log2(), low), (464.0, 3));
    }
}
