//! Compiling several modules at once, and ahead of the caller.

use crate::{alive, ask, assert_nothing_is_alive, calls, open, settings, source, test};
use std::sync::Arc;
use warpgraph_device::{Error, Settings, Source, cuda};

fn module(number: usize) -> Arc<Source> {
    Arc::new(Source { name: format!("module-{number}"), text: format!("text {number}"), ..source() })
}

fn modules(count: usize) -> Vec<Arc<Source>> {
    (0..count).map(module).collect()
}

fn compiled() -> u64 {
    calls("nvrtcCompileProgram")
}

test!(one_text_is_compiled_once_by_many_callers, ["STAND_IN_COMPILE_MS" = "100"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| gpu.compile(&source()).unwrap());
        }
    });
    assert_eq!((compiled(), calls("cuModuleLoadData"), alive("module")), (1, 1, 1));
});

test!(different_texts_are_compiled_at_the_same_time, ["STAND_IN_COMPILE_MS" = "200"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    std::thread::scope(|scope| {
        for source in modules(4) {
            let gpu = &gpu;
            scope.spawn(move || gpu.compile(&source).unwrap());
        }
    });
    assert_eq!((compiled(), ask("stand_in_most", "")), (4, 4));
});

test!(a_text_that_failed_is_tried_again, ["STAND_IN_CAPABILITY" = "80"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    for _ in 0..2 {
        let error = gpu.compile(&source()).unwrap_err();
        assert!(matches!(error, Error::Compile { .. }), "{error:?}");
    }
    assert_eq!(compiled(), 2);
});

test!(what_an_open_gpu_compiled_ahead_is_there, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    gpu.compile_ahead(modules(3)).wait();
    assert_eq!((compiled(), alive("module")), (3, 3));
    modules(3).iter().for_each(|source| drop(gpu.compile(source).unwrap()));
    assert_eq!((compiled(), gpu.compile_seconds()), (3, 0.0), "no caller waited");
});

test!(a_caller_waits_for_a_module_in_the_making, ["STAND_IN_COMPILE_MS" = "300"], {
    let (_folder, settings) = settings();
    let ahead = cuda::compile_ahead(0, &settings, modules(1));
    while compiled() == 0 {
        std::thread::yield_now();
    }
    let gpu = open(&settings);
    gpu.compile(&module(0)).unwrap();
    assert_eq!(compiled(), 1);
    assert!(gpu.compile_seconds() > 0.0, "it waited");
    drop(ahead);
});

test!(cubins_made_before_a_gpu_is_open_are_found_by_it, [], {
    let (folder, settings) = settings();
    // A cache that cannot be used: the cubins are found all the same.
    std::fs::write(folder.path().join("file"), b"").unwrap();
    let settings = Settings { cache: Some(folder.path().join("file")), ..settings };
    cuda::compile_ahead(0, &settings, modules(3)).wait();
    assert_eq!((compiled(), calls("cuDevicePrimaryCtxRetain")), (3, 0), "no context is needed");
    let gpu = open(&settings);
    modules(3).iter().for_each(|source| drop(gpu.compile(source).unwrap()));
    assert_eq!((compiled(), alive("module")), (3, 3));
    drop(gpu);
    assert_nothing_is_alive();
});

test!(a_refused_cubin_that_was_made_ahead_from_the_cache_is_compiled_anew, [], {
    let (_folder, settings) = settings();
    let options = warpgraph_device::nvrtc::OPTIONS.join(" ");
    let mut entry = [13_u32.to_le_bytes(), 0_u32.to_le_bytes()].concat();
    entry.extend(b"of another driver");
    let cache = warpgraph_device::Cache::open(settings.cache.clone());
    cache.put(&["text 0", &options, "sm_90"], &entry);
    cuda::compile_ahead(0, &settings, modules(1)).wait();
    assert_eq!(compiled(), 0);
    open(&settings).compile(&module(0)).unwrap();
    assert_eq!((compiled(), calls("cuModuleLoadData")), (1, 2));
});

test!(errors_of_compiling_ahead_show_when_a_caller_asks, ["WARPGRAPH_NVRTC" = "/nowhere"], {
    let (_folder, settings) = settings();
    cuda::compile_ahead(0, &settings, modules(2)).wait();
    cuda::compile_ahead(7, &settings, modules(2)).wait();
    let gpu = open(&settings);
    gpu.compile_ahead(modules(2)).wait();
    let error = gpu.compile(&module(0)).unwrap_err();
    assert!(matches!(error, Error::NoCompiler { .. }), "{error:?}");
});

test!(dropping_the_handle_begins_no_further_module, ["STAND_IN_COMPILE_MS" = "100"], {
    let (_folder, settings) = settings();
    drop(cuda::compile_ahead(0, &settings, modules(200)));
    let after = compiled();
    assert!(after < 100, "{after}");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(compiled(), after, "no thread goes on");
});
