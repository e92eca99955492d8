//! Connected components as the program `components`: the smallest vertex of each component spreads along arcs of both
//! directions.

use super::WccAnswer;
use crate::{
    Options, Result,
    program::{Prepared, Runs, Ways, library::Components},
};

/// Returns the component of every vertex, named by its smallest vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub fn by_program(engine: &impl Runs, options: &Options) -> Result<WccAnswer> {
    let prepared = Prepared::new(&Components {}, engine.graph(), None)?;
    let ran = engine.run(&prepared, options, Ways::Both)?;
    Ok(WccAnswer::new(engine.graph(), ran.values, ran.run))
}
