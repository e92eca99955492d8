//! The GPU that is to be measured.

use crate::{
    failure::{Failure, Result},
    session::Session,
};
use warpgraph::Gpu;

/// The GPU; looks for it where that was left open. `otherwise` says how to try without one.
pub(super) fn gpu<'a>(session: &'a Session, otherwise: &str) -> Result<&'a Gpu> {
    session.engine.look_for_gpu().ok_or_else(|| {
        let why = session
            .engine
            .why_no_gpu()
            .map_or_else(|| "--device cpu is none".to_owned(), ToString::to_string);
        let help =
            format!("use --device cuda where there is one, or {otherwise} to try it on a simulated one");
        Failure::new("refused", format!("there is no GPU to measure: {why}"), help)
    })
}
