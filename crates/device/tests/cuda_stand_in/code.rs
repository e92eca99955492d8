//! Compiling, caching, loading and launching, and how kernels end.

use crate::{ONE, Word, alive, assert_nothing_is_alive, calls, kernel, launch, open, settings, source, test};
use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};
use warpgraph_device::{Cache, Error, Settings, Shape, Source, nvrtc};

test!(modules_are_compiled_once_and_cached, [], {
    let (_folder, settings) = settings();
    let told = Arc::new(AtomicU32::new(0));
    let count = told.clone();
    let tell = move |name: &str| {
        assert_eq!(name, "stand/in");
        count.fetch_add(1, Ordering::Relaxed);
    };
    let settings = Settings { compiling: Some(Arc::new(tell)), ..settings };
    for _ in 0..3 {
        let gpu = open(&settings);
        kernel(&gpu, "count_up");
        kernel(&gpu, "trap");
        assert_eq!(alive("module"), 1);
    }
    assert_eq!((calls("nvrtcCompileProgram"), told.load(Ordering::Relaxed)), (1, 1));
});

test!(a_cached_cubin_that_the_driver_refuses_is_made_anew_once, [], {
    let (_folder, settings) = settings();
    let cache = Cache::open(settings.cache.clone());
    let options = nvrtc::OPTIONS.join(" ");
    let parts = ["text", &options, "sm_90"];
    cache.put(&parts, &made_by(13, 0, b"of another driver"));
    kernel(&open(&settings), "count_up");
    assert_eq!((calls("nvrtcCompileProgram"), calls("cuModuleLoadData")), (1, 2));
    assert!(cache.get(&parts).unwrap().starts_with(&made_by(13, 0, b"cubin")), "replaced");
});

/// Returns the content of a cache entry: a cubin, and the version of NVRTC that made it.
fn made_by(major: u32, minor: u32, cubin: &[u8]) -> Vec<u8> {
    [&major.to_le_bytes(), &minor.to_le_bytes(), cubin].concat()
}

test!(a_cached_module_needs_no_nvrtc, [], {
    let (_folder, settings) = settings();
    let parts = ["text", &nvrtc::OPTIONS.join(" "), "sm_90"];
    Cache::open(settings.cache.clone()).put(&parts, &made_by(12, 1, b"cubin of an earlier NVRTC"));
    let gpu = open(&settings);
    kernel(&gpu, "count_up");
    assert_eq!((calls("nvrtcVersion"), calls("nvrtcCompileProgram"), alive("module")), (0, 0, 1));
});

test!(a_cached_module_of_a_later_cuda_than_the_drivers_is_compiled_anew, ["STAND_IN_VERSION" = "12080"], {
    let (_folder, settings) = settings();
    let cache = Cache::open(settings.cache.clone());
    let parts = ["text", &nvrtc::OPTIONS.join(" "), "sm_90"];
    cache.put(&parts, &made_by(14, 0, b"cubin of a later NVRTC"));
    kernel(&open(&settings), "count_up");
    assert_eq!(calls("nvrtcCompileProgram"), 1);
    let kept = cache.get(&parts).unwrap();
    assert!(
        kept.starts_with(&made_by(13, 0, b"cubin")),
        "the NVRTC that is there is as late: better than none"
    );
    kernel(&open(&settings), "count_up");
    assert_eq!(calls("nvrtcCompileProgram"), 1, "what that one made is taken");
});

test!(a_cache_entry_too_short_to_have_a_version_is_compiled_anew, [], {
    let (_folder, settings) = settings();
    let parts = ["text", &nvrtc::OPTIONS.join(" "), "sm_90"];
    Cache::open(settings.cache.clone()).put(&parts, b"cubin");
    kernel(&open(&settings), "count_up");
    assert_eq!(calls("nvrtcCompileProgram"), 1);
});

test!(without_nvrtc_a_cached_module_runs_and_another_one_is_an_error, ["WARPGRAPH_NVRTC" = "/nowhere"], {
    let (_folder, settings) = settings();
    let parts = ["text", &nvrtc::OPTIONS.join(" "), "sm_90"];
    Cache::open(settings.cache.clone()).put(&parts, &made_by(13, 0, b"cubin"));
    let gpu = open(&settings);
    kernel(&gpu, "count_up");
    assert_eq!(gpu.compiler(), "");
    let other = Source { text: "other".to_owned(), ..source() };
    let error = gpu.compile(&other).unwrap_err();
    assert!(matches!(&error, Error::NoCompiler { compiler: "NVRTC", .. }), "{error:?}");
    assert!(error.to_string().contains("/nowhere"), "{error}");
});

test!(
    a_new_cubin_that_the_driver_refuses_is_an_error,
    ["STAND_IN_BAD_CUBIN" = "1", "STAND_IN_VERSION" = "12080"],
    {
        let (_folder, settings) = settings();
        let gpu = open(&settings);
        let error = gpu.compile(&source()).unwrap_err();
        assert_eq!(calls("nvrtcCompileProgram"), 1, "once");
        let text = error.to_string();
        assert!(
            text.contains("CUDA_ERROR_INVALID_IMAGE") && text.contains("NVRTC 13.0 made it for sm_90"),
            "{text}"
        );
        assert!(text.contains("NVRTC of CUDA 12.8 or earlier"), "{text}");
        assert!(!error.is_fatal());
    }
);

test!(kernels_are_kept_as_text_and_cubin, [], {
    let (folder, settings) = settings();
    let kept = folder.path().join("kept");
    let gpu = open(&Settings { keep_kernels: Some(kept.clone()), ..settings });
    gpu.compile(&source()).unwrap();
    assert_eq!(std::fs::read(kept.join("stand_in.cu")).unwrap(), b"text");
    assert!(std::fs::read(kept.join("stand_in.sm_90.cubin")).unwrap().starts_with(b"cubin"));
});

