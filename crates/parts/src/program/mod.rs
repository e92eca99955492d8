//! Runs any [`VertexProgram`] in parts, by supersteps.
//!
//! In a superstep the active vertices of every part send along their arcs. Messages to own vertices are combined in place.
//! Messages to vertices of other parts are combined in an array with an entry per ghost, and what has arrived there
//! travels to the owners at the end of the superstep, one value per (sender, vertex): see [`crate::mail`].
//!
//! - [`spread`]: `Min`, `Max` and `Or`. The entry of a ghost keeps the best value that was sent, so that no part sends what
//!   does not improve on it. The fixed point does not depend on the order of messages, so the answer is that of one
//!   process, bit for bit.
//! - [`strict`]: the same monoids for programs with their own `apply` or `active`: messages are joined first and then applied,
//!   as on one process, so answers agree bit for bit, with a limit of rounds too.
//! - [`sum`]: `Sum`, as full supersteps, or by changes if the program distributes. The answer differs from that of one process
//!   by rounding, and by what the halt rule allows.
//!
//! Every member must have the same program. Its columns are whole: one value per vertex of the graph, also for those of
//! other parts.

mod ground;
mod spread;
mod strict;
mod sum;

pub(crate) use ground::{Ended, Ground, column};
pub(crate) use spread::{Spread, Stepped};

use crate::{Exchange, Part, PartRun, Result};
use std::sync::Arc;
use warpgraph_core::program::{Combine, VertexProgram, Ways};
use warpgraph_graph::Control;

/// Starts a program on one part; collective.
///
/// Does not call [`VertexProgram::check`], which looks at a graph in memory.
///
/// # Errors
/// When the program or its inputs are refused; when the part has no incoming arcs and `ways` needs them; when another member
/// fails.
pub fn start_program<P: VertexProgram>(
    program: &Arc<P>,
    part: &Arc<Part>,
    ways: Ways,
    exchange: &mut dyn Exchange,
    control: &Control,
) -> Result<Box<dyn PartRun>> {
    control.check("starting a program")?;
    let part = &Arc::new(part.known(exchange)?);
    let ground = Ground::new(program, part, ways, exchange)?;
    Ok(match P::COMBINE {
        Combine::Sum => Box::new(sum::Sum::new(ground)?),
        _ if ground.traced.plain => Box::new(spread::Spread::new(ground, None)?),
        _ => Box::new(strict::Strict::new(ground)?),
    })
}
