//! [`stages`]: records the steps of opening a GPU and compiling for it on a timeline.

use std::sync::Arc;
use warpgraph_device::{Stage, TellStage, is_ahead};
use warpgraph_graph::{
    Control,
    timeline::{Lane, Phase},
};

/// Returns a callback for [`Settings::stages`](crate::Settings::stages) that records every step on the timeline of
/// `control`; `None` if it has no timeline.
///
/// ```
/// use warpgraph::{Control, Device, Engine, Settings, graph::Timeline, stages};
///
/// # fn main() -> Result<(), warpgraph::Error> {
/// let timeline = Timeline::start();
/// let control = Control::new().with_timeline(&timeline);
/// let settings = Settings { stages: stages(&control), ..Settings::default() };
/// let engine = Engine::with(Device::Auto, None, settings)?;
/// engine.look_for_gpu();
/// assert!(timeline.snapshot().spans.iter().any(|span| span.phase.name() == "driver"));
/// # Ok(())
/// # }
/// ```
pub fn stages(control: &Control) -> Option<TellStage> {
    let timeline = control.timeline()?.clone();
    Some(Arc::new(move |stage, module, [start, end]| {
        let _lane = is_ahead().then(|| Lane::Kernels.enter());
        timeline.record(phase(stage), module.map(str::to_owned), start, end);
    }))
}

fn phase(stage: Stage) -> Phase {
    match stage {
        Stage::Driver => Phase::Driver,
        Stage::Compiler => Phase::Compiler,
        Stage::Context => Phase::Context,
        Stage::Streams => Phase::Streams,
        Stage::Compile => Phase::Compiling,
    }
}
