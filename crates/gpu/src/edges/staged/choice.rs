//! [`Choice`]: which partitions are copied, which are read in place, and which lose their places.
//!
//! A copy pays off for one of two reasons:
//!
//! - *This superstep alone*: reading the lines in place takes longer than copying all of the partition. Such a partition may
//!   pass through: its place is used again within the superstep, once its rows are expanded.
//! - *Later supersteps*: the lines that kernels have read in place since the partition was last copied, beyond all of its
//!   lines once, and those of this superstep together would have paid for the copy. Who waits this long before paying once
//!   never pays more than twice what the best decision costs, whatever comes. Every line is free once, because a search that
//!   expands each row once does not come back. Such a partition is copied only if it finds a free place, or one of a
//!   partition that is *cooler* and is not read now.
//!
//! A line is priced at what the bus takes for it. Kernels that push take longer, but the rest of their work remains after a
//! copy: on an H200, sssp on kron:24 took half as long again as without copies while lines had the price that kernels were
//! seen to take.
//!
//! The *heat* of a partition is the lines that were read of it, those of each earlier superstep at half the weight.

use super::rates::Rates;
use warpgraph_core::Partitions;

/// Arcs of a line of 128 bytes.
pub(super) const LINE_ARCS: usize = 32;
/// A superstep whose reading takes no more than this many seconds is expanded as it is.
const LEAST_SECONDS: f64 = 100e-6;
/// Batches that fill the staging area, if there are that many places.
const BATCHES: usize = 4;
const NONE: u32 = u32::MAX;

/// What a frontier reads of a partition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Lines of pages that are not hot; lines of several rows count several times.
    pub(super) lines: u64,
    /// Rows that end there, and their arcs.
    pub(super) rows: u64,
    pub(super) arcs: u64,
}

/// What a superstep does with all partitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Deal {
    /// Those with rows that no copy is for.
    pub(crate) stay: Vec<u32>,
    pub(crate) batches: Vec<Batch>,
    found: u64,
    in_place: u64,
}

/// Partitions that are copied together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Each with its place, in increasing order.
    pub(crate) copies: Vec<(u32, u32)>,
    /// Those that lose their places to them.
    pub(crate) leaving: Vec<u32>,
    /// The group that last reads these places before; `None` if no group of the superstep does.
    pub(crate) after: Option<usize>,
    /// Arcs of the rows that end there, of each partition no more than it has.
    pub(crate) arcs: u64,
}

impl Deal {
    pub(super) fn told(&self) -> Partitions {
        Partitions {
            copied: self.batches.iter().map(|batch| batch.copies.len() as u64).sum(),
            found: self.found,
            in_place: self.in_place,
            ..Partitions::default()
        }
    }
}

/// The partitions of a direction, and what was read of each so far.
#[derive(Debug)]
pub(super) struct Choice {
    rates: Rates,
    /// Copies every partition that is read.
    always: bool,
    partitions: Vec<Partition>,
    /// The partition in each place.
    owners: Vec<u32>,
}

#[derive(Debug, Clone)]
struct Partition {
    /// Lines of pages that are not hot.
    lines: u64,
    place: u32,
    /// Lines read in place since it was last copied.
    owed: f64,
    heat: f64,
}

/// A place that partitions of a superstep may get, and the group that reads it before.
type Place = (u32, Option<usize>);

impl Choice {
    /// For partitions of so many lines outside of hot pages, and so many places.
    pub(super) fn new(lines: Vec<u64>, room: usize, rates: Rates, always: bool) -> Self {
        let partition = |lines| Partition { lines, place: NONE, owed: 0.0, heat: 0.0 };
        let partitions = lines.into_iter().map(partition).collect();
        Self { rates, always, partitions, owners: vec![NONE; room] }
    }

    /// Returns the number of places.
    pub(super) fn room(&self) -> usize {
        self.owners.len()
    }

    /// Forgets what is in the staging area.
    pub(super) fn empty(&mut self) {
        self.owners.fill(NONE);
        self.partitions.iter_mut().for_each(|partition| partition.place = NONE);
    }

    /// Returns true if a frontier of so many arcs in so many rows may read enough for a choice to pay off.
    pub(super) fn is_worth_counting(&self, arcs: u64, rows: u64) -> bool {
        let lines = arcs / LINE_ARCS as u64 + 2 * rows.min(arcs);
        self.always || !self.rates.is_measured || lines as f64 * self.rates.line > LEAST_SECONDS
    }

    /// Decides for a superstep.
    pub(super) fn deal(&mut self, asked: &[Asked]) -> Deal {
        let (mut deal, mut wanted) = (Deal::default(), Vec::new());
        let mut is_found = vec![false; self.partitions.len()];
        for (at, (partition, asked)) in self.partitions.iter_mut().zip(asked).enumerate() {
            let lines = asked.lines.min(partition.lines) as f64;
            partition.heat = partition.heat / 2.0 + lines;
            match (lines > 0.0, partition.place) {
                (false, _) => {}
                (true, NONE) => wanted.push(at as u32),
                (true, _) => is_found[at] = true,
            }
        }
        deal.found = is_found.iter().filter(|found| **found).count() as u64;
        let (copied, places) = self.pick(wanted, asked);
        deal.batches = self.batches(&copied, &places, asked);
        self.note(asked, &copied, &is_found, &mut deal);
        deal
    }

