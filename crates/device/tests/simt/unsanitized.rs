//! The simulator without AddressSanitizer in its process.

use crate::common::settings;
use warpgraph_device::simt::{Simt, SimtOptions};

#[test]
fn asking_for_the_sanitizer_is_an_error_that_says_how_to_have_it() {
    let error =
        Simt::open(&settings(), SimtOptions { sanitize: true, ..SimtOptions::default() }).unwrap_err();
    assert!(error.to_string().contains("LD_PRELOAD=$(c++ -print-file-name=libasan.so)"), "{error}");
}
