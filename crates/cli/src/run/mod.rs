//! `warpgraph run`: one algorithm on one graph, once or many times, its answer verified and written.

mod measure;
mod output;
mod report;
mod text;

use crate::{
    console, describe,
    device::OnDevice,
    failure::{Failure, Result},
    load,
    orders::ORDERS,
    put_json,
    reading::Reading,
    session::{Session, Working},
};
use clap::{Args, Subcommand};
use measure::Measured;
use output::Output;
use report::Report;
use warpgraph::{
    Adsorption, Answer, Bc, Bfs, Closeness, Dispatch, Kcore, LabelPropagation, Mst, Order, PageRank, Plan,
    Scc, Sssp, Triangles, VertexId, Wcc,
};

const EXAMPLES: &str = "\
Examples:
  warpgraph run bfs kron:16 --verify
  warpgraph run sssp grid:300x300,w=1..9 --source 0 --target 89999
  warpgraph run pagerank powerlaw:100000 --tolerance 1e-9 --runs 5
  warpgraph run wcc uniform:14,degree=2 --json
  warpgraph run mst grid:300x300,w=1..9 --out tree.csv
  warpgraph run bc kron:16 --sources 64 --normalized
  warpgraph run bfs kron:12 --device cpu --trace";

/// Run an algorithm on a graph
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Run {
    #[command(subcommand)]
    pub(crate) algorithm: Algorithm,
}

/// The algorithms; each takes its own configuration from the library.
// A variant with named fields is a group of arguments called like the variant, and so is a configuration that is called like it: clap
// wants them apart. One without is none.
#[derive(Subcommand)]
pub(crate) enum Algorithm {
    /// Breadth-first search: the fewest hops from a source to every vertex
    ///
    /// Columns of --out: vertex, distance (hops; empty if unreached), parent (the vertex before it on a shortest way;
    /// the source is its own).
    Bfs(Search<Bfs>),
    /// Shortest paths: the least sum of weights from a source to every vertex
    ///
    /// Edges without weights count 1. Negative weights are allowed; a negative cycle within reach is an error that
    /// names it. Columns of --out: vertex, distance (empty if unreached), parent.
    Sssp(Search<Sssp>),
    /// PageRank: how often a random walker comes by each vertex
    ///
    /// Ranks sum to 1; vertices without outgoing arcs send their rank where teleports go, as NetworkX does. Columns of
    /// --out: vertex, rank.
    #[command(name = "pagerank")]
    PageRank(Question<PageRank>),
    /// Adsorption: how much of a label injected at some vertices gets to each
    ///
    /// A vertex takes what is injected with one probability, and goes on with the mean of what arrives with another.
    /// Columns of --out: vertex, value.
    Adsorption(Question<Adsorption>),
    /// Weakly connected components: what hangs together when directions are ignored
    ///
    /// Columns of --out: vertex, component (the smallest vertex of its component).
    Wcc(Question<Wcc>),
    /// Triangles: three vertices all joined to each other, and how clustered each vertex is
    ///
    /// Directions and self-loops are ignored, parallel edges are one. Columns of --out: vertex, triangles (at it),
    /// clustering (the share of its pairs of neighbours that are joined; 0 below two neighbours).
    Triangles(Question<Triangles>),
    /// Cores: the greatest k such that a part of least degree k holds the vertex
    ///
    /// A directed graph counts arcs in and out, as NetworkX does; read it with --undirected to count neighbours.
    /// Self-loops do not count. Columns of --out: vertex, core.
    Kcore(Question<Kcore>),
    /// Strongly connected components: what can reach each other along arcs
    ///
    /// On an undirected graph the same as wcc. Columns of --out: vertex, component (the smallest vertex of its
    /// component).
    Scc(Question<Scc>),
    /// Minimum spanning forest: the lightest edges that hold everything together
    ///
    /// Directions are ignored: of all arcs between two vertices, either way, the lightest counts. Edges without weights
    /// count 1; ties go to the smaller ends, so the forest is unique. Columns of --out, one row an edge: source (its
    /// smaller end), target, weight.
    Mst(Question<Mst>),
    /// Label propagation: communities, by taking the label most neighbours have
    ///
    /// All vertices change at once, ties go to the smallest label, arcs count both ways: the CDLP of LDBC Graphalytics.
    /// Columns of --out: vertex, label (a vertex).
    LabelPropagation(Question<LabelPropagation>),
    /// Betweenness centrality: how many shortest paths lead through each vertex
    ///
    /// Exact from all vertices, or estimated from --sources K drawn from --seed (a new draw a run), scaled as NetworkX
    /// does. Columns of --out: vertex, score (empty for the only source, where there is nothing to estimate from).
    Bc(Question<Bc>),
    /// Closeness and harmonic centrality, and eccentricity: how near a vertex is to those that reach it
    ///
    /// For all vertices, which is a search from each of them and takes long on large graphs, or for --sources K drawn
    /// from --seed. Distances are hops towards the vertex, as in NetworkX. Columns of --out: vertex, closeness,
    /// harmonic, eccentricity (empty for vertices not asked about).
    Closeness(Question<Closeness>),
}

