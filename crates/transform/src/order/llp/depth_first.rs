//! Depth-first order of the symmetrised graph: roots by number, neighbours by number, vertices without neighbours last.
//!
//! Serial, O(n + m). Besides the result, one bit per vertex and 16 bytes per vertex of the deepest path.

use super::{DURING, around::Around, bits::Bits};
use warpgraph_graph::{Control, Pages, Result, Vertex};

/// Vertices processed between two checks of the control.
const PATIENCE: usize = 1 << 16;

/// Returns all vertices in the order in which they are first reached.
pub(super) fn order(around: &Around<'_>, control: &Control) -> Result<Pages<Vertex>> {
    let n = around.vertices();
    let mut walk = Walk {
        around,
        control,
        seen: Bits::new(n, false),
        path: Pages::zeroed_lazily(n)?,
        order: Pages::scratch(n)?,
        end: 0,
    };
    let all = || 0..n as Vertex;
    all().filter(|&v| around.is_joined(v)).try_for_each(|root| walk.from(root))?;
    all().filter(|&v| !around.is_joined(v)).try_for_each(|alone| walk.reach(alone))?;
    Ok(walk.order)
}

struct Walk<'a> {
    around: &'a Around<'a>,
    control: &'a Control,
    seen: Bits,
    /// The vertices from the root to the current one, each with how many of its neighbours were examined.
    path: Pages<[u64; 2]>,
    order: Pages<Vertex>,
    end: usize,
}

impl Walk<'_> {
    /// Visits all vertices reachable from `root`, unless it was reached before.
    fn from(&mut self, root: Vertex) -> Result<()> {
        if self.seen.contains(root) {
            return Ok(());
        }
        self.reach(root)?;
        self.path[0] = [u64::from(root), 0];
        let mut depth = 1;
        while depth > 0 {
            let [v, looked] = self.path[depth - 1];
            let Some(at) = self.unseen(v as Vertex, looked as usize) else {
                depth -= 1;
                continue;
            };
            self.path[depth - 1][1] = at as u64 + 1;
            let [row, other] = self.around.rows(v as Vertex);
            let next = if at < row.len() { row[at] } else { other[at - row.len()] };
            self.reach(next)?;
            self.path[depth] = [u64::from(next), 0];
            depth += 1;
        }
        Ok(())
    }

    /// Returns the index of the first unreached neighbour of `v`, from index `from` on.
    #[inline(always)]
    fn unseen(&self, v: Vertex, from: usize) -> Option<usize> {
        let [row, other] = self.around.rows(v);
        let find = |row: &[Vertex], from: usize| {
            row[from..].iter().position(|&u| !self.seen.contains(u)).map(|i| from + i)
        };
        find(row, from.min(row.len()))
            .or_else(|| find(other, from.saturating_sub(row.len())).map(|i| row.len() + i))
    }

    fn reach(&mut self, v: Vertex) -> Result<()> {
        self.seen.insert(v);
        self.order[self.end] = v;
        self.end += 1;
        if !self.end.is_multiple_of(PATIENCE) {
            return Ok(());
        }
        self.control.report("depth-first order", self.end as u64, Some(self.order.len() as u64));
        self.control.check(DURING)
    }
}
