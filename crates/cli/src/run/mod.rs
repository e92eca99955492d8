//! `warpgraph run`: runs one algorithm on one graph, once or several times, verifies its answer and writes it.
//!
//! The subcommands are the algorithms of the registry. Each has the flags of its configuration and those of [`Asked`].

mod approximate;
mod bus;
#[cfg(feature = "cluster")]
mod in_parts;
mod output;
mod report;
mod text;
mod transfer;
mod waterfall;

use crate::{
    console, describe,
    device::OnDevice,
    failure::{Failure, Result},
    load, orders, put_json,
    reading::Reading,
    session::{Session, Working},
};
#[cfg(feature = "cluster")]
pub(crate) use {
    in_parts::InParts,
    text::{figures, halt},
};

use approximate::Approximate;
pub(crate) use approximate::start;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use output::Output;
use report::Report;
use warpgraph::{
    Approximation, Entry, Options, Order, Outline, Purpose, Question, VertexId, algorithms,
    graph::{
        Labels,
        timeline::{Phase, Timeline},
    },
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
  warpgraph run bfs kron:12 --device cpu --trace
  warpgraph run sssp kron:12,w=1..9 --approx coalesce --compare";

/// Run an algorithm on a graph
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Run {
    #[command(subcommand)]
    job: Job,
}

/// A question to an algorithm of the registry, with all options.
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
        let command = Command::new(entry.name);
        let command = if entry.finds_paths { Aim::augment_args(command) } else { command };
        let command = Subject::augment_args(command);
        let command = entry.arguments(command.next_help_heading("Question")).next_help_heading(None);
        // Last, because every group of flags brings its own description.
        Asked::augment_args(command).about(about).long_about(long_about)
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
        // A table may need more than the summary does.
        let question = if asked.running.output.is_asked() { question.for_table() } else { question };
        let graph = Subject::from_arg_matches(matches)?.graph;
        Ok(Self { question, target, graph, asked })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The target of a search.
#[derive(Args)]
#[command(next_help_heading = "Question")]
struct Aim {
    /// Also print a shortest path to this vertex
    #[arg(long, value_name = "V", value_parser = |text: &str| Ok::<_, std::convert::Infallible>(VertexId::from(text)))]
    target: Option<VertexId>,
}

/// The graph to run on.
#[derive(Args)]
struct Subject {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
}

/// The flags that every algorithm has beside its own configuration.
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
    /// How to run: auto, or names joined by +: bsp, push or pull, and on a GPU a balance and a residency
    ///
    /// bsp: supersteps over a frontier. push or pull: one direction for the whole run. On a GPU, a balance says how
    /// threads share arcs: node (one vertex per thread), edge (arcs in turn), workload (equally many arcs per thread),
    /// split or hierarchical (at most a threshold of a vertex's arcs per thread), tiled (blocks, parts of blocks and
    /// warps together), resident (tiles that are kept). Options stand in brackets: edge(chunking=off,condensing=off),
    /// split(mdt=64), hierarchical(bins=20), tiled(min=8). A residency says where a GPU finds the edges: device,
    /// zero-copy (in host memory, read over the bus), unified (managed memory) or streamed; without one, they are on the
    /// device if they fit. The engine decides what is not named, superstep by superstep. A plan that an algorithm does not accept is refused with the reason; `warpgraph plans` lists all.
    #[arg(long, value_name = "P", default_value = "auto")]
    plan: String,
    /// Order of the vertices inside the engine, such as degree or halo2 [default: the order of the file]
    #[arg(long, value_name = "O", long_help = orders::help())]
    order: Option<String>,
    #[command(flatten)]
    approximate: Approximate,
    /// Before the timed runs, run until the order `sampled` has made this many rounds or settles
    ///
    /// For --order sampled, which learns from runs. Without this flag it learns from the timed runs only.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    reorder_rounds: Option<u32>,
    /// Return the same bits in every run, on any number of threads
    ///
    /// The smallest id wins ties, and floating-point numbers are added in a fixed order. The report states the cost,
    /// which is nothing for most algorithms.
    #[arg(long)]
    deterministic: bool,
    /// Print a table of all supersteps, and the times of everything else, to standard error
    ///
    /// If not all edges are on the GPU, one more run counts what every superstep reads over the bus, and a second table has
    /// gaps between active vertices, pages, sectors and what a model of unified memory evicts.
    ///
    /// Afterwards a waterfall lists what this process waited for: opening the GPU, opening and checking the file,
    /// compiling, copying, the run, and so on. Its main line adds up to the time since the program started.
    #[arg(long)]
    trace: bool,
    /// Run this many times and report the median
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Run this many times untimed before that
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    warmup: u64,
    /// Seed of random sources, drawn again for each run, and of randomised orders
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Verify the answer of every run by properties that only the right answer has
    ///
    /// This is not a second run: the rules of Graph500 for bfs, triangle inequality and tightness for sssp, the
    /// fixed-point residual for pagerank, the cycle property for mst, and so on; docs/algorithms.md lists them all. The
    /// exit code is 1 if one does not hold. With --approx, the answer is verified on the changed graph.
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    output: Output,
}

impl Running {
    /// Returns the options of each run; the session adds its control.
    fn options(&self, order: Option<Order>, approximation: Approximation) -> Result<Options> {
        Ok(Options {
            approximation,
            plan: self.plan.parse()?,
            order: order.unwrap_or_default(),
            seed: self.seed,
            trace: self.trace,
            deterministic: self.deterministic,
            ..Options::default()
        })
    }

    /// Returns how many times to run.
    fn repeats(&self) -> Repeats {
        Repeats { runs: self.runs, warmup: self.warmup, verify: self.verify, limit: None }
    }

