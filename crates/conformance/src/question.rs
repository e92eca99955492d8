//! [`Question`]: a configuration of any algorithm, so that a theme can ask all of them in one loop.

use warpgraph::{Answer, Dispatch, Loaded, Result};
use warpgraph_core::Options;

/// A question of some algorithm.
pub trait Question: Send + Sync {
    /// The name of the algorithm.
    fn name(&self) -> &'static str;

    /// Answers on a loaded graph.
    ///
    /// # Errors
    /// The engine's.
    fn ask(&self, loaded: &Loaded, options: &Options) -> Result<Box<dyn Answer>>;
}

impl<A: Dispatch<Answer: 'static>> Question for A {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn ask(&self, loaded: &Loaded, options: &Options) -> Result<Box<dyn Answer>> {
        let job = loaded.job(self.clone()).plan(options.plan).control(&options.control);
        let answer = job.trace(options.trace).deterministic(options.deterministic).run()?;
        Ok(Box::new(answer))
    }
}
