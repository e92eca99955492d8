//! `warpgraph bench <evaluation>`: every evaluation of the table, with the flags that all share and its own.
//!
//! A cell that cannot run is a row that says why, not the end. Exit code 1 if an answer failed verification, 2 if nothing
//! was measured at all. An interruption leaves what was measured in the folder of `--out`.

use super::{
    bounds::Bounds,
    limits::{MeasureLimits, gpu},
    many::Many,
    text::sheet,
    wait::Wait,
};
use crate::{
    console::{self, BAD, GOOD, LABEL, NOTE},
    device::OnDevice,
    failure::{Failure, Result},
    load, put_json,
    reading::Reading,
    report::VERSION,
    session::{Session, Working},
};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use serde_json::Value;
use std::{cell::Cell, path::PathBuf};
use warpgraph::Device;
use warpgraph_bench::{
    Yardsticks,
    evaluation::{
        self, Bench, Evaluation, Measuring, Report, RunsOn,
        report::{SCHEMA, read},
        statements::{Outcome, Verdict},
        write,
    },
    evaluations::{self, Entry, OWN_FLAGS},
    machine::Machine,
};

/// Measurements of another kind than the default suite.
pub(super) enum Other {
    Limits(Box<MeasureLimits>),
    Wait(Box<Wait>),
    Bounds(Box<Bounds>),
    Many(Box<Many>),
    Evaluation(Box<Evaluate>),
}

/// An evaluation, with all its flags.
pub(super) struct Evaluate {
    evaluation: Box<dyn Evaluation>,
    /// Its own flags, for the report.
    options: Value,
    shared: Shared,
}

/// The flags that all evaluations share.
#[derive(Args)]
struct Shared {
    /// The graphs: files or generators [default: those of the evaluation]
    graphs: Vec<String>,
    #[command(flatten)]
    measuring: Measuring,
    /// Write the report as JSON, a page as Markdown and every figure as SVG into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Measure nothing: make tables and figures from the JSON of an earlier report
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["graphs", OWN_FLAGS])]
    from: Option<PathBuf>,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// Returns the command of an evaluation: shared flags with its defaults, then its own flags and help.
fn command(entry: &Entry) -> Command {
    let flags = ["runs", "warmup", "case_limit", "verify"].into_iter().zip(entry.about.defaults);
    let shared = Shared::augment_args(Command::new(entry.about.name));
    let shared = flags.fold(shared, |command, (flag, value)| {
        command.mut_arg(flag, |arg| arg.required(false).default_value(value))
    });
    (entry.flags)(shared)
}

impl Subcommand for Other {
    fn augment_subcommands(command: Command) -> Command {
        let limits = MeasureLimits::augment_args(Command::new("limits"));
        let wait = Wait::augment_args(Command::new("wait"));
        let bounds = Bounds::augment_args(Command::new("bounds"));
        let many = Many::augment_args(Command::new("many"));
        let evaluations = evaluations::ALL.iter().map(self::command);
        command.subcommands([limits, wait, bounds, many]).subcommands(evaluations)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        ["limits", "wait", "bounds", "many"].contains(&name)
            || evaluations::ALL.iter().any(|entry| entry.about.name == name)
    }
}

