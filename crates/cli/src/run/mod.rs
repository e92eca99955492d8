//! `warpgraph run`: one algorithm on one graph, once or many times, its answer verified and written.
//!
//! The subcommands are the algorithms of the registry: each takes the flags of its own configuration and those of [`Asked`].

mod output;
mod report;
mod text;

use crate::{
    console, describe,
    device::OnDevice,
    failure::{Failure, Result},
    load, orders, put_json,
    reading::Reading,
    session::{Session, Working},
};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use output::Output;
use report::Report;
use warpgraph::{
    Entry, Options, Order, Question, VertexId, algorithms,
    measure::{self, Measured, Repeats},
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
    job: Job,
}

/// A question to an algorithm of the registry, with everything around it.
struct Job {
    question: Box<dyn Question>,
    target: Option<VertexId>,
    graph: String,
    asked: Asked,
}

impl Job {
    /// Returns the subcommand of an algorithm.
    fn command(entry: &Entry) -> Command {
        let about = format!("{}: {}", entry.about.title, entry.about.asks);
        let long_about = format!("{about}\n\n{}", entry.about.details);
        let command = Command::new(entry.name).about(about).long_about(long_about);
        let command = if entry.finds_paths { Aim::augment_args(command) } else { command };
        let command = Subject::augment_args(command);
        let command = entry.arguments(command.next_help_heading("Question")).next_help_heading(None);
        Asked::augment_args(command)
    }
}

impl Subcommand for Job {
    fn augment_subcommands(command: Command) -> Command {
        algorithms().iter().fold(command, |command, entry| command.subcommand(Self::command(entry)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        algorithms().iter().any(|entry| entry.name == name)
    }
}

impl FromArgMatches for Job {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let entry = algorithms().iter().find(|entry| entry.name == name).ok_or_else(missing)?;
        let target = if entry.finds_paths { Aim::from_arg_matches(matches)?.target } else { None };
        let asked = Asked::from_arg_matches(matches)?;
        let question = entry.from_matches(matches)?;
        // A table may need more than the figures.
        let question = if asked.running.output.is_asked() { question.for_table() } else { question };
        let graph = Subject::from_arg_matches(matches)?.graph;
        Ok(Self { question, target, graph, asked })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Where a search should go.
#[derive(Args)]
#[command(next_help_heading = "Question")]
struct Aim {
    /// Print a shortest way to this vertex, too
    #[arg(long, value_name = "V", value_parser = |text: &str| Ok::<_, std::convert::Infallible>(VertexId::from(text)))]
    target: Option<VertexId>,
}

/// The graph that is asked.
#[derive(Args)]
struct Subject {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
}

/// What every algorithm is asked with, beside its own configuration.
#[derive(Args)]
struct Asked {
    #[command(flatten)]
    running: Running,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
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
    #[arg(long, value_name = "O", long_help = orders::help())]
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
    /// Returns what each run is told; the session adds its control.
    fn options(&self, order: Option<Order>) -> Result<Options> {
        Ok(Options {
            plan: self.plan.parse()?,
            order: order.unwrap_or_default(),
            seed: self.seed,
            trace: self.trace,
            deterministic: self.deterministic,
            ..Options::default()
        })
    }

    /// Returns how often to run.
    fn repeats(&self) -> Repeats {
        Repeats { runs: self.runs, warmup: self.warmup, verify: self.verify, limit: None }
    }

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
pub(crate) fn run(run: &Run) -> Result<u8> {
    let Job { question, target, graph, asked } = &run.job;
    let (question, Asked { running, working, .. }) = (&**question, asked);
    let device = running.device.device()?;
    let order: Option<Order> = running.order.as_deref().map(str::parse).transpose()?;
    let mut options = running.options(order)?;
    let accepted = question.entry().rules.accept(device, &options)?;
    running.check_rounds(order)?;
    running.output.check(working.json)?;
    let session = Session::on(working, &running.device)?;
    session.engine.expect(&accepted)?;
    let loaded = load::load(&session, graph, &asked.reading)?;
    session.say(&(describe::describe(&loaded.graph, loaded.seconds) + "\n"));
    if !working.json {
        loaded.graph.origin().warnings.iter().for_each(|w| console::warning(w));
    }
    let target = target.as_ref().map(|id| loaded.graph.ids().vertex(id)).transpose()?;
    let ready = session.work(|control| match order {
        Some(order) => session.engine.load_with(&loaded.graph, order, running.seed, control),
        None => session.engine.load_as_stored(&loaded.graph),
    })?;
    options.control = session.control.clone();
    options.accepted = Some(accepted);
    if let Some(rounds) = running.reorder_rounds {
        session.work(|_| measure::learn(&ready, question, &options, rounds))?;
    }
    let measured = session.work(|_| measure::measure(&ready, question, &options, &running.repeats()))?;
    if running.trace {
        console::err(&text::trace(&measured.answer.run().trace, measured.figures.choice.as_ref()));
    }
    let report = session.work(|_| Report::new(&run.job, &loaded, &ready, options.plan, &measured, target));
    tell(asked, &session, &report, &measured)?;
    Ok(u8::from(measured.figures.violation.is_some()))
}

/// Writes the table, then the report: as JSON, or as text where the table is not.
fn tell(asked: &Asked, session: &Session, report: &Report, measured: &Measured) -> Result<()> {
    let output = &asked.running.output;
    let written = session.work(|control| output.write(&*measured.answer, control))?;
    if asked.working.json {
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
