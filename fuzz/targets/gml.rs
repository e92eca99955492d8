#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| warpgraph_fuzz::graph::gml(data));