/// Where a traversal should go.
#[derive(Args)]
#[command(next_help_heading = "Question")]
pub(crate) struct Aim {
    /// Print a shortest way to this vertex, too
    #[arg(long, value_name = "V", value_parser = |text: &str| Ok::<_, std::convert::Infallible>(VertexId::from(text)))]
    target: Option<VertexId>,
}

/// A question that also says where to go.
#[derive(Args)]
pub(crate) struct Search<A: Args> {
    #[command(flatten)]
    aim: Aim,
    #[command(flatten)]
    question: Question<A>,
}

/// An algorithm's configuration with everything around it.
#[derive(Args)]
pub(crate) struct Question<A: Args> {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
    #[command(flatten, next_help_heading = "Question")]
    config: A,
    #[command(flatten)]
    running: Running,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

impl<A: Dispatch + Args> Question<A> {
    /// What is asked in the end: a table may need more than the figures.
    fn asked(&self) -> A {
        if self.running.output.is_asked() { self.config.for_table() } else { self.config.clone() }
    }
}

/// How to run, and what to do with the answer.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Running {
    #[command(flatten)]
    device: OnDevice,
    /// How to run: auto, or names joined by +: bsp, push or pull, and on a GPU a balance
    ///
    /// bsp (supersteps over a frontier), push or pull (one direction for the whole run); on a GPU also how its threads share
    /// arcs: node (one vertex each), edge (arcs in turn), workload (equally many arcs each), split or hierarchical (at most a
    /// threshold of a vertex's arcs each), tiled (blocks, parts of blocks and warps together), resident (tiles that are kept).
    /// Options stand in brackets: edge(chunking=off,condensing=off), split(mdt=64), hierarchical(bins=20), tiled(min=8). What is not named is decided by the engine, superstep by superstep. A plan that an algorithm
    /// cannot follow is refused with the reason; `warpgraph plans` lists all.
    #[arg(long, value_name = "P", default_value = "auto")]
    plan: String,
    /// How vertices are numbered inside the engine, such as degree or halo2 [default: as the file holds them]
    #[arg(long, value_name = "O", long_help = ORDERS)]
    order: Option<String>,
    /// Ask the same question before the timed runs, until the order `sampled` has made this many rounds or settles
    ///
    /// For --order sampled, which learns from the runs it serves: without it, the timed runs are all it learns from.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    reorder_rounds: Option<u32>,
    /// Give the same bits run after run, on any number of threads
    ///
    /// Ties go to the smallest id and decimals are added in a fixed order. What that costs is said in the report; for
    /// most algorithms it is nothing.
    #[arg(long)]
    deterministic: bool,
    /// Print a table of all supersteps on standard error
    #[arg(long)]
    trace: bool,
    /// Run this many times; the median is reported
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Run this many times before, untimed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    warmup: u64,
    /// Random sources are drawn from this seed, a new one a run, and so are orders that are drawn
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Check the answer of every run: properties that only the right answer has
    ///
    /// Not a second run: the rules of Graph500 for bfs, triangle inequality and tightness for sssp, the fixed-point
    /// residual for pagerank, the cycle property for mst, and so on; docs/algorithms.md has the rules of each. Exit code 1
    /// if one does not hold.
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    output: Output,
}