    /// Refuses `--reorder-rounds` for any order but `sampled`, the only one made in rounds.
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

/// Runs the algorithm that the user asked for.
pub(crate) fn run(run: &Run, timeline: &Timeline) -> Result<u8> {
    let Job { question, asked: Asked { running, working, .. }, .. } = &run.job;
    question.check_config()?;
    let device = running.device.device()?;
    let order: Option<Order> = running.order.as_deref().map(str::parse).transpose()?;
    let approximation = running.approximate.asked(&**question)?;
    let mut options = running.options(order, approximation)?;
    running.device.check_plan(options.plan)?;
    let accepted = question.rules().accept(device, &options)?;
    running.check_rounds(order)?;
    running.output.check(working.json)?;
    let session = Session::recorded(working, &running.device, timeline)?;
    session.engine.expect(&accepted)?;
    (options.control, options.accepted) = (session.control.clone(), Some(accepted));
    // One visit to the engine's threads: every visit costs the time to wake a thread, twice.
    let verdict = session.enter(|| answer(&run.job, &session, order, &options, timeline))?;
    let ending = timeline.span(Phase::Ending);
    session.engine.leave_open();
    drop((options, session));
    ending.end();
    if running.trace {
        console::err(&waterfall::waterfall(&timeline.snapshot()));
    }
    Ok(verdict)
}

/// Loads the graph, runs, and tells the answer; returns the exit code.
fn answer(
    job: &Job,
    session: &Session,
    order: Option<Order>,
    options: &Options,
    timeline: &Timeline,
) -> Result<u8> {
    let Job { question, target, graph, asked } = job;
    let (question, running) = (&**question, &asked.running);
    let modules = |outline: &Outline| question.ahead(outline, options);
    let purpose =
        Purpose { order, accepted: options.accepted.as_ref(), plan: options.plan, modules: Some(&modules) };
    let (opened, seconds) = match options.approximation.is_none() {
        true => load::open(session, graph, &asked.reading, purpose)?,
        false => approximate::open(session, graph, &asked.reading)?,
    };
    let loaded = load::ReadGraph { graph: opened.graph().clone(), seconds };
    introduce(asked, session, &loaded, timeline);
    let target = target.as_ref().map(|id| loaded.graph.ids().vertex(id)).transpose()?;
    let order = start(options.approximation, order);
    let ready = session.work(|control| {
        let ready = session.engine.load_opened(opened, order, running.seed, control)?;
        ready.approximated(options.approximation, running.seed, control)
    })?;
    if let Some(rounds) = running.reorder_rounds {
        session.work(|_| measure::learn(&ready, question, options, rounds))?;
    }
    let measured = session.work(|_| measure::measure(&ready, question, options, &running.repeats()))?;
    if running.trace {
        let _span = timeline.span(Phase::Printing);
        console::err(&text::trace(measured.answer.run(), measured.figures.choice.as_ref()));
    }
    let counted = session.work(|_| transfer::count(&ready, question, options, &measured))?;
    if let Some(crossed) = &counted.crossed
        && let Some(trace) = &crossed.trace
    {
        let _span = timeline.span(Phase::Printing);
        console::err(&bus::table(trace, crossed.transfer));
    }
    let run = (&ready, options, running.repeats());
    let compared = session.work(|_| running.approximate.compare(question, run, order, &measured))?;
    let reporting = timeline.span(Phase::Reporting);
    let mut report = Report::new(job, &loaded, &ready, options.plan, (&measured, counted), target);
    report.compare(compared);
    reporting.end();
    tell(asked, session, report, &measured, loaded.graph.labels(), timeline)?;
    let code = u8::from(measured.figures.violation.is_some());
    let _span = timeline.span(Phase::Ending);
    drop((measured, ready, loaded));
    Ok(code)
}

/// Describes the graph if messages are wanted, and prints its warnings, which JSON has in the report.
fn introduce(asked: &Asked, session: &Session, loaded: &load::ReadGraph, timeline: &Timeline) {
    let _span = timeline.span(Phase::Describing);
    if session.talks() {
        session.say(&(describe::describe(&loaded.graph, loaded.seconds) + "\n"));
    }
    if !asked.working.json {
        loaded.graph.origin().warnings.iter().for_each(|w| console::warning(w));
    }
}

/// Writes the table, then the report: as JSON, or as text (on standard error if the table is on standard output).
fn tell(
    asked: &Asked,
    session: &Session,
    mut report: Report,
    measured: &Measured,
    labels: Option<&Labels>,
    timeline: &Timeline,
) -> Result<()> {
    let output = &asked.running.output;
    let written = session.work(|control| output.write(&*measured.answer, labels, control))?;
    if asked.working.json {
        report.timeline = Some(timeline.snapshot());
        return put_json(&report);
    }
    let _span = timeline.span(Phase::Printing);
    report.own_warnings().iter().for_each(|w| console::warning(w));
    let text = text::report(&report, measured, written.as_deref());
    if output.is_stdout() {
        session.say(&text);
        return Ok(());
    }
    console::out(&text).map_err(Failure::stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_has_a_subcommand_that_describes_it() {
        let command = Job::augment_subcommands(Command::new("run"));
        for entry in algorithms() {
            let found = command.find_subcommand(entry.name).unwrap();
            let (about, long) = (found.get_about().unwrap(), found.get_long_about().unwrap());
            assert_eq!(about.to_string(), format!("{}: {}", entry.about.title, entry.about.asks));
            assert!(long.to_string().ends_with(entry.about.details), "{}", entry.name);
        }
    }
}
