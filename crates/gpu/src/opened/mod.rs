//! Opens a `.wg` file on a device: its arrays travel there at the speed of the bus and are checked there.
//!
//! The copying threads compute checksums only. The device checks what the arrays mean, and counts what a graph is asked
//! for first. Together they check all that [`wg::File::check`] does on the processor. If the device finds a fault, the
//! processor checks the file once more and says which one.

use crate::{
    DeviceGraph,
    device_graph::{DeviceRows, Side},
    error::{ended, lift},
    machine::{Grid, Launch, Machine},
    variants,
};
use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};
use warpgraph_core::{DeviceTrouble, Error, Options, Result, program::ScalarType};
use warpgraph_device::{Address, Array, Gpu, arguments};
use warpgraph_graph::{
    Control, Counts, Graph, Offsets, Seen, Vertex, WeightType,
    format::wg::{Pending, Sums},
    timeline::Phase,
};

arguments! {
    /// The arguments of the kernels that check a graph.
    pub(crate) struct CheckArgs {
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Address<u32>,
        pub(crate) weights: Address<()>,
        /// A bit per vertex that an arc of a directed graph leads to; null if the graph is undirected.
        pub(crate) pointed_at: Address<u32>,
        pub(crate) found: Address<u64>,
        pub(crate) vertices: u64,
        pub(crate) arcs: u64,
        /// One of [`WEIGHTS`].
        pub(crate) weights_are: u32,
        pub(crate) undirected: u32,
    }
}

/// The words that the kernels write, by name, with their first values.
pub(crate) const WORDS: [(&str, u64); 9] = [
    ("WRONG", 0),
    ("LOOPS", 0),
    ("X_SUM", 0),
    ("Y_SUM", 0),
    ("SINKS", 0),
    ("ISOLATED", 0),
    ("LARGEST", 0),
    ("LEAST", u64::MAX),
    ("GREATEST", 0),
];

/// The types of weights, by the name that the kernels have for them. Their numbers are their places here.
pub(crate) const WEIGHTS: [(&str, Option<WeightType>); 5] = [
    ("WEIGHTS_NONE", None),
    ("WEIGHTS_U32", Some(WeightType::U32)),
    ("WEIGHTS_I32", Some(WeightType::I32)),
    ("WEIGHTS_F32", Some(WeightType::F32)),
    ("WEIGHTS_F64", Some(WeightType::F64)),
];

/// The arcs that a thread takes at a time.
pub(crate) const RUN: u32 = 16;

/// The arrays of a file on a device, not checked yet.
struct Copied {
    offsets: Array<u8>,
    targets: Array<Vertex>,
    weights: Option<Array<u8>>,
}

/// Opens a file on the device that `find` returns. The graph has passed all checks, and its arcs and weights are on the
/// device. While `find` opens a device, which takes a quarter of a second, the other processors compute checksums.
/// Returns the file if `find` returns no device.
///
/// # Errors
/// The error of [`Pending::check`] if the file is damaged; when memory is short, when interrupted, or when the device
/// fails.
pub fn open<'g>(
    find: impl FnOnce() -> Option<&'g Gpu>,
    pending: Pending,
    options: &Options,
) -> Result<Result<(Graph, DeviceGraph), Pending>> {
    let control = &options.control;
    if pending.vertices() == 0 || pending.targets().is_empty() {
        let Some(gpu) = find() else { return Ok(Err(pending)) };
        let graph = pending.check(control)?;
        let device_graph = DeviceGraph::new(gpu, graph.stored().map_or(&graph, |stored| stored.graph()));
        return Ok(Ok((graph, device_graph)));
    }
    let sums = pending.sums();
    let copied = while_hashing(&pending, &sums, control, || {
        let Some(gpu) = find() else { return Ok(None) };
        let (start, _span) = (Instant::now(), control.span(Phase::Copying));
        let copied = Copied::new(gpu, &pending, &sums, control)?;
        Ok::<_, Error>(Some((gpu, copied, start.elapsed().as_secs_f64())))
    })?;
    let Some((gpu, copied, seconds)) = copied else { return Ok(Err(pending)) };
    let _span = control.span(Phase::Checking);
    let Some(seen) = check(&Machine::new(gpu, options, "opening the graph"), &pending, &copied)? else {
        return Err(fault(pending, &sums, control, gpu));
    };
    let kind = pending.weight_type();
    // SAFETY: the device has checked a copy of the arrays that the checksums are of, and has counted what `seen` says. A
    // file that another program changes meanwhile would defeat every check of a mapped file, also this one.
    let graph = unsafe { pending.vouch(&sums, &seen, control) }?;
    let inner = graph.stored().map_or(&graph, |stored| stored.graph());
    let rows =
        HashMap::from([(Side::Out, DeviceRows::new(copied.offsets, copied.targets, &inner.out().csr))]);
    let device_graph = DeviceGraph::with_rows(gpu, inner, rows).spent(seconds);
    Ok(Ok((graph, device_graph.with_weights(kind.map(scalar).zip(copied.weights)))))
}

/// Runs `work`, and meanwhile computes checksums of the file on the other processors.
fn while_hashing<T>(pending: &Pending, sums: &Sums, control: &Control, work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    let stop = || is_done.load(Ordering::Relaxed) || control.should_stop();
    thread::scope(|scope| {
        for _ in 1..thread::available_parallelism().map_or(1, usize::from) {
            // Without a thread, the copying threads do more of the work.
            let _ = thread::Builder::new().spawn_scoped(scope, || sums.add_rest(pending, stop));
        }
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        done
    })
}

