//! The same answers as supersteps: equal for `Min`, `Max` and `Or`, within the tolerance for sums.

use super::{
    Sample, along,
    graphs::{Kind, Random},
    pool,
    programs::{Flags, Halves, WaysTo},
    step, walk, with_faults,
};
use crate::Options;
use warpgraph_core::{
    Answer, Halt, Model,
    program::{
        Float, Scalar, VertexProgram,
        library::{Adsorption, Components, HopTree, Hops, Ranks, Reach, ShortestPaths, WidestPaths},
    },
};

const GRAPHS: u64 = 300;
const THREADS: [usize; 3] = [1, 2, 4];

/// Calls `test` with random graphs, and for each with one of the thread pools and a value of Np.
fn each_sample(kind: Kind, mut test: impl FnMut(&Sample, &mut Random, &Options) + Send) {
    let pools = THREADS.map(pool);
    for seed in 0..GRAPHS {
        let size = if seed % 10 == 0 { 300 } else { 40 };
        let sample = Sample::random(seed, size, kind);
        let (np, pool) = (1 + seed as u32 % 4, &pools[seed as usize % pools.len()]);
        let mut random = Random::new(seed ^ 0xabc);
        pool.install(|| test(&sample, &mut random, &along(&sample, np)));
    }
}

/// Returns whether both models give the same bits.
fn agrees<P: VertexProgram + Clone>(sample: &Sample, program: &P, options: &Options) -> bool {
    let expected = step(sample, program).unwrap();
    let answer = walk(sample, program, options).unwrap();
    let run = answer.run();
    assert_eq!(run.plan.model, Some(Model::Paths(options.plan.paths().unwrap())));
    let (work, paths) = (run.work.unwrap(), run.paths.unwrap());
    assert!(work.updates <= work.edges && work.merges <= work.updates, "{work:?}");
    assert!(paths.handled >= run.rounds && paths.chunks as usize == sample.paths.chunks(), "{paths:?}");
    assert!((0.0..=1.0).contains(&paths.busy), "{paths:?}");
    let bits = |values: &[P::Value]| values.iter().map(|value| value.bits()).collect::<Vec<_>>();
    bits(answer.values()) == bits(expected.values())
}

fn same<P: VertexProgram + Clone>(sample: &Sample, program: &P, options: &Options) {
    assert!(agrees(sample, program, options), "{} on {}", P::NAME, sample.text);
}

