//! What a run along paths needs beside its program.

use super::{Prepared, VertexProgram};
use crate::{Error, Options, PathPlan, Result};
use std::sync::Arc;
use warpgraph_graph::Paths;

/// The paths of a run, and how to walk them.
#[derive(Debug)]
pub struct AlongPaths<'o> {
    /// The paths of the graph.
    pub paths: &'o Arc<Paths>,
    /// The options of the model.
    pub plan: PathPlan,
}

impl<P: VertexProgram> Prepared<'_, P> {
    /// Returns the paths to walk, for a plan of the model `paths` that [`Rules::check`](crate::Rules::check) accepts.
    ///
    /// # Errors
    /// [`Error::Refused`] if the plan names another model, or if the options have no paths.
    pub fn along_paths<'o>(&self, options: &'o Options, label: &str) -> Result<AlongPaths<'o>> {
        let (plan, paths) = (options.plan.paths(), options.paths.as_ref());
        plan.zip(paths).map(|(plan, paths)| AlongPaths { paths, plan }).ok_or_else(|| Error::Refused {
            what: format!("{} on {label} cannot run along paths: they were not made", P::NAME),
            help: "load the graph with an engine, which makes them".to_owned(),
        })
    }
}
