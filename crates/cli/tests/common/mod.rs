//! A folder to work in, and the program run in it.

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary folder; commands run in it.
pub(crate) struct Bench {
    folder: TempDir,
}

/// What a command left: exit code, standard output, standard error.
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    #[allow(dead_code, reason = "not every test file looks at files")]
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    #[allow(dead_code, reason = "not every test file makes files")]
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).unwrap();
        self
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpgraph"));
        command.args(line.split_whitespace()).current_dir(self.folder()).env("NO_COLOR", "1");
        command
    }

    /// Runs a line of arguments (no quoting: they hold no blanks).
    pub(crate) fn run(&self, line: &str) -> Outcome {
        self.outcome(&mut self.command(line))
    }

    pub(crate) fn outcome(&self, command: &mut Command) -> Outcome {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Outcome {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Runs and reads the one line of JSON.
    #[allow(dead_code, reason = "not every test file asks for JSON")]
    pub(crate) fn json(&self, line: &str) -> Value {
        let outcome = self.run(line);
        assert_eq!(outcome.stdout.lines().count(), 1, "{line}: {}{}", outcome.stdout, outcome.stderr);
        serde_json::from_str(&outcome.stdout).unwrap()
    }

    /// The names of all files in the folder, sorted.
    #[allow(dead_code, reason = "not every test file writes")]
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = self.folder().read_dir().unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