impl Copied {
    /// Copies the arrays to the device, and computes the checksums that are missing on the way.
    fn new(gpu: &Gpu, pending: &Pending, sums: &Sums, control: &Control) -> Result<Self> {
        let arrays = pending.arrays();
        let room = |array: usize, what| match arrays.get(array) {
            Some(bytes) => gpu.array::<u8>(bytes.len(), what).map(Some).map_err(lift),
            None => Ok(None),
        };
        let offsets = room(0, "offsets")?;
        let mut targets = gpu.array::<Vertex>(pending.targets().len(), "arcs").map_err(lift)?;
        let (mut offsets, mut weights) = (offsets, room(2, "weights")?);
        let mut parcels = Vec::new();
        parcels.extend(offsets.as_mut().map(|offsets| offsets.parcel(arrays[0])));
        parcels.push(targets.parcel(pending.targets()));
        parcels.extend(weights.as_mut().map(|weights| weights.parcel(arrays[2])));
        let look = |array: usize, start: usize, bytes: &[u8]| {
            sums.add(array, start, bytes);
            !control.should_stop()
        };
        gpu.send(&parcels, look).map_err(|error| ended(error, control, "copying the graph"))?;
        drop(parcels);
        match offsets {
            Some(offsets) => Ok(Self { offsets, targets, weights }),
            None => unreachable!("a file has offsets"),
        }
    }
}

/// Checks the arrays on the device. Returns what it counted, or `None` if something is wrong.
fn check(machine: &Machine<'_>, pending: &Pending, copied: &Copied) -> Result<Option<Seen>> {
    let wide = matches!(pending.offsets(), Offsets::Wide(_));
    let source = variants::check(wide)?;
    let kernel = |name| machine.kernel::<CheckArgs>(&source, name);
    let first: Vec<u64> = WORDS.iter().map(|&(_, first)| first).collect();
    let found = machine.gpu().array_of(&first, "what a check finds").map_err(lift)?;
    let (n, directed) = (pending.vertices(), pending.is_directed());
    let pointed_at =
        if directed { Some(machine.zeros::<u32>(n.div_ceil(32), "a bit per vertex")?) } else { None };
    let args = CheckArgs {
        offsets: copied.offsets.address().cast(),
        targets: copied.targets.address(),
        weights: copied.weights.as_ref().map_or(Address::NULL, |weights| weights.address().cast()),
        pointed_at: pointed_at.as_ref().map_or(Address::NULL, |bits| bits.address()),
        found: found.address(),
        vertices: n as u64,
        arcs: pending.targets().len() as u64,
        weights_are: WEIGHTS.iter().position(|&(_, kind)| kind == pending.weight_type()).unwrap_or(0) as u32,
        undirected: u32::from(!directed),
    };
    let start = |kernel: Launch<CheckArgs>, items: u64| {
        // SAFETY: the arrays have the lengths that the arguments state, the bits are as many as vertices, and all live
        // until the wait.
        unsafe { machine.start(&kernel, Grid::For(items), &args) }
    };
    // The bits must be complete before vertices without any are counted.
    start(kernel("check_arcs")?, args.arcs.div_ceil(u64::from(RUN)))?;
    start(kernel("check_offsets")?, args.vertices)?;
    if copied.weights.is_some() {
        start(kernel("check_weights")?, args.arcs)?;
    }
    machine.wait()?;
    Ok(seen(&found.to_vec().map_err(lift)?, copied.weights.is_some()))
}

/// Returns what the words say, or `None` if something is wrong.
fn seen(words: &[u64], weighted: bool) -> Option<Seen> {
    let word = |name: &str| WORDS.iter().position(|(known, _)| *known == name).map_or(0, |at| words[at]);
    if word("WRONG") != 0 || [word("X_SUM"), word("Y_SUM")].iter().any(|&sum| sum as u32 != 0) {
        return None;
    }
    let largest = word("LARGEST");
    let counts = Counts {
        self_loops: word("LOOPS"),
        isolated: word("ISOLATED"),
        sinks: word("SINKS"),
        max_degree: largest >> 32,
        max_degree_vertex: u32::MAX - largest as u32,
    };
    Some(Seen {
        // A degree beyond 32 bits does not fit the key.
        counts: (largest != u64::MAX).then_some(counts),
        weight_range: weighted.then(|| (decimal(word("LEAST")), decimal(word("GREATEST")))),
        hash: None,
    })
}

/// Returns the decimal of a key that orders decimals as numbers.
fn decimal(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// Returns the error of a file in which the device has found a fault. The processor says which one.
fn fault(pending: Pending, sums: &Sums, control: &Control, gpu: &Gpu) -> Error {
    match pending.mismatch(sums).and_then(|()| pending.check(control)) {
        Err(error) => error.into(),
        Ok(graph) => Error::Device {
            kind: DeviceTrouble::Call,
            what: format!(
                "{} finds a fault in {} that the processor does not find",
                gpu.properties().label,
                graph.origin().name
            ),
            help: "the device may be faulty: run `warpgraph doctor`, or use --device cpu".to_owned(),
        },
    }
}

/// Returns the type that kernels read weights as.
fn scalar(kind: WeightType) -> ScalarType {
    match kind {
        WeightType::U32 => ScalarType::U32,
        WeightType::I32 => ScalarType::I32,
        WeightType::F32 => ScalarType::F32,
        WeightType::F64 => ScalarType::F64,
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;
