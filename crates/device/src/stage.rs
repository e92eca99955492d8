//! [`Stage`]: the steps of opening a device and compiling for it, for callers that record how long each takes.

use crate::Settings;
use std::{sync::Arc, time::Instant};

/// A step of opening a device, or of compiling for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Finding and starting the driver, and asking it about the device.
    Driver,
    /// Finding the compiler.
    Compiler,
    /// Creating the context.
    Context,
    /// Creating the streams and the cancel word.
    Streams,
    /// Compiling a module, without the search in the cache.
    Compile,
}

/// A callback that receives a stage, the name of the module if the stage has one, and when the stage started and ended.
pub type TellStage = Arc<dyn Fn(Stage, Option<&str>, [Instant; 2]) + Send + Sync>;

impl Settings {
    /// Runs a step and passes its times to the callback for stages, on the same thread.
    pub(crate) fn staged<T>(&self, stage: Stage, module: Option<&str>, work: impl FnOnce() -> T) -> T {
        staged(self.stages.as_ref(), stage, module, work)
    }
}

/// Runs a step and passes its times to `tell`, if there is one.
pub(crate) fn staged<T>(
    tell: Option<&TellStage>,
    stage: Stage,
    module: Option<&str>,
    work: impl FnOnce() -> T,
) -> T {
    let Some(tell) = tell else { return work() };
    let start = Instant::now();
    let done = work();
    tell(stage, module, [start, Instant::now()]);
    done
}
