//! Copies: every program answers as on the graph in which they are merged into their masters.

use crate::{
    Place,
    graphs::{Case, cases, chunks},
    programs::{Applied, Least, Swept},
};
use std::sync::Arc;
use warpgraph_core::{
    Halt, Options,
    program::{
        Prepared, Runs, Ways,
        library::{Adsorption, Components, HopTree, Hops, Ranks, ShortestPaths, WidestPaths},
    },
};
use warpgraph_gpu::{DeviceGraph, program};
use warpgraph_graph::{Graph, NodeMap, hash};

pub(crate) fn programs_that_improve_values_answer_as_on_the_merged_graph(place: Place) {
    for case in cases(place) {
        for plan in ["push+node", "pull+node", "push+edge(condensing=off)"] {
            case.agrees(&Arc::new(Hops::from(3)), plan);
            case.agrees(&Arc::new(HopTree { source: 3, limit: u32::MAX }), plan);
            case.agrees(&case.reach(), plan);
            case.agrees(&Arc::new(ShortestPaths::<u32>::from(3)), plan);
            case.agrees(&Arc::new(WidestPaths::<f32>::from(3)), plan);
        }
    }
}

pub(crate) fn every_balance_and_residency_reflects(place: Place) {
    for plan in [
        "push+workload",
        "push+split(mdt=2)",
        "push+hierarchical(mdt=2)",
        "push+tiled",
        "push+resident",
        "bsp",
        "push+tiled+zero-copy",
        "push+tiled+streamed",
    ] {
        Case::new(place, 4, 70, 4).agrees(&Arc::new(ShortestPaths::<u32>::from(3)), plan);
    }
}

pub(crate) fn programs_with_an_apply_of_their_own_answer_as_on_the_merged_graph(place: Place) {
    for case in cases(place) {
        for plan in ["push+node", "pull+node"] {
            case.agrees(&Arc::new(Applied), plan);
        }
    }
}

pub(crate) fn sums_answer_as_on_the_merged_graph(place: Place) {
    for case in cases(place) {
        let n = case.merged.vertices();
        let ranks = Arc::new(Ranks::<f64>::of(&case.merged, 0.85, Halt::l1(1e-9)));
        let column = |from: u64| (0..n as u64).map(|v| (hash::mix(v, from) % 100) as f64 / 1000.0).collect();
        let adsorption = |weighted| {
            let halt = Halt::l1(1e-9);
            Arc::new(Adsorption {
                inject: column(1),
                pass: column(2).iter().map(|x: &f64| x / 20.0).collect(),
                weighted,
                halt,
            })
        };
        for plan in ["push+node", "pull+node", "push+workload"] {
            case.is_near(&ranks, plan);
            case.is_near(&adsorption(true), plan);
        }
        case.is_near(&Arc::new(Swept), "pull+node");
    }
}

pub(crate) fn nothing_is_computed_for_holes(place: Place) {
    for plan in ["push+node", "pull+node"] {
        cases(place).iter().for_each(|case| case.agrees(&Arc::new(Least), plan));
    }
}

/// Returns the components of a graph, along arcs of both directions.
fn components(place: Place, graph: &Graph, options: &Options, seed: u64) -> Vec<u32> {
    let asked = Components {};
    let prepared = Prepared::new(&asked, graph, options.map.as_ref()).unwrap();
    let ran = DeviceGraph::new(&(place.open)(seed), graph).run(&prepared, options, Ways::Both).unwrap();
    match &options.map {
        Some(map) => map.restore(&ran.values).unwrap().to_vec(),
        None => ran.values.to_vec(),
    }
}

pub(crate) fn copies_pass_on_what_comes_against_the_direction_of_arcs(place: Place) {
    for plan in ["push+node", "pull+node", "push+edge(condensing=off)"] {
        for case in [(5, 80), (6, 200), (7, 50)].map(|(seed, n)| Case::new(place, seed, n, 1)) {
            let plain = Options { plan: plan.parse().unwrap(), ..Options::default() };
            let expected = components(place, &case.merged, &plain, 1);
            let options = Options { map: Some(case.map.clone()), ..plain.clone() };
            assert_eq!(
                components(place, &case.inner, &options, case.seed),
                expected,
                "{plan}, graph {}",
                case.seed
            );
            let chunks = chunks(&case.inner, |v| case.is_master(v));
            let options = Options { chunks: Some(chunks), ..options };
            assert_eq!(
                components(place, &case.inner, &options, case.seed),
                expected,
                "{plan}, graph {}",
                case.seed
            );
        }
    }
}

pub(crate) fn a_table_is_made_once_per_map(place: Place) {
    let case = Case::new(place, 8, 60, 3);
    let device_graph = DeviceGraph::new(&(place.open)(1), &case.inner);
    let ask = |map: &NodeMap| {
        let options =
            Options { map: Some(map.clone()), plan: "push+node".parse().unwrap(), ..Options::default() };
        let answer = program(&device_graph, &Arc::new(ShortestPaths::<u32>::from(3)), &options).unwrap();
        let values = map.restore(answer.values()).unwrap().to_vec();
        (values, device_graph.gpu().memory().unwrap().held)
    };
    let (first, (again, used)) = (ask(&case.map), ask(&case.map));
    assert_eq!((&first.0, first.1), (&again, used));
    let copy =
        NodeMap::new(case.map.masters().clone(), case.map.originals()[..].to_vec().into(), "a test").unwrap();
    assert_eq!(ask(&copy), (again, used), "the table of another map takes the place of the first");
}
