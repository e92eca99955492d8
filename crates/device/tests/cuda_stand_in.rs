//! The CUDA device over a stand-in for driver and NVRTC (`cuda_stand_in.c`, built here by the host's C compiler): what is allocated
//! and given back, how errors are told, what happens at the end. Nothing here says that a GPU does what it is told.
//!
//! Each test starts itself again with the stand-in in the loader's path. Without a C compiler it says so and passes.
#![allow(clippy::unwrap_used)]

use std::{
    cell::Cell,
    ffi::{CString, c_char},
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};
use warpgraph_device::{
    Address, Cache, CopyKind, Error, EventId, Gpu, Kernel, MemoryKind, Settings, Shape, Source, Stream,
    arguments, cuda, nvrtc,
};

const INSIDE: &str = "WARPGRAPH_TEST_STAND_IN";

/// The folder of the stand-in.
fn built() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stand-in");
        std::fs::create_dir_all(&folder).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cuda_stand_in.c");
        let unfinished = folder.join(format!("{}.tmp", std::process::id()));
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-x", "c"]).arg(source);
        match compiler.arg("-o").arg(&unfinished).status() {
            Err(error) => {
                println!("skipped: no C compiler ({error})");
                None
            }
            Ok(status) => {
                assert!(status.success());
                std::fs::rename(unfinished, folder.join("libcuda.so")).unwrap();
                Some(folder)
            }
        }
    };
    FOLDER.get_or_init(build).as_deref()
}

/// Runs a test's body in a process of its own that finds the stand-in, set up so.
fn inside(test: &str, settings: &[(&str, &str)], body: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return body();
    }
    let Some(folder) = built() else { return };
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", test, "--nocapture"]).env(INSIDE, "1").envs(settings.iter().copied());
    again.env("LD_LIBRARY_PATH", folder).env("WARPGRAPH_NVRTC", folder.join("libcuda.so"));
    let output = again.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    assert!(out.contains("1 passed"), "no test of that name ran: {out}");
}

macro_rules! test {
    ($name:ident, [$($key:literal = $value:literal),*], $body:expr) => {
        #[test]
        fn $name() {
            inside(stringify!($name), &[$(($key, $value)),*], || $body)
        }
    };
}

/// Asks the stand-in for one of its counts.
fn ask(function: &str, of: &str) -> u64 {
    // SAFETY: the library that the driver's calls go to.
    let library = unsafe { libloading::Library::new("libcuda.so") }.unwrap();
    let of = CString::new(of).unwrap();
    // SAFETY: both functions there are of this type.
    unsafe { library.get::<unsafe extern "C" fn(*const c_char) -> u64>(function).unwrap()(of.as_ptr()) }
}

fn calls(of: &str) -> u64 {
    ask("stand_in_calls", of)
}

fn alive(of: &str) -> u64 {
    ask("stand_in_alive", of)
}

/// Is everything given back that was taken?
fn assert_nothing_is_alive() {
    for kind in ["context", "stream", "event", "module", "device", "pinned", "managed", "program"] {
        assert_eq!(alive(kind), 0, "{kind}");
    }
}

/// Settings with a cache of their own.
fn settings() -> (tempfile::TempDir, Settings) {
    let folder = tempfile::tempdir().unwrap();
    let cache = Some(folder.path().join("cache"));
    (folder, Settings { cache, ..Settings::default() })
}

fn open(settings: &Settings) -> Gpu {
    cuda::open(0, settings).unwrap_or_else(|error| panic!("{error}"))
}

arguments! {
    struct Word {
        word: Address<u32>,
    }
}

fn source() -> Source {
    let kernels = vec!["count_up", "trap", "endless", "deaf"];
    Source { name: "stand/in".to_owned(), text: "text".to_owned(), kernels }
}

fn kernel(gpu: &Gpu, name: &'static str) -> Kernel {
    gpu.compile(&source()).unwrap().kernel(name).unwrap()
}

const ONE: Shape = Shape { grid: 1, block: 1, shared: 0 };

fn launch(gpu: &Gpu, name: &'static str, shape: Shape, word: Address<u32>) -> Result<(), Error> {
    // SAFETY: the stand-in's kernels take one address of a word.
    unsafe { gpu.launch(&kernel(gpu, name), shape, &Word { word }) }
}

