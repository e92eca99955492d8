//! NVRTC itself, of CUDA 12.9 and 13.0. `WARPGRAPH_NVRTC_12` and `WARPGRAPH_NVRTC_13` name the libraries.

use std::path::{Path, PathBuf};
use warpgraph_device::{
    Address, Arguments, Error, PRELUDE, Source, arguments, bundle,
    nvrtc::{BUNDLED, Nvrtc, OPTIONS, Places},
};

#[path = "../../examples/device_check/kernels.rs"]
#[allow(dead_code)]
mod device_check;

arguments! {
    struct Everything {
        bytes: Address<u8>,
        u32s: Address<u32>,
        i32s: Address<i32>,
        u64s: Address<u64>,
        f32s: Address<f32>,
        f64s: Address<f64>,
        cancel: Address<u32>,
        any: Address<()>,
        table: [Address<u32>; 3],
        count: u32,
        by: f32,
        pair: [u32; 2],
    }
}

/// The library that a variable names.
fn named(variable: &str) -> PathBuf {
    std::env::var_os(variable).map(PathBuf::from).expect("a test that compiles needs NVRTC")
}

fn twelve() -> Nvrtc {
    Nvrtc::open(&named("WARPGRAPH_NVRTC_12")).unwrap()
}

fn thirteen() -> Nvrtc {
    Nvrtc::open(&named("WARPGRAPH_NVRTC_13")).unwrap()
}

fn source(name: &str, text: &str) -> Source {
    let cuda = Everything::cuda();
    Source::assemble(name, text, &[PRELUDE, ("arguments.cuh", &cuda)], vec![]).unwrap()
}

fn every_word() -> Source {
    source("every-word", include_str!("../every_word.cu"))
}

/// A cubin is an ELF file for machine 190.
fn assert_is_cubin(bytes: &[u8]) {
    assert!(bytes.starts_with(b"\x7fELF"), "{:?}", &bytes[..bytes.len().min(16)]);
    assert_eq!(bytes[18..20], [190, 0]);
}

pub(crate) fn every_word_of_the_prelude_is_in_the_kernels_that_use_them() {
    let text = include_str!("../every_word.cu");
    let words: Vec<&str> = PRELUDE
        .1
        .lines()
        .filter(|line| line.contains("DEVICE ") && !line.starts_with("#define DEVICE"))
        .filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next())
        .collect();
    assert!(words.len() > 50, "{words:?}");
    for word in words {
        assert!(text.contains(&format!("{word}(")), "{word} is not used");
    }
}

pub(crate) fn every_word_of_the_prelude_compiles_for_sm_70_with_cuda_12() {
    let nvrtc = twelve();
    assert_is_cubin(&nvrtc.compile(&every_word(), 70, OPTIONS).unwrap_or_else(|error| panic!("{error}")));
}

pub(crate) fn every_word_of_the_prelude_compiles_for_sm_80_and_sm_90_with_cuda_13() {
    let nvrtc = thirteen();
    for sm in [80, 90] {
        assert_is_cubin(&nvrtc.compile(&every_word(), sm, OPTIONS).unwrap_or_else(|error| panic!("{error}")));
    }
}

pub(crate) fn the_kernels_of_device_check_compile_for_every_target() {
    let kernels = device_check::source().unwrap();
    for (nvrtc, targets) in [(twelve(), [70, 80, 90].as_slice()), (thirteen(), &[80, 90])] {
        for &sm in targets {
            let cubin = nvrtc.compile(&kernels, sm, OPTIONS).unwrap_or_else(|error| panic!("{error}"));
            assert_is_cubin(&cubin);
            for name in &kernels.kernels {
                assert!(cubin.windows(name.len()).any(|at| at == name.as_bytes()), "{name}");
            }
        }
    }
}

