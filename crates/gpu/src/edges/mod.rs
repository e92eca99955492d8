//! The edge arrays of a graph, stored where a residency says: targets and weights.
//!
//! [`Stored`] is one such array; [`Edges`](crate::arguments::Edges) is what kernels get of it, and
//! `kernels/edges.cuh` reads it. [`Access`] says how modules are compiled for a residency. [`hot`] chooses the pages that
//! stay on the device, [`staged`] copies partitions ahead of a superstep, [`heads`] makes the heads of rows, [`streamed`] sends
//! the rows of a frontier, [`counted`] counts what crosses the bus, [`link`] measures it.

pub(crate) mod counted;
pub(crate) mod heads;
mod host;
pub(crate) mod hot;
pub(crate) mod link;
pub(crate) mod staged;
mod stored;
pub(crate) mod streamed;

pub(crate) use host::Host;
pub(crate) use stored::{Layout, Stored};

use crate::arguments::WORK_COUNTERS;
use std::{borrow::Cow, fmt::Write as _};
use warpgraph_core::{Code, Options, Residency};
use warpgraph_device::Source;
use xxhash_rust::xxh3::xxh3_128;

/// How kernels find the target of an arc, fixed when a module is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// In one array.
    Plain,
    /// In pages, on the device or off it.
    Paged,
    /// In coded blocks.
    Coded,
}

impl Access {
    /// Returns the access that a residency needs.
    pub(crate) fn of(residency: Option<Residency>) -> Self {
        match residency {
            Some(residency) if residency.code() == Code::EliasFano => Self::Coded,
            Some(residency) if residency.has_pages() => Self::Paged,
            _ => Self::Plain,
        }
    }

    fn define(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Paged => Some("EDGES_PAGED"),
            Self::Coded => Some("EDGES_CODED"),
        }
    }
}

/// Returns the text of a module for the residency of a run, and for counting if the run counts. With `EDGES_FAR`, kernels
/// go along host memory in the order of addresses: the bus reads lines that lie near each other six times as fast as lines
/// that are strewn over gigabytes, because the device translates few addresses at a time. The text stays as it is
/// if it reads no edges, or plain ones, and counts nothing.
pub(crate) fn adapted<'s>(source: &'s Source, options: &Options) -> Cow<'s, Source> {
    let access = Access::of(options.plan.residency);
    let is_far =
        matches!(options.plan.residency, Some(Residency::ZeroCopy { .. } | Residency::Unified { .. }));
    let counts = options.count_transfer && is_far;
    let is_far = is_far && reads_edges(&source.text);
    let access = if reads_edges(&source.text) { access } else { Access::Plain };
    let counts_work = options.count_work && source.text.contains("count_work(args,");
    if access == Access::Plain && !is_far && !counts_work {
        return Cow::Borrowed(source);
    }
    let mut head = String::new();
    if counts_work {
        let _ = writeln!(head, "#define COUNT_WORK {WORK_COUNTERS}u");
    }
    if let Some(name) = access.define() {
        let _ = writeln!(head, "#define EDGES_ARE {name}");
    }
    if is_far {
        head += "#define EDGES_FAR 1\n";
    }
    if counts && is_far {
        let _ = writeln!(head, "#define EDGES_COUNTED {}", counted::unit(options.plan.residency, options));
    }
    let mut adapted = source.clone();
    adapted.text = head + &source.text;
    let name = source.name.rsplit_once('-').map_or(&*source.name, |(name, _)| name);
    let kind = match access {
        Access::Plain => "",
        Access::Paged => "-paged",
        Access::Coded => "-coded",
    };
    let far = if is_far { "-far" } else { "" };
    adapted.name = format!("{name}{kind}{far}-{:08x}", xxh3_128(adapted.text.as_bytes()) as u32);
    Cow::Owned(adapted)
}

/// Returns the plans whose residencies need texts of their own.
pub(crate) const ADAPTED: [&str; 4] =
    ["zero-copy", "zero-copy(hot=off)", "zero-copy(code=ef)", "device(code=ef)"];

/// Returns true if a module reads an edge array. Every module includes the functions that do, so this searches for calls in
/// the text behind them.
fn reads_edges(text: &str) -> bool {
    let uses = text.rsplit("// The end of the functions that read edges.").next().unwrap_or(text);
    ["target_at(", "weight_at<", "entry_at("].iter().any(|name| uses.contains(name))
}