    /// Returns which of the partitions that are not there are copied, in increasing order, and the places that they take in
    /// turns.
    fn pick(&self, wanted: Vec<u32>, asked: &[Asked]) -> (Vec<u32>, Vec<Place>) {
        let of = |&at: &u32| &self.partitions[at as usize];
        let lines = |at: &u32| asked[*at as usize].lines.min(of(at).lines) as f64;
        let pays_now = |at: &u32| self.always || lines(at) * self.rates.line >= self.rates.copy;
        let pays = |at: &u32| {
            let again = (of(at).owed - of(at).lines as f64).max(0.0);
            pays_now(at) || (again + lines(at)) * self.rates.line >= self.rates.copy
        };
        let mut ranked: Vec<u32> = wanted.into_iter().filter(pays).collect();
        ranked.sort_by(|a, b| of(b).heat.total_cmp(&of(a).heat).then(a.cmp(b)));
        let is_read = |at: &u32| lines(at) > 0.0;
        let mut places: Vec<Place> =
            self.places_of(|owner| owner == NONE).map(|place| (place, None)).collect();
        let cooler = self.by_heat(|owner| owner != NONE && !is_read(&owner));
        for place in cooler {
            match ranked.get(places.len()) {
                Some(hotter) if of(&self.owners[place as usize]).heat < of(hotter).heat => {
                    places.push((place, None));
                }
                _ => break,
            }
        }
        if ranked.len() > places.len() {
            let passing = ranked.split_off(places.len()).into_iter().filter(pays_now);
            ranked.extend(passing);
            if let Some(first) = ranked.get(places.len()) {
                let found = self.by_heat(|owner| owner != NONE && is_read(&owner));
                let found = found
                    .into_iter()
                    .filter(|&place| of(&self.owners[place as usize]).heat <= of(first).heat);
                places.extend(found.map(|place| (place, Some(0))));
            }
        }
        if places.is_empty() {
            ranked.clear();
        }
        ranked.sort_unstable();
        (ranked, places)
    }

    fn places_of(&self, takes: impl Fn(u32) -> bool) -> impl Iterator<Item = u32> {
        let owners = self.owners.iter().enumerate();
        owners.filter_map(move |(place, &owner)| takes(owner).then_some(place as u32))
    }

    /// Returns the places of some owners, the coolest first.
    fn by_heat(&self, takes: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut places: Vec<u32> = self.places_of(takes).collect();
        let heat = |place: &u32| self.partitions[self.owners[*place as usize] as usize].heat;
        places.sort_by(|a, b| heat(a).total_cmp(&heat(b)).then(a.cmp(b)));
        places
    }

    /// Gives each of these partitions a place, in turns, and cuts them into batches. A batch leaves places for the next one,
    /// if there are two, so that copies and kernels overlap.
    fn batches(&mut self, copied: &[u32], places: &[Place], asked: &[Asked]) -> Vec<Batch> {
        let size = (self.room() / BATCHES).min(places.len() / 2).max(1);
        let mut users: Vec<Option<usize>> = places.iter().map(|place| place.1).collect();
        let mut batches = Vec::with_capacity(copied.len().div_ceil(size));
        for (group, part) in copied.chunks(size).enumerate() {
            let mut batch = Batch::default();
            for (nth, &partition) in part.iter().enumerate() {
                let turn = (group * size + nth) % places.len();
                let place = places[turn].0;
                batch.after = batch.after.max(users[turn].replace(group + 1));
                let owner = std::mem::replace(&mut self.owners[place as usize], partition);
                if owner != NONE {
                    self.partitions[owner as usize].place = NONE;
                    batch.leaving.push(owner);
                }
                self.partitions[partition as usize].place = place;
                batch.copies.push((partition, place));
                let asked = asked[partition as usize];
                batch.arcs += asked.arcs.min(self.partitions[partition as usize].lines * LINE_ARCS as u64);
            }
            batches.push(batch);
        }
        batches
    }

