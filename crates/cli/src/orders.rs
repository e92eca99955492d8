//! The help of `--order`, wherever it stands.

use warpgraph::Order;

/// Returns all orders in a few words each.
pub(crate) fn help() -> String {
    format!(
        "\
How vertices are numbered inside the engine

Only the time changes: questions and answers stay in the file's ids. A file keeps the order that `warpgraph reorder` wrote \
it in, and runs in it unless another is asked for.

{}

The brackets hold an option and its default: halo2(k=20) samples 20 searches, gorder(w=7) has a window of 7. \
docs/orders.md says more.",
        Order::help()
    )
}
