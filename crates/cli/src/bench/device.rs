//! The GPU that is to be measured.

use crate::{
    failure::{Failure, Result},
    session::Session,
};
use warpgraph::{Gpu, Order, Plan};

/// A plan that only GPUs take.
const ONLY_GPUS: &str = "bsp+push+node";

/// The GPU; looks for it where that was left open. `otherwise` says how to try without one.
pub(super) fn gpu<'a>(session: &'a Session, otherwise: &str) -> Result<&'a Gpu> {
    let node: Plan = ONLY_GPUS.parse()?;
    // What it says of the processor is of no use here: only whether there is a GPU.
    let _ = session.engine.check("bfs", node, Order::Natural, false);
    session.engine.gpu().ok_or_else(|| {
        let why = session
            .engine
            .why_no_gpu()
            .map_or_else(|| "--device cpu is none".to_owned(), ToString::to_string);
        let help =
            format!("use --device cuda where there is one, or {otherwise} to try it on a simulated one");
        Failure::new("refused", format!("there is no GPU to measure: {why}"), help)
    })
}
