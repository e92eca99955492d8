//! Finds the files of a graph that lies in several of them: a folder, a pattern with wildcards, or a list.
//!
//! - A folder holds the files in it and in its subfolders (`year=2024/part-0.parquet`), in the order of their paths.
//!   Files and folders whose names start with `.` or `_` do not count: Spark marks with them what is no data.
//! - A pattern (`part-*.csv.gz`) is a path with `*`, `?` or `[`, unless a file has exactly this name.
//! - A list (`@parts.txt`) is a text file with one path per line; blank lines and lines that start with `#` do not
//!   count. Relative paths start from the folder of the list.
//!
//! All files must have one format, and one that can be read in parts. Each may be compressed.

use super::{Format, Input, ReadOptions, detect};
use crate::{
    control::Control,
    error::{Error, Position, Result},
    graph::Graph,
    par,
};
use std::path::{Path, PathBuf};

/// The most folders within each other; a link that leads back to its own folder would never end.
const DEEPEST: usize = 16;
const ONE_FORMAT: &str = "name the files that belong to the graph by a pattern, such as 'folder/*.csv'";

/// The files of one graph.
#[derive(Debug)]
pub(super) struct Parts {
    /// The name of the graph: the folder, pattern or list as the user wrote it.
    name: String,
    paths: Vec<PathBuf>,
}

impl Parts {
    /// Returns the files that `path` stands for, or `None` if `path` is one file.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if a folder or a list cannot be read, and [`Error::Format`] if there is no file.
    pub(super) fn of(path: &Path) -> Result<Option<Self>> {
        let (what, paths) = if path.is_dir() {
            ("the folder has no files", folder(path)?)
        } else if let Some(list) = list_of(path) {
            ("the list names no files", listed(&list)?)
        } else if is_pattern(path) {
            ("no file matches the pattern", matching(path)?)
        } else {
            return Ok(None);
        };
        let name = path.display().to_string();
        if paths.is_empty() {
            let help = "check the path; names that start with . or _ do not count";
            return Err(Error::format(Position::file(name), what, help));
        }
        Ok(Some(Self { name, paths }))
    }

    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Reads all files as one graph.
    pub(super) fn read(self, options: &ReadOptions, control: &Control) -> Result<Graph> {
        self.check_endings()?;
        let inputs = par::try_map(self.paths.len(), |i| {
            control.check("opening files")?;
            Input::open(&self.paths[i], control)
        })?;
        let format = self.format(&inputs, options)?;
        let Some(read) = format.entry().read_parts else {
            let problem = format!("{} files of the format {format}, expected one", inputs.len());
            let help =
                "only edge lists and Parquet files can be parts of one graph; convert each to one of them";
            return Err(Error::format(Position::file(self.name), problem, help));
        };
        read(self.name, inputs, options, control)
    }

    /// Returns an error if two files have different endings, before any of them is opened.
    fn check_endings(&self) -> Result<()> {
        let ending = |path: &PathBuf| detect::ending(&path.to_string_lossy());
        let (first, others) = (&self.paths[0], &self.paths[1..]);
        match others.iter().find(|path| ending(path) != ending(first)) {
            None => Ok(()),
            Some(other) => {
                let problem = format!("{} and {} have different endings", first.display(), other.display());
                Err(Error::format(Position::file(&self.name), problem, ONE_FORMAT))
            }
        }
    }

    /// Returns the format that all files have.
    fn format(&self, inputs: &[Input], options: &ReadOptions) -> Result<Format> {
        let first = detect::format_of(&inputs[0], options)?;
        for input in &inputs[1..] {
            let format = detect::format_of(input, options)?;
            if format != first {
                let problem = format!("the format is {format}, but {first} in {}", inputs[0].name());
                return Err(Error::format(Position::file(input.name()), problem, ONE_FORMAT));
            }
        }
        Ok(first)
    }
}

/// Returns true if `path` stands for several files or none, rather than for one that exists.
pub(super) fn is_pattern(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.contains(['*', '?', '[']) && !path.exists()
}

/// Returns the path of the list if `path` is `@list`.
pub(super) fn list_of(path: &Path) -> Option<PathBuf> {
    let text = path.to_str()?.strip_prefix('@')?;
    (!path.exists()).then(|| PathBuf::from(text))
}

/// Returns the files in a folder and its subfolders, in the order of their paths.
fn folder(path: &Path) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![(path.to_owned(), 0)]);
    while let Some((folder, depth)) = folders.pop() {
        if depth > DEEPEST {
            let problem = format!("more than {DEEPEST} folders within each other");
            let help = "a link may lead back to its own folder; name the files by a pattern instead";
            return Err(Error::format(Position::file(folder.display().to_string()), problem, help));
        }
        let failed = |error| Error::io(&folder, "read", error);
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_name().to_string_lossy().starts_with(['.', '_']) {
                continue;
            }
            match entry.path() {
                path if path.is_dir() => folders.push((path, depth + 1)),
                path => files.push(path),
            }
        }
    }
    files.sort();
    Ok(files)
}

fn matching(path: &Path) -> Result<Vec<PathBuf>> {
    let text = path.to_string_lossy();
    let found = glob::glob(&text).map_err(|error| {
        let problem = format!("{text}: not a pattern: {}", error.msg);
        Error::invalid(problem, "write [*] for a star that is part of a name")
    })?;
    let mut files = Vec::new();
    for path in found {
        let path = path.map_err(|error| {
            let at = error.path().to_owned();
            Error::io(at, "read", error.into())
        })?;
        if path.is_dir() { files.extend(folder(&path)?) } else { files.push(path) }
    }
    files.sort();
    Ok(files)
}

fn listed(list: &Path) -> Result<Vec<PathBuf>> {
    let text = std::fs::read_to_string(list).map_err(|error| Error::io(list, "read", error))?;
    let beside = list.parent().unwrap_or(Path::new(""));
    let names = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(names.map(|name| beside.join(name)).collect())
}
