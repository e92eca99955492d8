//! Decides where the edges are stored for a run, and says why. The only place that decides it.
//!
//! An open residency takes the first of these that fits the free memory of the device: `device`; `device(code=ef)`;
//! `zero-copy`, with as many heads and hot rows on the device as memory allows. The offsets of rows and the state of
//! vertices must fit in any case; if they do not, the error names the least memory that would do.
//!
//! A graph that is stored stays where it is while the next run can use it there.

use crate::{
    DeviceGraph,
    device_graph::Claim,
    edges::{
        Layout, counted,
        hot::{PAGE, table_bytes},
        staged, streamed,
    },
    error::lift,
    machine::Machine,
    memory::Footprint,
    walk,
};
use std::{borrow::Cow, time::Instant};
use warpgraph_core::{Ahead, Balance, Code, DeviceTrouble, Error, Heads, Options, Plan, Residency, Result};
use warpgraph_graph::{Graph, memory::human_bytes, timeline::Phase};

/// The part of what is left on the device that hot rows leave free, for what runs allocate beyond their estimates. They also
/// leave room for the counters of a counting run.
const SPARED: u64 = 64;
/// With rows this much longer than the mean, a few heads per row find the hubs; otherwise more heads find more.
const SKEWED: f64 = 64.0;
/// The most heads per row that are chosen without being asked for.
const MOST_HEADS: u32 = 8;

/// What a run needs of the device, before it is known where the edges are stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wants {
    /// The most bytes of device memory that it takes.
    pub(crate) bytes: Footprint,
    /// True if it uses heads.
    pub(crate) heads: bool,
}

/// Where edges are stored, and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decision {
    pub(crate) layout: Layout,
    /// In one line; empty if everything is on the device because it fits.
    pub(crate) why: String,
}

/// A run for which it is decided where the edges are.
#[derive(Debug)]
pub(crate) struct Settled<'d, 'o> {
    /// Keeps the edges there.
    pub(crate) claim: Claim<'d>,
    /// The options of the run, with the residency that was decided.
    pub(crate) options: Cow<'o, Options>,
    /// Why it was decided.
    pub(crate) why: String,
    /// Seconds spent on what later runs reuse.
    pub(crate) seconds: f64,
}

/// Decides for a run, and stores edges accordingly from now on. `None` if another run uses the graph, and this one needs a
/// handle of its own: see [`Claim`].
///
/// # Errors
/// When the device's memory is too small even for offsets and state, or the host's for incoming arcs that are streamed.
pub(crate) fn settle<'d, 'o>(
    device_graph: &'d DeviceGraph,
    wants: Wants,
    options: &'o Options,
) -> Result<Option<Settled<'d, 'o>>> {
    if device_graph.shared().is_some() {
        // Every part is stored on its device by its own handle; this one stores nothing.
        let claim = device_graph.claim(Layout::DEVICE, false);
        let options = Cow::Borrowed(options);
        return Ok(claim.map(|claim| Settled { claim, options, why: String::new(), seconds: 0.0 }));
    }
    let log = if options.trace { walk::LOG_BYTES } else { 0 };
    let is_streamed = options.plan.residency == Some(Residency::Streamed);
    let counters = if options.count_transfer && !is_streamed { counted::LEAST_BYTES } else { 0 };
    let wants = Wants { bytes: wants.bytes + log + counters, ..wants };
    let memory = device_graph.gpu().memory().map_err(lift)?;
    let free = memory.free + device_graph.device_bytes();
    let (longest, seconds) = longest_streamed(device_graph, wants, options)?;
    let Decision { layout, why } = match (device_graph.placed(), options.plan.residency) {
        // Even if another run left it there: nothing is faster.
        (Some(layout), None) if layout == Layout::DEVICE && wants.bytes.total() <= free => {
            Decision { layout, why: String::new() }
        }
        // A worklist of arcs needs a source for every arc in device memory, and says so if there is no room.
        // So do the rounds of the order `sampled`, which sort the edges there.
        (_, None)
            if matches!(options.plan.balance(), Some(Balance::Edge { .. }))
                || device_graph.sampler().is_some() =>
        {
            Decision { layout: Layout::DEVICE, why: String::new() }
        }
        (placed, asked) => {
            let decided = decide(device_graph, wants, asked, longest, free).map_err(|least| {
                let label = &device_graph.gpu().properties().label;
                too_small(label, options.plan, wants, least, free)
            })?;
            // Another number of hot pages is no reason to store everything anew.
            match placed {
                Some(layout)
                    if decided.layout.residency != Residency::Streamed
                        && layout.residency.without_heads() == decided.layout.residency.without_heads() =>
                {
                    let residency = decided.layout.residency;
                    Decision { layout: Layout { residency, ..layout }, ..decided }
                }
                _ => decided,
            }
        }
    };
    let Some(claim) = device_graph.claim(layout, options.count_transfer) else { return Ok(None) };
    if layout == Layout::DEVICE && options.plan.residency.is_none() {
        return Ok(Some(Settled { claim, options: Cow::Borrowed(options), why, seconds }));
    }
    let plan = Plan { residency: Some(layout.residency), ..options.plan };
    let options = Cow::Owned(Options { plan, ..options.clone() });
    Ok(Some(Settled { claim, options, why, seconds }))
}

