//! One run of an algorithm that is given by its name and a configuration as JSON.

use serde_json::{Value, json};
use std::time::Instant;
use warpgraph::{Entry, Loaded, Options, Result, Run, VertexId, Violation};

/// What one run gave.
#[derive(Debug, Clone)]
pub(super) struct Answered {
    /// The whole configuration.
    pub(super) config: Value,
    /// How it went.
    pub(super) run: Run,
    /// Arcs of the vertices reached.
    pub(super) arcs: u64,
    /// Vertices that a search reached.
    pub(super) reached: Option<u64>,
    /// Seconds of verification, and what was wrong.
    pub(super) verify: Option<(f64, Option<Violation>)>,
}

/// Runs an algorithm once.
///
/// # Errors
/// The run's; that there is no such algorithm, or it has no such configuration.
pub(super) fn ask(
    algorithm: &str,
    config: Value,
    loaded: &Loaded,
    options: &Options,
    verify: bool,
) -> Result<Answered> {
    let question = warpgraph::find(algorithm)?.question(config)?;
    let (answer, _) = loaded.ask(&*question, options)?;
    let verified = || {
        let start = Instant::now();
        let violation = answer.verify(loaded.graph()).err();
        (start.elapsed().as_secs_f64(), violation)
    };
    let finds_paths = question.entry().finds_paths;
    Ok(loaded.engine().install(|| Answered {
        config: question.config(),
        run: answer.run().clone(),
        arcs: answer.arcs_reached(),
        reached: finds_paths.then(|| answer.summary()["reached"].as_u64()).flatten(),
        verify: verify.then(verified),
    }))
}

/// Returns a configuration that starts at a vertex; some algorithms take a list of them.
pub(super) fn starting_at(entry: &Entry, config: &Value, source: &VertexId) -> Value {
    let mut config = config.clone();
    config["source"] = match entry.usual().config()["source"].is_array() {
        true => json!([source]),
        false => json!(warpgraph::Source::Vertex(source.clone())),
    };
    config
}
