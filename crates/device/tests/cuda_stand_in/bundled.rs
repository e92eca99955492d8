//! Modules from the bundle of a release.

use crate::{calls, kernel, open, settings, source, test};
use std::path::{Path, PathBuf};
use warpgraph_device::{Cache, Error, Settings, Source, bundle, nvrtc};

/// Writes a bundle with the module of the tests, which the stand-in's NVRTC compiles for sm_90.
fn bundled(folder: &Path) -> PathBuf {
    let (path, library) = (folder.join(bundle::FILE), std::env::var_os("STAND_IN").unwrap());
    let nvrtc = nvrtc::Nvrtc::open(Path::new(&library)).unwrap();
    bundle::write(&path, &nvrtc, &[(&source(), 90)], 1, &|_, _, _| {}).unwrap();
    path
}

test!(a_bundled_module_needs_no_nvrtc, ["WARPGRAPH_NVRTC" = "/nowhere"], {
    let (folder, settings) = settings();
    let settings = Settings { bundle: Some(bundled(folder.path())), ..settings };
    let (loaded, compiled) = (calls("nvrtcVersion"), calls("nvrtcCompileProgram"));
    let gpu = open(&settings);
    kernel(&gpu, "count_up");
    assert_eq!((calls("nvrtcVersion"), calls("nvrtcCompileProgram")), (loaded, compiled));
    let other = Source { text: "other".to_owned(), ..source() };
    assert!(matches!(gpu.compile(&other).unwrap_err(), Error::NoCompiler { .. }));
});

test!(the_users_cache_comes_before_the_bundle, [], {
    let (folder, settings) = settings();
    let settings = Settings { bundle: Some(bundled(folder.path())), ..settings };
    let kept = folder.path().join("kept");
    let options = nvrtc::OPTIONS.join(" ");
    let mut entry = [13_u32.to_le_bytes(), 0_u32.to_le_bytes()].concat();
    entry.extend(b"cubin of the cache");
    Cache::open(settings.cache.clone()).put(&["text", &options, "sm_90"], &entry);
    kernel(&open(&Settings { keep_kernels: Some(kept.clone()), ..settings }), "count_up");
    assert_eq!(std::fs::read(kept.join("stand_in.sm_90.cubin")).unwrap(), b"cubin of the cache");
});

test!(a_bundled_cubin_that_the_driver_refuses_is_compiled_and_cached, [], {
    let (folder, settings) = settings();
    // SAFETY: the process runs this test alone, and no other thread of it reads the environment now.
    unsafe { std::env::set_var("STAND_IN_BAD_CUBIN", "1") };
    let settings = Settings { bundle: Some(bundled(folder.path())), ..settings };
    // SAFETY: as above.
    unsafe { std::env::remove_var("STAND_IN_BAD_CUBIN") };
    let before = calls("nvrtcCompileProgram");
    kernel(&open(&settings), "count_up");
    kernel(&open(&settings), "count_up");
    assert_eq!(calls("nvrtcCompileProgram"), before + 1);
});

test!(a_damaged_bundle_is_as_good_as_none, [], {
    let (folder, settings) = settings();
    let path = bundled(folder.path());
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let before = calls("nvrtcCompileProgram");
    kernel(&open(&Settings { bundle: Some(path), ..settings }), "count_up");
    assert_eq!(calls("nvrtcCompileProgram"), before + 1);
});

test!(a_bundle_of_a_later_cuda_than_the_drivers_is_not_used, ["STAND_IN_VERSION" = "12080"], {
    let (folder, settings) = settings();
    let settings = Settings { bundle: Some(bundled(folder.path())), ..settings };
    let before = calls("nvrtcCompileProgram");
    kernel(&open(&settings), "count_up");
    assert_eq!(calls("nvrtcCompileProgram"), before + 1, "NVRTC 13.0 made it");
});
