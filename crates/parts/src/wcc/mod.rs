//! Weakly connected components in parts.
//!
//! Every part first joins the ends of its own arcs, ghosts included, by Afforest ([`join`]): it then has trees of places that
//! hang together. Each tree has a label, the smallest original number that is known in its component. Then the parts contract
//! trees to vertices and join those that share a vertex, once for all ([`contract`]). If very many trees cross between parts,
//! labels fall in rounds instead ([`rounds`]); their number depends on how often a component crosses between parts, not on
//! its diameter.
//!
//! On an undirected graph, vertices in the largest tree of a part skip the rest of their arcs, as on one process: the
//! other end does the joining if it lies outside the largest tree of its own part. If both ends lie in largest trees,
//! no part joins them. So once labels have settled, the parts compare the labels of their largest trees, and if these
//! differ they go through the skipped arcs after all.
//!
//! O(n + m) work over all parts in practice; 8 bytes per place, and in rounds 8 more per own vertex and 4 per ghost.

mod contract;
mod join;
mod rounds;
mod sizes;

use crate::{
    Exchange, Part, PartAnswer, PartRun, Result, State, collective,
    forest::roots,
    halo::{Halo, Reach},
    names,
    program::Ended,
    run::Column,
};
use rounds::Rounds;
use std::sync::Arc;
use warpgraph_core::{Halted, wcc::WccSummary};
use warpgraph_graph::{Control, Pages, Vertex, par};

const NAME: &str = "wcc";
/// The most edges between trees that all parts learn.
pub(crate) const MOST_EDGES: u64 = contract::MOST as u64;

/// A run of components.
pub(crate) struct Components {
    part: Arc<Part>,
    halo: Arc<Halo>,
    /// The pointers of all places; each points to its root between supersteps.
    parents: Pages<Vertex>,
    /// The label of every root, by place.
    labels: Pages<Vertex>,
    /// The root of the largest tree, and whether its vertices skipped arcs.
    giant: Option<Vertex>,
    skipped: bool,
    /// The roots of the trees that may cross between parts, once trees were contracted.
    crossing: Vec<Vertex>,
    /// Present if too many trees cross for that: more than `most` edges.
    rounds: Option<Rounds>,
    most: usize,
    supersteps: u64,
    /// Whether the ends of own arcs were joined.
    joined: bool,
    /// Labels of own vertices to start from.
    restored: Option<Vec<Vertex>>,
}

impl Components {
    /// Learns which vertices parts share; collective.
    pub(crate) fn start(part: &Arc<Part>, exchange: &mut dyn Exchange) -> Result<Self> {
        Ok(Self {
            halo: Halo::meet(part, Reach::Out, exchange)?,
            parents: roots(part.places())?,
            labels: Pages::scratch(part.places())?,
            part: part.clone(),
            giant: None,
            skipped: false,
            crossing: Vec::new(),
            rounds: None,
            most: contract::MOST,
            supersteps: 0,
            joined: false,
            restored: None,
        })
    }

    fn label_at(&self, place: usize) -> Vertex {
        self.labels[self.parents[place] as usize]
    }

    /// Joins trees of different parts. Returns true if labels are final; collective.
    fn join_parts(&mut self, exchange: &mut dyn Exchange) -> Result<bool> {
        let mut rounds = match self.rounds.take() {
            Some(rounds) => rounds,
            None => match self.contract(exchange)? {
                Some(giants_differ) => return Ok(self.settled(giants_differ)),
                None => Rounds::new(&self.part, &self.halo),
            },
        };
        let goes_on = self.settle(&mut rounds, exchange);
        self.rounds = Some(rounds);
        if goes_on? {
            return Ok(false);
        }
        let giants_differ = self.giants_differ(exchange)?;
        Ok(self.settled(giants_differ))
    }

