//! What tests may need of the machine, each as `Ok` where it is met, or the reason why not.

use std::{env, path::PathBuf, process::Command};

/// `Ok` where a need is met; otherwise the reason that stands beside an ignored test.
pub type Need = Result<(), String>;

/// Returns whether all of these are met; the first reason if not.
pub fn all<const N: usize>(needs: [Need; N]) -> Need {
    needs.into_iter().collect()
}

/// Needs `file` in the folder that `WARPGRAPH_DATA` names. A folder without the file meets it: the test then fails.
pub fn data(file: &str) -> Need {
    match env::var_os("WARPGRAPH_DATA").filter(|folder| !folder.is_empty()) {
        Some(_) => Ok(()),
        None => Err(format!("WARPGRAPH_DATA is not set; it names the folder with {file}")),
    }
}

/// Returns the path of `file` in the folder that `WARPGRAPH_DATA` names.
///
/// # Panics
/// When the variable is not set: a test that asks must need [`data`].
pub fn data_path(file: &str) -> PathBuf {
    let folder = env::var_os("WARPGRAPH_DATA").expect("a test that reads the data folder needs it");
    PathBuf::from(folder).join(file)
}

/// Needs an environment variable that names `what`.
pub fn variable(name: &str, what: &str) -> Need {
    env::var_os(name).map(drop).ok_or_else(|| format!("{name} is not set; it names {what}"))
}

/// Needs `python3` with modules: `python(&["numpy", "pandas"])`.
pub fn python(modules: &[&str]) -> Need {
    let import = format!("import {}", modules.join(", "));
    let done = Command::new("python3").args(["-c", &import]).output();
    match done {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) => Err(format!("python3 has no {}", modules.join(" or no "))),
        Err(_) => Err("there is no python3".to_owned()),
    }
}

/// Needs the library of AddressSanitizer of the C++ compiler.
pub fn address_sanitizer() -> Need {
    address_sanitizer_path().map(drop).ok_or_else(|| "the C++ compiler has no libasan.so".to_owned())
}

/// Returns the path of the library of AddressSanitizer, if the C++ compiler (`CXX`, or `c++`) has one.
pub fn address_sanitizer_path() -> Option<String> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let output = Command::new(compiler).arg("-print-file-name=libasan.so").output().ok()?;
    let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    path.starts_with('/').then_some(path)
}

/// Needs the library of NVRTC of CUDA 12 or 13, which `WARPGRAPH_NVRTC_12` and `WARPGRAPH_NVRTC_13` name.
pub fn nvrtc(major: u32) -> Need {
    variable(&format!("WARPGRAPH_NVRTC_{major}"), &format!("the libnvrtc.so of CUDA {major}"))
}

/// Needs a program that prints its version, such as `cc`.
pub fn program(name: &str) -> Need {
    let done = Command::new(name).arg("--version").output();
    done.map(drop).map_err(|error| format!("there is no {name}: {error}"))
}
