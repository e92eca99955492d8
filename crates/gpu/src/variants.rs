//! The texts of all modules, and the table of those that are built in.
//!
//! A module is a functor, the types it is compiled for, a direction and a balance. Everything that is launched is put together
//! here; [`all`] lists what the built-in algorithms and the library of programs can ever ask for, so that a test can
//! compile each for every architecture.

use crate::{
    arguments::{ADDS_TO_INIT, BcArgs, FROM_START, FrontierArgs, ONCE, ProgramArgs},
    bc, pagerank,
    print::{self, Printed, Types},
    sssp::Lengths,
};
use std::fmt::Write as _;
use warpgraph_core::{
    Balance, Direction, Halt, Result,
    program::{
        Combine, ScalarType, Traced, VertexProgram,
        library::{Adsorption, Components, HopTree, Hops, Ranks, Reach, ShortestPaths, WidestPaths},
    },
};
use warpgraph_device::{Arguments, PRELUDE, Source};
use warpgraph_graph::{Graph, hash};

/// Every file of kernels.
const FILES: [(&str, &str); 13] = [
    PRELUDE,
    print::FILES[0],
    print::FILES[1],
    ("frontier.cuh", include_str!("../kernels/frontier.cuh")),
    ("advance/node.cuh", include_str!("../kernels/advance/node.cuh")),
    ("advance/workload.cuh", include_str!("../kernels/advance/workload.cuh")),
    ("frontier.cu", include_str!("../kernels/frontier.cu")),
    ("program.cuh", include_str!("../kernels/program.cuh")),
    ("program_vertices.cu", include_str!("../kernels/program_vertices.cu")),
    ("program_push.cu", include_str!("../kernels/program_push.cu")),
    ("program_pull.cu", include_str!("../kernels/program_pull.cu")),
    ("bc.cu", include_str!("../kernels/bc.cu")),
    ("bc_vertices.cu", include_str!("../kernels/bc_vertices.cu")),
];

/// Both balances, in the order of the table.
const BALANCES: [Balance; 2] = [Balance::Node, Balance::Workload];

/// A program ready to be put into modules.
#[derive(Debug, Clone)]
pub(crate) struct Functor {
    pub(crate) name: &'static str,
    pub(crate) types: Types,
    pub(crate) printed: Printed,
}

impl Functor {
    /// Of a traced program.
    pub(crate) fn new<P: VertexProgram>(traced: &Traced) -> Result<Self> {
        let types = Types::of::<P>();
        Ok(Self { name: P::NAME, types, printed: print::program(P::NAME, traced, types)? })
    }

    fn of<P: VertexProgram>(program: &P) -> Result<Self> {
        Self::new::<P>(&Traced::of(program)?)
    }

    /// What comes before the kernels of a program.
    fn head(&self, wide: bool) -> String {
        let gathered = match (self.types.combine, self.types.value) {
            (Combine::Sum, ScalarType::F32) => ScalarType::F64,
            (_, value) => value,
        };
        let mut text = head(wide);
        text += "#include \"scalar.cuh\"\n#include \"combine.cuh\"\n";
        text += &self.printed.types;
        let _ = writeln!(text, "// What a row's messages are joined in.\ntypedef {gathered} Gathered;");
        text += &ProgramArgs::cuda();
        for (name, flag) in [("FROM_START", FROM_START), ("ADDS_TO_INIT", ADDS_TO_INIT), ("ONCE", ONCE)] {
            let _ = writeln!(text, "#define {name} {flag}u");
        }
        text + "#include \"program.cuh\"\n" + &self.printed.program
    }

    /// What vertices do between expansions.
    pub(crate) fn vertices(&self, wide: bool) -> Result<Source> {
        let kernels = vec!["program_init", "program_apply", "program_settle", "program_sweep"];
        let text = self.head(wide) + "#include \"program_vertices.cu\"\n";
        module(&format!("{}-vertices", self.name), wide, &text, kernels)
    }

    /// Expansion in a direction.
    pub(crate) fn expand(&self, wide: bool, direction: Direction, balance: Balance) -> Result<Source> {
        let kernel = match direction {
            Direction::Push => "program_push",
            Direction::Pull => "program_pull",
        };
        let text =
            self.head(wide) + &format!("#include \"advance/{balance}.cuh\"\n#include \"{kernel}.cu\"\n");
        module(&format!("{}-{direction}-{balance}", self.name), wide, &text, vec![kernel])
    }

    /// All of its modules.
    fn modules(&self, into: &mut Vec<Source>) -> Result<()> {
        for wide in [false, true] {
            into.push(self.vertices(wide)?);
            for direction in [Direction::Push, Direction::Pull] {
                for balance in BALANCES {
                    into.push(self.expand(wide, direction, balance)?);
                }
            }
        }
        Ok(())
    }
}

