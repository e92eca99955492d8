//! Measures the speed of the simulator: switches between threads, and edges of lists that a warp or its lanes walk.
//!
//! `cargo run --release -p warpgraph-device --example simt_speed`

use std::time::Instant;
use warpgraph_device::{
    Address, Arguments, PRELUDE, Result, Settings, Shape, Source, arguments,
    simt::{Simt, SimtOptions},
};

arguments! {
    /// Arguments of the kernels: lists of edges, all of one length.
    struct Lists {
        edges: Address<u32>,
        output: Address<u32>,
        lists: u32,
        length: u32,
    }
}

const KERNELS: &str = r#"
#include "prelude.cuh"
LISTS
// Only switches.
KERNEL(switches, Lists) {
    for (u32 i = 0; i < args.length; i++) warp_sync(FULL_WARP);
}
// Only barriers.
KERNEL(barriers, Lists) {
    for (u32 i = 0; i < args.length; i++) block_sync();
}
// One thread per list, without any wait.
KERNEL(alone, Lists) {
    u32 list = thread_in_grid(), found = 0;
    if (list >= args.lists) return;
    for (u32 i = 0; i < args.length; i++) found += args.edges[list * args.length + i] & 1;
    args.output[list] = found;
}
// A warp shares a list: one ballot per 32 edges.
KERNEL(shared, Lists) {
    for (u32 list = thread_in_grid() / 32; list < args.lists; list += grid_threads() / 32) {
        u32 found = 0;
        for (u32 i = lane_in_warp(); i < args.length; i += 32)
            found += count_ones(warp_ballot(FULL_WARP, args.edges[list * args.length + i] & 1));
        if (lane_in_warp() == 0) args.output[list] = found;
    }
}
// One list per lane, with one ballot per edge.
KERNEL(votes, Lists) {
    for (u32 list = thread_in_grid(); list < args.lists; list += grid_threads()) {
        u32 found = 0;
        for (u32 i = 0; i < args.length; i++)
            found += count_ones(warp_ballot(FULL_WARP, args.edges[list * args.length + i] & 1));
        args.output[list] = found;
    }
}
"#;

fn main() -> Result<()> {
    let gpu = Simt::open(&Settings::default(), SimtOptions::default())?;
    let text = KERNELS.replace("LISTS", &Lists::cuda());
    let names = vec!["switches", "barriers", "alone", "shared", "votes"];
    let start = Instant::now();
    let module = gpu.compile(&Source::assemble("speed", &text, &[PRELUDE], names)?)?;
    println!("{}: compiled in {:.2} s", gpu.properties().compiler, start.elapsed().as_secs_f64());

    let (lists, length) = (32768u32, 128u32);
    let edges: Vec<u32> = (0..lists * length).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
    let edges = gpu.array_of(&edges, "edges")?;
    let output = gpu.array::<u32>(lists as usize, "output")?;
    let measure = |name, shape, lists: u32, length: u32, count: u64, what: &str| -> Result<()> {
        let kernel = module.kernel(name)?;
        let arguments = Lists { edges: edges.address(), output: output.address(), lists, length };
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            // SAFETY: the kernel takes a Lists, and the arrays have as many entries as it says.
            let start = || unsafe { gpu.launch(&kernel, shape, &arguments) };
            best = best.min(gpu.timed(start)?);
        }
        println!("{name:9} {:7.1} M {what}/s", count as f64 / best / 1e6);
        Ok(())
    };
    let all = u64::from(lists) * u64::from(length);
    for block in [32, 256, 1024] {
        let shape = Shape { grid: 1, block, shared: 0 };
        println!("{block} threads a block");
        measure("switches", shape, lists, 10_000, 10_000 * u64::from(block), "switches")?;
        measure("barriers", shape, lists, 10_000, 10_000 * u64::from(block), "switches")?;
        measure("alone", Shape { grid: lists / block, ..shape }, lists, length, all, "edges")?;
        measure("shared", shape, lists, length, all, "edges")?;
        measure("votes", shape, lists, length, all, "edges")?;
    }
    Ok(())
}
