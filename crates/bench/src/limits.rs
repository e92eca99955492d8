//! What the machine can do at best: the yardstick for everything else, measured in the same run.
//!
//! - *copy*: bytes read and written a second when every thread copies its part of an array far beyond the caches;
//! - *gather*: 4-byte reads a second at random places, the places read one after the other from an array (as an engine
//!   reads targets), over several footprints, since caches and address translation make this the steepest curve there is;
//! - *atomic*: random 4-byte atomic additions a second over 64 MiB;
//! - *wake*: seconds from a sleeping pool to all its threads having done nothing.
//!
//! Each is the best of a few passes: a limit is what nothing disturbs. Memory is what engines use, huge pages where there
//! are any. Everything runs on the rayon pool it is called in, and one array serves all.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use warpgraph::{
    Control, Error, Result,
    cost::Traffic,
    graph::{Pages, hash, memory, probe},
};

use crate::{machine, statistics};

/// The footprints gathers are measured over; those beyond the array are left out.
const FOOTPRINTS: [u64; 5] = [256 << 10, 4 << 20, 64 << 20, 256 << 20, 1 << 30];
/// The least array that is worth measuring.
const LEAST: u64 = 4 << 20;
/// Where atomic additions go.
const ATOMIC_FOOTPRINT: u64 = 64 << 20;
/// Work a thread takes at a time.
const PIECE: usize = 1 << 16;
/// How often a pool is woken.
const WAKES: usize = 15;

/// How much time to spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// About a quarter of a second, over 256 MiB: for a guess.
    Quick,
    /// One to two seconds, over 1 GiB: for figures that are kept.
    Thorough,
}

/// What the machine can do at best.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Threads that took part.
    pub threads: usize,
    /// Bytes read and written a second by copying.
    pub copy: f64,
    /// Random reads, by rising footprint.
    pub gather: Vec<Rate>,
    /// Random atomic additions.
    pub atomic: Rate,
    /// Seconds to wake all threads.
    pub wake: f64,
    /// Seconds it took to find all this out.
    pub seconds: f64,
}

/// So many a second over so many bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Bytes they are spread over.
    pub footprint: u64,
    /// How many a second.
    pub per_second: f64,
}

impl Limits {
    /// Measures, on the threads of the current pool.
    ///
    /// # Errors
    /// When memory is short, or what `control` asks for.
    pub fn measure(effort: Effort, control: &Control) -> Result<Self> {
        let start = Instant::now();
        let (passes, reads) = match effort {
            Effort::Quick => (2, 1 << 20),
            Effort::Thorough => (3, 1 << 21),
        };
        let mut array = touched((arena(effort) / 4) as usize)?;
        let (places, bytes) = (random_places(reads)?, 4 * array.len() as u64);
        let timed = |pass: &mut dyn FnMut()| {
            control.check("measuring the machine")?;
            Ok::<f64, Error>(best(passes, pass))
        };
        let rate = |footprint: u64, pass: &mut dyn FnMut(usize)| {
            let seconds = timed(&mut || pass((footprint / 4) as usize))?;
            Ok::<Rate, Error>(Rate { footprint, per_second: reads as f64 / seconds })
        };
        let gather =
            |footprint| rate(footprint, &mut |to| _ = black_box(probe::gather(&array[..to], &places)));
        let gather = FOOTPRINTS.into_iter().filter(|&footprint| footprint <= bytes).map(gather);
        let gather = gather.collect::<Result<_>>()?;
        let add = &mut |to: usize| probe::add(&mut array[..to], &places);
        let atomic = rate(ATOMIC_FOOTPRINT.min(bytes), add)?;
        let copy = bytes as f64 / timed(&mut || copy_halves(&mut array))?;
        let (threads, wake) = (rayon::current_num_threads(), wake());
        Ok(Self { threads, copy, gather, atomic, wake, seconds: start.elapsed().as_secs_f64() })
    }

    /// Returns the seconds that memory traffic takes at these limits: `streamed / copy + gathers / gather(footprint)`.
    pub fn seconds_of(&self, traffic: &Traffic) -> f64 {
        let gathering = match traffic.gathers {
            0 => 0.0,
            n => n as f64 / rate_at(&self.gather, traffic.footprint),
        };
        traffic.streamed as f64 / self.copy + gathering
    }
}