/// Returns the arcs of the longest row that is streamed, and the seconds that this took: it makes the incoming arcs if the run
/// goes along them.
fn longest_streamed(device_graph: &DeviceGraph, wants: Wants, options: &Options) -> Result<(u64, f64)> {
    if options.plan.residency != Some(Residency::Streamed) {
        return Ok((0, 0.0));
    }
    let (start, _span) = (Instant::now(), options.control.span(Phase::Preparing));
    let longest = device_graph.longest_row(wants.bytes.sides)?;
    Ok((longest, start.elapsed().as_secs_f64()))
}

/// Decides for a graph, given the residency asked for, the longest row if edges are streamed, and the free bytes of the
/// device. `Err` has the least bytes that would do.
fn decide(
    device_graph: &DeviceGraph,
    wants: Wants,
    asked: Option<Residency>,
    longest: u64,
    free: u64,
) -> Result<Decision, u64> {
    match asked {
        None => open(device_graph, wants, free),
        Some(Residency::ZeroCopy { hot, ahead, heads, code }) => {
            zero_copy(device_graph, wants, (hot, ahead, heads, code), free)
        }
        Some(Residency::Device { heads, code }) => {
            let residency = on_device(device_graph, wants, heads, code, free);
            Ok(Decision { layout: Layout::of(residency), why: String::new() })
        }
        Some(residency @ Residency::Unified { .. }) => {
            Ok(Decision { layout: Layout::of(residency), why: String::new() })
        }
        Some(Residency::Streamed) => streamed(wants, longest, free),
    }
}

fn streamed(wants: Wants, longest: u64, free: u64) -> Result<Decision, u64> {
    let Footprint { rest, .. } = wants.bytes;
    let least = rest + streamed::least_bytes(longest);
    let layout = Layout { spare: free.saturating_sub(rest), ..Layout::of(Residency::Streamed) };
    if least > free { Err(least) } else { Ok(Decision { layout, why: String::new() }) }
}

fn open(device_graph: &DeviceGraph, wants: Wants, free: u64) -> Result<Decision, u64> {
    let Footprint { edges, rest, .. } = wants.bytes;
    if edges + rest <= free {
        return Ok(Decision { layout: Layout::DEVICE, why: String::new() });
    }
    let left = free.checked_sub(rest).ok_or(wants.bytes.least())?;
    let said = format!("{} of edges do not fit the {} that are left", human_bytes(edges), human_bytes(left));
    // Coding seldom reaches 1 byte per arc, so below that the run does not measure what it would reach.
    if left >= edges / 4 && edges > 0 && !device_graph.is_short() {
        let coded = coded_edges(device_graph, wants.bytes);
        if coded <= left {
            let residency = on_device(device_graph, wants, Heads::Auto, Code::EliasFano, free);
            let why = format!("{said}, coded ones do: {}", human_bytes(coded));
            return Ok(Decision { layout: Layout::of(residency), why });
        }
    }
    let Decision { layout, why } =
        zero_copy(device_graph, wants, (true, Ahead::Off, Heads::Auto, Code::Plain), free)?;
    Ok(Decision { layout, why: format!("{said}; {why}") })
}

/// Returns the residency of edges in device memory. Decoding takes longer than reading, so coded rows get heads if there is
/// room for them.
fn on_device(device_graph: &DeviceGraph, wants: Wants, heads: Heads, code: Code, free: u64) -> Residency {
    let heads = match (heads, code) {
        (Heads::Auto, Code::EliasFano) if wants.heads => {
            let taken = wants.bytes.rest + coded_edges(device_graph, wants.bytes);
            Heads::Each(best_heads(device_graph.graph(), free.saturating_sub(taken)))
        }
        _ => heads,
    };
    Residency::Device { heads, code }
}

/// Returns the bytes of the edges with coded targets.
fn coded_edges(device_graph: &DeviceGraph, bytes: Footprint) -> u64 {
    bytes.sides.max(1) * device_graph.coded_bytes() + bytes.edges.saturating_sub(4 * bytes.arcs())
}