/// Checks that the residual is below the tolerance, and the answer as near as that allows.
fn near<P: VertexProgram + Clone>(sample: &Sample, program: &P, options: &Options, spread: f64, noise: f64) {
    let expected = step(sample, program).unwrap();
    let answer = walk(sample, program, options).unwrap();
    let at = format!("{} on {}", P::NAME, sample.text);
    answer.verify(&sample.graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
    let tolerance = program.halt().tolerance().unwrap();
    assert!(answer.residual().unwrap() < tolerance, "{at}: {:?}", answer.residual());
    let pairs = answer.values().iter().zip(expected.values());
    let off: f64 = pairs.map(|(a, b)| (a.to_f64() - b.to_f64()).abs()).sum();
    let bound = 2.0 * tolerance / spread + noise * sample.graph.vertices() as f64;
    assert!(off <= bound, "{at}: {off:e} apart, allowed are {bound:e}");
}

fn ranks<T: Float>(sample: &Sample, damping: f64, tolerance: f64) -> Ranks<T> {
    Ranks::of(&sample.graph, damping, Halt::l1(tolerance))
}

fn adsorption(sample: &Sample, weighted: bool) -> Adsorption {
    let (n, arcs) = (sample.graph.vertices(), sample.graph.out());
    let mut strength = vec![0.0; n];
    for (arc, &v) in arcs.csr.targets().iter().enumerate() {
        strength[v as usize] += if weighted { arcs.weights.get(arc) } else { 1.0 };
    }
    let pass = strength.iter().map(|&s| if s > 0.0 { 0.75 / s } else { 0.0 }).collect();
    let inject = (0..n).map(|v| if v % 5 == 0 { 0.25 } else { 0.0 }).collect();
    Adsorption { inject, pass, weighted, halt: Halt::l1(1e-9) }
}

#[test]
fn searches_find_the_same_hops_and_trees() {
    each_sample(Kind::None, |sample, random, options| {
        let source = random.below(sample.graph.vertices()) as u32;
        let limit = if random.below(2) == 0 { u32::MAX } else { 3 };
        same(sample, &Hops { source, limit }, options);
        same(sample, &HopTree { source, limit }, options);
    });
}

#[test]
fn seeds_of_any_number_reach_the_same_vertices() {
    each_sample(Kind::None, |sample, random, options| {
        let n = sample.graph.vertices();
        let seeds: Vec<u32> = (0..random.below(5)).map(|_| random.below(n) as u32).collect();
        same(sample, &Reach::from(seeds.clone(), n), options);
        same(sample, &Flags { seeds }, options);
        same(sample, &Flags { seeds: (0..n as u32).collect() }, options);
    });
}

#[test]
fn whole_distances_are_the_same() {
    each_sample(Kind::Whole, |sample, random, options| {
        let source = random.below(sample.graph.vertices()) as u32;
        same(sample, &ShortestPaths::<u32>::from(source), options);
    });
}

#[test]
fn decimal_distances_and_widths_are_the_same() {
    each_sample(Kind::Decimal, |sample, random, options| {
        let source = random.below(sample.graph.vertices()) as u32;
        same(sample, &ShortestPaths::<f32>::from(source), options);
        same(sample, &WidestPaths::<f64>::from(source), options);
    });
}

#[test]
fn components_and_values_that_bounce_are_the_same() {
    each_sample(Kind::None, |sample, _, options| {
        if !sample.graph.is_directed() {
            same(sample, &Components {}, options);
        }
        same(sample, &Halves, options);
    });
}

#[test]
fn ranks_are_within_the_tolerance() {
    each_sample(Kind::None, |sample, random, options| {
        let damping = [0.85, 0.5, 0.95][random.below(3)];
        near(sample, &ranks::<f64>(sample, damping, 1e-10), options, 1.0 - damping, 1e-12);
        near(sample, &ranks::<f32>(sample, damping, 1e-4), options, 1.0 - damping, 1e-6);
    });
}

#[test]
fn adsorption_is_within_the_tolerance() {
    each_sample(Kind::Decimal, |sample, _, options| {
        near(sample, &adsorption(sample, false), options, 0.25 / 10.0, 1e-9);
        near(sample, &adsorption(sample, true), options, 0.25 / 10.0, 1e-9);
    });
}

#[test]
fn whole_sums_are_exact() {
    let pools = THREADS.map(pool);
    for seed in 0..100 {
        let sample = Sample::acyclic(seed);
        let options = along(&sample, 1 + seed as u32 % 4);
        pools[seed as usize % pools.len()].install(|| same(&sample, &WaysTo, &options));
    }
}

#[test]
fn a_crew_larger_than_the_machine_finds_the_same() {
    let pool = pool(8);
    for seed in 0..60 {
        let sample = Sample::random(1000 + seed, 400, Kind::None);
        let options = along(&sample, 3);
        let test = || {
            same(&sample, &Halves, &options);
            same(&sample, &HopTree { source: 0, limit: u32::MAX }, &options);
            near(&sample, &ranks::<f64>(&sample, 0.85, 1e-9), &options, 0.15, 1e-12);
        };
        pool.install(|| with_faults(0, seed as u32 % 3, test));
    }
}

/// The comparison can fail: if one wake-up in ten is lost, many answers are wrong.
#[test]
fn lost_wake_ups_are_noticed() {
    for threads in [1, 4] {
        let pool = pool(threads);
        let wrong = |one_in: u32| {
            let is_wrong = |seed: &u64| {
                let sample = Sample::tree(*seed, 800);
                let (options, program) = (along(&sample, 3), HopTree { source: 0, limit: u32::MAX });
                !pool.install(|| with_faults(one_in, 0, || agrees(&sample, &program, &options)))
            };
            (0..40).filter(is_wrong).count()
        };
        let (lost, none) = (wrong(10), wrong(0));
        assert!(lost >= 20 && none == 0, "{lost} and {none} of 40 answers are wrong, {threads} threads");
    }
}
