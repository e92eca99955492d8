//! [`Ask`]: what can be asked of a loaded graph, an algorithm's configuration or a program, and who answers.

use crate::view::View;
use std::{fmt, sync::Arc, time::Instant};
use warpgraph_core::{
    Accuracy, Algorithm, Answer, Bound, Error, Options, Plan, Result, Rules, Source,
    program::{ProgramAnswer, Recorded, RecordedAnswer, VertexProgram},
};
use warpgraph_gpu::{DeviceGraph, Footprint, OnGpu};
use warpgraph_graph::{Graph, NodeMap, Vertex, timeline::Phase};

/// What can be asked of a loaded graph: the configuration of an algorithm, or a [`Program`].
pub trait Ask: Send + Sync {
    /// What comes back.
    type Reply: Answer + Send + Sync + 'static;

    /// Returns the plans it takes.
    fn rules(&self) -> Rules;

    /// Returns the report on an answer whose engine reports none, if the question allows an error and no held-out questions
    /// measure it: such an answer is exact.
    fn exact_because(&self) -> Option<Accuracy> {
        None
    }

    /// Refuses a question that makes no sense, or not for this graph.
    ///
    /// # Errors
    /// [`Error::Config`], or the graph's own error for an unknown vertex.
    fn check(&self, graph: &Graph) -> Result<()>;

    /// Returns the bytes of device memory that it takes on a GPU at most.
    fn device_bytes(&self, graph: &Graph, options: &Options) -> Footprint;

    /// Returns true if the form of the run reflects copies of vertices. Otherwise it runs on `merged`.
    fn reflects(&self, _merged: &Graph, _options: &Options, _on_gpu: bool) -> bool {
        false
    }

    /// Returns the greatest error that the user allows; `None` if the answer must be exact.
    fn max_error(&self) -> Option<f64> {
        None
    }

    /// Returns how runs keep within [`Ask::max_error`].
    fn bound(&self) -> Bound {
        Bound::Proved
    }

    /// Returns a question of the same kind from a random source, which `seed` and `number` choose; `None` if there is none.
    ///
    /// # Errors
    /// When the graph has no vertex.
    fn held_out(&self, _graph: &Graph, _seed: u64, _number: u64) -> Result<Option<Self>>
    where
        Self: Sized,
    {
        Ok(None)
    }

    /// Answers about a graph. The answer speaks of the original vertices.
    ///
    /// # Errors
    /// The engine's.
    fn answer(&self, place: &Place<'_>, options: &Options) -> Result<Self::Reply>;
}

/// A graph as one run sees it, where the run is.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The graph in the order of its ids.
    pub(crate) original: &'a Graph,
    /// The graph that the answer is about, with the same vertices; another one only if an approximation has changed it.
    pub(crate) answered: &'a Graph,
    /// The graph in the order it is held in.
    pub(crate) view: &'a View,
    /// The same on a GPU, if the run is there.
    pub(crate) device_graph: Option<&'a DeviceGraph>,
}

impl<'a> Place<'a> {
    /// Returns the graph that the run sees, and the map from its numbers to the original ones if they differ.
    fn held(&self) -> (&'a Graph, Option<&'a NodeMap>) {
        match self.view.renumbered() {
            Some((graph, map)) => (graph, Some(map)),
            None => (self.original, None),
        }
    }
}

/// An algorithm that the engines know.
pub trait Dispatch: OnGpu + Ask<Reply = <Self as Algorithm>::Answer> + Arguments {
    /// Answers on the processor.
    ///
    /// # Errors
    /// The engine's.
    fn on_cpu(&self, graph: &Graph, options: &Options) -> Result<Self::Answer>;
}

/// The flags of a configuration on the command line, where the feature `clap` is on.
#[cfg(feature = "clap")]
pub trait Arguments: clap::Args {}
#[cfg(feature = "clap")]
impl<A: clap::Args> Arguments for A {}
/// The flags of a configuration on the command line, where the feature `clap` is on.
#[cfg(not(feature = "clap"))]
pub trait Arguments {}
#[cfg(not(feature = "clap"))]
impl<A> Arguments for A {}