fn zero_copy(
    device_graph: &DeviceGraph,
    wants: Wants,
    (hot, ahead, heads, code): (bool, Ahead, Heads, Code),
    free: u64,
) -> Result<Decision, u64> {
    let graph = device_graph.graph();
    let (bytes, n) = (wants.bytes, graph.vertices() as u64);
    let (arcs, staging) = (bytes.arcs(), ahead.staging());
    // Tables that must lie on the device.
    let tables = match code {
        Code::EliasFano => 8 * arcs.div_ceil(32) + bytes.sides * 64,
        Code::Plain => 0,
    } + if hot || staging.is_some() { table_bytes(arcs) + bytes.sides * 64 } else { 0 }
        + staging.map_or(0, |_| staged::bytes(n, bytes.sides, bytes.side_arcs));
    let mut left = free.checked_sub(bytes.rest + tables).ok_or(bytes.rest + tables)?;
    let heads = match (heads, wants.heads) {
        (Heads::Each(count), true) => count,
        (Heads::Auto, true) if hot => best_heads(graph, left),
        _ => 0,
    };
    let head_bytes = 4 * n * u64::from(heads);
    left = left.checked_sub(head_bytes).ok_or(bytes.rest + tables + head_bytes)?;
    let residency = Residency::ZeroCopy { hot, ahead, heads: Heads::Each(heads), code };
    let all_bytes = match code {
        Code::EliasFano => coded_edges(device_graph, bytes).saturating_sub(tables),
        Code::Plain => bytes.edges,
    };
    let per_page = (PAGE as u64 * all_bytes).div_ceil(arcs.max(1)) * bytes.sides;
    let room = left - (left / SPARED).max(counted::BYTES.min(left / 4));
    let pages = (arcs / bytes.sides.max(1)).div_ceil(PAGE as u64) as usize;
    let fitting = |bytes: u64| bytes.checked_div(per_page).unwrap_or(0) as usize;
    let each = staged::pages_each(pages);
    let staged_pages = staging.map_or(0, |staging| fitting(staging.of(room, hot)) / each * each);
    // If all pages are hot, there is nothing to stage.
    let is_all_hot = hot && fitting(room) >= pages;
    let staged_pages = if is_all_hot { 0 } else { staged_pages.min(pages.next_multiple_of(each)) };
    let staged_bytes = staged_pages as u64 * per_page;
    let hot_pages = if hot { fitting(room - staged_bytes).min(pages) } else { 0 };
    let kept = hot_pages as u64 * per_page;
    let headed = if heads > 0 {
        format!("{heads} heads per row ({}) and ", human_bytes(head_bytes))
    } else {
        String::new()
    };
    let (kept_bytes, kept) = (kept + staged_bytes, human_bytes(kept.min(all_bytes)));
    let staged = match staged_bytes {
        0 => String::new(),
        bytes => format!(", beside a staging area of {}", human_bytes(bytes)),
    };
    let why = format!("{headed}{kept} of hot rows are on the device{staged}, the rest in host memory");
    let spare = left.saturating_sub(kept_bytes);
    Ok(Decision { layout: Layout { residency, hot_pages, staged_pages, spare }, why })
}

/// Returns the heads per row that pay off and fit.
fn best_heads(graph: &Graph, left: u64) -> u32 {
    let n = graph.vertices() as u64;
    let mean = graph.arcs() as f64 / n.max(1) as f64;
    let is_skewed = graph.counts().max_degree as f64 > SKEWED * mean;
    let most = if is_skewed { Heads::SIZES[0] } else { MOST_HEADS };
    let fits = |size: &u32| *size <= most && 4 * n * u64::from(*size) <= left;
    Heads::SIZES.iter().copied().rfind(|size| fits(size)).unwrap_or(0)
}

fn too_small(label: &str, plan: Plan, wants: Wants, least: u64, free: u64) -> Error {
    let what = format!(
        "{label} has {free} bytes free, and plan {plan} needs {least} there even with all edges off the device"
    );
    let instead = match plan.residency {
        Some(_) if wants.bytes.rest < least => ", or leave the residency open",
        _ => ", or use --device cpu",
    };
    let help = format!("allow it at least {least} bytes with --gpu-memory{instead}");
    Error::Device { kind: DeviceTrouble::Memory, what, help }
}

/// Prepares a run of these decided options: pages that it must not find, and counters.
///
/// # Errors
/// When memory is short or the device fails.
pub(crate) fn begin(device_graph: &DeviceGraph, options: &Options) -> Result<()> {
    if options.cold {
        device_graph.cool()?;
    }
    let machine = Machine::new(device_graph.gpu(), options, "counting");
    let residency = device_graph.layout().residency;
    let is_far = matches!(residency, Residency::ZeroCopy { .. } | Residency::Unified { .. });
    device_graph.count(&machine, options.count_transfer && is_far)
}
