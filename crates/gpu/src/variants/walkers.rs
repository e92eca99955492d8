//! The modules of persistent walkers. Offsets are 32 bits wide in all of them.

use super::{head, module, with_heads};
use crate::{
    bc::{ARCS_WALKED, BcWalkArgs, ENDED, MANY_PATHS, SCALED_ARRIVED, SCALED_ENDED},
    bfs::BfsArgs,
    sssp::{self, SsspArgs},
    walk,
};
use std::{
    fmt::Write as _,
    sync::{Arc, OnceLock},
};
use warpgraph_core::{Result, program::ScalarType};
use warpgraph_device::{Arguments, Source};

/// Pull once the frontier's arcs exceed the unexplored arcs divided by `PULL_SHARE`, and push again once the frontier
/// has at most all vertices divided by `PUSH_SHARE`.
const PULL_SHARE: u32 = 15;
const PUSH_SHARE: u32 = 18;
/// Always push while the frontier has at most this share of the vertices in arcs, because a pull looks at all vertices.
const LEAST_SHARE: u32 = 64;

/// Returns a module that every call needs; the first call creates it.
fn once(kept: &OnceLock<Arc<Source>>, make: impl FnOnce() -> Result<Arc<Source>>) -> Result<Arc<Source>> {
    if let Some(source) = kept.get() {
        return Ok(Arc::clone(source));
    }
    let source = make()?;
    Ok(Arc::clone(kept.get_or_init(|| source)))
}

/// Returns the module of the direction-optimising search, with this many heads per row.
pub(crate) fn bfs(heads: u32) -> Result<Arc<Source>> {
    static KEPT: OnceLock<Arc<Source>> = OnceLock::new();
    if heads == 0 { once(&KEPT, || make_bfs(0)) } else { make_bfs(heads) }
}

fn make_bfs(heads: u32) -> Result<Arc<Source>> {
    let mut text = head(false) + &BfsArgs::cuda() + &walk::defines();
    let _ = writeln!(text, "#define PULL_SHARE {PULL_SHARE}u\n#define PUSH_SHARE {PUSH_SHARE}u");
    let _ = writeln!(text, "#define LEAST_SHARE {LEAST_SHARE}u\n#define HEADS {heads}u");
    module(&with_heads("bfs-walk", heads), false, &(text + "#include \"bfs.cu\"\n"), vec!["bfs_walk"])
}

/// Returns the module of shortest paths, for these types of distances and weights.
pub(crate) fn sssp(distance: ScalarType, weight: ScalarType) -> Result<Arc<Source>> {
    static KEPT: [OnceLock<Arc<Source>>; sssp::TYPES.len()] = [const { OnceLock::new() }; sssp::TYPES.len()];
    match sssp::TYPES.iter().position(|types| *types == (distance, weight)) {
        Some(at) => once(&KEPT[at], || make_sssp(distance, weight)),
        None => make_sssp(distance, weight),
    }
}

fn make_sssp(distance: ScalarType, weight: ScalarType) -> Result<Arc<Source>> {
    let (key, greatest) = match distance {
        ScalarType::U64 => ("u64", "0xffffffffffffffffull"),
        ScalarType::F64 => ("u64", "0x7ff0000000000000ull"),
        ScalarType::F32 => ("u32", "0x7f800000u"),
        _ => ("u32", "0xffffffffu"),
    };
    let mut text = head(false) + &SsspArgs::cuda() + &walk::defines();
    let _ = writeln!(text, "typedef {distance} Distance;\ntypedef {weight} Weight;\ntypedef {key} Key;");
    let _ = writeln!(text, "#define GREATEST static_cast<Key>({greatest})");
    let name = format!("sssp-walk-{distance}-{weight}");
    module(&name, false, &(text + "#include \"sssp.cu\"\n"), vec!["sssp_walk"])
}

/// Returns the module of betweenness along the frontiers of a search.
pub(crate) fn bc_walk() -> Result<Arc<Source>> {
    static KEPT: OnceLock<Arc<Source>> = OnceLock::new();
    once(&KEPT, make_bc_walk)
}

fn make_bc_walk() -> Result<Arc<Source>> {
    let mut text = head(false) + &BcWalkArgs::cuda() + &walk::defines();
    let _ = writeln!(text, "#define MANY_PATHS {MANY_PATHS}u\n#define ARCS_WALKED {ARCS_WALKED}u");
    let _ = writeln!(text, "#define ENDED {ENDED}u\n#define SCALED_ARRIVED {SCALED_ARRIVED}u");
    let _ = writeln!(text, "#define SCALED_ENDED {SCALED_ENDED}u");
    text += "#include \"bc_walk.cu\"\n#include \"bc_walk_scaled.cu\"\n";
    module("bc-walk", false, &text, vec!["bc_walk", "bc_walk_scaled"])
}
