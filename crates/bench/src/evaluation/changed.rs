//! Cells on a graph that an approximation has changed: their handles, and how far their answers are from the exact ones.

use super::{Handle, Wanted, at_graph::AtGraph};
use crate::result::Failure;
use warpgraph::{Approximation, Inaccuracy, Loaded, Result};

impl AtGraph<'_, '_> {
    /// Returns the handle of a cell that shares its turns with others, or why there is none. `loaded` is the graph itself.
    ///
    /// # Errors
    /// When the handle that all cells need cannot be made, or the whole measurement must stop.
    pub(super) fn handle(&mut self, wanted: &Wanted, loaded: &Loaded) -> Result<Result<Loaded, Failure>> {
        match (wanted.approximation.is_none(), wanted.handle) {
            (true, Handle::Own) => self.bench.on().load_as_stored(loaded.graph()).map(Ok),
            (true, _) => Ok(Ok(loaded.clone())),
            (false, _) => self.approximated(wanted.approximation, loaded),
        }
    }

    /// Returns the handle on the changed graph. The first cell that needs it makes it.
    fn approximated(
        &mut self,
        approximation: Approximation,
        loaded: &Loaded,
    ) -> Result<Result<Loaded, Failure>> {
        if let Some((_, made)) = self.changed.iter().find(|(known, _)| *known == approximation) {
            return Ok(made.clone());
        }
        self.say(format_args!("{} changed by {approximation}", self.subject.asked.name));
        let (control, seed) = (self.bench.control, self.bench.measuring.seed);
        let made = loaded.approximated(approximation, seed, control);
        control.check("measuring")?;
        let made = made.map_err(|error| Failure::from(&error));
        self.changed.push((approximation, made.clone()));
        Ok(made)
    }

    /// Answers once more on the changed graph and on the graph itself, from the sources of the first timed run, and compares
    /// the answers. If that fails, it says why.
    pub(super) fn inaccuracy(&self, wanted: &Wanted, changed: &Loaded, exact: &Loaded) -> Option<Inaccuracy> {
        let answers = self
            .first_answer(wanted, exact)
            .and_then(|exact| Ok((self.first_answer(wanted, changed)?, exact)));
        match answers {
            Ok((approximate, exact)) => Inaccuracy::of(&approximate.judged()?, &exact.judged()?),
            Err(failure) => {
                self.say(format_args!("  its inaccuracy is not known: {}", failure.message));
                None
            }
        }
    }
}