test!(properties_are_what_the_driver_says, ["STAND_IN_COUNT" = "2"], {
    assert_eq!(cuda::count().unwrap(), 2);
    let list = cuda::list().unwrap();
    assert_eq!(calls("cuDevicePrimaryCtxRetain"), 0, "listing opens nothing");
    let second = &list[1];
    assert_eq!((second.label.as_str(), second.name.as_str()), ("cuda:1", "Stand-in 1"));
    assert_eq!((second.capability, second.multiprocessors, second.block_threads), ((9, 0), 4, 1024));
    assert_eq!((second.block_shared, second.l2, second.memory), (48 << 10, 1 << 20, 64 << 20));
    assert!(second.driver.contains("CUDA 13.0"), "{}", second.driver);
    assert_eq!(second.compiler, "NVRTC 13.0");
});

test!(a_gpu_that_is_let_go_leaves_nothing_behind, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let mut array = gpu.array_of(&[1_u32, 2, 3], "values").unwrap();
    let pinned = gpu.pinned::<u32>(3, "words").unwrap();
    launch(&gpu, "count_up", ONE, array.address()).unwrap();
    assert_eq!(gpu.timed(|| array.fill_bytes(0)).unwrap(), 1.5);
    gpu.finish().unwrap();
    assert!(alive("device") == 1 && alive("module") == 1 && alive("event") > 0);
    drop((array, pinned));
    assert_eq!(alive("device"), 1, "it lies idle");
    drop(gpu);
    assert_nothing_is_alive();
});

test!(values_go_to_the_device_and_back_and_kernels_reach_them, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let array = gpu.array_of(&[40_u32, 7], "values").unwrap();
    for _ in 0..2 {
        launch(&gpu, "count_up", ONE, array.address()).unwrap();
    }
    assert_eq!(array.to_vec().unwrap(), [42, 7]);
    let mut fetched = gpu.pinned::<u32>(2, "words").unwrap();
    let waits = calls("cuStreamSynchronize");
    fetched.fetch(&array).unwrap();
    assert_eq!(calls("cuStreamSynchronize"), waits, "pinned memory is not waited for");
    assert_eq!((fetched.get(0), fetched.get(1)), (42, 7));
    array.to_vec().unwrap();
    assert_eq!(calls("cuStreamSynchronize"), waits + 1, "other memory is");
});

test!(calls_come_from_any_thread, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let array = gpu.array_of(&[0_u32], "word").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| launch(&gpu, "count_up", ONE, array.address()).unwrap()).join().unwrap();
        }
    });
    assert_eq!(std::thread::spawn(move || array.to_vec().unwrap()).join().unwrap(), [4]);
    std::thread::spawn(move || drop(gpu)).join().unwrap();
    assert_nothing_is_alive();
});

test!(memory_that_was_given_back_is_used_again, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    for round in 0..20_usize {
        let array = gpu.array::<u32>(1000 + round % 3, "values").unwrap();
        let pinned = gpu.pinned::<u32>(10, "words").unwrap();
        assert_eq!(gpu.memory().unwrap().held, array.bytes());
        assert_eq!(pinned.get(9), 0, "zeroed though it was used before");
    }
    assert_eq!((calls("cuMemAlloc_v2"), calls("cuMemFree_v2")), (1, 0));
    assert_eq!(calls("cuMemHostAlloc"), 2, "the cancel word and the words");
    let info = gpu.memory().unwrap();
    assert_eq!((info.held, info.peak), (0, 4 * 1002));
    assert_eq!((info.free, info.total), (64 << 20, 64 << 20), "what lies idle is free");
});

test!(at_most_a_quarter_of_the_memory_lies_idle, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let arrays: Vec<_> = (0..12).map(|_| gpu.array::<u8>(4 << 20, "values").unwrap()).collect();
    drop(arrays);
    assert_eq!(alive("device"), 4);
});

test!(idle_memory_goes_back_before_there_is_no_room, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    drop(gpu.array::<u8>(10 << 20, "values").unwrap());
    let large = gpu.array::<u8>(60 << 20, "values").unwrap();
    assert_eq!((alive("device"), calls("cuMemAlloc_v2")), (1, 3));
    let error = gpu.array::<u8>(5 << 20, "the frontier").unwrap_err();
    let Error::OutOfMemory { label, what, asked, free, total } = error else { panic!("{error:?}") };
    assert_eq!((label.as_str(), what.as_str(), asked), ("cuda:0", "the frontier", 5 << 20));
    assert_eq!((free, total), (4 << 20, 64 << 20));
    drop(large);
    gpu.array::<u8>(5 << 20, "the frontier").unwrap();
});

