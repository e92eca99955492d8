//! A verifier that accepts everything is no verifier: right answers are damaged, and the damage must be named.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod adsorption;
mod bc;
mod bfs;
mod closeness;
mod kcore;
mod label_propagation;
mod mst;
mod pagerank;
mod programs;
mod scc;
mod sssp;
mod triangles;
mod wcc;

use warpgraph::{
    Adsorption, AdsorptionAnswer, Answer, Bc, BcAnswer, Bfs, BfsAnswer, ClosenessAnswer, Direction, Graph,
    Halted, KcoreAnswer, LabelPropagation, LabelPropagationAnswer, MstAnswer, Order, PageRank,
    PageRankAnswer, Plan, ProgramAnswer, Run, SccAnswer, SsspAnswer, TrianglesAnswer, VertexProgram,
    WccAnswer,
    bfs::UNREACHED,
    graph::{NO_VERTEX, Pages, Vertex, build::EdgeWeights},
    program::{
        Combine, Dialect, Edge, Scalar, Vertex as Seen,
        library::{Hops, Ranks, Reach, ShortestPaths, WidestPaths},
    },
    sssp::Distances,
    triangles::Local,
};
use warpgraph_conformance::{Backend, Cpu, fixtures::Edges};

fn run(halt: Halted) -> Run {
    Run {
        device: warpgraph::Device::Cpu,
        form: warpgraph::Form::Native,
        plan: Plan::bsp(Some(Direction::Push)),
        order: Order::Natural,
        threads: 1,
        rounds: 1,
        halt,
        fetch_seconds: 0.0,
        prepare_seconds: 0.0,
        transfer_seconds: 0.0,
        compile_seconds: 0.0,
        device_bytes: 0,
        kernel_seconds: 0.0,
        extra_bytes: 0,
        tiles: None,
        tiling_seconds: None,
        seconds: 0.0,
        state_bytes: 0,
        trace: Vec::new(),
    }
}

/// The rule that an answer breaks; empty if none.
fn broken(answer: &impl Answer, graph: &Graph) -> &'static str {
    answer.verify(graph).map_or_else(|violation| violation.rule, |()| "")
}

/// 0 -> 1 -> 2 -> 3, 0 -> 4 -> 3, 5 -> 0, 6 alone; vertices 5 and 6 are out of reach of 0.
fn graph() -> Graph {
    Edges::new(7, [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (5, 0)]).build(true)
}
