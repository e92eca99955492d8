//! The places where NVRTC may be: the file or folder that the environment names, the loader's path, CUDA toolkits, and
//! pip's folders. They are a value, so that tests can search elsewhere.

use std::{
    env, fmt, fs,
    path::{Path, PathBuf},
};

/// Names to ask the system's loader for, newest first.
const SONAMES: [&str; 3] = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];
/// Folders of libraries in a toolkit.
const TOOLKIT_FOLDERS: [&str; 3] = ["lib64", "targets/x86_64-linux/lib", "lib"];
/// Files of pip's packages, below site-packages.
const PIP_FILES: [&str; 2] = ["nvidia/cu13/lib/libnvrtc.so.13", "nvidia/cuda_nvrtc/lib/libnvrtc.so.12"];

/// Where to search for NVRTC, in the order of the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The only file or folder to use: `WARPGRAPH_NVRTC`.
    pub named: Option<PathBuf>,
    /// Whether to ask the system's loader.
    pub loader: bool,
    /// Folders of CUDA toolkits: `CUDA_HOME`, `CUDA_PATH`, `/usr/local/cuda`.
    pub toolkits: Vec<PathBuf>,
    /// Folders with a Python installation, whose packages are searched: `VIRTUAL_ENV`, `CONDA_PREFIX`, `~/.local`,
    /// `/usr`, `/usr/local`.
    pub pythons: Vec<PathBuf>,
    /// The folders of `PATH`. The packages of the first `python3` in it are searched too.
    pub path: Vec<PathBuf>,
}

impl Places {
    /// Returns the places of this process.
    pub fn of_this_process() -> Self {
        Self::of(|name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
    }

    /// Returns the places that an environment names.
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

    /// Returns the files that exist and the plain names for the loader, in the order to try them.
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
                // conda puts NVRTC into its lib folder.
                found.extend(libraries_in(&prefix.join("lib")));
                found.extend(
                    packages_of(&prefix).iter().flat_map(|folder| PIP_FILES.map(|file| folder.join(file))),
                );
            }
        }
        found.retain(|file| file.is_relative() || file.is_file());
        found
    }

    /// Returns the installation folders of the first `python3` in the path: of the path that it is called by (a virtual
    /// environment), of the file it links to, and pyenv's versions if it is a shim. Does not run it.
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
            return write!(f, "WARPGRAPH_NVRTC names {}, but there is no NVRTC", named.display());
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

/// Returns the NVRTC libraries in a folder, newest first.
fn libraries_in(folder: &Path) -> Vec<PathBuf> {
    SONAMES.iter().map(|name| folder.join(name)).filter(|file| file.is_file()).collect()
}

/// Returns the package folders of a Python installation, newest version first.
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

/// Returns the entries of a folder whose names start with `begin`, sorted; none if it cannot be read.
fn entries(folder: &Path, begin: &str) -> Vec<PathBuf> {
    let Ok(read) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = read
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(begin)))
        .collect();
    found.sort();
    found
}

/// Returns the file behind a plain name that the loader resolved. Other code of this process may have loaded the
/// library earlier. The builtins lie in the folder of that file.
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
