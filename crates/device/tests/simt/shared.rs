//! Shared memory: poisoned for every block, limited, and separate for each kernel.

use crate::common::{Bench, block, body, module, run};
use warpgraph_device::Shape;

#[test]
fn every_block_starts_with_poisoned_shared_memory() {
    let text = "SHARED(u32, fixed[8]);
        SHARED(f64, other);
        DYNAMIC_SHARED(u8, moving);
        bool poisoned = bits_of(other) == 0xcdcdcdcdcdcdcdcdull;
        for (u32 i = 0; i < 8; i++) poisoned &= fixed[i] == 0xcdcdcdcdu;
        for (u32 i = 0; i < 30; i++) poisoned &= moving[i] == 0xcd;
        other = 1;
        for (u32 i = 0; i < 8; i++) fixed[i] = i;
        for (u32 i = 0; i < 30; i++) moving[i] = i;
        args.output[block_in_grid()] = poisoned;";
    let shape = Shape { grid: 20, block: 1, shared: 30 };
    assert_eq!(run(text, shape, &[0], 20).unwrap(), [1; 20]);
}

#[test]
fn static_and_dynamic_shared_memory_have_one_limit() {
    let bench = Bench::new(&body("SHARED(u32, fixed[1024]); fixed[0] = 1; args.output[0] = fixed[0];"));
    let room = (48 << 10) - 4096;
    let run = |shared| bench.run(Shape { grid: 1, block: 1, shared }, &[0], 1, false);
    assert_eq!(run(room).unwrap(), [1]);
    let error = run(room + 1).unwrap_err().to_string();
    assert!(error.contains("4096 bytes of static and 45057 of dynamic"), "{error}");
    let error = bench.gpu.coresident_blocks(&bench.kernel, 32, room + 1).unwrap_err().to_string();
    assert!(error.contains("a block has 49152 in all"), "{error}");
}

#[test]
fn the_limit_is_of_a_kernel_and_not_of_its_module() {
    let kernel = |name| {
        format!(
            "KERNEL({name}, Io) {{ SHARED(u32, big[10000]); big[args.other] = 1; args.output[0] = big[args.other]; }}\n"
        )
    };
    let source = module(&(kernel("k") + &kernel("l")), vec!["k", "l"]);
    assert_eq!(Bench::new(&source).run(block(1), &[0], 1, false).unwrap(), [1]);
}

#[test]
fn dynamic_shared_memory_that_was_not_asked_for_is_an_error() {
    let bench = Bench::new(&body("DYNAMIC_SHARED(u32, moving); moving[0] = 1;"));
    let what = bench.lost(block(1), false);
    assert!(what.contains("uses dynamic shared memory at test.cu:"), "{what}");
    assert!(what.contains("the launch has none"), "{what}");
}
