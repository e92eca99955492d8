//! The help text of `--order`, shared by all commands that have it.

use warpgraph::Order;

/// Describes all orders in a few words each.
pub(crate) fn help() -> String {
    format!(
        "\
How vertices are numbered inside the engine

Only the time changes: questions and answers use the file's ids. A file keeps the order in which `warpgraph reorder` \
wrote it, and runs use that order unless --order names another.

{}

The brackets hold an option and its default: halo2(k=20) samples 20 searches, gorder(w=7) has a window of 7. \
docs/orders.md says more.",
        Order::help()
    )
}
