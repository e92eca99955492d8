//! Strongly connected components in the order in which a depth-first search completes them, as NetworkX yields them.
//!
//! The search starts at the nodes in their order and follows neighbours in theirs, so the order of the components is a
//! property of the graph: each comes after those that it reaches. Tarjan's algorithm, without recursion.

use super::{bfs::NONE, rows::Rows};
use crate::work::Signals;
use pyo3::PyResult;

/// Returns the nodes of each component; `ends[i]` is where component i ends.
///
/// # Errors
/// The exception that a signal raises.
pub(crate) fn components(rows: &Rows) -> PyResult<(Vec<u32>, Vec<usize>)> {
    let (n, mut signals) = (rows.nodes(), Signals::default());
    let (mut numbers, mut low) = (vec![NONE; n], vec![0_u32; n]);
    let (mut members, mut ends) = (Vec::with_capacity(n), Vec::new());
    let (mut open, mut path, mut visited) = (Vec::new(), Vec::<(u32, usize)>::new(), 0);
    // A node of a finished component has low == NONE.
    for start in 0..n as u32 {
        if numbers[start as usize] != NONE {
            continue;
        }
        path.push((start, rows.offsets[start as usize]));
        while let Some((u, place)) = path.last_mut() {
            signals.step()?;
            let at = *u as usize;
            if numbers[at] == NONE {
                (numbers[at], low[at]) = (visited, visited);
                visited += 1;
                open.push(*u);
            }
            let next = rows.targets[*place..rows.offsets[at + 1]].iter().position(|&v| {
                let v = v as usize;
                if numbers[v] != NONE && low[v] != NONE {
                    low[at] = low[at].min(numbers[v]);
                }
                numbers[v] == NONE
            });
            if let Some(skipped) = next {
                let v = rows.targets[*place + skipped];
                *place += skipped + 1;
                path.push((v, rows.offsets[v as usize]));
                continue;
            }
            path.pop();
            let lowest = low[at];
            if lowest == numbers[at] {
                while let Some(v) = open.pop() {
                    low[v as usize] = NONE;
                    members.push(v);
                    if v as usize == at {
                        break;
                    }
                }
                ends.push(members.len());
            } else if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(lowest);
            }
        }
    }
    Ok((members, ends))
}
