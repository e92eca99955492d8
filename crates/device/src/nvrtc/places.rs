//! Where NVRTC may be: what the environment names, the loader's path, CUDA toolkits, and pip's folders. All of it is a value, so
//! that a search can be aimed elsewhere.

use std::{
    env, fmt, fs,
    path::{Path, PathBuf},
};

/// What the system's loader is asked for, newest first.
const SONAMES: [&str; 3] = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];
/// Where a toolkit keeps its libraries.
const TOOLKIT_FOLDERS: [&str; 3] = ["lib64", "targets/x86_64-linux/lib", "lib"];
/// Where pip's packages keep theirs, below site-packages.
const PIP_FILES: [&str; 2] = ["nvidia/cu13/lib/libnvrtc.so.13", "nvidia/cuda_nvrtc/lib/libnvrtc.so.12"];

/// Where NVRTC is looked for, in the order of the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The file or folder to use and no other: `WARPGRAPH_NVRTC`.
    pub named: Option<PathBuf>,
    /// Is the system's loader asked?
    pub loader: bool,
    /// Folders of CUDA toolkits: `CUDA_HOME`, `CUDA_PATH`, `/usr/local/cuda`.
    pub toolkits: Vec<PathBuf>,
    /// Folders with a Python in them, whose packages are looked through: `VIRTUAL_ENV`, `CONDA_PREFIX`, `~/.local`, `/usr`,
    /// `/usr/local`.
    pub pythons: Vec<PathBuf>,
    /// The folders of `PATH`; the Python of the first `python3` in it is looked through too.
    pub path: Vec<PathBuf>,
}

impl Places {
    /// Those of this process.
    pub fn of_this_process() -> Self {
        Self::of(|name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
    }

    /// Those that an environment names.
    pub fn of(variable: impl Fn(&str) -> Option<PathBuf>) -> Self {
        let toolkits = [variable("CUDA_HOME"), variable("CUDA_PATH"), Some("/usr/local/cuda".into())];
        let pythons = [
            variable("VIRTUAL_ENV"),
            variable("CONDA_PREFIX"),
            variable("HOME").map(|home| home.join(".local")),
            Some("/usr".into()),
            Some("/usr/local".into()),
        ];
        Self {
            named: variable("WARPGRAPH_NVRTC"),
            loader: true,
            toolkits: toolkits.into_iter().flatten().collect(),
            pythons: pythons.into_iter().flatten().collect(),
            path: variable("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default(),
        }
    }

    /// What to try, best first: files that are there, and plain names for the loader.
    pub fn candidates(&self) -> Vec<PathBuf> {
        if let Some(named) = &self.named {
            return if named.is_dir() { libraries_in(named) } else { vec![named.clone()] };
        }
        let mut found: Vec<PathBuf> = Vec::new();
        if self.loader {
            found.extend(SONAMES.map(PathBuf::from));
        }
        for toolkit in &self.toolkits {
            found.extend(TOOLKIT_FOLDERS.iter().flat_map(|folder| libraries_in(&toolkit.join(folder))));
        }
        let mut seen = std::collections::HashSet::new();
        for prefix in self.pythons.iter().cloned().chain(self.pythons_in_path()) {
            if seen.insert(prefix.clone()) {
                // conda puts NVRTC straight into its lib.
                found.extend(libraries_in(&prefix.join("lib")));
                found.extend(
                    packages_of(&prefix).iter().flat_map(|folder| PIP_FILES.map(|file| folder.join(file))),
                );
            }
        }
        found.retain(|file| file.is_relative() || file.is_file());
        found
    }

    /// The folders around the first `python3` of the path: the one it is called by (a virtual environment), the one it really
    /// lies in, and pyenv's versions if it is only a shim. It is not run.
    fn pythons_in_path(&self) -> Vec<PathBuf> {
        let Some(python) = self.path.iter().map(|folder| folder.join("python3")).find(|file| file.is_file())
        else {
            return Vec::new();
        };
        let mut prefixes: Vec<PathBuf> = [Some(python.clone()), fs::canonicalize(&python).ok()]
            .into_iter()
            .flatten()
            .filter_map(|file| Some(file.parent()?.parent()?.to_owned()))
            .collect();
        if python.parent().is_some_and(|folder| folder.ends_with("shims")) {
            let versions = prefixes.iter().map(|prefix| prefix.join("versions")).collect::<Vec<_>>();
            prefixes.extend(versions.iter().flat_map(|folder| entries(folder, "")));
        }
        prefixes
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(named) = &self.named {
            return write!(f, "WARPGRAPH_NVRTC names {}, where there is none", named.display());
        }
        let list = |folders: &[PathBuf]| {
            folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
        };
        write!(f, "no libnvrtc.so that fits")?;
        if self.loader {
            write!(f, " in the loader's path,")?;
        }
        write!(f, " in toolkits ({})", list(&self.toolkits))?;
        write!(f, " or in Python's packages ({} and the python3 in PATH)", list(&self.pythons))
    }
}

/// The NVRTC libraries of a folder, newest first, each once.
fn libraries_in(folder: &Path) -> Vec<PathBuf> {
    SONAMES.iter().map(|name| folder.join(name)).filter(|file| file.is_file()).collect()
}

/// The folders of packages below a Python's, of its newest version first.
fn packages_of(prefix: &Path) -> Vec<PathBuf> {
    let mut versions: Vec<PathBuf> =
        ["lib", "lib64"].iter().flat_map(|lib| entries(&prefix.join(lib), "python3")).collect();
    let minor = |folder: &PathBuf| {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.strip_prefix("python3.").and_then(|minor| minor.parse::<u32>().ok())
    };
    versions.sort_by_key(|folder| std::cmp::Reverse(minor(folder)));
    versions
        .iter()
        .flat_map(|version| ["site-packages", "dist-packages"].map(|name| version.join(name)))
        .filter(|folder| folder.is_dir())
        .collect()
}

/// What a folder has whose name begins so, in order; nothing if it cannot be read.
fn entries(folder: &Path, begin: &str) -> Vec<PathBuf> {
    let Ok(read) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = read
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(begin)))
        .collect();
    found.sort();
    found
}

/// The file behind a plain name that the loader resolved, perhaps to a library that somebody else in this process had opened:
/// only its folder tells where its builtins are.
pub(super) fn mapped_file(name: &Path, major: u32) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return None;
    }
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let begin = format!("libnvrtc.so.{major}");
    maps.lines()
        .filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])))
        .find(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin)))
        .map(Path::to_owned)
}