macro_rules! dispatch {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {$(
        impl Dispatch for warpgraph_core::$module::$config {
            fn on_cpu(&self, graph: &Graph, options: &Options) -> Result<warpgraph_core::$module::$answer> {
                warpgraph_cpu::$module(graph, self, options)
            }
        }

        impl Ask for warpgraph_core::$module::$config {
            type Reply = warpgraph_core::$module::$answer;

            fn rules(&self) -> Rules {
                Algorithm::rules(self)
            }

            fn exact_because(&self) -> Option<Accuracy> {
                exact_because(self)
            }

            fn check(&self, graph: &Graph) -> Result<()> {
                Algorithm::check(self, graph)
            }

            fn device_bytes(&self, graph: &Graph, options: &Options) -> Footprint {
                warpgraph_gpu::bytes_needed(graph, self, options)
            }

            fn reflects(&self, graph: &Graph, options: &Options, on_gpu: bool) -> bool {
                match on_gpu {
                    true => warpgraph_gpu::reflects(self.form(graph, options)),
                    false => self.reflects_on_cpu(graph),
                }
            }

            fn max_error(&self) -> Option<f64> {
                Algorithm::max_error(self)
            }

            fn bound(&self) -> Bound {
                Self::BOUND
            }

            fn held_out(&self, _: &Graph, _: u64, _: u64) -> Result<Option<Self>> {
                Ok(Algorithm::held_out(self))
            }

            fn answer(&self, place: &Place<'_>, options: &Options) -> Result<Self::Reply> {
                answer(self, place, options)
            }
        }
    )*};
}
warpgraph_core::for_each_algorithm!(dispatch);

/// What errors of an exact answer would be of.
const ALL: &str = "all values";
/// Why an engine that could report a proved error answers exactly instead.
const FASTER: &str = "this device computes the exact answer faster than it would draw samples";

/// The same for any algorithm.
fn exact_because<A: Algorithm>(config: &A) -> Option<Accuracy> {
    let asked = config.max_error()?;
    match A::BOUND {
        Bound::Exact(why) => Some(Accuracy::exact(ALL, asked, why)),
        Bound::Proved => Some(Accuracy::exact(ALL, asked, FASTER)),
        Bound::Measured => None,
    }
}

/// Asks the graph in the order it is held in.
fn answer<A: Dispatch>(config: &A, place: &Place<'_>, options: &Options) -> Result<A::Answer> {
    let (graph, original) = (place.held().0, place.original);
    let Some(map) = place.held().1 else { return on_device(config, graph, place.device_graph, options) };
    let inner = config.renumbered(original, map, options.seed, options.run)?;
    let options = Options { map: Some(map.clone()), ..options.clone() };
    let answer =
        on_device(&inner, graph, place.device_graph, &options).map_err(|e| e.restore(original, map))?;
    let (start, _span) = (Instant::now(), options.control.span(Phase::Fetching));
    let mut answer = config.restore(answer, place.answered, map)?;
    answer.run_mut().fetch_seconds += start.elapsed().as_secs_f64();
    Ok(answer)
}

/// Answers on a GPU if `device_graph` is given, which is `graph` there. A GPU only notices that a negative cycle is there; the
/// processor names it.
fn on_device<A: Dispatch>(
    config: &A,
    graph: &Graph,
    device_graph: Option<&DeviceGraph>,
    options: &Options,
) -> Result<A::Answer> {
    let Some(device_graph) = device_graph else { return config.on_cpu(graph, options) };
    let is_whole = options.map.as_ref().is_none_or(NodeMap::is_renumbering);
    match warpgraph_gpu::run(device_graph, config, options) {
        Err(Error::NegativeCycle { vertices, .. }) if vertices.is_empty() && is_whole => {
            config.on_cpu(graph, &Options { plan: Plan::AUTO, ..options.clone() })
        }
        answered => answered,
    }
}

