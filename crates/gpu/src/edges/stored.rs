//! [`Stored`]: one edge array, where a residency puts it.

use super::{
    Host,
    hot::{HotPages, PAGE},
};
use crate::{arguments::Edges, error::lift, machine::Machine};
use std::{
    any::Any,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use warpgraph_core::{Residency, Result};
use warpgraph_device::{Address, Advice, Gpu, Managed, Shared};
use warpgraph_graph::{
    Buffer, Vertex,
    coded::{BLOCK, Coded, Entry},
};

/// The fewest bytes that are shared in place. Smaller arrays lie on the heap, among memory of others on the same pages, and a
/// driver refuses copies from and to pages that are locked meanwhile.
const IN_PLACE: usize = 2 << 20;

/// Where the edges of a graph are stored for the runs that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) residency: Residency,
    /// Hot pages per direction.
    pub(crate) hot_pages: usize,
    /// Pages of the staging area, per direction.
    pub(crate) staged_pages: usize,
    /// Bytes of device memory that are left beside all this, as far as is known.
    pub(crate) spare: u64,
}

impl Layout {
    /// Everything on the device.
    pub(crate) const DEVICE: Self = Self::of(Residency::DEVICE);

    /// A residency without hot pages.
    pub(crate) const fn of(residency: Residency) -> Self {
        Self { residency, hot_pages: 0, staged_pages: 0, spare: u64::MAX }
    }
}

/// An edge array that kernels read.
pub(crate) struct Stored {
    edges: Edges,
    host: Host,
    device_bytes: u64,
    managed: Option<Managed<u8>>,
    /// Bytes of managed memory that are moved to the device ahead of use.
    prefetched: usize,
    /// Where kernels count what crosses the bus; 0 if they do not.
    counts: AtomicU64,
    /// What keeps the addresses in `edges` valid.
    _owners: Vec<Box<dyn Any + Send + Sync>>,
}

impl Stored {
    /// Takes an array that is on the device already.
    pub(crate) fn on_device(edges: Edges, host: Host, owner: Box<dyn Any + Send + Sync>, bytes: u64) -> Self {
        Self {
            edges,
            host,
            device_bytes: bytes,
            managed: None,
            prefetched: 0,
            counts: AtomicU64::new(0),
            _owners: vec![owner],
        }
    }

    /// Stores an array by a residency that codes nothing. `pages` are the hot ones of its rows.
    ///
    /// # Errors
    /// When memory is short, when the driver does not share host memory, or when the device fails.
    pub(crate) fn new(
        machine: &Machine<'_>,
        host: Host,
        residency: Residency,
        pages: Option<&Arc<HotPages>>,
        what: &str,
    ) -> Result<Self> {
        let gpu = machine.gpu();
        match residency {
            Residency::Device { .. } => Self::copied(gpu, host, what),
            Residency::ZeroCopy { .. } => Self::shared(machine, host, pages, what),
            Residency::Unified { advice } => Self::managed(gpu, host, advice, what),
            Residency::Streamed => {
                let (far, width) = (Address::new(host.as_ptr() as u64), host.width() as u64);
                let edges = Edges { far, slots: Address::new(width), ..Edges::NONE };
                Ok(Self::on_device(edges, host, Box::new(()), 0))
            }
        }
    }

    fn copied(gpu: &Gpu, host: Host, what: &str) -> Result<Self> {
        let array = gpu.array_of::<u8>(&host, what).map_err(lift)?;
        let (edges, bytes) = (Edges::plain(array.address().cast()), array.bytes());
        Ok(Self::on_device(edges, host, Box::new(array), bytes))
    }

    fn shared(machine: &Machine<'_>, host: Host, pages: Option<&Arc<HotPages>>, what: &str) -> Result<Self> {
        let shared = share(machine.gpu(), host.clone(), what)?;
        let Some(pages) = pages else {
            return Ok(Self::on_device(Edges::plain(shared.address().cast()), host, Box::new(shared), 0));
        };
        let (column, edges) = pages.pool(machine, shared, host.width(), host.len())?;
        let bytes = column.pool().bytes();
        Ok(Self::on_device(edges, host, Box::new((column, Arc::clone(pages))), bytes))
    }

