//! A new graph in a process whose engine is open: opens the file, runs and has the answer, several times.

use super::Waited;
use std::path::Path;
use warpgraph::{
    Control, DEFAULT_SEED, Engine, Options, Outline, Purpose, Question, Result,
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
        let options = Options { control, ..Options::default() };
        let modules = |outline: &Outline| question.ahead(outline, &options);
        let purpose = Purpose { modules: Some(&modules), ..Purpose::default() };
        let opened = engine.read(file, &ReadOptions::default(), purpose, &options.control)?;
        let loaded = engine.load_opened(opened, None, DEFAULT_SEED, &options.control)?;
        let _answer = loaded.ask(question, &options)?;
        Ok(Waited::within(&timeline.snapshot()))
    };
    engine.install(|| {
        once()?;
        (0..runs).map(|_| once()).collect()
    })
}
