//! Joins trees of different parts that share a vertex, once for all.
//!
//! Every part tells each owner, for its ghosts, in which of its trees they are: a bit for those in its largest tree, which has
//! one label, and a label for each other. A ghost that is alone in its tree says nothing. The owners know the trees of the
//! same vertices on their side; so each pair of labels is an edge between trees, and few different ones are left, because
//! most vertices are in the largest trees. All parts learn all edges, and find the smallest label that each tree hangs
//! together with. Two trees that have the same label are in the same component from the start: a label is the number of a
//! vertex of both.
//!
//! If there are more edges than [`MOST`], labels fall in rounds instead.

use super::Components;
use crate::{Exchange, Result, bits::Bits, exchange::ExchangeError, mail};
use warpgraph_graph::{NO_VERTEX, Vertex};

/// The most edges of all parts together that all parts learn.
pub(super) const MOST: usize = 1 << 16;
/// Bytes of an edge, and of what goes ahead of the edges of a part.
const EDGE: usize = 8;

impl Components {
    /// Contracts trees. Returns whether the largest trees of two parts have different labels; `None` if there are too many
    /// edges. Collective.
    pub(super) fn contract(&mut self, exchange: &mut dyn Exchange) -> Result<Option<bool>> {
        let mut roots = self.tell(exchange)?;
        let edges = self.hear(&mut roots, exchange)?;
        let Some((giants, edges)) = self.learn(&edges, exchange)? else { return Ok(None) };
        let joined = Joined::by(&edges);
        roots.sort_unstable();
        roots.dedup();
        for &root in &roots {
            let label = &mut self.labels[root as usize];
            *label = joined.least(*label);
        }
        self.crossing = roots;
        let mut giants = giants.into_iter().map(|label| joined.least(label));
        let first = giants.next();
        Ok(Some(giants.any(|label| Some(label) != first)))
    }

    /// Tells owners in which trees their vertices are here. Returns the roots of these trees.
    fn tell(&self, exchange: &mut dyn Exchange) -> Result<Vec<Vertex>> {
        let (mut giants, mut others, mut roots) = (Vec::new(), Vec::new(), Vec::from_iter(self.giant));
        let crowned = self.crowned();
        for (at, &place) in self.halo.ghosts.iter().enumerate() {
            let root = self.parents[place as usize];
            if Some(root) == self.giant {
                giants.push(at as u32);
            } else if root != place || crowned.contains(place as usize) {
                others.push(at as u32);
                roots.push(root);
            }
        }
        let giant = self.giant.map_or(NO_VERTEX, |root| self.labels[root as usize]);
        let (mut giants, mut others) = (&giants[..], &others[..]);
        for owner in 0..self.halo.asked.len() {
            let ghosts = self.halo.of(owner);
            let label = |at: usize| self.label_at(ghosts[at] as usize);
            let here = self.halo.next_of(owner, &mut giants);
            let first = mail::pack(ghosts.len(), &here, [0u8; 0], |_| [0u8; 0]).unwrap_or_default();
            let here = self.halo.next_of(owner, &mut others);
            let second = mail::pack(ghosts.len(), &here, NO_VERTEX, label).unwrap_or_default();
            if first.len() + second.len() > 0 {
                let head = [giant.to_le_bytes(), (first.len() as u32).to_le_bytes()].concat();
                exchange.send(owner, [head, first, second].concat())?;
            }
        }
        Ok(roots)
    }

    /// Returns the ghosts that are the root of a tree with own vertices, except for the largest tree.
    fn crowned(&self) -> Bits {
        let (mut crowned, own) = (Bits::empty(self.part.places()), self.part.own());
        for &root in &self.parents[own.clone()] {
            if Some(root) != self.giant && !own.contains(&(root as usize)) {
                crowned.insert(root as usize);
            }
        }
        crowned
    }

    /// Learns in which trees of other parts own vertices are. Returns the different pairs of labels, and adds the roots of
    /// the own trees that have one.
    fn hear(&self, roots: &mut Vec<Vertex>, exchange: &mut dyn Exchange) -> Result<Vec<[Vertex; 2]>> {
        let (first, n) = (self.part.own().start, self.part.whole().vertices);
        let mut pairs: Vec<[Vertex; 2]> = Vec::new();
        exchange.flush(&mut |from, bytes| {
            let list = &self.halo.asked[from];
            let (giant, in_giant, others) = parsed(bytes).ok_or("trees that are cut off")?;
            let mut add = |at: usize, label: Vertex| {
                let pair = [self.parents[first + list[at] as usize], label];
                if label as usize >= n {
                    return Err(format!("a tree {label}, of {n} vertices"));
                }
                if pairs.last() != Some(&pair) {
                    pairs.push(pair);
                }
                Ok(())
            };
            if !in_giant.is_empty() {
                mail::unpack(in_giant, list.len(), |at, _: [u8; 0]| add(at, giant))?;
            }
            if others.is_empty() {
                return Ok(());
            }
            mail::unpack(
                others,
                list.len(),
                |at, label| if label == NO_VERTEX { Ok(()) } else { add(at, label) },
            )
        })?;
        pairs.sort_unstable();
        pairs.dedup();
        roots.extend(pairs.iter().map(|[root, _]| root));
        let labels = pairs.into_iter().map(|[root, label]| [self.labels[root as usize], label]);
        let mut edges: Vec<[Vertex; 2]> = labels.filter(|[a, b]| a != b).collect();
        edges.sort_unstable();
        edges.dedup();
        Ok(edges)
    }

