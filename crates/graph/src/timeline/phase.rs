//! The vocabulary of a timeline: every [`Phase`] and every [`Lane`], with one line of explanation each.

use serde::{Serialize, Serializer};
use std::{cell::Cell, fmt};

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl $name {
            /// Every one, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns its name, as it is printed and stored.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// Returns its explanation.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),+).trim_ascii(),)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

words! {
    /// A step of the work that a user waits for.
    Phase {
        /// Reads and checks the command line.
        Arguments = "arguments",
        /// Starts the threads of the engine.
        Threads = "threads",
        /// Hands work to the threads of the engine, and wakes the thread that waits for it.
        Waking = "waking",
        /// Finds the driver of the GPU, starts it, and asks it about the GPU.
        Driver = "driver",
        /// Finds the compiler of kernels.
        Compiler = "compiler",
        /// Creates the context of the GPU.
        Context = "context",
        /// Creates the streams, and the pinned word that asks kernels to end.
        Streams = "streams",
        /// Waits until the GPU is open; other threads compute checksums of the file meanwhile.
        Waiting = "waiting",
        /// Opens a file and reads its header; unpacks it if it is compressed.
        Opening = "opening",
        /// Verifies the checksums and the invariants of a .wg file.
        Checking = "checking",
        /// Reads the edges of a file that is not .wg.
        Reading = "reading",
        /// Builds the adjacency lists from edges.
        Building = "building",
        /// Generates a graph.
        Generating = "generating",
        /// Counts isolated vertices and loops, and describes the graph.
        Describing = "describing",
        /// Renumbers the vertices.
        Reordering = "reordering",
        /// Checks the question and chooses the device; frees what the run held.
        Asking = "asking",
        /// Makes what later runs reuse, such as incoming arcs.
        Preparing = "preparing",
        /// Finds a kernel in memory or in the cache, and loads it.
        Kernels = "kernels",
        /// Compiles a module of kernels.
        Compiling = "compiling",
        /// Measures what the balances cost on this GPU, or reads that from the cache.
        Calibrating = "calibrating",
        /// Copies the graph to the GPU.
        Copying = "copying",
        /// Allocates memory on the GPU.
        Allocating = "allocating",
        /// Runs the algorithm.
        Running = "running",
        /// Copies the answer to the host, and maps it to the original ids.
        Fetching = "fetching",
        /// Verifies the answer.
        Verifying = "verifying",
        /// Makes the report: the hash of the graph, the summary of the answer.
        Reporting = "reporting",
        /// Writes the table of the answer.
        Writing = "writing",
        /// Prints the report.
        Printing = "printing",
        /// Frees the graph and the answer; after the JSON is printed.
        Ending = "ending",
        /// Does work that has no phase of its own.
        Other = "other",
    }
}

words! {
    /// Where work happens: on the main line, which the user waits for, or beside it.
    Lane {
        /// The main line: what the user waits for, one thing after the other.
        Main = "main",
        /// Opening the GPU while the main line goes on.
        Device = "device",
        /// Making kernels while the main line goes on.
        Kernels = "kernels",
    }
}

thread_local! {
    static CURRENT: Cell<Lane> = const { Cell::new(Lane::Main) };
}

impl Lane {
    /// Returns the lane of this thread.
    pub(super) fn current() -> Self {
        CURRENT.get()
    }

    /// Puts this thread on the lane until the guard is dropped. Threads start on the main line. A thread that works
    /// beside the main line calls this first.
    ///
    /// ```
    /// use warpgraph_graph::timeline::{Lane, Phase, Timeline};
    /// let timeline = Timeline::start();
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         let _lane = Lane::Device.enter();
    ///         let _span = timeline.span(Phase::Context);
    ///     });
    /// });
    /// assert_eq!(timeline.snapshot().spans[0].lane, Lane::Device);
    /// ```
    #[must_use = "the thread is on the lane as long as the guard lives"]
    pub fn enter(self) -> Entered {
        Entered { before: CURRENT.replace(self), on_this_thread: std::marker::PhantomData }
    }
}

/// Keeps a thread on a lane; dropping it puts the thread back on the lane before.
#[derive(Debug)]
pub struct Entered {
    before: Lane,
    /// A lane belongs to a thread, so the guard stays there.
    on_this_thread: std::marker::PhantomData<*const ()>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.before);
    }
}
