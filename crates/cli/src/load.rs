//! Loads the graph that the user names: a file, standard input, or a generator.

use crate::{
    failure::{Failure, Result},
    reading::Reading,
    session::Session,
};
use std::{io, path::Path, time::Instant};
use warpgraph::{
    Control, Graph, Opened, Purpose,
    graph::{self, Format, Input, format::wg, generate::Spec},
};

/// A graph, and the seconds it took to read or generate, build and check it.
pub(crate) struct ReadGraph {
    pub(crate) graph: Graph,
    pub(crate) seconds: f64,
}

/// Loads the graph called `name`.
pub(crate) fn load(session: &Session, name: &str, reading: &Reading) -> Result<ReadGraph> {
    let start = Instant::now();
    let graph = session.work(|control| find(name, reading, control))?;
    Ok(ReadGraph { graph, seconds: start.elapsed().as_secs_f64() })
}

/// Loads the graph called `name` for runs on the session's engine: a `.wg` file goes straight to a GPU that will use it.
pub(crate) fn open(
    session: &Session,
    name: &str,
    reading: &Reading,
    purpose: Purpose<'_>,
) -> Result<(Opened, f64)> {
    let start = Instant::now();
    let opened = session.work(|control| match find_source(name)? {
        Source::File(path) if !reading.trust => {
            Ok(session.engine.read(path, &reading.options()?, purpose, control)?)
        }
        _ => {
            session.engine.ready()?;
            Ok::<_, Failure>(session.engine.adopt(find(name, reading, control)?, purpose)?)
        }
    })?;
    Ok((opened, start.elapsed().as_secs_f64()))
}

/// Generates the graph that `spec` describes.
pub(crate) fn generated(session: &Session, spec: &str) -> Result<ReadGraph> {
    let start = Instant::now();
    let graph = session.work(|control| generate(&spec.parse()?, &Reading::default(), control))?;
    Ok(ReadGraph { graph, seconds: start.elapsed().as_secs_f64() })
}

/// The source of a graph.
pub(crate) enum Source<'a> {
    /// A file, or `-`.
    File(&'a Path),
    Generator(Spec),
}

/// Returns the source called `name`; an existing file wins over a generator of the same name.
pub(crate) fn find_source(name: &str) -> Result<Source<'_>> {
    let path = Path::new(name);
    if Input::exists(path) {
        return Ok(Source::File(path));
    }
    match looks_generated(name) {
        true => Ok(Source::Generator(name.parse()?)),
        false => Err(missing(path)),
    }
}

fn find(name: &str, reading: &Reading, control: &Control) -> Result<Graph> {
    match find_source(name)? {
        Source::File(path) => read(path, reading, control),
        Source::Generator(spec) => generate(&spec, reading, control),
    }
}

fn read(path: &Path, reading: &Reading, control: &Control) -> Result<Graph> {
    let options = reading.options()?;
    if !reading.trust {
        return Ok(Graph::open_with(path, &options, control)?);
    }
    if options.format.is_some_and(|f| f != Format::Wg) {
        let help = "leave --trust out; text is always checked as it is read";
        return Err(Failure::new("invalid", "--trust is for .wg files only", help));
    }
    if !reading.is_only_trust() {
        let help = "leave --trust out, or convert the file once with these flags";
        return Err(Failure::new(
            "invalid",
            "--trust takes a file as it is: other reading flags do not apply",
            help,
        ));
    }
    // SAFETY: with `--trust` the user promises that warpgraph wrote this file and that it has not changed since.
    Ok(unsafe { wg::File::open_with(path, control)?.trust()? })
}

/// Returns true if the name reads `word:rest` without a folder in front, which means a generator.
fn looks_generated(name: &str) -> bool {
    name.split_once(':').is_some_and(|(word, _)| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    })
}

fn generate(spec: &Spec, reading: &Reading, control: &Control) -> Result<Graph> {
    check_generated(spec, reading)?;
    Ok(spec.generate(control)?)
}

/// Refuses reading flags for a generator.
pub(crate) fn check_generated(spec: &Spec, reading: &Reading) -> Result<()> {
    if reading.is_default() {
        return Ok(());
    }
    let help = format!("say it in the description instead, e.g. {spec},directed or {spec},w=1..255");
    Err(Failure::new("invalid", format!("{spec} is generated: reading flags do not apply"), help))
}

/// Returns the error for a file that is missing or out of reach, and suggests a file of the same folder with a similar
/// name.
fn missing(path: &Path) -> Failure {
    let source = path.metadata().err().unwrap_or_else(|| io::Error::from_raw_os_error(2));
    let is_missing = source.kind() == io::ErrorKind::NotFound;
    let error: Failure = graph::Error::io(path, "open", source).into();
    match similar(path).filter(|_| is_missing) {
        Some(name) => error.with_help(format!("did you mean {name}?")),
        None => error,
    }
}

/// Returns a file beside `path` whose name differs by at most two letters, or by an ending.
fn similar(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?.to_lowercase();
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = folder.read_dir().ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let cost = |name: &str| match name.to_lowercase() {
        name if name.starts_with(&format!("{wanted}.")) || wanted.starts_with(&format!("{name}.")) => 0,
        name => edits(&name, &wanted),
    };
    let (cost, name) = names.take(10_000).map(|name| (cost(&name), name)).min()?;
    (cost <= 2 && cost * 3 <= wanted.len()).then(|| path.with_file_name(name).display().to_string())
}

/// Returns the edit distance (Levenshtein) of `a` and `b`.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!([edits("road", "road"), edits("raod", "road"), edits("", "abc")], [0, 2, 3]);
    }

    #[test]
    fn a_name_with_a_colon_is_meant_as_a_generator_unless_it_has_a_folder() {
        assert!(looks_generated("krn:20") && looks_generated("grid:3x4,drop=0.1"));
        assert!(!looks_generated("data/kron:20") && !looks_generated("road.gr") && !looks_generated(":x"));
    }
}
