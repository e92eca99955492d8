//! The host's C++ compiler: finding it, and compiling the text of a module to the bytes of a shared library.

use super::super::LABEL;
use crate::{Error, Result, Source};
use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicU64, Ordering},
};

/// The runtime: text that precedes the text of every module.
const RUNTIME: [&str; 7] = [
    include_str!("../runtime/state.h"),
    include_str!("../runtime/fiber.h"),
    include_str!("../runtime/schedule.h"),
    include_str!("../runtime/warp.h"),
    include_str!("../runtime/block.h"),
    include_str!("../runtime/words.h"),
    include_str!("../runtime/entry.h"),
];

/// Options of every compilation. No contraction: `a * b + c` rounds twice, as on a GPU with `--fmad=false`. No strict
/// aliasing: kernels read one array as two types. Stack clash protection: a large frame touches every page, so that it
/// cannot skip the guard page of its stack.
const OPTIONS: [&str; 16] = [
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-shared",
    "-ffp-contract=off",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-strict-aliasing",
    "-fno-math-errno",
    "-fstack-clash-protection",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-fvisibility=hidden",
    "-fdiagnostics-color=never",
    "-w",
    "-Wl,--as-needed",
];

/// Further options that make AddressSanitizer report accesses outside of allocations.
const SANITIZE: [&str; 3] = ["-fsanitize=address", "-g1", "-fno-omit-frame-pointer"];
/// Keeps frames on their stacks: the sanitizer's own place for frames supports threads, not fibers.
const SANITIZE_CLANG: &str = "-fsanitize-address-use-after-return=never";
const SANITIZE_GCC: &str = "--param=asan-use-after-return=0";

/// A compiler that was found.
#[derive(Debug)]
pub(super) struct Compiler {
    /// The program and its first arguments.
    command: Vec<String>,
    /// Name and version.
    pub(super) name: String,
    options: Vec<&'static str>,
}

impl Compiler {
    /// Finds `$CXX`, or the first of the usual names that runs.
    pub(super) fn find(sanitize: bool) -> Result<Self> {
        match std::env::var("CXX") {
            Ok(named) if !named.trim().is_empty() => Self::find_among(&[&named], sanitize),
            _ => Self::find_among(&["c++", "g++", "clang++"], sanitize),
        }
    }

    fn find_among(commands: &[&str], sanitize: bool) -> Result<Self> {
        for command in commands {
            let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            let Some(program) = command.first() else { continue };
            let asked =
                Command::new(program).args(&command[1..]).arg("--version").env("LC_ALL", "C").output();
            let Ok(Output { status, stdout, .. }) = asked else { continue };
            if status.success() {
                let name = name_and_version(&String::from_utf8_lossy(&stdout));
                let mut options = OPTIONS.to_vec();
                if sanitize {
                    options.extend(SANITIZE);
                    options.push(if name.starts_with("clang") { SANITIZE_CLANG } else { SANITIZE_GCC });
                }
                return Ok(Self { command, name, options });
            }
        }
        Err(missing(&commands.join(", ")))
    }

    /// Returns the options. With the text and the version of the compiler they determine the output.
    pub(super) fn options(&self) -> String {
        self.options.join(" ")
    }

    /// Returns the whole text that is compiled for a module.
    pub(super) fn text(source: &Source) -> String {
        let mut text = String::from("#line 1 \"simt\"\n");
        for part in RUNTIME {
            text += part;
        }
        text += &format!("#line 1 \"{}\"\n", file_name(source));
        text += &source.text;
        text
    }

    /// Compiles the whole text of a module to the bytes of a shared library.
    pub(super) fn compile(&self, source: &Source, text: &str) -> Result<Vec<u8>> {
        let failed = |what: io::Error| Error::Call {
            label: LABEL.to_owned(),
            call: self.command.join(" "),
            what: what.to_string(),
        };
        let folder = Folder::new().map_err(failed)?;
        let library = folder.path.join("module.so");
        let output = self.run(&folder.path, &library, text).map_err(failed)?;
        if !output.status.success() {
            return Err(self.complaint(source, &String::from_utf8_lossy(&output.stderr)));
        }
        fs::read(&library).map_err(failed)
    }

