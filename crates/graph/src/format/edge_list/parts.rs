//! Joins what the first lines of several files say, if they are the parts of one edge list.

use super::head::Head;
use crate::{
    error::{Error, Position, Result},
    format::{IdKind, Input, ReadOptions},
    par,
};

/// Reads the first lines of all files. If one has names as ids, all have.
///
/// # Errors
/// Returns the errors of [`Head::read`], and [`Error::Format`] if files disagree about their columns or directions.
pub(super) fn heads(inputs: &[Input], options: &ReadOptions) -> Result<Vec<Head>> {
    let read = |options: &ReadOptions| {
        par::try_map(inputs.len(), |i| Head::read(inputs[i].name(), &inputs[i], options))
    };
    let mut heads = read(options)?;
    let has_edges = |head: &&Head| head.separator.is_some();
    let names = heads.iter().filter(has_edges).filter(|head| head.names).count();
    if names > 0 && names < heads.iter().filter(has_edges).count() && options.ids == IdKind::Auto {
        heads = read(&ReadOptions { ids: IdKind::Names, ..options.clone() })?;
    }
    check(inputs, &heads)?;
    Ok(heads)
}

fn check(inputs: &[Input], heads: &[Head]) -> Result<()> {
    let parts = || inputs.iter().zip(heads);
    let Some((first, like)) = parts().find(|(_, head)| head.separator.is_some()) else { return Ok(()) };
    for (input, head) in parts().filter(|(_, head)| head.separator.is_some()) {
        if !head.layout.is_like(&like.layout) || head.columns != like.columns {
            let shape = |head: &Head| match &head.header {
                Some(header) => format!("the columns {header}"),
                None if head.layout.is_weighted() => format!("{} columns with weights", head.layout.count),
                None => format!("{} columns without weights", head.layout.count),
            };
            let problem = format!("{}, but {} in {}", shape(head), shape(like), first.name());
            let help = "all parts of a graph need the same columns; --columns says which they are";
            return Err(Error::format(Position::file(input.name()), problem, help));
        }
    }
    let mut directions = parts().filter_map(|(input, head)| Some((input, head.direction.as_ref()?.0)));
    let Some((first, directed)) = directions.next() else { return Ok(()) };
    match directions.find(|direction| direction.1 != directed) {
        None => Ok(()),
        Some((other, _)) => {
            let word = |directed| if directed { "directed" } else { "undirected" };
            let problem = format!("{}, but {} in {}", word(!directed), word(directed), first.name());
            Err(Error::format(Position::file(other.name()), problem, "pass --directed or --undirected"))
        }
    }
}

/// Joins the heads of all files into one that describes the graph.
pub(super) fn joined(inputs: &[Input], mut heads: Vec<Head>) -> Head {
    if heads.len() == 1 {
        return heads.remove(0);
    }
    let mut all = Head::default();
    for (input, head) in inputs.iter().zip(heads) {
        all.names |= head.names;
        all.direction = all.direction.take().or(head.direction);
        all.header = all.header.take().or(head.header);
        if all.columns.is_empty() {
            (all.columns, all.ignored) = (head.columns, head.ignored);
        }
        for warning in head.warnings {
            // The same warning about another file says nothing new.
            if !all.warnings.iter().any(|known: &String| known.ends_with(&warning)) {
                all.warnings.push(format!("{}: {warning}", input.name()));
            }
        }
    }
    all
}
