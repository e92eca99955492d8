//! [`Error`]: why a run was refused or ended without an answer.

use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId, error::Error as GraphError};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can keep an algorithm from answering.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The graph could not be read, built or stored; or the run was interrupted.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A configuration is invalid, in general or for this graph.
    #[error("{algorithm}: {what}")]
    Config {
        /// The algorithm.
        algorithm: &'static str,
        /// What is wrong: the value given and the values expected.
        what: String,
        /// What to do next.
        help: String,
    },
    /// A plan that cannot be parsed.
    #[error("plan {text:?}: {what}")]
    Plan {
        /// The plan as written.
        text: String,
        /// What is wrong with it.
        what: String,
        /// What to do next.
        help: String,
    },
    /// Two choices that cannot be combined.
    #[error("{what}")]
    Refused {
        /// Which two, and why.
        what: String,
        /// What to do next.
        help: String,
    },
    /// A device that is missing, full or failing.
    #[error("{what}")]
    Device {
        /// The kind of trouble.
        kind: DeviceTrouble,
        /// What happened.
        what: String,
        /// What to do next.
        help: String,
    },
    /// A distance is beyond the range of its floating-point type, although every weight is in it.
    #[error("the distance of vertex {vertex}{} is beyond the range of {kind}", before_text(.before.as_ref()))]
    Overflow {
        /// The vertex.
        vertex: VertexId,
        /// The vertex before it on a path; `None` for a distance below all numbers.
        before: Option<VertexId>,
        /// The type of the distances, `f32` or `f64`.
        kind: &'static str,
    },
    /// Shortest paths do not exist, because every pass around this cycle makes them shorter.
    #[error("the graph has a negative cycle of weight {weight}: {}", cycle_text(.vertices))]
    NegativeCycle {
        /// The vertices of the cycle, the first one repeated at the end.
        vertices: Vec<VertexId>,
        /// The sum of its weights.
        weight: f64,
    },
}

/// The kinds of trouble with a device. Each has a stable name for JSON and scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceTrouble {
    /// The driver is not installed.
    NoDriver,
    /// There is no such device.
    NoDevice,
    /// The kernel compiler is not installed.
    NoCompiler,
    /// The device lacks something that kernels need.
    Capability,
    /// The memory of the device is too small.
    Memory,
    /// A kernel does not compile.
    Compile,
    /// The device trapped; this process can no longer use it.
    Lost,
    /// A kernel does not end.
    Hung,
    /// A file that the device needs, such as one in the kernel cache, cannot be used.
    File,
    /// Any other call that failed.
    Call,
}

impl DeviceTrouble {
    /// Returns its stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoDriver => "no-driver",
            Self::NoDevice => "no-device",
            Self::NoCompiler => "no-compiler",
            Self::Capability => "capability",
            Self::Memory => "device-memory",
            Self::Compile => "compile",
            Self::Lost => "device-lost",
            Self::Hung => "device-hung",
            Self::File => "file",
            Self::Call => "device",
        }
    }
}

impl Error {
    /// Returns the kind of trouble with a device; `None` for other errors.
    pub fn trouble(&self) -> Option<DeviceTrouble> {
        match self {
            Self::Device { kind, .. } => Some(*kind),
            _ => None,
        }
    }

    /// Returns true if Ctrl-C or a time limit ended the run.
    pub fn is_stop(&self) -> bool {
        matches!(self, Self::Graph(GraphError::Interrupted { .. } | GraphError::DeadlinePassed { .. }))
    }

    /// Returns an [`Error::Config`].
    pub fn config(algorithm: &'static str, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Config { algorithm, what: what.into(), help: help.into() }
    }

    /// Converts the error of a run on a graph renumbered by `map` to the ids of the original `graph`.
    pub fn restore(self, graph: &Graph, map: &NodeMap) -> Self {
        let original = |id: VertexId| match id {
            VertexId::Number(inner) => graph.ids().id(map.original(inner as Vertex)),
            name => name,
        };
        match self {
            Self::NegativeCycle { vertices, weight } => {
                Self::NegativeCycle { vertices: vertices.into_iter().map(original).collect(), weight }
            }
            Self::Overflow { vertex, before, kind } => {
                Self::Overflow { vertex: original(vertex), before: before.map(original), kind }
            }
            other => other,
        }
    }

    /// Returns a stable name for the kind of error.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Graph(e) => e.kind(),
            Self::Config { .. } => "config",
            Self::Plan { .. } => "plan",
            Self::Refused { .. } => "refused",
            Self::Device { kind, .. } => kind.as_str(),
            Self::NegativeCycle { .. } => "negative-cycle",
            Self::Overflow { .. } => "overflow",
        }
    }

    /// Returns the place in a file where the error is, if there is one.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Graph(e) => e.place(),
            _ => None,
        }
    }

    /// Returns one line that says what to do next.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Graph(e) => e.help(),
            Self::Config { help, .. }
            | Self::Plan { help, .. }
            | Self::Refused { help, .. }
            | Self::Device { help, .. } => Some(help.clone()).filter(|h| !h.is_empty()),
            Self::NegativeCycle { .. } => Some(
                "shortest paths need a graph without negative cycles; check the weights of these edges"
                    .to_owned(),
            ),
            Self::Overflow { kind: "f32", .. } => Some(
                "read the weights as f64 (leave --weight-type f32 out), or divide all weights by the same number"
                    .to_owned(),
            ),
            Self::Overflow { .. } => {
                Some("divide all weights by the same number, so that their sums stay in range".to_owned())
            }
        }
    }
}

fn before_text(before: Option<&VertexId>) -> String {
    before.map_or_else(String::new, |before| format!(", over vertex {before},"))
}

fn cycle_text(vertices: &[VertexId]) -> String {
    const SHOWN: usize = 12;
    let mut text: Vec<String> = vertices.iter().take(SHOWN).map(ToString::to_string).collect();
    if vertices.len() > SHOWN {
        text.push(format!("... ({} edges)", vertices.len() - 1));
    }
    text.join(" -> ")
}