impl Running {
    /// Rounds are what one order is made by.
    fn check_rounds(&self, order: Option<Order>) -> Result<()> {
        let (Some(rounds), false) = (self.reorder_rounds, order == Some(Order::Sampled)) else {
            return Ok(());
        };
        let instead =
            order.map_or_else(|| "the order of the file".to_owned(), |order| format!("order {order}"));
        let what = format!(
            "--reorder-rounds {rounds} is for --order sampled: {instead} is made before the runs, or is there"
        );
        Err(Failure::new("invalid", what, "use --order sampled --plan tiled, or leave --reorder-rounds out"))
    }
}

/// Runs the algorithm that was asked for.
pub(crate) fn run(algorithm: &Algorithm) -> Result<u8> {
    match algorithm {
        Algorithm::Bfs(search) => ask(&search.question, search.aim.target.as_ref()),
        Algorithm::Sssp(search) => ask(&search.question, search.aim.target.as_ref()),
        Algorithm::PageRank(question) => ask(question, None),
        Algorithm::Adsorption(question) => ask(question, None),
        Algorithm::Wcc(question) => ask(question, None),
        Algorithm::Triangles(question) => ask(question, None),
        Algorithm::Kcore(question) => ask(question, None),
        Algorithm::Scc(question) => ask(question, None),
        Algorithm::Mst(question) => ask(question, None),
        Algorithm::LabelPropagation(question) => ask(question, None),
        Algorithm::Bc(question) => ask(question, None),
        Algorithm::Closeness(question) => ask(question, None),
    }
}

fn ask<A: Dispatch + Args>(question: &Question<A>, target: Option<&VertexId>) -> Result<u8> {
    let Question { running, working, .. } = question;
    let (device, plan): (_, Plan) = (running.device.device()?, running.plan.parse()?);
    let order: Option<Order> = running.order.as_deref().map(str::parse).transpose()?;
    device.check(A::NAME, plan, order.unwrap_or_default(), running.deterministic)?;
    running.check_rounds(order)?;
    running.output.check(working.json)?;
    let session = Session::on(working, &running.device)?;
    session.engine.check(A::NAME, plan, order.unwrap_or_default(), running.deterministic)?;
    let loaded = load::load(&session, &question.graph, &question.reading)?;
    session.say(&(describe::describe(&loaded.graph, loaded.seconds) + "\n"));
    if !working.json {
        loaded.graph.origin().warnings.iter().for_each(|w| console::warning(w));
    }
    let target = target.map(|id| loaded.graph.ids().vertex(id)).transpose()?;
    let ready = session.work(|control| match order {
        Some(order) => session.engine.load_with(&loaded.graph, order, running.seed, control),
        None => session.engine.load_as_stored(&loaded.graph),
    })?;
    measure::learn(&session, &ready, question, plan)?;
    let measured = measure::measure(&session, &ready, question, plan)?;
    if running.trace {
        console::err(&text::trace(&measured.answer.run().trace, measured.figures.choice.as_ref()));
    }
    let report = session.work(|_| Report::new(question, &loaded, &ready, plan, &measured, target));
    tell(question, &session, &report, &measured)?;
    Ok(u8::from(measured.figures.violation.is_some()))
}

/// Writes the table, then the report: as JSON, or as text where the table is not.
fn tell<A: Dispatch + Args>(
    question: &Question<A>,
    session: &Session,
    report: &Report,
    measured: &Measured<A::Answer>,
) -> Result<()> {
    let output = &question.running.output;
    let written = session.work(|control| output.write(&measured.answer, control))?;
    if question.working.json {
        return put_json(report);
    }
    report.own_warnings().iter().for_each(|w| console::warning(w));
    let text = text::report(report, measured, written.as_deref());
    if output.is_stdout() {
        session.say(&text);
        return Ok(());
    }
    console::out(&text).map_err(Failure::stdout)
}