/// How many a second over a footprint, of rates by rising footprint: between two measured ones by the logarithm of the
/// footprint, beyond them as at the nearest; NaN if there are none.
pub(crate) fn rate_at(rates: &[Rate], footprint: u64) -> f64 {
    let after = rates.partition_point(|rate| rate.footprint < footprint);
    match (after.checked_sub(1).and_then(|i| rates.get(i)), rates.get(after)) {
        (Some(low), Some(high)) => between(low, high, footprint),
        (Some(rate), None) | (None, Some(rate)) => rate.per_second,
        (None, None) => f64::NAN,
    }
}

fn between(low: &Rate, high: &Rate, footprint: u64) -> f64 {
    let log = |bytes: u64| (bytes as f64).ln();
    let share = (log(footprint) - log(low.footprint)) / (log(high.footprint) - log(low.footprint));
    low.per_second + share * (high.per_second - low.per_second)
}

/// Bytes of the array: a power of two that leaves most of the memory to others.
fn arena(effort: Effort) -> u64 {
    let wanted: u64 = if effort == Effort::Quick { 256 << 20 } else { 1 << 30 };
    let there = machine::available_memory().or_else(memory::physical).unwrap_or(wanted * 8) / 8;
    wanted.min(there.max(LEAST).next_power_of_two() / 2).max(LEAST)
}

/// An array that was written, so that its pages are there.
fn touched(len: usize) -> Result<Pages<u32>> {
    let mut array = Pages::<u32>::scratch(len)?;
    array.par_chunks_mut(PIECE).enumerate().for_each(|(i, piece)| piece.fill(i as u32));
    Ok(array)
}

fn random_places(count: usize) -> Result<Pages<u32>> {
    let mut places = Pages::<u32>::scratch(count)?;
    places.par_iter_mut().enumerate().for_each(|(i, place)| *place = hash::mix(7, i as u64) as u32);
    Ok(places)
}

/// The least seconds of some passes.
fn best(passes: u32, pass: &mut dyn FnMut()) -> f64 {
    (0..passes).map(|_| seconds_of(&mut *pass)).fold(f64::INFINITY, f64::min).max(1e-9)
}

fn seconds_of(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn copy_halves(array: &mut [u32]) {
    let (from, to) = array.split_at_mut(array.len() / 2);
    let pieces = to.par_chunks_mut(4 * PIECE).zip(from.par_chunks(4 * PIECE));
    pieces.for_each(|(to, from)| to.copy_from_slice(from));
}

/// The median time to have all sleeping threads do nothing.
fn wake() -> f64 {
    let once = |_| {
        std::thread::sleep(Duration::from_millis(1));
        seconds_of(|| _ = rayon::broadcast(|_| ()))
    };
    statistics::median(&(0..WAKES).map(once).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_lie_between_those_of_footprints_and_time_at_the_limit_is_streaming_plus_gathering() {
        let rate = |footprint, per_second| Rate { footprint, per_second };
        let gather = vec![rate(1 << 20, 8e8), rate(1 << 24, 4e8), rate(1 << 28, 1e8)];
        let limits = Limits { copy: 1e9, gather, ..Limits::default() };
        let at = |bytes| rate_at(&limits.gather, bytes);
        assert!((at(1 << 22) - 6e8).abs() < 1.0);
        assert_eq!([16, 1 << 24, 1 << 40].map(at), [8e8, 4e8, 1e8]);
        let traffic = Traffic { streamed: 2_000_000_000, gathers: 400_000_000, footprint: 1 << 20 };
        assert_eq!(limits.seconds_of(&traffic), 2.5);
        assert_eq!(limits.seconds_of(&Traffic { streamed: 0, gathers: 0, footprint: 0 }), 0.0);
    }

    #[test]
    fn a_quick_measurement_has_every_figure_and_ends_when_it_is_cancelled() {
        let control = Control::new();
        let limits = Limits::measure(Effort::Quick, &control).unwrap();
        assert!(limits.copy > 1e6 && limits.wake > 0.0 && limits.atomic.per_second > 1e3);
        assert!(!limits.gather.is_empty() && limits.gather.iter().all(|rate| rate.per_second > 1e3));
        assert!(limits.gather.is_sorted_by_key(|rate| rate.footprint));
        control.cancel();
        assert!(Limits::measure(Effort::Quick, &control).is_err());
    }

    #[test]
    fn copies_and_additions_do_what_they_say() {
        let mut array: Vec<u32> = (0..1 << 12).collect();
        let (places, sum) = (array.clone(), |array: &[u32]| array.iter().map(|&x| u64::from(x)).sum::<u64>());
        copy_halves(&mut array);
        assert_eq!(array[1 << 11..], places[..1 << 11]);
        let before = sum(&array);
        probe::add(&mut array[..1 << 10], &places);
        assert_eq!(sum(&array), before + (1 << 12));
    }
}
