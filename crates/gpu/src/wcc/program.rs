//! Connected components as the program `components`: the smallest vertex of everyone's component, told along arcs of both directions.

use crate::{
    Resident,
    program::{self, Ways},
};
use warpgraph_core::{
    Options, Result,
    program::{Prepared, library::Components},
    wcc::WccAnswer,
};

/// The component of every vertex, named by its smallest vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub(super) fn wcc(resident: &Resident, options: &Options) -> Result<WccAnswer> {
    let prepared = Prepared::new(&Components {}, resident.graph(), None)?;
    let (components, _, run) = program::run(resident, &prepared, options, Ways::Both)?;
    Ok(WccAnswer::new(resident.graph(), components, run))
}
