//! `Sum`: sweeps over all vertices, or changes pushed while few vertices have any.
//!
//! | program | plan | form |
//! | --- | --- | --- |
//! | distributes | pull | sweeps in place ([`sweep`]): `x[v] = init(v) + sum of messages`, from whatever values are there |
//! | distributes | push | changes only ([`delta`]): a value and a pending change a vertex |
//! | distributes | auto | changes while they touch few arcs, then sweeps in place |
//! | any other, or `--deterministic` | pull | sweeps from one array to another, in a fixed order |
//!
//! A run ends when the *residual*, `sum |F(x) - x|`, is below the tolerance: what another superstep would change, in all. Pending
//! changes are the residual. A sweep in place that changed x by c leaves a residual of `|M| * c` at most, with |M| the most that
//! any one vertex tells in all of a unit; where messages are the same along all arcs of a vertex, that is found in O(n). Where it
//! is not, or is above 1, a sweep that changed little is followed by one that only measures.
//!
//! The error that fades slowest is that of the sum of all values. Where messages are the same along all arcs of a vertex, that sum is
//! known: with c[u] what u tells in all of a unit, `sum of (1 - c[u]) * x[u] = sum of init`. After each sweep the values of vertices
//! that tell anything are scaled to make it so ([`sweep::Swept`]). If moreover the graph is undirected, nothing told is negative and
//! |M| is below 1, the system is a symmetric positive definite one up to a scaling of its rows, and slow sweeps may move further than
//! they should, as those of [`crate::pagerank`] do.

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

/// Push changes while they cross fewer than this share of all arcs.
const SPARSE_SHARE: usize = 20;

/// Runs until the rule of the program fires.
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
    /// Watches this program's changes.
    fn watch(&self) -> Watch {
        Watch::new(P::NAME, self.prepared.program.halt())
    }
}
