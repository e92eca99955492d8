//! Progress on a terminal: a bar for each stage that takes more than a second; no bar if standard error is not a
//! terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::{
    io::IsTerminal,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use warpgraph::{Control, graph::Progress};

/// A stage shows no bar before this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bar of the current stage. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Bar(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    stage: String,
    since: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// Makes `control` update this bar, unless `quiet` or standard error is not a terminal.
    pub(crate) fn watch(&self, control: Control, quiet: bool) -> Control {
        if quiet || !std::io::stderr().is_terminal() {
            return control;
        }
        let bar = self.clone();
        control.with_progress(move |progress| bar.show(progress))
    }

    /// Removes the bar, before other text is written.
    pub(crate) fn clear(&self) {
        if let Ok(mut state) = self.0.lock() {
            state.clear();
        }
    }

    fn show(&self, progress: Progress<'_>) {
        // Another thread is drawing; its figures are as recent.
        let Ok(mut state) = self.0.try_lock() else { return };
        if state.stage != progress.stage {
            state.clear();
            state.stage = progress.stage.to_owned();
        }
        if state.since.get_or_insert_with(Instant::now).elapsed() < PATIENCE {
            return;
        }
        let bar = state.bar.get_or_insert_with(|| begin(progress));
        bar.set_position(progress.done);
    }
}

impl State {
    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        (self.stage, self.since) = (String::new(), None);
    }
}

fn begin(progress: Progress<'_>) -> ProgressBar {
    let (bar, template) = match progress.total {
        Some(total) => (ProgressBar::new(total), "{msg:12} [{bar:40}] {percent:>3}% {eta:>6} left"),
        None => (ProgressBar::new_spinner(), "{msg:12} {spinner} {human_pos} ({elapsed})"),
    };
    // Both templates are constants; the fallback is never used.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.progress_chars("=> "));
    bar.set_message(progress.stage.to_owned());
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