    /// Notes what stays where it is, and what is read in place.
    fn note(&mut self, asked: &[Asked], copied: &[u32], is_found: &[bool], deal: &mut Deal) {
        let mut copied = copied.iter().copied().peekable();
        for (at, (partition, asked)) in self.partitions.iter_mut().zip(asked).enumerate() {
            if copied.next_if_eq(&(at as u32)).is_some() {
                partition.owed = 0.0;
                continue;
            }
            if asked.rows > 0 {
                deal.stay.push(at as u32);
            }
            let lines = asked.lines.min(partition.lines);
            if lines > 0 && !is_found[at] {
                partition.owed += lines as f64;
                deal.in_place += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: u64 = 32;

    /// Of so many partitions and places.
    fn choice(partitions: usize, room: usize) -> Choice {
        Choice::new(vec![LINES; partitions], room, Rates::nominal(LINES), false)
    }

    /// What is asked of each partition, in lines. A row ends in every partition that is read.
    fn asked(lines: &[u64]) -> Vec<Asked> {
        lines.iter().map(|&lines| Asked { lines, rows: u64::from(lines > 0), arcs: 32 * lines }).collect()
    }

    fn copies(deal: &Deal) -> Vec<u32> {
        deal.batches.iter().flat_map(|batch| batch.copies.iter().map(|copy| copy.0)).collect()
    }

    #[test]
    fn partitions_that_are_read_nearly_whole_are_copied_and_found_again() {
        let mut choice = choice(4, 4);
        let deal = choice.deal(&asked(&[32, 3, 0, 28]));
        assert_eq!((copies(&deal), deal.stay.clone(), deal.in_place), (vec![0, 3], vec![1], 1));
        let again = choice.deal(&asked(&[1, 3, 0, 32]));
        assert_eq!((again.stay.clone(), again.found, again.in_place), (vec![0, 1, 3], 2, 1));
        assert!(again.batches.is_empty());
    }

    #[test]
    fn a_partition_that_is_read_again_and_again_is_copied_once_its_lines_would_have_paid() {
        let mut choice = choice(2, 1);
        // 32 lines are free, and 28 pay for a copy: 6 supersteps of 10 lines.
        let copied = (1..10).find(|_| !copies(&choice.deal(&asked(&[10, 0]))).is_empty());
        assert_eq!(copied, Some(6));
        // The other one is as hot as the owner of the only place, which is not read any more, only later.
        let taken = (1..10).find(|_| !copies(&choice.deal(&asked(&[0, 10]))).is_empty());
        assert_eq!(taken, Some(6));
        assert_eq!(choice.owners, [1]);
    }

    #[test]
    fn more_partitions_than_places_pass_through_in_order_and_the_last_ones_are_found_next() {
        let (mut choice, all) = (choice(12, 4), asked(&[32; 12]));
        let deal = choice.deal(&all);
        assert_eq!(copies(&deal), (0..12).collect::<Vec<_>>());
        let after: Vec<_> = deal.batches.iter().map(|batch| batch.after).collect();
        assert_eq!(after[..6], [None, None, None, None, Some(1), Some(2)]);
        assert!(deal.batches[..4].iter().all(|batch| batch.leaving.is_empty()));
        assert_eq!(deal.batches[4].leaving, [0]);
        let next = choice.deal(&all);
        assert_eq!((next.found, copies(&next)), (4, (0..8).collect()));
        assert_eq!(next.stay, [8, 9, 10, 11]);
        assert_eq!(next.batches[0].after, Some(0), "the found ones are expanded first");
    }

    #[test]
    fn every_place_has_one_owner_whatever_is_read() {
        let mut choice = choice(40, 7);
        let mut seed = 1u64;
        for superstep in 0..300 {
            let lines: Vec<u64> = (0..40)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 33) % 3 * ((seed >> 40) % 20)
                })
                .collect();
            choice.always = superstep % 7 == 0;
            let before: Vec<bool> = choice.partitions.iter().map(|known| known.place != NONE).collect();
            let asked = asked(&lines);
            let deal = choice.deal(&asked);
            let told = deal.told();
            let read = lines.iter().filter(|&&lines| lines > 0).count() as u64;
            assert_eq!(told.copied + told.found + told.in_place, read);
            let found = (0..40).filter(|&at| before[at] && lines[at] > 0).count() as u64;
            assert_eq!(told.found, found);
            for (at, partition) in choice.partitions.iter().enumerate() {
                let owned = choice.owners.iter().filter(|&&owner| owner == at as u32).count();
                assert_eq!(owned, usize::from(partition.place != NONE), "partition {at}");
                let groups =
                    deal.stay.iter().chain(deal.batches.iter().flat_map(|b| b.copies.iter().map(|c| &c.0)));
                let times = groups.filter(|&&listed| listed == at as u32).count();
                assert!(times <= 1 && (lines[at] == 0 || times == 1), "partition {at} is in {times} groups");
            }
            for (group, batch) in deal.batches.iter().enumerate() {
                assert!(
                    batch.after.is_none_or(|after| after <= group),
                    "places are free before they are taken"
                );
                assert!(batch.copies.is_sorted());
            }
        }
    }

    #[test]
    fn supersteps_that_read_little_are_not_counted() {
        let rates = Rates { line: 1e-6, copy: 40e-6, is_measured: true };
        let choice = Choice::new(vec![LINES; 100], 4, rates, false);
        assert!(!choice.is_worth_counting(100, 10) && choice.is_worth_counting(32_000, 1000));
    }
}
