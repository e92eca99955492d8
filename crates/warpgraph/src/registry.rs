//! The registry of algorithms: what can be asked by name, with a configuration as JSON.
//!
//! [`algorithms`] has one [`Entry`] for each line of the table in `warpgraph_core`. An entry makes a [`Question`] from a
//! configuration, and [`Loaded::ask`] answers it with a boxed [`Answer`]: no caller needs to know the algorithm's types.
//!
//! ```
//! use warpgraph::{Engine, Graph, Options, Order, find};
//!
//! # fn main() -> Result<(), warpgraph::Error> {
//! let graph = Graph::from_edges(3, &[(0, 1), (1, 2)], false)?;
//! let loaded = Engine::auto()?.load(&graph, Order::Natural)?;
//! let question = find("bfs")?.question(serde_json::json!({ "source": 0 }))?;
//! let (answer, _) = loaded.ask(&*question, &Options::default())?;
//! assert_eq!(answer.summary()["depth"], 2);
//! # Ok(())
//! # }
//! ```

use crate::{Choice, Dispatch, Loaded};
use serde_json::Value;
use std::{fmt, sync::Arc};
use warpgraph_core::{About, Algorithm, Answer, Device, Error, Halted, Options, Result, Rules, cost::Cost};
use warpgraph_device::Source;
use warpgraph_gpu::{Footprint, OnGpu, Outline};
use warpgraph_graph::{Graph, suggest::did_you_mean};

/// An answer of any algorithm.
pub type AnyAnswer = Box<dyn Answer + Send + Sync>;

/// A question to any algorithm.
pub trait Question: fmt::Debug + Send + Sync {
    /// Returns the algorithm.
    fn entry(&self) -> &'static Entry;

    /// Returns the plans that the question takes: those of the algorithm, on the devices that answer it.
    fn rules(&self) -> Rules;

    /// Returns the configuration as JSON.
    fn config(&self) -> Value;

    /// Refuses a question that makes no sense on any graph. Call it before reading a graph for the question.
    ///
    /// # Errors
    /// [`Error::Config`].
    fn check_config(&self) -> Result<()>;

    /// Refuses a question that makes no sense, or not for this graph.
    ///
    /// # Errors
    /// [`Error::Config`], or the graph's own error for an unknown vertex.
    fn check(&self, graph: &Graph) -> Result<()>;

    /// Returns the same question with everything asked for that a table of the answer is made of.
    fn for_table(&self) -> Box<dyn Question>;

    /// Returns the modules of kernels that a GPU needs for the question on such a graph, the ones needed first in front.
    /// [`cuda::compile_ahead`](crate::devices::cuda::compile_ahead) compiles them while the graph is read.
    ///
    /// # Errors
    /// None that a user can cause.
    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>>;

    /// Returns the most bytes of device memory that the question takes on such a graph under an open plan.
    fn footprint(&self, outline: &Outline, options: &Options) -> Footprint;

    /// Returns the most bytes of device memory that the question takes on a graph.
    fn footprint_on(&self, graph: &Graph, options: &Options) -> Footprint;

    /// Returns the greatest error that the user allows; `None` if the answer must be exact.
    fn max_error(&self) -> Option<f64>;

    /// Asks; see [`Loaded::ask`].
    ///
    /// # Errors
    /// As [`crate::Job::run`].
    fn ask(&self, loaded: &Loaded, options: &Options) -> Result<(AnyAnswer, Option<Choice>)>;
}

impl<A: Dispatch> Question for A {
    fn entry(&self) -> &'static Entry {
        const { &Entry::of::<A>() }
    }

    fn rules(&self) -> Rules {
        Algorithm::rules(self)
    }

    fn config(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn check_config(&self) -> Result<()> {
        Algorithm::check_config(self)
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        Algorithm::check(self, graph)
    }

    fn for_table(&self) -> Box<dyn Question> {
        Box::new(Algorithm::for_table(self))
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        OnGpu::ahead(self, outline, options)
    }

    fn footprint(&self, outline: &Outline, options: &Options) -> Footprint {
        warpgraph_gpu::bytes_ahead(outline, self, options)
    }

    fn footprint_on(&self, graph: &Graph, options: &Options) -> Footprint {
        warpgraph_gpu::bytes_needed(graph, self, options)
    }

    fn max_error(&self) -> Option<f64> {
        Algorithm::max_error(self)
    }

    fn ask(&self, loaded: &Loaded, options: &Options) -> Result<(AnyAnswer, Option<Choice>)> {
        let (answer, choice) = loaded.run(self, options.clone())?;
        Ok((Box::new(answer), choice))
    }
}

/// An algorithm, by name: its words, its rules, its costs, and how to ask it.
#[derive(Debug)]
pub struct Entry {
    /// Its name on the command line and in JSON.
    pub name: &'static str,
    /// Its words.
    pub about: About,
    /// The plans it takes.
    pub rules: Rules,
    /// What it costs at least.
    pub cost: Cost,
    /// True if its answers know a way to every vertex they reach.
    pub finds_paths: bool,
    determinism: [&'static str; 2],
    not_settled: fn(Halted, u64) -> Option<String>,
    usual: fn() -> Box<dyn Question>,
    parse: fn(Value) -> Result<Box<dyn Question>>,
    #[cfg(feature = "clap")]
    arguments: fn(clap::Command) -> clap::Command,
    #[cfg(feature = "clap")]
    from_matches: fn(&clap::ArgMatches) -> Result<Box<dyn Question>, clap::Error>,
}

impl Entry {
    /// Returns the entry of an algorithm.
    pub const fn of<A: Dispatch>() -> Self {
        Self {
            name: A::NAME,
            about: A::ABOUT,
            rules: A::RULES,
            cost: A::COST,
            finds_paths: A::FINDS_PATHS,
            determinism: [A::DETERMINISM, A::DETERMINISM_ON_GPU],
            not_settled: A::not_settled,
            usual: || Box::new(A::usual()),
            parse: parse::<A>,
            #[cfg(feature = "clap")]
            arguments: A::augment_args,
            #[cfg(feature = "clap")]
            from_matches: |matches| Ok(Box::new(A::from_arg_matches(matches)?)),
        }
    }

