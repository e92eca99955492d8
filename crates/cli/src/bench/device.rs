//! The GPU that is to be measured.

use crate::{
    failure::{Failure, Result},
    session::Session,
};
use warpgraph::{Device, Gpu};

/// Returns the GPU; looks for it where that was left open. `otherwise` says how to try without one.
pub(super) fn gpu<'a>(session: &'a Session, otherwise: &str) -> Result<&'a Gpu> {
    session.engine.look_for_gpu().ok_or_else(|| {
        let why = match (session.engine.device(), session.engine.why_no_gpu()) {
            (Device::Cpu, _) | (_, None) => "--device cpu is none".to_owned(),
            (_, Some(why)) => why.to_string(),
        };
        let help =
            format!("use --device cuda where there is one, or {otherwise} to try it on a simulated one");
        Failure::new("refused", format!("there is no GPU to measure: {why}"), help)
    })
}