pub(crate) fn a_bundle_by_cuda_12_has_cubins_for_seven_architectures() {
    let (nvrtc, kernels) = (twelve(), device_check::source().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(bundle::FILE);
    let all = [75, 80, 86, 89, 90, 100, 120].map(|sm| (&kernels, sm));
    let bytes =
        bundle::write(&path, &nvrtc, &all, 2, &|_, _, _| {}).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(std::fs::metadata(&path).unwrap().len(), bytes);
    let bundle = bundle::Bundle::open(&path);
    assert_eq!((bundle.len(), bundle.nvrtc(), bundle.check()), (7, Some((12, 9)), None));
    for (kernels, sm) in all {
        assert_eq!(bundle.get(&kernels.text, sm).unwrap(), nvrtc.compile(kernels, sm, BUNDLED).unwrap());
    }
}

pub(crate) fn both_say_their_version_and_file() {
    for (nvrtc, version) in [(twelve(), (12, 9)), (thirteen(), (13, 0))] {
        assert_eq!(nvrtc.version(), version);
        assert_eq!(nvrtc.name(), format!("NVRTC {}.{}", version.0, version.1));
        assert!(nvrtc.path().is_file(), "{nvrtc:?}");
    }
}

pub(crate) fn nothing_is_fused_by_default() {
    let nvrtc = thirteen();
    let text = "#include \"prelude.cuh\"\n#include \"arguments.cuh\"\n\
        KERNEL(k, Everything) { args.f32s[0] = args.f32s[1] * args.f32s[2] + args.f32s[3]; }\n";
    let kernel = source("fused", text);
    let apart = nvrtc.compile(&kernel, 90, OPTIONS).unwrap();
    let fused = nvrtc.compile(&kernel, 90, &["--std=c++17", "--fmad=true", "-lineinfo"]).unwrap();
    let plain = nvrtc.compile(&kernel, 90, &["--std=c++17", "-lineinfo"]).unwrap();
    assert_eq!(fused, plain, "fusing is what NVRTC does when it is not told");
    assert_ne!(apart, fused);
}

pub(crate) fn a_compile_error_shows_the_log_and_the_numbered_line() {
    let nvrtc = thirteen();
    let text = "#include \"prelude.cuh\"\n#include \"arguments.cuh\"\nKERNEL(k, Everything) {\n    u32 x = missing;\n}\n";
    let broken = source("broken", text);
    let line = broken.text.lines().position(|line| line.contains("missing")).unwrap() + 1;
    let error = nvrtc.compile(&broken, 90, OPTIONS).unwrap_err();
    let Error::Compile { name, target, compiler, log } = &error else { panic!("{error:?}") };
    assert_eq!((name.as_str(), target.as_str(), compiler.as_str()), ("broken", "sm_90", "NVRTC 13.0"));
    assert!(log.contains("identifier \"missing\" is undefined"), "{log}");
    assert!(log.contains(&format!("broken.cu({line}): error")), "{log}");
    assert!(log.contains(&format!(">{line:>5} |     u32 x = missing;")), "{log}");
}

pub(crate) fn a_struct_whose_fields_lie_elsewhere_does_not_compile() {
    let nvrtc = thirteen();
    let cuda = Everything::cuda().replace("u32 count;\n    f32 by;", "f32 by;\n    u32 count;");
    let files = [PRELUDE, ("arguments.cuh", cuda.as_str())];
    let text = "#include \"prelude.cuh\"\n#include \"arguments.cuh\"\nKERNEL(k, Everything) {}\n";
    let broken = Source::assemble("layout", text, &files, vec![]).unwrap();
    let error = nvrtc.compile(&broken, 90, OPTIONS).unwrap_err().to_string();
    assert!(error.contains("static assertion failed"), "{error}");
}

pub(crate) fn an_architecture_that_cuda_13_dropped_is_an_error_that_names_the_one_to_install() {
    let nvrtc = thirteen();
    let error = nvrtc.compile(&every_word(), 70, OPTIONS).unwrap_err();
    assert!(matches!(error, Error::Capability { capability: (7, 0), .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("NVRTC 13.0"), "{text}");
    assert!(text.contains("pip install nvidia-cuda-nvrtc-cu12==12.9.86"), "{text}");
}

pub(crate) fn an_architecture_that_is_too_new_asks_for_a_newer_nvrtc() {
    let nvrtc = twelve();
    let text = nvrtc.compile(&every_word(), 990, OPTIONS).unwrap_err().to_string();
    assert!(text.contains("pip install --upgrade nvidia-cuda-nvrtc"), "{text}");
    assert_eq!(nvrtc.target_for(990), None);
}

pub(crate) fn an_unknown_member_of_a_known_generation_is_compiled_for_as_its_elder() {
    let nvrtc = thirteen();
    assert_eq!(nvrtc.target_for(90), Some(90));
    assert_eq!(nvrtc.target_for(85), Some(80));
    assert_eq!(nvrtc.target_for(70), None);
}

/// pip's folder with the given libraries, each as its package lays it out.
fn pip(root: &Path, libraries: &[(&str, &Path)]) -> Places {
    for (folder, library) in libraries {
        let folder = root.join("lib/python3.12/site-packages/nvidia").join(folder).join("lib");
        std::fs::create_dir_all(&folder).unwrap();
        // NVRTC and its builtins lie side by side.
        for entry in std::fs::read_dir(library.parent().unwrap()).unwrap() {
            let entry = entry.unwrap();
            std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name())).unwrap();
        }
    }
    Places { pythons: vec![root.to_owned()], ..Places::default() }
}

pub(crate) fn pips_nvrtc_is_found_and_compiles_without_a_library_path() {
    let library = named("WARPGRAPH_NVRTC_13");
    let folder = tempfile::tempdir().unwrap();
    let nvrtc = Nvrtc::find_in(&pip(folder.path(), &[("cu13", &library)]), |_| true).unwrap();
    assert!(nvrtc.path().starts_with(folder.path()), "{nvrtc:?}");
    assert_is_cubin(&nvrtc.compile(&every_word(), 90, OPTIONS).unwrap());
}

pub(crate) fn of_two_the_one_that_fits_gpu_and_driver_is_found() {
    let (twelve, thirteen) = (named("WARPGRAPH_NVRTC_12"), named("WARPGRAPH_NVRTC_13"));
    let folder = tempfile::tempdir().unwrap();
    let both = pip(folder.path(), &[("cu13", &thirteen), ("cuda_nvrtc", &twelve)]);
    let version = |sm, driver| Nvrtc::find_for(&both, sm, driver).unwrap().version();
    assert_eq!(version(90, 13), (13, 0), "the first");
    assert_eq!(version(70, 13), (12, 9), "the only one that knows sm_70");
    assert_eq!(version(90, 12), (12, 9), "the only one not newer than the driver");

    let folder = tempfile::tempdir().unwrap();
    let newer = pip(folder.path(), &[("cu13", &thirteen)]);
    assert_eq!(Nvrtc::find_for(&newer, 90, 12).unwrap().version(), (13, 0), "better than none");
    let error = Nvrtc::find_for(&newer, 70, 13).unwrap_err();
    assert!(matches!(error, Error::Capability { .. }), "{error:?}");
}
