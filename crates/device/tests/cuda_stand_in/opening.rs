//! Properties of GPUs, and the errors of opening one.

use crate::{calls, open, settings, source, test};
use warpgraph_device::{Error, Settings, cuda};

test!(properties_are_what_the_driver_says, ["STAND_IN_COUNT" = "2"], {
    let list = cuda::list().unwrap();
    assert_eq!(list.len(), 2);
    assert_eq!(calls("cuDevicePrimaryCtxRetain"), 0, "listing opens nothing");
    let second = &list[1];
    assert_eq!((second.label.as_str(), second.name.as_str()), ("cuda:1", "Stand-in 1"));
    assert_eq!((second.capability, second.multiprocessors, second.memory), ((9, 0), 4, 64 << 20));
    assert!(second.driver.contains("CUDA 13.0"), "{}", second.driver);
    assert_eq!(second.compiler, "NVRTC 13.0");
});

test!(an_unknown_number_is_an_error_that_lists_the_known_ones, ["STAND_IN_COUNT" = "2"], {
    let error = cuda::open(2, &Settings::default()).unwrap_err();
    assert!(matches!(&error, Error::NoDevice { label, .. } if label == "cuda:2"), "{error:?}");
    assert!(error.to_string().contains("cuda:0 to cuda:1"), "{error}");
});

test!(a_driver_that_sees_no_gpu_is_no_error_until_one_is_opened, ["STAND_IN_INIT" = "100"], {
    assert_eq!(cuda::list().unwrap(), vec![]);
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

test!(opening_a_gpu_does_not_load_nvrtc, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    assert_eq!((calls("nvrtcVersion"), gpu.properties().compiler.as_str()), (0, ""));
    assert_eq!((gpu.compiler().as_str(), calls("nvrtcVersion")), ("NVRTC 13.0", 1), "asking for it does");
});

test!(a_gpu_that_nvrtc_no_longer_knows_is_refused_by_its_name, ["STAND_IN_CAPABILITY" = "70"], {
    let (_folder, settings) = settings();
    let error = open(&settings).compile(&source()).unwrap_err();
    assert!(
        matches!(&error, Error::Capability { name, capability: (7, 0), .. } if name == "Stand-in 0"),
        "{error:?}"
    );
    assert!(error.to_string().contains("nvidia-cuda-nvrtc-cu12==12.9.86"), "{error}");
});
