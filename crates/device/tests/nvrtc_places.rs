//! Where NVRTC is searched for, in folders that the tests create.
#![allow(clippy::unwrap_used)]

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};
use warpgraph_device::{
    Error,
    nvrtc::{Nvrtc, Places},
};

fn touch(file: PathBuf) -> PathBuf {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, b"none").unwrap();
    file
}

fn pip_file(prefix: &Path) -> PathBuf {
    prefix.join("lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13")
}

#[test]
fn the_environment_is_read_in_the_documented_order() {
    let variables: HashMap<&str, &str> = HashMap::from([
        ("WARPGRAPH_NVRTC", "/named"),
        ("CUDA_HOME", "/home-cuda"),
        ("CUDA_PATH", "/path-cuda"),
        ("VIRTUAL_ENV", "/venv"),
        ("CONDA_PREFIX", "/conda"),
        ("HOME", "/me"),
        ("PATH", "/a:/b"),
    ]);
    let places = Places::of(|name| variables.get(name).map(PathBuf::from));
    let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
    assert_eq!(
        places,
        Places {
            named: Some("/named".into()),
            loader: true,
            toolkits: paths(&["/home-cuda", "/path-cuda", "/usr/local/cuda"]),
            pythons: paths(&["/venv", "/conda", "/me/.local", "/usr", "/usr/local"]),
            path: paths(&["/a", "/b"]),
        }
    );
}

#[test]
fn candidates_are_loader_then_toolkits_then_pythons_then_the_python_in_path() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let toolkit = touch(root.join("cuda/lib64/libnvrtc.so.12"));
    let targets = touch(root.join("cuda/targets/x86_64-linux/lib/libnvrtc.so.13"));
    let venv = touch(pip_file(&root.join("venv")));
    let older = touch(root.join("venv/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"));
    let debian = touch(root.join("usr/lib/python3/dist-packages/nvidia/cu13/lib/libnvrtc.so.13"));
    let conda = touch(root.join("usr/lib/libnvrtc.so.12"));
    touch(root.join("own/bin/python3"));
    let own = touch(pip_file(&root.join("own")));
    let places = Places {
        named: None,
        loader: true,
        toolkits: vec![root.join("cuda"), root.join("nowhere")],
        pythons: vec![root.join("venv"), root.join("usr")],
        path: vec![root.join("empty"), root.join("own/bin")],
    };
    let names = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"].map(PathBuf::from);
    let files = [toolkit, targets, venv, older, conda, debian, own];
    assert_eq!(places.candidates(), names.into_iter().chain(files).collect::<Vec<_>>());
}

#[test]
fn a_python_that_is_a_link_leads_to_both_its_folders() {
    let root = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(root.path()).unwrap();
    let real = touch(root.join("base/bin/python3.11"));
    fs::create_dir_all(root.join("venv/bin")).unwrap();
    std::os::unix::fs::symlink(real, root.join("venv/bin/python3")).unwrap();
    let (in_venv, in_base) = (touch(pip_file(&root.join("venv"))), touch(pip_file(&root.join("base"))));
    let places = Places { path: vec![root.join("venv/bin")], ..Places::default() };
    assert_eq!(places.candidates(), [in_venv, in_base]);
}

#[test]
fn a_shim_of_pyenv_leads_to_its_versions() {
    let root = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(root.path()).unwrap();
    touch(root.join("shims/python3"));
    let version = touch(pip_file(&root.join("versions/3.11.9")));
    let places = Places { path: vec![root.join("shims")], ..Places::default() };
    assert_eq!(places.candidates(), [version]);
}

#[test]
fn a_named_file_or_folder_is_the_only_candidate() {
    let root = tempfile::tempdir().unwrap();
    let file = touch(root.path().join("libnvrtc.so.12"));
    let named =
        |path: &Path| Places { named: Some(path.to_owned()), loader: true, ..Places::default() }.candidates();
    assert_eq!(named(&file), std::slice::from_ref(&file));
    assert_eq!(named(root.path()), [file]);
    assert_eq!(named(&root.path().join("gone")), [root.path().join("gone")]);
}

#[test]
fn an_nvrtc_that_is_nowhere_is_an_error_with_places_and_install_command() {
    let root = tempfile::tempdir().unwrap();
    let places = Places { toolkits: vec![root.path().join("cuda")], ..Places::default() };
    let error = Nvrtc::find_in(&places, |_| true).unwrap_err();
    assert!(matches!(error, Error::NoCompiler { compiler: "NVRTC", .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains(&root.path().join("cuda").display().to_string()), "{text}");
    assert!(error.help().contains("pip install nvidia-cuda-nvrtc"), "{}", error.help());
}

#[test]
fn a_file_that_is_no_library_is_named_with_the_loaders_words() {
    let root = tempfile::tempdir().unwrap();
    let file = touch(root.path().join("lib64/libnvrtc.so.13"));
    let named = Places { named: Some(file.clone()), ..Places::default() };
    let found = Places { toolkits: vec![root.path().to_owned()], ..Places::default() };
    for places in [named, found] {
        let error = Nvrtc::find_in(&places, |_| true).unwrap_err();
        assert!(matches!(error, Error::NoCompiler { .. }), "{error:?}");
        assert!(error.to_string().contains(&file.display().to_string()), "{error}");
        assert!(error.to_string().contains("file too short"), "{error}");
    }
}

#[test]
fn a_library_that_is_not_nvrtc_is_refused() {
    // Any library of the system: the C library is always there.
    let error = Nvrtc::open(Path::new("libc.so.6")).unwrap_err();
    assert!(matches!(error, Error::NoCompiler { .. }), "{error:?}");
    assert!(error.to_string().contains("nvrtcVersion"), "{error}");
}