impl FromArgMatches for Other {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        if name == "limits" {
            return Ok(Self::Limits(Box::new(MeasureLimits::from_arg_matches(matches)?)));
        }
        if name == "wait" {
            return Ok(Self::Wait(Box::new(Wait::from_arg_matches(matches)?)));
        }
        if name == "bounds" {
            return Ok(Self::Bounds(Box::new(Bounds::from_arg_matches(matches)?)));
        }
        if name == "many" {
            return Ok(Self::Many(Box::new(Many::from_arg_matches(matches)?)));
        }
        let entry = evaluations::ALL.iter().find(|entry| entry.about.name == name).ok_or_else(missing)?;
        let (evaluation, options) = (entry.read)(matches)?;
        let shared = Shared::from_arg_matches(matches)?;
        Ok(Self::Evaluation(Box::new(Evaluate { evaluation, options, shared })))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Measures, or reads what was measured; writes the files; says what came of it.
pub(super) fn run(args: &Evaluate) -> Result<u8> {
    let (evaluation, shared) = (&*args.evaluation, &args.shared);
    evaluation.check()?;
    let earlier = shared.from.as_ref().map(|path| read(path, evaluation)).transpose()?;
    // Flags that do not go together are refused before the folder is made.
    let graphs = evaluation.graphs(&shared.graphs)?;
    if let Some(folder) = &shared.out {
        write::check(folder, evaluation, shared.force)?;
    }
    let report = match earlier {
        Some(report) => report,
        None => measured(args, &graphs)?,
    };
    if let Some(folder) = &shared.out {
        write::all(folder, evaluation, &report)?;
    }
    if shared.working.json {
        put_json(&report)?;
    } else {
        report.warnings.iter().for_each(|warning| console::warning(warning));
        console::out(&text(evaluation, &report)).map_err(Failure::stdout)?;
    }
    Ok(report.exit_code())
}

fn measured(args: &Evaluate, graphs: &[evaluation::Asked]) -> Result<Report> {
    let (evaluation, shared) = (&*args.evaluation, &args.shared);
    let session = Session::on(&shared.working, &shared.device)?;
    let mut report = begun(args, &session)?;
    let processor = session.beside(Device::Cpu)?;
    let load = |source: &str| {
        let read = load::load(&session, source, &shared.reading).map_err(|failure| failure.value())?;
        Ok((read.graph, read.seconds))
    };
    let bench = Bench {
        evaluation,
        measuring: shared.measuring,
        engine: &session.engine,
        processor: &processor,
        control: &session.control,
        load: &load,
        say: &|line| session.say(&format!("{line}\n")),
    };
    let has_any = Cell::new(false);
    let mut save = |report: &Report| {
        has_any.set(true);
        shared.out.as_ref().map_or(Ok(()), |folder| write::json(folder, evaluation, report))
    };
    let done = evaluation::run(&bench, graphs, &mut report, &mut save);
    session.clear();
    report.conclude(evaluation);
    // What was measured stays if the rest is cut off.
    if let (Err(error), Some(folder)) = (&done, &shared.out)
        && (has_any.get() || !report.cells.is_empty())
    {
        write::all(folder, evaluation, &report)?;
        session.say(&format!("{error}; what was measured is in {}\n", folder.display()));
    }
    done?;
    Ok(report)
}

/// Returns a report without graphs: machine, device, and the limits of the device if they are wanted.
fn begun(args: &Evaluate, session: &Session) -> Result<Report> {
    let (about, shared) = (args.evaluation.about(), &args.shared);
    let device = match about.runs_on {
        RunsOn::Gpu => Some(gpu(session, about.try_with)?),
        RunsOn::Processor => None,
        RunsOn::Asked => session.engine.look_for_gpu(),
    };
    let mut limits = Yardsticks::new(session.settings(&shared.device));
    if let (Some(device), true) = (device, about.limits) {
        session.say(&format!("measuring the limits of {}\n", device.properties().name));
        session.work(|control| limits.on_gpu(&session.engine, control).map(|_| ()))?;
    }
    Ok(Report {
        schema: SCHEMA,
        version: VERSION.to_owned(),
        command: format!("bench {}", about.name),
        machine: Machine::this(),
        device: device.map(Into::into),
        threads: session.engine.threads(),
        gpu_memory: shared.device.gpu_memory(),
        measuring: shared.measuring,
        options: args.options.clone(),
        limits: limits.gpu,
        trouble: limits.trouble,
        ..Report::default()
    })
}

/// Returns the tables that have rows, the remarks, and the statements.
fn text(evaluation: &dyn Evaluation, report: &Report) -> String {
    let runs = report.measuring.runs;
    let on = report.device.as_ref().map_or_else(String::new, |device| {
        format!("on {} ({}), medians of {runs} runs\n\n", device.name, device.label)
    });
    let sheets = evaluation.tables(report);
    let tables: String = sheets.iter().filter(|table| !table.rows.is_empty()).map(sheet).collect();
    let remarks: String = evaluation.remarks(report).iter().map(|line| format!("{line}\n")).collect();
    let statements: String = report.statements.iter().map(verdict).collect();
    match report.statements.is_empty() {
        true => on + &tables + &remarks,
        false => format!("{on}{tables}{remarks}{LABEL}What the paper says{LABEL:#}\n{statements}"),
    }
}

/// Returns two lines: what is said, and what was seen.
fn verdict(verdict: &Verdict) -> String {
    let style = match verdict.outcome {
        Outcome::Held => GOOD,
        Outcome::No => BAD,
        Outcome::InPart => NOTE,
        Outcome::NotMeasured => anstyle::Style::new(),
    };
    let said = format!("{style}{:<12}{style:#}  {}\n", verdict.outcome, verdict.statement);
    match verdict.cases.is_empty() {
        true => said,
        false => format!("{said}{:14}{}\n", "", verdict.here()),
    }
}
