//! Host memory of the caller that kernels read in place: whole pages, each registered once.

use crate::{ONE, alive, assert_nothing_is_alive, calls, launch, open, settings, test};
use std::{ops::Deref, sync::Arc};
use warpgraph_device::{Error, Gpu, Shared, cuda};

const PAGE: usize = 4096;

/// Words of a larger block of memory, at a multiple of a page in which several arrays may lie.
#[derive(Clone)]
struct Part {
    whole: Arc<Vec<u32>>,
    from: usize,
    len: usize,
}

impl Deref for Part {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.whole[self.from..self.from + self.len]
    }
}

/// Returns a part of new memory that starts this many bytes after the start of a page.
fn parts(pages: usize) -> impl Fn(usize, usize) -> Part {
    let whole = Arc::new((0..((pages + 1) * PAGE / 4) as u32).collect::<Vec<_>>());
    let first = (whole.as_ptr() as usize).next_multiple_of(PAGE) - whole.as_ptr() as usize;
    move |at, bytes| Part { whole: whole.clone(), from: (first + at) / 4, len: bytes / 4 }
}

fn share(gpu: &Gpu, part: &Part) -> Shared<u32> {
    gpu.share(part.clone(), "part").unwrap()
}

test!(arrays_that_share_pages_are_read_in_place, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let part = parts(10);
    // The first ends where the second starts, in the middle of a page; the third lies between in that page.
    let all = [part(100, 2 * PAGE), part(2 * PAGE + 100, 5 * PAGE), part(7 * PAGE + 100, 8)];
    let shared = all.each_ref().map(|part| share(&gpu, part));
    for (part, shared) in all.iter().zip(&shared) {
        assert_eq!((shared.address().raw(), shared.is_copy()), (part.as_ptr() as u64, false));
    }
    assert_eq!(alive("registered"), 5, "two pages between, and three that may be shared");
    assert_eq!(gpu.shared_bytes(), 7 * PAGE as u64 + 8);
    let again = share(&gpu, &all[1]);
    assert_eq!((alive("registered"), again.is_copy()), (5, false), "the same range once more");
    let [first, second, third] = shared;
    drop((second, first));
    assert_eq!(alive("registered"), 3, "those of the second array, whose last page the third uses too");
    drop(again);
    assert_eq!(alive("registered"), 1);
    drop(third);
    assert_eq!((alive("registered"), gpu.shared_bytes()), (0, 0));
    drop(gpu);
    assert_nothing_is_alive();
});

test!(a_range_across_another_one_is_copied, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let part = parts(10);
    let first = share(&gpu, &part(0, 4 * PAGE));
    let second = share(&gpu, &part(2 * PAGE, 4 * PAGE));
    assert!(!first.is_copy() && second.is_copy());
    assert_eq!(alive("registered"), 2);
    drop((second, first));
    assert_eq!(alive("registered"), 0);
});

test!(copies_are_cut_where_registered_memory_begins_and_ends, [], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let part = parts(10);
    let _shared = share(&gpu, &part(2 * PAGE + 8, 3 * PAGE));
    for (at, bytes) in [(0, 10 * PAGE), (4, 4 * PAGE), (5 * PAGE + 16, 2 * PAGE), (3 * PAGE, PAGE)] {
        let sent = part(at, bytes);
        assert!(gpu.array_of(&sent, "sent").unwrap().to_vec().unwrap() == *sent, "{bytes} bytes at {at}");
    }
});

test!(a_driver_without_read_only_memory_maps_it_all_the_same, ["STAND_IN_NO_READ_ONLY" = "1"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let shared = gpu.share(vec![3_u32; 5000], "values").unwrap();
    assert!(!shared.is_copy());
    drop(shared);
    drop(gpu);
    assert_nothing_is_alive();
});

test!(memory_that_the_driver_refuses_is_copied, ["STAND_IN_REFUSED" = "2"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let shared = gpu.share(vec![3_u32; 5 << 20], "values").unwrap();
    assert!(shared.is_copy());
    let word = gpu.array_of(&[1_u32], "word").unwrap();
    launch(&gpu, "count_up", ONE, word.address()).unwrap();
    // SAFETY: the stand-in's device addresses are those of the host.
    let copied = unsafe { std::slice::from_raw_parts(shared.address().raw() as *const u32, 5 << 20) };
    assert!(copied.iter().all(|&value| value == 3));
    drop(shared);
    assert_eq!(alive("registered"), 0);
});

test!(memory_that_cannot_be_registered_is_an_error, ["STAND_IN_NO_PINNING" = "1"], {
    let (_folder, settings) = settings();
    let gpu = open(&settings);
    let error = gpu.share(vec![3_u32; 5000], "the targets").unwrap_err();
    assert!(matches!(&error, Error::NotShared { bytes: 20_000, .. }), "{error:?}");
    assert!(error.to_string().contains("cuMemHostRegister failed"), "{error}");
    assert_eq!(calls("cuMemHostRegister_v2"), 4, "read-only and not, the memory and its copy");
    drop(gpu);
    assert_nothing_is_alive();
});

test!(what_is_not_mapped_cannot_be_unmapped, [], {
    let (_folder, settings) = settings();
    let device = cuda::device(0, &settings).unwrap();
    let values = [0_u8; 100];
    // SAFETY: the call refuses it.
    let error = unsafe { device.unmap(values.as_ptr() as u64, 100) }.unwrap_err();
    assert!(error.to_string().contains("not mapped"), "{error}");
});
