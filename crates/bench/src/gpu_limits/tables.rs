//! The limits of a GPU as tables.

use super::GpuLimits;
use crate::{
    limits::Rate,
    sheet::Sheet,
    units::{bytes, count, seconds},
};

/// All of them.
pub fn all(limits: &GpuLimits) -> Vec<Sheet> {
    vec![streams(limits), random(limits), waits(limits)]
}

fn streams(limits: &GpuLimits) -> Sheet {
    let mut sheet = Sheet::new("Memory in order", "what | >GB/s");
    let bus = &limits.bus;
    for (what, rate) in [
        ("copy within the device, read and written", limits.copy),
        ("read, 4 bytes per thread", limits.read),
        ("fill", limits.fill),
        ("pinned memory to device", bus.to_device),
        ("device to pinned memory", bus.to_host),
        ("ordinary memory to device", bus.pageable_to_device),
    ] {
        sheet.row([what.to_owned(), format!("{:.1}", rate / 1e9)]);
    }
    sheet
}

fn random(limits: &GpuLimits) -> Sheet {
    let columns = ">over | >gather | >add | >min, old value | >add f64";
    let mut sheet = Sheet::new("Random accesses, G/s", columns);
    let at = |rates: &[Rate], footprint: u64| {
        let found = rates.iter().find(|rate| rate.footprint == footprint);
        found.map_or_else(|| "-".to_owned(), |rate| format!("{:.3}", rate.per_second / 1e9))
    };
    for &Rate { footprint, .. } in &limits.gather {
        sheet.row([
            bytes(footprint),
            at(&limits.gather, footprint),
            at(&limits.atomic_add, footprint),
            at(&limits.atomic_min, footprint),
            at(&limits.atomic_add_f64, footprint),
        ]);
    }
    sheet
}

fn waits(limits: &GpuLimits) -> Sheet {
    let mut sheet = Sheet::new("Launches, barriers, allocations", "what | >each");
    let (launch, allocation) = (&limits.launch, &limits.allocation);
    let mut row = |what: String, time: f64| sheet.row([what, seconds(time)]);
    row("launch after launch".to_owned(), launch.back_to_back);
    row("launch and wait".to_owned(), launch.waited);
    row("launch, 4 bytes back, wait".to_owned(), launch.fetched);
    for barrier in &limits.barrier {
        let (blocks, threads) = (count(barrier.blocks.into()), barrier.threads);
        row(format!("barrier over {blocks} blocks of {threads}"), barrier.seconds);
    }
    row(format!("allocation of {}, new", bytes(allocation.bytes)), allocation.new);
    row(format!("allocation of {}, used before", bytes(allocation.bytes)), allocation.reused);
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::limits;

    #[test]
    fn every_figure_is_in_a_table() {
        let text: String = all(&limits()).iter().map(Sheet::markdown).collect();
        for row in [
            "| copy within the device, read and written | 4000.0 |",
            "| 32.0 MiB | 140.000 | 95.000 | 79.000 | 45.000 |",
            "| 4.0 GiB | 40.000 | 16.000 | 16.000 | - |",
            "| launch after launch | 4.00 us |",
            "| barrier over 1,056 blocks of 256 | 3.00 us |",
            "| allocation of 24.0 MiB, used before | 7.00 us |",
        ] {
            assert!(text.contains(row), "{row} in\n{text}");
        }
    }
}