    /// Gives all parts the labels of the largest trees and the edges of all; `None` if there are too many. Collective.
    #[allow(clippy::type_complexity, reason = "labels and edges of labels")]
    fn learn(
        &self,
        edges: &[[Vertex; 2]],
        exchange: &mut dyn Exchange,
    ) -> Result<Option<(Vec<Vertex>, Vec<[Vertex; 2]>)>> {
        let (parts, n) = (exchange.parts(), self.part.whole().vertices as u32);
        let most = self.most.div_ceil(parts);
        let giant = self.giant.map_or(NO_VERTEX, |root| self.labels[root as usize]);
        let told = if edges.len() > most { &[] } else { edges };
        let head = [giant, edges.len().min(most + 1) as u32];
        let bytes = [bytemuck::cast_slice(&head), bytemuck::cast_slice(told)].concat();
        for to in 0..parts {
            exchange.send(to, bytes.clone())?;
        }
        let (mut giants, mut all, mut heard) = (Vec::new(), Vec::new(), vec![false; parts]);
        let mut too_many = false;
        exchange.flush(&mut |from, bytes| {
            let mut words = bytes.chunks_exact(EDGE).map(bytemuck::pod_read_unaligned::<[u32; 2]>);
            let [giant, count] = words.next().ok_or("edges without their number")?;
            let count = count as usize;
            if count > most + 1 || (giant >= n && giant != NO_VERTEX) {
                return Err(format!(
                    "{count} edges and a largest tree {giant}, of at most {most} and {n} vertices"
                ));
            }
            too_many |= count > most;
            let wanted = EDGE * (1 + if count > most { 0 } else { count });
            if bytes.len() != wanted || std::mem::replace(&mut heard[from], true) {
                return Err(format!("expected {wanted} bytes of edges, once, got {}", bytes.len()));
            }
            if let Some(edge) = words.clone().find(|edge| edge.iter().any(|label| *label >= n)) {
                return Err(format!("an edge of trees {edge:?}, of {n} vertices"));
            }
            giants.extend(Some(giant).filter(|giant| *giant < n));
            all.extend(words);
            Ok(())
        })?;
        if let Some(part) = heard.iter().position(|heard| !heard) {
            let what = "no edges between trees, where some or none were due".to_owned();
            return Err(ExchangeError::Invalid { part, name: String::new(), what }.into());
        }
        Ok((!too_many).then_some((giants, all)))
    }
}

/// Returns the parts of a message of [`Components::tell`].
fn parsed(bytes: &[u8]) -> Option<(Vertex, &[u8], &[u8])> {
    let (giant, rest) = bytes.split_first_chunk()?;
    let (len, rest) = rest.split_first_chunk()?;
    let (first, second) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    Some((Vertex::from_le_bytes(*giant), first, second))
}

/// Labels that hang together.
struct Joined {
    /// The labels that have an edge, rising, and for each the position of the smallest that it hangs together with.
    labels: Vec<Vertex>,
    least: Vec<u32>,
}

impl Joined {
    fn by(edges: &[[Vertex; 2]]) -> Self {
        let mut labels = edges.concat();
        labels.sort_unstable();
        labels.dedup();
        let at = |label: Vertex| labels.partition_point(|&other| other < label) as u32;
        let mut least: Vec<u32> = (0..labels.len() as u32).collect();
        for &[a, b] in edges {
            let (a, b) = (root(&mut least, at(a)), root(&mut least, at(b)));
            least[a.max(b) as usize] = a.min(b);
        }
        for at in 0..least.len() {
            // Pointers lead to smaller positions, which are done.
            least[at] = least[least[at] as usize];
        }
        Self { labels, least }
    }

    /// Returns the smallest label that hangs together with this one.
    fn least(&self, label: Vertex) -> Vertex {
        match self.labels.binary_search(&label) {
            Ok(at) => self.labels[self.least[at] as usize],
            Err(_) => label,
        }
    }
}

/// Returns the root of a position, and shortens the way there.
fn root(least: &mut [u32], mut at: u32) -> u32 {
    while least[at as usize] != at {
        least[at as usize] = least[least[at as usize] as usize];
        at = least[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn every_label_falls_to_the_smallest_that_edges_lead_to(
            edges in prop::collection::vec([0u32..30, 0u32..30], 0..30),
        ) {
            let joined = Joined::by(&edges);
            for label in 0..30 {
                let mut reached = BTreeSet::from([label]);
                for _ in 0..30 {
                    for [a, b] in &edges {
                        if reached.contains(a) || reached.contains(b) {
                            reached.extend([a, b]);
                        }
                    }
                }
                prop_assert_eq!(joined.least(label), *reached.first().unwrap());
            }
        }
    }
}
