//! Text edge lists: lines of `u v [w]`.

use super::{Format, Input, ReadOptions, numbered::*};
use crate::{control::Control, error::Result, graph::Graph};

/// Reads a text edge list with number ids.
pub(crate) fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let undirected = input.starts_with(b"# Undirected");
    let weighted = input.split(|&b| b == b'\n').find(|l| !l.is_empty() && l[0] != b'#');
    let weighted = weighted.is_some_and(|l| l.split(|&b| b == b' ').count() > 2);
    let lines = Lines {
        file: input.name(),
        data: input,
        body: 0..input.len(),
        comment: b'#',
        prefix: None,
        base: options.base.unwrap_or(0),
        vertices: options.vertices,
        field: if weighted { Field::Number } else { Field::None },
        options,
    };
    let parsed = lines.parse(control)?;
    let shape = Shape {
        format: Format::EdgeList,
        directed: options.directed.unwrap_or(!undirected),
        because: String::new(),
        base: lines.base,
        warnings: Vec::new(),
    };
    parsed.build(input.name(), shape, options, control)
}
