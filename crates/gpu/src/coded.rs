//! Tests `kernels/coded.cuh`, by which kernels read coded targets: every arc of some graphs is decoded on the simulator.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use crate::{
    machine::{Grid, Launch, Machine},
    testing::{generated, simt},
    variants,
};
use warpgraph_core::Options;
use warpgraph_device::{Address, Arguments, Gpu, arguments};
use warpgraph_graph::{
    NO_VERTEX, Vertex,
    coded::{Coded, Entry},
};

arguments! {
    /// The arguments of the kernel that decodes.
    struct CodedArgs {
        entries: Address<u64>,
        near: Address<u32>,
        far: Address<u32>,
        /// Receives the targets.
        targets: Address<u32>,
        arcs: u64,
        shift: u64,
    }
}

/// Decodes all arcs, one per thread.
const KERNEL: &str = "
#include \"coded.cuh\"
KERNEL(decode, CodedArgs) {
    for (u64 arc = thread_in_grid(); arc < args.arcs; arc += grid_threads()) {
        args.targets[arc] = coded_at(args.entries, args.near, args.far, static_cast<u32>(args.shift), arc);
    }
}
";

/// Decodes all targets on a device. The words of every block for which `is_near` returns true move to the near array.
fn decoded(gpu: &Gpu, coded: &Coded, is_near: impl Fn(usize) -> bool) -> Vec<Vertex> {
    let options = Options::default();
    let machine = Machine::new(gpu, &options, "decoding");
    let text = format!("#include \"prelude.cuh\"\n{}{KERNEL}", CodedArgs::cuda());
    let source = variants::module("coded", false, &text, vec!["decode"]).unwrap();
    let kernel: Launch<CodedArgs> = machine.kernel(&source, "decode").unwrap();
    let mut entries = coded.entries().to_vec();
    let mut near = Vec::new();
    let mut far = coded.words().to_vec();
    for (block, entry) in entries.iter_mut().enumerate().filter(|(block, _)| is_near(*block)) {
        let words = coded.words_of(block);
        *entry = Entry::from_bits(*entry).near(near.len() as u64).bits();
        near.extend_from_slice(&coded.words()[words.clone()]);
        far[words].fill(0xdead_beef);
    }
    near.push(0);
    let entries = gpu.array_of(&entries, "entries").unwrap();
    let (near, far) = (gpu.array_of(&near, "near words").unwrap(), gpu.array_of(&far, "far words").unwrap());
    let targets = gpu.array_of(&vec![NO_VERTEX; coded.arcs()], "targets").unwrap();
    let args = CodedArgs {
        entries: entries.address(),
        near: near.address(),
        far: far.address(),
        targets: targets.address(),
        arcs: coded.arcs() as u64,
        shift: u64::from(coded.shift()),
    };
    // SAFETY: `coded` and the loop above made entries whose words lie in these arrays, which have one word more;
    // `targets` has a place for every arc, and `to_vec` waits for the kernel.
    unsafe { machine.start(&kernel, Grid::For(args.arcs), &args) }.unwrap();
    targets.to_vec().unwrap()
}

fn check(gpu: &Gpu, name: &str, targets: &[Vertex]) {
    let coded = Coded::of(targets).unwrap();
    assert!(decoded(gpu, &coded, |_| false) == targets, "{name}: all far");
    assert!(decoded(gpu, &coded, |_| true) == targets, "{name}: all near");
    assert!(decoded(gpu, &coded, |block| block % 3 == 1) == targets, "{name}: some near");
}

#[test]
fn kernels_decode_every_arc_of_a_graph() {
    let gpu = simt();
    for spec in ["kron:10", "uniform:9", "grid:20x30", "powerlaw:500", "community:9"] {
        check(&gpu, spec, generated(spec).out().csr.targets());
    }
}

#[test]
fn kernels_decode_blocks_of_all_shapes() {
    let gpu = simt();
    for len in [1, 31, 32, 33] {
        check(&gpu, "one target", &vec![NO_VERTEX - 1; len]);
        check(&gpu, "zeroes", &vec![0; len]);
    }
    // Blocks of every span, each with falls at random places and with none.
    let mut targets = Vec::new();
    for width in 0..=32 {
        for falls in [0, 1, 2, 4, 31] {
            let number = |i: u32| i.wrapping_mul(0x9e37_79b9).checked_shr(32 - width).unwrap_or(0);
            let mut block: Vec<Vertex> = (0..32).map(|i| number(width * 97 + falls * 41 + i)).collect();
            block.chunks_mut(32_usize.div_ceil(falls as usize + 1)).for_each(<[_]>::sort_unstable);
            targets.append(&mut block);
        }
    }
    check(&gpu, "all spans", &targets);
}
