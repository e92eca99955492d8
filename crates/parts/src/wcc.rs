//! Weakly connected components in parts.
//!
//! Every part first joins the ends of its own arcs, ghosts included, by Afforest: it then has trees of places that hang
//! together. Each tree has a label, the smallest original number that is known in its component. In the supersteps that
//! follow, a part sends the labels of its ghosts to their owners, and the owners send theirs back, until no label falls.
//! Only labels that fell since they were last sent travel. So the number of supersteps depends on how often a component
//! crosses between parts, not on its diameter.
//!
//! On an undirected graph, vertices in the largest tree of a part skip the rest of their arcs, as on one process: the
//! other end does the joining if it lies outside the largest tree of its own part. If both ends lie in largest trees,
//! no part joins them. So once labels have settled, the parts compare the labels of their largest trees, and if these
//! differ they go through the skipped arcs after all.
//!
//! O(n + m) work over all parts in practice; 4 bytes per place, 4 per own vertex and 4 per ghost.

use crate::{
    Exchange, Part, PartAnswer, PartRun, Result, State,
    bits::Bits,
    collective,
    forest::{Forest, roots},
    halo::Halo,
    names,
    program::Ended,
    run::Column,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering::Relaxed},
};
use warpgraph_core::{Halted, wcc::WccSummary};
use warpgraph_graph::{Control, NO_VERTEX, Pages, Vertex, atomics::atomics, par};

const NAME: &str = "wcc";

/// A run of components.
pub(crate) struct Components {
    part: Arc<Part>,
    halo: Halo,
    /// The pointers of all places; each points to its root between supersteps.
    parents: Pages<Vertex>,
    /// The label of every root, by place.
    labels: Pages<Vertex>,
    /// The smallest label that the owner of each ghost is known to have, and that other parts know of each own vertex.
    told: Vec<Vertex>,
    known: Vec<Vertex>,
    /// The own vertices that are ghosts elsewhere.
    shared: Vec<u32>,
    /// The root of the tree whose vertices skipped arcs.
    giant: Option<Vertex>,
    supersteps: u64,
    /// Whether the ends of own arcs were joined.
    joined: bool,
    /// Labels of own vertices to start from.
    restored: Option<Vec<Vertex>>,
}

impl Components {
    /// Learns which vertices parts share; collective.
    pub(crate) fn start(part: &Arc<Part>, exchange: &mut dyn Exchange) -> Result<Self> {
        let halo = Halo::meet(part, &[part.out()], exchange)?;
        let (places, own) = (part.places(), part.own());
        let mut shared: Vec<u32> = halo.asked.concat();
        shared.sort_unstable();
        shared.dedup();
        Ok(Self {
            told: halo.ghosts.iter().map(|&place| part.original_at(place as usize)).collect(),
            known: own.map(|place| part.original_at(place)).collect(),
            parents: roots(places)?,
            labels: Pages::scratch(places)?,
            part: part.clone(),
            halo,
            shared,
            giant: None,
            supersteps: 0,
            joined: false,
            restored: None,
        })
    }

    /// Joins the ends of own arcs: two arcs of every vertex, then the others of those outside the largest tree.
    fn join(&mut self, control: &Control) -> Result<()> {
        let (part, first) = (&*self.part, self.part.own().start);
        let (rows, targets) = (part.out(), part.out().targets());
        let mut seconds = Pages::<Vertex>::scratch(part.vertices())?;
        let (forest, noted) = (Forest { cells: atomics(&mut self.parents) }, atomics(&mut seconds));
        each(part, |v, place| {
            // The first of a sorted row is the smallest, so no search is needed to hook below it.
            let row = &targets[rows.arcs_of(v)];
            let smallest = *row.first().unwrap_or(&place);
            let second = if smallest > place { smallest } else { *row.get(1).unwrap_or(&place) };
            forest.cells[place as usize].store(smallest.min(place), Relaxed);
            noted[v].store(second, Relaxed);
        });
        forest.compress();
        control.check("joining components")?;
        each(part, |v, place| forest.link(place, noted[v].load(Relaxed)));
        forest.compress();
        control.check("joining components")?;
        if !part.whole().directed && part.vertices() > 0 {
            self.giant = forest.sample(first, part.vertices());
        }
        let giant = self.giant;
        each(part, |v, place| {
            if Some(forest.get(place)) == giant {
                return;
            }
            for &target in &targets[rows.arcs_of(v)] {
                forest.link(place, target);
                if Some(forest.get(place)) == giant {
                    return;
                }
            }
        });
        control.check("joining components")?;
        forest.compress();
        self.giant = giant.map(|root| forest.get(root));
        self.label();
        Ok(())
    }

