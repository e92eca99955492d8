//! Lets labels fall in rounds, where too many trees cross between parts to tell all parts of all of them.
//!
//! A part sends the labels of its ghosts to their owners, and the owners send theirs back, until no label falls. Only labels
//! that fell since they were last sent travel.

use super::Components;
use crate::{Exchange, Part, Result, bits::Bits, collective, halo::Halo};
use warpgraph_graph::{NO_VERTEX, Vertex};

/// What a part knows about the labels that others have.
pub(super) struct Rounds {
    /// The smallest label that the owner of each ghost is known to have, and that other parts know of each own vertex.
    told: Vec<Vertex>,
    known: Vec<Vertex>,
    /// The own vertices that are ghosts elsewhere.
    pub(super) shared: Vec<u32>,
}

impl Rounds {
    pub(super) fn new(part: &Part, halo: &Halo) -> Self {
        let mut shared: Vec<u32> = halo.asked.concat();
        shared.sort_unstable();
        shared.dedup();
        Self {
            told: halo.ghosts.iter().map(|&place| part.original_at(place as usize)).collect(),
            known: part.own_originals(),
            shared,
        }
    }

    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        4 * (self.told.len() + self.known.len() + self.shared.len()) as u64
    }
}

impl Components {
    /// Sends labels that fell to the owners of ghosts, and from owners to where vertices are ghosts. Returns true if a label
    /// of any part fell; collective.
    pub(super) fn settle(&mut self, rounds: &mut Rounds, exchange: &mut dyn Exchange) -> Result<bool> {
        let own = self.part.own();
        let Rounds { told, known, shared } = rounds;
        let fell = |at: &u32| self.label_at(self.halo.ghosts[*at as usize] as usize) < told[*at as usize];
        let positions: Vec<u32> = (0..self.halo.ghosts.len() as u32).filter(fell).collect();
        for &at in &positions {
            told[at as usize] = self.label_at(self.halo.ghosts[at as usize] as usize);
        }
        self.halo.send(exchange, &positions, NO_VERTEX, |at| told[at])?;
        let (mut changed, n) = (false, self.part.whole().vertices as Vertex);
        let Self { halo, parents, labels, .. } = self;
        let mut lower = |place: usize, label: Vertex| {
            let root = &mut labels[parents[place] as usize];
            changed |= label < *root;
            *root = (*root).min(label);
        };
        halo.receive(exchange, |v, label: Vertex| lower(own.start + v, label.min(n)))?;
        let mut chosen = Bits::empty(self.part.vertices());
        for &v in &*shared {
            let label = labels[parents[own.start + v as usize] as usize];
            if label < known[v as usize] {
                known[v as usize] = label;
                chosen.insert(v as usize);
            }
        }
        halo.publish_some(exchange, &chosen, NO_VERTEX, |v| known[v])?;
        let mut fallen = false;
        halo.learn(exchange, |at, label: Vertex| {
            told[at] = told[at].min(label);
            let root = &mut labels[parents[halo.ghosts[at] as usize] as usize];
            fallen |= label < *root;
            *root = (*root).min(label);
        })?;
        let sent = changed || fallen || !positions.is_empty() || chosen.count() > 0;
        Ok(collective::sum(exchange, u64::from(sent))? > 0)
    }

    /// Returns true if the largest trees of two parts have different labels; collective.
    pub(super) fn giants_differ(&self, exchange: &mut dyn Exchange) -> Result<bool> {
        let label = self.giant.map(|root| self.label_at(root as usize));
        let (least, greatest) = (collective::least(exchange, label)?, collective::greatest(exchange, label)?);
        Ok(least != greatest)
    }
}