test!(more_than_could_ever_be_is_no_room_and_nothing_else, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    for bytes in [1 << 50, usize::MAX >> 1] {
        let error = gpu.array::<u8>(bytes, "everything").unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { free: 0x400_0000, .. }), "{error:?}");
        let error = gpu.pinned::<u8>(bytes, "everything").unwrap_err();
        assert!(error.to_string().starts_with("the host has no room for everything"), "{error}");
    }
    assert_eq!((calls("cuMemAlloc_v2"), calls("cuMemHostAlloc")), (0, 1));
    assert!(gpu.lost().is_none());
});

test!(a_budget_is_kept_to_the_byte, [], {
    let (_folder, settings) = settings();
    let gpu = open(&Settings { memory_budget: Some(1_000_000), ..settings });
    let most = gpu.array::<u8>(999_000, "most").unwrap();
    let rest = gpu.array::<u8>(1000, "the rest").unwrap();
    let error = gpu.array::<u8>(1, "one more").unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { asked: 1, free: 0, total: 1_000_000, .. }), "{error:?}");
    drop(rest);
    let info = gpu.memory().unwrap();
    assert_eq!((info.free, info.total, info.held, info.peak), (1000, 1_000_000, 999_000, 1_000_000));
    drop(most);
    let _all = gpu.array::<u8>(1_000_000, "all").unwrap();
    assert_eq!(alive("device"), 1, "what lay idle went back for it");
});

test!(managed_memory_is_no_more_than_is_free_and_goes_back_at_once, [], {
    let (_folder, settings) = settings();
    let device = cuda::device(0, &settings).unwrap();
    let managed = device.alloc(40 << 20, MemoryKind::Managed).unwrap();
    assert_eq!((managed.host, device.memory().unwrap().held), (managed.device, 40 << 20));
    let error = device.alloc(30 << 20, MemoryKind::Managed).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { free: 0x180_0000, .. }), "{error:?}");
    assert_eq!(calls("cuMemAllocManaged"), 1, "the driver, which would give it, is not asked");
    // SAFETY: allocated above, used by nobody.
    unsafe { device.free(managed) };
    assert_eq!((alive("managed"), device.memory().unwrap().held), (0, 0));
});

test!(part_of_a_pinned_array_is_pinned_and_what_follows_it_is_not, [], {
    let (_folder, settings) = settings();
    let device = cuda::device(0, &settings).unwrap();
    let [to, pinned] = [MemoryKind::Device, MemoryKind::Pinned].map(|kind| device.alloc(1000, kind).unwrap());
    // SAFETY: both ranges are valid: a class of 1,000 bytes has 1,024.
    let copy = |from, bytes| unsafe { device.copy(Stream::Copy, CopyKind::ToDevice, to.device, from, bytes) };
    copy(pinned.host + 990, 10).unwrap();
    assert_eq!(calls("cuStreamSynchronize"), 0);
    copy(pinned.host + 990, 11).unwrap();
    assert_eq!(calls("cuStreamSynchronize"), 1);
});

test!(events_are_used_again_and_unknown_ones_are_errors, [], {
    let (_folder, settings) = settings();
    let device = cuda::device(0, &settings).unwrap();
    for _ in 0..10 {
        let [a, b] = [Stream::Compute, Stream::Copy].map(|stream| device.record(stream).unwrap());
        assert_ne!(a, b);
        device.wait_for(Stream::Copy, a).unwrap();
        assert!(device.is_done(a).unwrap() && device.seconds_between(a, b).unwrap() == 1.5);
        device.forget(a);
        device.forget(a);
        device.forget(b);
        assert!(matches!(device.is_done(a), Err(Error::Call { .. })));
    }
    assert_eq!(alive("event"), 2);
    assert!(device.is_done(EventId(u64::MAX)).is_err());
    device.forget(EventId(7));
});

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
    let parts = ["text", &options, "sm_90", "NVRTC 13.0"];
    cache.get_or_make(&parts, || Ok(b"of another driver".to_vec())).unwrap();
    kernel(&open(&settings), "count_up");
    assert_eq!((calls("nvrtcCompileProgram"), calls("cuModuleLoadData")), (1, 2));
    assert!(cache.get_or_make(&parts, || panic!("replaced")).unwrap().starts_with(b"cubin"));
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
            text.contains("CUDA_ERROR_INVALID_IMAGE") && text.contains("NVRTC 13.0 made for sm_90"),
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
        error.contains("gone") && error.contains("stand/in has count_up, trap, endless, deaf"),
        "{error}"
    );
});

