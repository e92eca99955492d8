//! The help text of `--order`, shared by all commands that have it.

/// Describes all orders in a few words each.
pub(crate) const ORDERS: &str = "\
How vertices are numbered inside the engine

Only the time changes: questions and answers use the file's ids. A file keeps the order in which `warpgraph reorder` \
wrote it, and runs use that order unless --order names another.

natural: by id. random: drawn from the seed. degree: largest out-degree first. in-degree: largest in-degree first. \
degree-neighbours: the same, each vertex followed by its out-neighbours. rcm: reverse Cuthill-McKee, for meshes and \
roads. halo1: by harmonic centrality, from sampled searches. halo2: the same, each vertex followed by its \
out-neighbours; for searches in graphs that do not fit a GPU. bp: by recursive bisection of neighbourhoods. bfs-bp: \
by recursive bisection of the levels of sampled searches. gorder: greedily, next to the vertices that share the most \
with it; slow. llp: by layered label propagation, for graphs with communities. sampled: learned on a GPU from the \
accesses of its runs, with --plan tiled or resident; --reorder-rounds says how long it learns before the timed runs.

Options stand in brackets: halo1(k=20), halo2(k=20) and bfs-bp(k=20) sample 20 searches (default 32); gorder(w=7) has \
a window of 7 (default 5). docs/orders.md says more.";