test!(a_folder_for_kernels_that_cannot_be_written_is_an_error, [], {
    let (folder, settings) = settings();
    let file = folder.path().join("file");
    std::fs::write(&file, b"").unwrap();
    let gpu = open(&Settings { keep_kernels: Some(file.clone()), ..settings });
    let error = gpu.compile(&source()).unwrap_err();
    assert!(matches!(&error, Error::File { path, .. } if path.starts_with(&file)), "{error:?}");
});

test!(a_kernel_that_is_not_there_is_named_with_those_that_are, [], {
    let (_folder, settings) = settings();
    let error = open(&settings).compile(&source()).unwrap().kernel("gone").unwrap_err().to_string();
    assert!(
        error.contains("gone")
            && error
                .contains("stand/in has none of that name; its kernels are count_up, trap, endless, deaf"),
        "{error}"
    );
});

test!(a_failed_launch_says_what_was_launched, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let array = gpu.array_of(&[0_u32], "word").unwrap();
    let large = Shape { grid: 3, block: 2048, shared: 16 };
    let error = launch(&gpu, "count_up", large, array.address()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("count_up with 3 blocks of 2048 threads and 16 bytes"), "{text}");
    assert!(text.contains("CUDA_ERROR_INVALID_VALUE (in words)"), "{text}");
    assert!(gpu.lost().is_none() && array.to_vec().unwrap() == [0]);
});

test!(resident_grids_are_as_large_as_the_device_and_no_larger, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let array = gpu.array_of(&[0_u32], "word").unwrap();
    let (kernel, arguments) = (kernel(&gpu, "count_up"), Word { word: array.address() });
    let grid = gpu.coresident_blocks(&kernel, 256, 0).unwrap();
    assert_eq!(grid, 4 * 8);
    let fits = Shape { grid, block: 256, shared: 0 };
    // SAFETY: the kernel takes one address of a word.
    unsafe { gpu.launch_coresident(&kernel, fits, &arguments) }.unwrap();
    // SAFETY: as above.
    let error =
        unsafe { gpu.launch_coresident(&kernel, Shape { grid: grid + 1, ..fits }, &arguments) }.unwrap_err();
    assert!(error.to_string().contains("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"), "{error}");
    assert_eq!(array.to_vec().unwrap(), [1]);
    let error = gpu.coresident_blocks(&kernel, 2048, 0).unwrap_err().to_string();
    assert!(error.contains("2048 threads") && error.contains("count_up"), "{error}");
});

test!(more_shared_memory_is_asked_for_once, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let array = gpu.array_of(&[0_u32], "word").unwrap();
    let kernel = kernel(&gpu, "count_up");
    let launch = |shared| {
        // SAFETY: the kernel takes one address of a word.
        unsafe { gpu.launch(&kernel, Shape { shared, ..ONE }, &Word { word: array.address() }) }
    };
    launch(48 << 10).unwrap();
    assert_eq!(calls("cuFuncSetAttribute"), 0);
    for _ in 0..3 {
        launch(100 << 10).unwrap();
    }
    assert_eq!(calls("cuFuncSetAttribute"), 1);
    assert!(gpu.coresident_blocks(&kernel, 128, 200 << 10).is_ok());
    let error = launch(300 << 10).unwrap_err().to_string();
    assert!(error.contains("allowing count_up 307200 bytes of shared memory"), "{error}");
});

test!(a_trap_loses_the_device_for_good_and_names_the_kernel, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let array = gpu.array_of(&[0_u32], "word").unwrap();
    launch(&gpu, "trap", ONE, array.address()).unwrap();
    let error = gpu.finish().unwrap_err();
    let Error::Lost { label, what } = &error else { panic!("{error:?}") };
    assert_eq!(label, "cuda:0");
    assert!(what.contains("CUDA_ERROR_LAUNCH_FAILED") && what.contains("last launched: trap"), "{what}");
    for later in [gpu.memory().unwrap_err(), array.to_vec().unwrap_err(), gpu.lost().unwrap().clone()] {
        assert_eq!(later.to_string(), error.to_string());
    }
    drop((array, gpu));
    assert_eq!(alive("context"), 0, "the context is let go");
    let again = open(&settings);
    assert_eq!(again.array_of(&[5_u32], "word").unwrap().to_vec().unwrap(), [5], "and a new one works");
});

test!(a_kernel_that_polls_the_cancel_word_is_stopped, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    for _ in 0..2 {
        launch(&gpu, "endless", ONE, gpu.cancel_address()).unwrap();
        let asked = Cell::new(0);
        let error = gpu.wait(|| asked.replace(asked.get() + 1) > 100).unwrap_err();
        assert!(matches!(error, Error::Stopped { .. }), "{error:?}");
    }
    gpu.finish().unwrap();
});

test!(dropping_a_gpu_ends_kernels_that_poll_the_cancel_word, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    launch(&gpu, "endless", ONE, gpu.cancel_address()).unwrap();
    drop(gpu);
    assert_nothing_is_alive();
});

test!(dropping_a_gpu_whose_kernel_does_not_end_returns_soon, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    launch(&gpu, "deaf", ONE, gpu.cancel_address()).unwrap();
    let start = Instant::now();
    drop(gpu);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(
        (alive("context"), calls("cuModuleUnload"), calls("cuMemFreeHost")),
        (1, 0, 0),
        "all is left as it is"
    );
});