test!(a_launch_that_cannot_be_says_what_was_launched, [], {
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
    let grid = gpu.resident_blocks(&kernel, 256, 0).unwrap();
    assert_eq!(grid, 4 * 8);
    let fits = Shape { grid, block: 256, shared: 0 };
    // SAFETY: the kernel takes one address of a word.
    unsafe { gpu.launch_resident(&kernel, fits, &arguments) }.unwrap();
    // SAFETY: as above.
    let error =
        unsafe { gpu.launch_resident(&kernel, Shape { grid: grid + 1, ..fits }, &arguments) }.unwrap_err();
    assert!(error.to_string().contains("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"), "{error}");
    assert_eq!(array.to_vec().unwrap(), [1]);
    let error = gpu.resident_blocks(&kernel, 2048, 0).unwrap_err().to_string();
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
    assert!(gpu.resident_blocks(&kernel, 128, 200 << 10).is_ok());
    let error = launch(300 << 10).unwrap_err().to_string();
    assert!(error.contains("giving count_up 307200 bytes of shared memory"), "{error}");
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

test!(a_kernel_that_listens_is_stopped, [], {
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

test!(letting_go_of_a_gpu_ends_what_listens, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    launch(&gpu, "endless", ONE, gpu.cancel_address()).unwrap();
    drop(gpu);
    assert_nothing_is_alive();
});

test!(letting_go_of_a_gpu_whose_kernel_does_not_end_takes_no_more_than_a_moment, [], {
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

test!(a_number_that_is_not_there_is_told_with_those_that_are, ["STAND_IN_COUNT" = "2"], {
    let error = cuda::open(2, &Settings::default()).unwrap_err();
    assert!(matches!(&error, Error::NoDevice { label, .. } if label == "cuda:2"), "{error:?}");
    assert!(error.to_string().contains("cuda:0 to cuda:1"), "{error}");
});

test!(a_driver_that_sees_no_gpu_is_no_error_until_one_is_opened, ["STAND_IN_INIT" = "100"], {
    assert_eq!((cuda::count().unwrap(), cuda::list().unwrap()), (0, vec![]));
    let error = cuda::open(0, &Settings::default()).unwrap_err();
    assert!(error.to_string().contains("CUDA_VISIBLE_DEVICES"), "{error}");
});

test!(a_driver_that_does_not_start_is_no_driver, ["STAND_IN_INIT" = "803"], {
    let error = cuda::open(0, &Settings::default()).unwrap_err();
    assert!(matches!(error, Error::NoDriver { .. }), "{error:?}");
    assert!(error.to_string().contains("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"), "{error}");
});

test!(a_driver_that_is_too_old_is_no_driver, ["STAND_IN_VERSION" = "11080"], {
    let error = cuda::list().unwrap_err();
    assert!(matches!(error, Error::NoDriver { .. }), "{error:?}");
    assert!(error.to_string().contains("CUDA 11.8, and 12.0 or later"), "{error}");
});

test!(a_gpu_that_another_process_has_for_itself_says_so, ["STAND_IN_RETAIN" = "46"], {
    let error = cuda::open(0, &settings().1).unwrap_err();
    assert!(matches!(error, Error::NoDevice { .. }), "{error:?}");
    assert!(error.to_string().contains("another process holds it alone"), "{error}");
});

test!(a_gpu_whose_memory_others_hold_says_so, ["STAND_IN_RETAIN" = "2"], {
    let error = cuda::open(0, &settings().1).unwrap_err();
    assert!(error.to_string().contains("other processes hold its memory"), "{error}");
});

test!(a_gpu_that_is_too_old_is_refused_and_still_listed, ["STAND_IN_CAPABILITY" = "61"], {
    let error = cuda::open(0, &settings().1).unwrap_err();
    assert!(
        matches!(&error, Error::Capability { name, capability: (6, 1), .. } if name == "Stand-in 0"),
        "{error:?}"
    );
    assert!(error.to_string().contains("7.0 or later is needed"), "{error}");
    assert_eq!(cuda::list().unwrap()[0].compiler, "");
});

test!(a_gpu_that_nvrtc_no_longer_knows_is_refused_by_its_name, ["STAND_IN_CAPABILITY" = "70"], {
    let error = cuda::open(0, &settings().1).unwrap_err();
    assert!(
        matches!(&error, Error::Capability { name, capability: (7, 0), .. } if name == "Stand-in 0"),
        "{error:?}"
    );
    assert!(error.to_string().contains("nvidia-cuda-nvrtc-cu12==12.9.86"), "{error}");
    assert_eq!(calls("cuDevicePrimaryCtxRetain"), 0);
});
