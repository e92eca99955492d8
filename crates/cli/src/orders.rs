//! What `--order` is told to take, wherever it stands.

/// All orders in a few words each.
pub(crate) const ORDERS: &str = "\
How vertices are numbered inside the engine

Only the time changes: what is asked and answered stays in the file's ids. A file keeps the order that `warpgraph reorder` wrote it in, and runs in \
it unless another is asked for.

natural: by their ids. random: drawn from the seed. degree: most outgoing arcs first. in-degree: most incoming arcs first. \
degree-neighbours: the same, each followed by its out-neighbours. rcm: reverse Cuthill-McKee, for meshes and roads. halo1: \
by harmonic centrality, from sampled searches. halo2: the same, each followed by its out-neighbours; for searches in graphs \
that do not fit a GPU. bp: by recursive bisection of neighbourhoods. bfs-bp: the same of the levels of sampled searches. gorder: greedily, \
next to what has most in common; slow. llp: by layered label propagation, for graphs with communities. sampled: found on a GPU from the accesses of the runs it serves, with \
--plan tiled or resident; --reorder-rounds says for how long before the runs are timed.

Options stand in brackets: halo1(k=20), halo2(k=20) and bfs-bp(k=20) sample 20 searches (default 32), gorder(w=7) has a window of 7 \
(default 5). docs/orders.md says more.";