    /// Gives every root the smallest original number in its tree.
    fn label(&mut self) {
        let Self { part, parents, labels, restored, .. } = self;
        let own = part.own();
        if part.is_in_order() {
            // The root is the smallest place, and so the smallest number.
            par::parts_mut(labels, par::FINE, |first, labels| part.numbers_from(first, labels));
        } else {
            labels.fill(NO_VERTEX);
            for (place, &root) in parents.iter().enumerate() {
                let label = &mut labels[root as usize];
                *label = (*label).min(part.original_at(place));
            }
        }
        for (v, label) in restored.take().into_iter().flatten().enumerate() {
            let root = &mut labels[parents[own.start + v] as usize];
            *root = (*root).min(label);
        }
    }

    fn label_at(&self, place: usize) -> Vertex {
        self.labels[self.parents[place] as usize]
    }

    /// Sends labels that fell to the owners of ghosts, and from owners to where vertices are ghosts. Returns true if a label
    /// of any part fell; collective.
    fn exchange(&mut self, exchange: &mut dyn Exchange) -> Result<bool> {
        let own = self.part.own();
        let fell =
            |at: &u32| self.label_at(self.halo.ghosts[*at as usize] as usize) < self.told[*at as usize];
        let positions: Vec<u32> = (0..self.halo.ghosts.len() as u32).filter(fell).collect();
        for &at in &positions {
            self.told[at as usize] = self.label_at(self.halo.ghosts[at as usize] as usize);
        }
        self.halo.send(exchange, &positions, NO_VERTEX, |at| self.told[at])?;
        let (mut changed, n) = (false, self.part.whole().vertices as Vertex);
        let Self { halo, parents, labels, told, .. } = self;
        let mut lower = |place: usize, label: Vertex| {
            let root = &mut labels[parents[place] as usize];
            changed |= label < *root;
            *root = (*root).min(label);
        };
        halo.receive(exchange, |v, label: Vertex| lower(own.start + v, label.min(n)))?;
        let mut chosen = Bits::empty(self.part.vertices());
        for &v in &self.shared {
            let label = labels[parents[own.start + v as usize] as usize];
            if label < self.known[v as usize] {
                self.known[v as usize] = label;
                chosen.insert(v as usize);
            }
        }
        let known = &self.known;
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
    fn giants_differ(&self, exchange: &mut dyn Exchange) -> Result<bool> {
        let label = self.giant.map(|root| self.label_at(root as usize));
        let (least, greatest) = (collective::least(exchange, label)?, collective::greatest(exchange, label)?);
        Ok(least != greatest)
    }

    /// Goes through the arcs to ghosts that vertices in the largest tree skipped.
    fn join_giants(&mut self) {
        let (part, own) = (self.part.clone(), self.part.own());
        let (rows, targets, giant) = (part.out(), part.out().targets(), self.giant.take());
        let labels: Vec<Vertex> = (0..part.vertices()).map(|v| self.label_at(own.start + v)).collect();
        let is_giant: Vec<bool> = own.clone().map(|place| Some(self.parents[place]) == giant).collect();
        let forest = Forest { cells: atomics(&mut self.parents) };
        par::ranges(part.vertices(), par::FINE, |range| {
            for v in range.filter(|&v| is_giant[v]) {
                let ghosts =
                    targets[rows.arcs_of(v)].iter().filter(|place| !own.contains(&(**place as usize)));
                ghosts.for_each(|&place| forest.link((own.start + v) as Vertex, place));
            }
        });
        forest.compress();
        self.restored = Some(labels);
        self.label();
    }

    /// Returns the size of the largest component; collective. A component that has no ghost is counted by its part; of the
    /// others, the parts send the number of their vertices to one part per label.
    fn largest(&self, exchange: &mut dyn Exchange) -> Result<u64> {
        let (own, parts) = (self.part.own(), exchange.parts() as u64);
        let n = self.part.whole().vertices as u64;
        let mut sizes = vec![0u32; self.part.places()];
        own.clone().for_each(|place| sizes[self.parents[place] as usize] += 1);
        let mut crosses = Bits::empty(self.part.places());
        let ghosts = self.halo.ghosts.iter().map(|&place| place as usize);
        ghosts.chain(self.shared.iter().map(|&v| own.start + v as usize)).for_each(|place| {
            crosses.insert(self.parents[place] as usize);
        });
        let mut by_label: BTreeMap<Vertex, u64> = BTreeMap::new();
        let mut largest = 0;
        for (root, &size) in sizes.iter().enumerate().filter(|(_, size)| **size > 0) {
            match crosses.contains(root) {
                true => *by_label.entry(self.labels[root]).or_default() += u64::from(size),
                false => largest = largest.max(u64::from(size)),
            }
        }
        let home = |label: Vertex| (u64::from(label) * parts / n) as usize;
        let mut mail: Vec<Vec<u8>> = vec![Vec::new(); parts as usize];
        for (label, size) in by_label {
            let bytes = &mut mail[home(label)];
            bytes.extend_from_slice(&label.to_le_bytes());
            bytes.extend_from_slice(&(size as u32).to_le_bytes());
        }
        for (to, bytes) in mail.into_iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            exchange.send(to, bytes)?;
        }
        let (mut all, here): (BTreeMap<Vertex, u64>, _) = (BTreeMap::new(), self.part.number());
        exchange.flush(&mut |_, bytes| {
            if !bytes.len().is_multiple_of(8) {
                return Err(format!("{} bytes, expected sizes of components of 8", bytes.len()));
            }
            for pair in bytes.chunks_exact(8) {
                let [label, size] = bytemuck::pod_read_unaligned::<[u32; 2]>(pair);
                if u64::from(label) >= n || home(label) != here {
                    return Err(format!("the size of component {label}, which is not counted here"));
                }
                *all.entry(label).or_default() += u64::from(size);
            }
            Ok(())
        })?;
        largest = all.into_values().fold(largest, u64::max);
        Ok(collective::greatest(exchange, Some(largest))?.unwrap_or(0))
    }
}

