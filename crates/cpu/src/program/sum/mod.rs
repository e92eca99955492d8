//! `Sum`: sweeps over all vertices, or pushed changes while few vertices have any.
//!
//! | program | plan | form |
//! | --- | --- | --- |
//! | distributes | pull | sweeps in place ([`sweep`]): `x[v] = init(v) + sum of messages`, from the current values |
//! | distributes | push | changes only ([`delta`]): a value and a pending change per vertex |
//! | distributes | auto | changes while they touch few arcs, then sweeps in place |
//! | any other, or `--deterministic` | pull | sweeps from one array to another, in a fixed order |
//!
//! A run ends when the *residual*, `sum |F(x) - x|`, is below the tolerance: the total change that another superstep
//! would make. Pending changes are the residual. Let `|M|` be the largest total that any one vertex sends per unit of
//! its value. A sweep in place that changed x by c leaves a residual of at most `|M| * c`. If a vertex sends the same
//! message along all its arcs, the engine computes `|M|` in O(n). Otherwise, or if `|M|` is above 1, a sweep that
//! changed little is followed by one that only measures.
//!
//! The error that fades slowest is that of the sum of all values. If a vertex sends the same message along all its
//! arcs, that sum is known: with c[u] the total that u sends per unit, `sum of (1 - c[u]) * x[u] = sum of init`. After
//! each sweep, the values of the vertices that send anything are scaled to satisfy it ([`sweep::Swept`]). If in
//! addition the graph is undirected, no message is negative and `|M|` is below 1, the system is symmetric positive
//! definite up to a scaling of its rows, and slow sweeps may over-relax, as those of [`mod@crate::pagerank`] do.

mod delta;
mod sweep;

use super::{Ended, Engine};
use crate::{Recorder, parts::team};
use sweep::Sweeps;
use warpgraph_core::{
    Direction, Halted, Result,
    program::{Scalar, VertexProgram, Watch},
};
use warpgraph_graph::{Offset, Pages};

/// Push changes while they cross fewer than all arcs divided by this.
const SPARSE_SHARE: usize = 20;

/// Runs until the stopping rule of the program fires.
pub(super) fn run<P: VertexProgram, O: Offset>(
    engine: &Engine<'_, P, O>,
    recorder: &mut Recorder,
) -> Result<Ended<P::Value>> {
    let n = engine.out.vertices();
    let mut values = Pages::scratch(n)?;
    let (residual, halted) = if n == 0 {
        (0.0, Halted::Converged)
    } else if P::DISTRIBUTES && !engine.options.deterministic {
        in_place(engine, &mut values, recorder)?
    } else {
        engine.fill(&mut values, |v| engine.sight.init(v))?;
        let mut next = Pages::scratch(n)?;
        team(|team| Sweeps::new(engine)?.alternate(team, &mut values, &mut next, recorder))?
    };
    let state = (n * 2 * size_of::<P::Value>()) as u64;
    Ok(Ended { values, residual: Some(residual), halted, state_bytes: state })
}

fn in_place<P: VertexProgram, O: Offset>(
    engine: &Engine<'_, P, O>,
    values: &mut [P::Value],
    recorder: &mut Recorder,
) -> Result<(f64, Halted)> {
    if engine.fixed != Some(Direction::Pull) {
        if let Some(ended) = team(|team| delta::run(engine, team, values, recorder))? {
            return Ok(ended);
        }
    } else {
        engine.fill(values, |v| engine.sight.start(v))?;
    }
    team(|team| Sweeps::new(engine)?.in_place(team, P::Value::cells(values), recorder))
}

impl<P: VertexProgram, O: Offset> Engine<'_, P, O> {
    /// Returns a watch on this program's changes.
    fn watch(&self) -> Watch {
        Watch::new(P::NAME, self.prepared.program.halt())
    }
}
