//! A machine without a driver: every call returns an error, and none panics. With a driver these tests print a note and
//! pass.
#![allow(clippy::unwrap_used)]

use warpgraph_device::{Error, Settings, cuda};

fn assert_no_driver<T: std::fmt::Debug>(answer: Result<T, Error>) {
    // SAFETY: opens the driver's library and closes it.
    if unsafe { libloading::Library::new("libcuda.so.1") }.is_ok() {
        println!("skipped: there is a driver here");
        return;
    }
    let error = answer.unwrap_err();
    assert!(matches!(error, Error::NoDriver { .. }), "{error:?}");
    assert!(error.to_string().contains("libcuda.so.1"), "{error}");
    assert!(error.help().contains("nvidia-smi") && error.help().contains("--device cpu"), "{}", error.help());
}

#[test]
fn opening_a_gpu_without_a_driver_is_an_error_with_help() {
    assert_no_driver(cuda::open(0, &Settings::default()));
}

#[test]
fn listing_gpus_without_a_driver_is_an_error_with_help() {
    assert_no_driver(cuda::list());
}
