//! WebGraph's BV graphs \[1\]: `X.graph` with `X.properties` beside it.
//!
//! The `.graph` file is a bit stream of successor lists. A list is stored as blocks copied from an earlier list, as
//! intervals, and as gaps ([`lists`]), in the codes that the `.properties` file names ([`properties`], [`bits`]). The
//! lists are sorted, so the reader writes each arc to its final place and neither sorts nor merges.
//!
//! Without `X.offsets`, one thread reads the lists in order. `X.offsets` stores where each list starts, as gaps; with
//! it, the reader decodes ranges of nodes in parallel, and each range decodes once more the earlier lists that it
//! refers to ([`parallel`]). Reading in order takes O(nodes + arcs) work and the memory of the finished arcs. Reading
//! in parallel takes 8 bytes per node more, and the memory of the earlier lists while a range decodes.
//!
//! The modules that read lists need the feature `webgraph`. A build without it recognises such files and returns an
//! error that names the feature.
//!
//! The reader trusts the counts in the header only as far as the file can back them: a node takes at least one bit, and
//! no node has more successors than there are nodes. It reserves memory for the arcs and touches it only as it reads
//! them.
//!
//! \[1\] P. Boldi, S. Vigna. The WebGraph Framework I: Compression Techniques. WWW 2004.

#[cfg_attr(not(feature = "webgraph"), allow(dead_code, reason = "previews need the names of codes only"))]
mod bits;
#[cfg(feature = "webgraph")]
mod lists;
#[cfg(feature = "webgraph")]
mod parallel;
#[cfg_attr(not(feature = "webgraph"), allow(dead_code, reason = "previews need the counts only"))]
mod properties;
#[cfg(feature = "webgraph")]
mod read;

use self::properties::Properties;
use super::{
    Format, Input, Preview, ReadOptions, detect,
    table::{Entry, Read, Sign},
};
use crate::error::{Error, Position, Result};
use std::path::{Path, PathBuf};

pub(super) const ENTRY: Entry = Entry {
    name: "webgraph",
    aliases: &["bv"],
    endings: &["bv", "webgraph"],
    sign: Sign::Companion(is_webgraph),
    is_finished: false,
    read_parts: None,
    uses: &[],
    read: READ,
    preview: |input, _, options| preview(&input, options),
};

#[cfg(feature = "webgraph")]
const READ: Read = |input, options, control| read::read(&input, options, control);
#[cfg(not(feature = "webgraph"))]
const READ: Read = |input, _, _| Err(super::table::left_out(&input, "WebGraph's BV graphs", "webgraph"));

/// Returns true if the input is a `.graph` file and the `.properties` file beside it describes a WebGraph.
fn is_webgraph(input: &Input) -> Result<bool> {
    if detect::ending(input.name()) != "graph" {
        return Ok(false);
    }
    Ok(input.beside("properties")?.is_some_and(|beside| properties::is_webgraph(&beside)))
}

/// Returns the path of the `.graph` file for a path that names the `.properties` file or the common base name.
///
/// Returns `None` unless both files exist. A base name counts only if no file has that name itself.
pub(super) fn graph_of(path: &Path) -> Option<PathBuf> {
    let with = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    if path.extension().is_some_and(|ending| ending == "properties") {
        return Some(path.with_extension("graph")).filter(|graph| graph.is_file() && path.is_file());
    }
    let is_base = !path.exists() && with(".properties").is_file();
    Some(with(".graph")).filter(|graph| is_base && graph.is_file())
}

/// Returns the preview that the counts in the `.properties` file give.
fn preview(input: &Input, options: &ReadOptions) -> Result<Preview> {
    let beside = input.beside("properties")?.ok_or_else(|| no_properties(input))?;
    let properties = Properties::parse(&beside)?;
    let directed = options.directed.unwrap_or(true);
    let arcs = properties.arcs.saturating_mul(if directed { 1 } else { 2 });
    Ok(Preview::by_header(Format::WebGraph, properties.nodes, arcs, directed))
}

fn no_properties(input: &Input) -> Error {
    Error::format(
        Position::file(input.name()),
        "a WebGraph is a .graph and a .properties file, and there is no .properties beside this one",
        "put the .properties file of the same name into the same folder; a pipe has no folder",
    )
}