    /// Goes through the skipped arcs if the largest trees of two parts have different labels. Returns true if labels are final.
    fn settled(&mut self, giants_differ: bool) -> bool {
        let is_final = !(giants_differ && self.skipped);
        if !is_final {
            self.join_giants();
        }
        is_final
    }
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
        let is_final = self.join_parts(exchange)?;
        self.supersteps += 1;
        control.report(NAME, self.supersteps, None);
        Ok(is_final.then_some(Halted::Converged))
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
        let (part, first) = (&*self.part, self.part.own().start);
        let mut components = vec![0; part.vertices()];
        par::parts_mut(&mut components, par::FINE, |from, components| {
            components.iter_mut().zip(first + from..).for_each(|(to, place)| *to = self.label_at(place));
        });
        let named = |v: &usize| components[*v] == part.original_at(first + v);
        let named = par::sum(components.len(), par::FINE, |range| range.filter(named).count() as u64);
        let components_of_all = collective::sum(exchange, named)?;
        let crossing = match &self.rounds {
            None => self.crossing.clone(),
            Some(rounds) => {
                let shared = rounds.shared.iter().map(|&v| first + v as usize);
                let ghosts = self.halo.ghosts.iter().map(|&place| place as usize);
                shared.chain(ghosts).map(|place| self.parents[place]).collect()
            }
        };
        let largest = self.largest(&crossing, exchange)?;
        let summary = serde_json::to_value(WccSummary { components: components_of_all, largest });
        let rounds = self.rounds.as_ref().map_or(0, Rounds::bytes);
        let state_bytes = 8 * part.places() as u64 + rounds + self.halo.bytes();
        let ended = Ended { supersteps: self.supersteps, halt, state_bytes };
        let report = ended.report(exchange)?;
        let columns = vec![("component", Column::Vertices(components))];
        names::answer(&self.part, summary.unwrap_or_default(), report, columns, exchange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cut, exchange::Local, together};
    use proptest::prelude::*;
    use warpgraph_graph::Graph;

    /// Returns the components of own vertices, and the states after each superstep.
    fn run(mut run: Components, member: &mut Local) -> (Vec<Vertex>, u64, Vec<State>) {
        let (control, mut states) = (Control::new(), Vec::new());
        let halted = loop {
            if let Some(halted) = run.step(member, &control).unwrap() {
                break halted;
            }
            states.push(run.state());
        };
        let answer = Box::new(run).answer(halted, member, &control).unwrap();
        let largest = answer.summary["largest"].as_u64().unwrap();
        match answer.column("component") {
            Some(Column::Vertices(components)) => (components.clone(), largest, states),
            other => panic!("{other:?}"),
        }
    }

    /// Runs all parts with at most so many edges between trees, and from every state once more.
    fn components(parts: &[Arc<Part>], most: usize) -> (Vec<Vertex>, u64) {
        let ends = together(parts.len(), 1, |mut member| {
            let part = &parts[member.part()];
            let start = |member: &mut Local| Components { most, ..Components::start(part, member).unwrap() };
            let first = start(&mut member);
            let (components, largest, states) = run(first, &mut member);
            for state in states {
                let mut again = start(&mut member);
                again.restore(&state).unwrap();
                let (same, size, _) = run(again, &mut member);
                assert_eq!((&same, size), (&components, largest), "from superstep {}", state.superstep);
            }
            (components, largest)
        });
        let ends = ends.unwrap();
        (ends.iter().flat_map(|(components, _)| components.clone()).collect(), ends[0].1)
    }

    proptest! {
        #[test]
        fn trees_are_joined_alike_at_once_and_in_rounds(
            edges in prop::collection::vec((0u32..60, 0u32..60), 0..90), directed: bool, cuts in [0u32..60, 0u32..60],
        ) {
            let graph = Graph::from_edges(60, &edges, directed).unwrap();
            let mut expected: Vec<Vertex> = (0..60).collect();
            for _ in 0..60 {
                for &(a, b) in &edges {
                    let least = expected[a as usize].min(expected[b as usize]);
                    (expected[a as usize], expected[b as usize]) = (least, least);
                }
            }
            let size = |label: &Vertex| expected.iter().filter(|other| *other == label).count() as u64;
            let largest = expected.iter().map(size).max().unwrap();
            let cut = Cut::new(vec![0, cuts[0].min(cuts[1]), cuts[0].max(cuts[1]), 60]).unwrap();
            let part = |number| Arc::new(Part::of(&graph, &cut, number).unwrap().compacted().unwrap());
            let parts: Vec<_> = (0..3).map(part).collect();
            for most in [contract::MOST, 3, 0] {
                prop_assert_eq!(components(&parts, most), (expected.clone(), largest), "at most {} edges", most);
            }
        }
    }

    /// Each part is one tree, and vertices of the largest trees skip all arcs but their first two.
    #[test]
    fn arcs_that_both_ends_skipped_are_followed_at_last() {
        let clique =
            |from: Vertex| (from..from + 9).flat_map(move |a| (a + 1..from + 9).map(move |b| (a, b)));
        let edges: Vec<_> = clique(0).chain(clique(9)).chain([(8, 17)]).collect();
        let graph = Graph::from_edges(18, &edges, false).unwrap();
        let cut = Cut::new(vec![0, 9, 18]).unwrap();
        let parts: Vec<_> = (0..2).map(|number| Arc::new(Part::of(&graph, &cut, number).unwrap())).collect();
        for most in [contract::MOST, 0] {
            assert_eq!(components(&parts, most), (vec![0; 18], 18));
        }
    }
}