    /// Returns what `bench` and `doctor` ask: the default configuration, unless that takes a search from every vertex.
    pub fn usual(&self) -> Box<dyn Question> {
        (self.usual)()
    }

    /// Makes a question from a configuration. Fields that are left out have their defaults.
    ///
    /// # Errors
    /// [`Error::Config`] for an unknown field or a value of the wrong kind.
    pub fn question(&self, config: Value) -> Result<Box<dyn Question>> {
        (self.parse)(config)
    }

    /// Returns what it costs on a device to have the same bits run after run.
    pub fn determinism(&self, device: Device) -> &'static str {
        self.determinism[usize::from(device.is_gpu())]
    }

    /// Returns the warning for a run that ended as `halt` says after this many rounds; `None` if it has its answer.
    pub fn not_settled(&self, halt: Halted, rounds: u64) -> Option<String> {
        (self.not_settled)(halt, rounds)
    }

    /// Adds the flags of its configuration to a command.
    #[cfg(feature = "clap")]
    pub fn arguments(&self, command: clap::Command) -> clap::Command {
        (self.arguments)(command)
    }

    /// Makes a question from the flags of a command.
    ///
    /// # Errors
    /// clap's.
    #[cfg(feature = "clap")]
    pub fn from_matches(&self, matches: &clap::ArgMatches) -> Result<Box<dyn Question>, clap::Error> {
        (self.from_matches)(matches)
    }
}

fn parse<A: Dispatch>(config: Value) -> Result<Box<dyn Question>> {
    let wrong = |error: serde_json::Error| {
        let fields = serde_json::to_value(A::default()).unwrap_or_default();
        let names: Vec<&str> =
            fields.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        Error::config(A::NAME, format!("its configuration: {error}"), format!("fields: {}", names.join(", ")))
    };
    let config: A = serde_json::from_value(config).map_err(wrong)?;
    Ok(Box::new(config))
}

macro_rules! entries {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        const { &[$(Entry::of::<warpgraph_core::$module::$config>()),*] }
    };
}

/// Returns every algorithm, in the order of the documentation.
pub fn algorithms() -> &'static [Entry] {
    warpgraph_core::for_each_algorithm!(entries)
}

/// Returns the algorithm of a name.
///
/// # Errors
/// [`Error::Refused`] with the name that was probably meant.
pub fn find(name: &str) -> Result<&'static Entry> {
    let names: Vec<&str> = algorithms().iter().map(|entry| entry.name).collect();
    algorithms().iter().find(|entry| entry.name == name).ok_or_else(|| Error::Refused {
        what: format!("there is no algorithm {name:?}"),
        help: did_you_mean(name, &names, &format!("algorithms: {}", names.join(", "))),
    })
}

macro_rules! methods {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        impl Loaded {
            $(
                #[doc = concat!("Asks [`", stringify!($config), "`](crate::", stringify!($config), ").")]
                pub fn $module(&self, config: crate::$config) -> crate::Job<'_, crate::$config> {
                    self.job(config)
                }
            )*
        }
    };
}
warpgraph_core::for_each_algorithm!(methods);

impl Loaded {
    /// Asks any algorithm, and says where it ran and why, if that was left to the engine.
    ///
    /// # Errors
    /// As [`crate::Job::run`].
    pub fn ask(&self, question: &dyn Question, options: &Options) -> Result<(AnyAnswer, Option<Choice>)> {
        question.ask(self, options)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;

    #[test]
    fn every_algorithm_reads_its_own_configuration_and_refuses_unknown_fields() {
        for entry in algorithms() {
            let usual = entry.usual();
            let again = entry.question(usual.config()).unwrap();
            assert_eq!((again.config(), again.entry().name), (usual.config(), entry.name));
            let error = entry.question(serde_json::json!({ "no-such-field": 1 })).unwrap_err();
            assert!(error.to_string().contains("no-such-field"), "{}: {error}", entry.name);
        }
    }

    #[test]
    fn every_algorithm_has_all_its_words() {
        for entry in algorithms() {
            let About { title, asks, details, verified_by } = entry.about;
            for text in [title, asks, details, verified_by] {
                assert!(!text.is_empty(), "{} lacks a text", entry.name);
            }
            assert!(details.contains("Columns of --out"), "{} says nothing about its table", entry.name);
        }
    }

    #[test]
    fn every_question_knows_its_modules_ahead() {
        let outline = Outline::of(&Graph::from_edges(3, &[(0, 1), (1, 2)], false).unwrap());
        for entry in algorithms() {
            let modules = entry.usual().ahead(&outline, &Options::default()).unwrap();
            assert!(!modules.is_empty(), "{}", entry.name);
        }
    }

    #[test]
    fn a_name_that_is_nearly_right_is_suggested() {
        let error = find("pagerang").unwrap_err();
        assert!(error.help().unwrap().contains("pagerank"), "{:?}", error.help());
    }
}