    fn run(&self, folder: &Path, library: &Path, text: &str) -> io::Result<Output> {
        let mut child = Command::new(&self.command[0])
            .args(&self.command[1..])
            .args(&self.options)
            .args(["-x", "c++", "-", "-o"])
            .arg(library)
            // The compiler quotes lines of files by name, so the folder must hold no file of the module's name.
            .current_dir(folder)
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // If the compiler ends before it has read all input, its log says why.
            let _ = stdin.write_all(text.as_bytes());
        }
        child.wait_with_output()
    }

    /// Returns an error with the compiler's log and the lines that it names.
    fn complaint(&self, source: &Source, log: &str) -> Error {
        let lines = lines_named(log, &file_name(source));
        Error::Compile {
            name: source.name.clone(),
            target: LABEL.to_owned(),
            compiler: self.name.clone(),
            log: format!("{}\n{}", log.trim_end(), source.numbered(&lines)),
        }
    }
}

/// Returns the error for a missing compiler.
pub(super) fn missing(looked_for: &str) -> Error {
    Error::NoCompiler {
        compiler: "a C++ compiler",
        what: format!("none of {looked_for} runs ($CXX names another one)"),
        install: "apt install g++, dnf install gcc-c++, or pacman -S gcc".to_owned(),
    }
}

fn file_name(source: &Source) -> String {
    format!("{}.cu", source.name)
}

/// Parses the first line of `--version`, such as `c++ (Debian 12.2.0-14) 12.2.0` or `Debian clang version 14.0.6`.
fn name_and_version(printed: &str) -> String {
    let first = printed.lines().next().unwrap_or_default();
    let name = if first.contains("clang") { "clang++" } else { "g++" };
    let mut depth = 0;
    let mut words = first.split_whitespace().filter(|word| {
        depth += word.matches('(').count();
        let outside = depth == 0;
        depth -= word.matches(')').count().min(depth);
        outside
    });
    let version =
        words.find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("of some version");
    format!("{name} {version}")
}

/// Returns the lines of `file` that a log names, as `file:line`.
fn lines_named(log: &str, file: &str) -> Vec<usize> {
    let mut lines: Vec<usize> = log
        .match_indices(file)
        .filter_map(|(at, _)| log[at + file.len()..].strip_prefix(':'))
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// A temporary folder. Dropping it removes it.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new() -> io::Result<Self> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        loop {
            let name =
                format!("warpgraph-simt-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
            let path = std::env::temp_dir().join(name);
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                // A killed process of the same id left this folder behind.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(()) => return Ok(Self { path }),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn compilers_are_named_with_their_versions() {
        for (printed, name) in [
            ("c++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright", "g++ 12.2.0"),
            ("g++ (GCC) 14.2.1 20240801 (Red Hat 14.2.1-1)", "g++ 14.2.1"),
            ("Debian clang version 14.0.6\nTarget: x86_64", "clang++ 14.0.6"),
            ("", "g++ of some version"),
        ] {
            assert_eq!(name_and_version(printed), name);
        }
    }

    #[test]
    fn a_missing_compiler_is_an_error_that_says_how_to_get_one() {
        let error = Compiler::find_among(&["no-such-compiler", "nor-this"], false).unwrap_err();
        assert!(error.to_string().contains("none of no-such-compiler, nor-this runs"), "{error}");
        assert!(error.help().contains("apt install g++"), "{}", error.help());
    }

    #[test]
    fn a_compiler_may_be_named_with_arguments() {
        let compiler = Compiler::find_among(&["no-such-compiler", "env A=b c++"], false).unwrap();
        assert_eq!(compiler.command, ["env", "A=b", "c++"]);
    }

    #[test]
    fn the_lines_that_a_log_names_are_found_once_each() {
        let log = "m.cu:12:3: error: x\nm.cu: In function\nm.cu:7:1: error: y\nm.cu:12:9: note: z";
        assert_eq!(lines_named(log, "m.cu"), [7, 12]);
    }

    #[test]
    fn folders_differ_and_are_removed() {
        let (a, b) = (Folder::new().unwrap(), Folder::new().unwrap());
        assert_ne!(a.path, b.path);
        fs::write(a.path.join("file"), "x").unwrap();
        let path = a.path.clone();
        drop(a);
        assert!(!path.exists());
    }
}