/// A program of the user's own, as a question.
pub struct Program<P> {
    pub(crate) program: Arc<P>,
    pub(crate) within: Option<Within<P>>,
}

/// The error that a program may have, and how to make the same program with another source.
pub(crate) struct Within<P> {
    pub(crate) error: f64,
    pub(crate) with_source: Arc<dyn Fn(Vertex) -> P + Send + Sync>,
}

impl<P> fmt::Debug for Program<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("max_error", &self.error()).finish_non_exhaustive()
    }
}

impl<P> Program<P> {
    pub(crate) fn new(program: P) -> Self {
        Self { program: Arc::new(program), within: None }
    }

    fn error(&self) -> Option<f64> {
        self.within.as_ref().map(|within| within.error)
    }
}

/// A recorded program, as a question; see [`Recorded`].
impl Ask for Arc<Recorded> {
    type Reply = RecordedAnswer;

    fn rules(&self) -> Rules {
        Rules::of_recorded(self)
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        Recorded::check(self, graph)
    }

    fn device_bytes(&self, graph: &Graph, options: &Options) -> Footprint {
        warpgraph_gpu::recorded_bytes_needed(self, graph, options)
    }

    fn answer(&self, place: &Place<'_>, options: &Options) -> Result<Self::Reply> {
        let (graph, map) = place.held();
        let options = Options { map: map.cloned(), ..options.clone() };
        let answer = match place.device_graph {
            Some(device_graph) => warpgraph_gpu::recorded(device_graph, self, &options),
            None => warpgraph_cpu::recorded(graph, self, &options),
        }?;
        restored(answer, place, map, &options, RecordedAnswer::restore)
    }
}

/// Maps the answer of a program back to the original vertices.
fn restored<A: Answer>(
    answer: A,
    place: &Place<'_>,
    map: Option<&NodeMap>,
    options: &Options,
    restore: impl FnOnce(A, &Graph, &NodeMap) -> Result<A>,
) -> Result<A> {
    let Some(map) = map else { return Ok(answer) };
    let (start, _span) = (Instant::now(), options.control.span(Phase::Fetching));
    let mut answer = restore(answer, place.answered, map)?;
    answer.run_mut().fetch_seconds += start.elapsed().as_secs_f64();
    Ok(answer)
}

impl<P: VertexProgram> Ask for Program<P> {
    type Reply = ProgramAnswer<P::Value>;

    fn rules(&self) -> Rules {
        Rules::of_program(&*self.program)
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        warpgraph_core::accuracy::check(P::NAME, self.error(), warpgraph_core::accuracy::CONFIDENCE)?;
        self.program.check(graph)
    }

    fn device_bytes(&self, graph: &Graph, options: &Options) -> Footprint {
        warpgraph_gpu::program_bytes_needed::<P>(graph, options)
    }

    fn reflects(&self, _: &Graph, _: &Options, _: bool) -> bool {
        true
    }

    fn max_error(&self) -> Option<f64> {
        self.error()
    }

    fn bound(&self) -> Bound {
        Bound::Measured
    }

    fn held_out(&self, graph: &Graph, seed: u64, number: u64) -> Result<Option<Self>> {
        let Some(within) = &self.within else { return Ok(None) };
        let source = Source::Random.resolve(graph, seed, number)?;
        Ok(Some(Self::new((within.with_source)(source))))
    }

    fn answer(&self, place: &Place<'_>, options: &Options) -> Result<Self::Reply> {
        let (graph, map) = place.held();
        let options = Options { map: map.cloned(), ..options.clone() };
        let answer = match place.device_graph {
            Some(device_graph) => warpgraph_gpu::program(device_graph, &self.program, &options),
            None => warpgraph_cpu::program(graph, &self.program, &options),
        }?;
        restored(answer, place, map, &options, ProgramAnswer::restore)
    }
}
