//! A new graph in a process whose engine is open: opens the file, runs and has the answer, several times.

use super::Waited;
use std::path::Path;
use warpgraph::{
    Control, Engine, Graph, Options, Question, Result,
    graph::{ReadOptions, Timeline},
};

/// Returns the times of `runs` new graphs, after one that is not timed.
///
/// # Errors
/// Those of reading and of the run; what `control` asks for.
pub fn measure(
    engine: &Engine,
    question: &dyn Question,
    file: &Path,
    runs: u64,
    control: &Control,
) -> Result<Vec<Waited>> {
    let once = || {
        let timeline = Timeline::start();
        let control = control.clone().with_timeline(&timeline);
        let graph = Graph::open_with(file, &ReadOptions::default(), &control)?;
        let loaded = engine.load_as_stored(&graph)?;
        let options = Options { control, ..Options::default() };
        let _answer = loaded.ask(question, &options)?;
        Ok(Waited::within(&timeline.snapshot()))
    };
    engine.install(|| {
        once()?;
        (0..runs).map(|_| once()).collect()
    })
}