    /// Stores targets in code, in device memory or, but for the blocks of hot pages, in host memory.
    ///
    /// # Errors
    /// When memory is short, when the driver does not share host memory, or when the device fails.
    pub(crate) fn coded(
        machine: &Machine<'_>,
        targets: &Buffer<Vertex>,
        residency: Residency,
        pages: Option<&Arc<HotPages>>,
    ) -> Result<Self> {
        let (gpu, coded) = (machine.gpu(), Coded::of(targets)?);
        let shift = u64::from(coded.shift());
        let blocks = PAGE / BLOCK;
        let mut entries = coded.entries().to_vec();
        let words = if residency.is_on_device() {
            entries.iter_mut().for_each(|entry| {
                let whole = Entry::from_bits(*entry);
                *entry = whole.near(whole.position()).bits();
            });
            gpu.array_of(coded.words(), "coded arcs").map_err(lift)?
        } else {
            let mut near = Vec::new();
            // Pages of long rows take more words than others: fewer are near then.
            let pages = pages.map_or(&[][..], |pages| pages.pages());
            let room = pages.len() * coded.words().len() / targets.len().div_ceil(PAGE).max(1);
            for &page in pages {
                if near.len() > room {
                    break;
                }
                let first = page as usize * blocks;
                let end = (first + blocks).min(entries.len());
                for (block, entry) in (first..end).zip(&mut entries[first..end]) {
                    *entry = Entry::from_bits(*entry).near(near.len() as u64).bits();
                    near.extend_from_slice(&coded.words()[coded.words_of(block)]);
                }
            }
            near.push(0);
            gpu.array_of(&near, "hot pages of the coded arcs").map_err(lift)?
        };
        let entries = gpu.array_of(&entries, "places of coded arcs").map_err(lift)?;
        let (near, slots) = (words.address().cast(), entries.address().cast());
        let (edges, bytes) = (Edges { near, slots, shift, ..Edges::NONE }, words.bytes() + entries.bytes());
        let mut stored = Self::on_device(edges, Host::of(targets), Box::new((words, entries)), bytes);
        if !residency.is_on_device() {
            let shared = share(gpu, Host::of(&coded.into_words()), "coded arcs")?;
            stored.edges.far = shared.address().cast();
            stored._owners.push(Box::new(shared));
        }
        Ok(stored)
    }

    fn managed(gpu: &Gpu, host: Host, advice: bool, what: &str) -> Result<Self> {
        let kind = if advice { Advice::ReadMostly } else { Advice::None };
        let managed = gpu.managed_of::<u8>(&host, kind, what).map_err(lift)?;
        let prefetched = if advice { prefetched(gpu, &managed)? } else { 0 };
        if advice {
            managed.prefetch(0..prefetched).map_err(lift)?;
        }
        let (edges, bytes) = (Edges::plain(managed.address().cast()), managed.bytes());
        Ok(Self { managed: Some(managed), prefetched, ..Self::on_device(edges, host, Box::new(()), bytes) })
    }

    /// Returns what kernels get.
    pub(crate) fn edges(&self) -> Edges {
        Edges { counts: Address::new(self.counts.load(Ordering::Relaxed)), ..self.edges }
    }

    /// Makes kernels count at this address, or nowhere if it is null.
    pub(crate) fn count_at(&self, counts: Address<u64>) {
        self.counts.store(counts.raw(), Ordering::Relaxed);
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.host.len()
    }

    /// Returns its bytes in device memory.
    pub(crate) fn device_bytes(&self) -> u64 {
        self.device_bytes
    }

    /// Moves managed pages back to the host, so that the next run finds none on the device. Pages that are prefetched start
    /// their way to the device again; the run waits for them.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn cool(&self) -> Result<()> {
        let Some(managed) = &self.managed else { return Ok(()) };
        managed.evict().map_err(lift)?;
        if self.prefetched > 0 { managed.prefetch(0..self.prefetched).map_err(lift) } else { Ok(()) }
    }
}

/// Returns the bytes of managed memory that the device can hold.
fn prefetched(gpu: &Gpu, managed: &Managed<u8>) -> Result<usize> {
    Ok(managed.bytes().min(gpu.memory().map_err(lift)?.total) as usize)
}

/// Lets kernels read an array in place, or a copy of it if it is small.
fn share(gpu: &Gpu, host: Host, what: &str) -> Result<Shared<u8>> {
    let shared = if host.bytes() < IN_PLACE { gpu.share_copied(&host, what) } else { gpu.share(host, what) };
    shared.map_err(lift)
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stored").field("edges", &self.edges).field("host", &self.host).finish_non_exhaustive()
    }
}