/// The first lines of every module.
fn head(wide: bool) -> String {
    let offset = if wide { "u64" } else { "u32" };
    format!("#include \"prelude.cuh\"\ntypedef {offset} Offset;\n#include \"frontier.cuh\"\n")
}

/// A module; its name ends with a hash of its text, since programs of the user's own may share theirs.
fn module(name: &str, wide: bool, text: &str, kernels: Vec<&'static str>) -> Result<Source> {
    let width = if wide { 64 } else { 32 };
    let mut source = Source::assemble(name, text, &FILES, kernels).map_err(crate::lift)?;
    let hash = source.text.bytes().fold(0, |h, byte| hash::mix(h, u64::from(byte)));
    source.name = format!("{name}-{width}-{:08x}", hash as u32);
    Ok(source)
}

/// What frontiers need.
pub(crate) fn frontier(wide: bool) -> Result<Source> {
    let kernels =
        vec!["frontier_arcs", "frontier_bitmap", "frontier_stamp", "scan_tiles", "scan_sums", "scan_add"];
    let text = head(wide) + &FrontierArgs::cuda() + "#include \"frontier.cu\"\n";
    module("frontier", wide, &text, kernels)
}

/// Betweenness over distances of a type: what its vertices do, or its expansions by a balance.
pub(crate) fn betweenness(wide: bool, types: bc::Types, balance: Option<Balance>) -> Result<Source> {
    let bc::Types { distance, weight } = types;
    let mut text = head(wide) + "#include \"scalar.cuh\"\n" + &BcArgs::cuda();
    let _ = writeln!(text, "typedef {distance} Distance;\ntypedef {weight} Weight;");
    for (name, number) in [
        ("ENDPOINTS", bc::ENDPOINTS),
        ("OVERFLOWED", bc::OVERFLOWED as u32),
        ("VANISHED", bc::VANISHED as u32),
    ] {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    match balance {
        None => {
            text += "#include \"bc_vertices.cu\"\n";
            let kernels = vec!["bc_clear", "bc_begin", "bc_score", "bc_check"];
            module(&format!("bc-{distance}-{weight}-vertices"), wide, &text, kernels)
        }
        Some(balance) => {
            text += &format!("#include \"advance/{balance}.cuh\"\n#include \"bc.cu\"\n");
            let kernels = vec!["bc_expect", "bc_forward", "bc_count", "bc_backward"];
            module(&format!("bc-{distance}-{weight}-{balance}"), wide, &text, kernels)
        }
    }
}

/// Every module that the built-in algorithms and the library of programs can ask for.
///
/// # Errors
/// None that a user could cause: a program that cannot be printed, or a file that is missing.
pub fn all() -> Result<Vec<Source>> {
    let graph = Graph::from_edges(1, &[], false)?;
    let halt = Halt::l1(1e-6);
    let adsorption = |weighted| Adsorption { inject: vec![0.0], pass: vec![0.0], weighted, halt };
    let functors = [
        Functor::of(&HopTree { source: 0, limit: 0 })?,
        Functor::of(&Hops::from(0))?,
        Functor::of(&Reach::from([0], 1))?,
        Functor::of(&ShortestPaths::<u32>::from(0))?,
        Functor::of(&ShortestPaths::<i32>::from(0))?,
        Functor::of(&ShortestPaths::<u64>::from(0))?,
        Functor::of(&ShortestPaths::<f32>::from(0))?,
        Functor::of(&ShortestPaths::<f64>::from(0))?,
        Functor::of(&Lengths::<u32, u32>::from(0))?,
        Functor::of(&Lengths::<u64, u32>::from(0))?,
        Functor::of(&Lengths::<u32, i32>::from(0))?,
        Functor::of(&Lengths::<u64, i32>::from(0))?,
        Functor::of(&Lengths::<f64, i32>::from(0))?,
        Functor::of(&Lengths::<f32, f32>::from(0))?,
        Functor::of(&Lengths::<f64, f64>::from(0))?,
        Functor::of(&WidestPaths::<f32>::from(0))?,
        Functor::of(&WidestPaths::<f64>::from(0))?,
        Functor::of(&Components {})?,
        Functor::of(&Ranks::<f32>::of(&graph, 0.85, halt))?,
        Functor::of(&Ranks::<f64>::of(&graph, 0.85, halt))?,
        Functor::of(&pagerank::Walk::example(false))?,
        Functor::of(&pagerank::Walk::example(true))?,
        Functor::of(&adsorption(false))?,
        Functor::of(&adsorption(true))?,
    ];
    let mut all = vec![frontier(false)?, frontier(true)?];
    for wide in [false, true] {
        for types in bc::TYPES {
            all.push(betweenness(wide, types, None)?);
            for balance in BALANCES {
                all.push(betweenness(wide, types, Some(balance))?);
            }
        }
    }
    for functor in functors {
        functor.modules(&mut all)?;
    }
    Ok(all)
}