/// Calls `work` with every own vertex and its place, on all threads, in roughly rising order.
fn each(part: &Part, work: impl Fn(usize, Vertex) + Sync) {
    let first = part.own().start;
    par::ranges(part.vertices(), par::FINE, |range| range.for_each(|v| work(v, (first + v) as Vertex)));
}

impl PartRun for Components {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(&mut self, exchange: &mut dyn Exchange, control: &Control) -> Result<Option<Halted>> {
        control.check("joining components")?;
        if !self.joined {
            self.join(control)?;
            self.joined = true;
        }
        let goes_on = self.exchange(exchange)?;
        self.supersteps += 1;
        control.report(NAME, self.supersteps, None);
        if goes_on {
            return Ok(None);
        }
        if self.giants_differ(exchange)? {
            self.join_giants();
            return Ok(None);
        }
        Ok(Some(Halted::Converged))
    }

    fn supersteps(&self) -> u64 {
        self.supersteps
    }

    fn state(&self) -> State {
        let labels: Vec<Vertex> = self.part.own().map(|place| self.label_at(place)).collect();
        State::after(self.supersteps).with("labels", &labels)
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        let mut labels = vec![0; self.part.vertices()];
        state.fill("labels", &mut labels)?;
        let too_large = |(v, label): (usize, &Vertex)| *label > self.part.original(v);
        if let Some(v) = labels.iter().enumerate().position(too_large) {
            let what = format!("own vertex {v} is in component {}, which is larger", labels[v]);
            return Err(crate::Error::state(what));
        }
        (self.restored, self.supersteps) = (Some(labels), state.superstep);
        Ok(())
    }

    fn answer(self: Box<Self>, halt: Halted, exchange: &mut dyn Exchange, _: &Control) -> Result<PartAnswer> {
        let own = self.part.own();
        let components: Vec<Vertex> = own.map(|place| self.label_at(place)).collect();
        let named = components.iter().enumerate().filter(|(v, label)| **label == self.part.original(*v));
        let components_of_all = collective::sum(exchange, named.count() as u64)?;
        let largest = self.largest(exchange)?;
        let summary = serde_json::to_value(WccSummary { components: components_of_all, largest });
        let state_bytes = 8 * self.part.places() as u64
            + 4 * (self.told.len() + self.known.len() + self.shared.len()) as u64
            + self.halo.bytes();
        let ended = Ended { supersteps: self.supersteps, halt, state_bytes };
        let report = ended.report(exchange)?;
        let columns = vec![("component", Column::Vertices(components))];
        names::answer(&self.part, summary.unwrap_or_default(), report, columns, exchange)
    }
}
