//! A machine without a driver: every question is answered, none by a panic.

use warpgraph_device::{Error, Settings, cuda};
use warpgraph_testing::Need;

fn assert_no_driver<T: std::fmt::Debug>(answer: Result<T, Error>) {
    let error = answer.unwrap_err();
    assert!(matches!(error, Error::NoDriver { .. }), "{error:?}");
    assert!(error.to_string().contains("libcuda.so.1"), "{error}");
    assert!(error.help().contains("nvidia-smi") && error.help().contains("--device cpu"), "{}", error.help());
}

pub(crate) fn opening_a_gpu_without_a_driver_is_an_error_with_help() {
    assert_no_driver(cuda::open(0, &Settings::default()));
}

pub(crate) fn listing_gpus_without_a_driver_is_an_error_with_help() {
    assert_no_driver(cuda::list());
}

/// Needs a machine without a driver.
pub(crate) fn need() -> Need {
    // SAFETY: opens the driver's library and closes it.
    match unsafe { libloading::Library::new("libcuda.so.1") } {
        Ok(_) => Err("there is an NVIDIA driver".to_owned()),
        Err(_) => Ok(()),
    }
}
