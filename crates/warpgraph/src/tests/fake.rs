//! A fake GPU that reports free memory and fails at the first allocation, in the way that the test asks for.

use crate::{Control, Graph, graph::generate::Spec};
use std::sync::{
    Arc,
    atomic::{AtomicU32, AtomicU64, Ordering},
};
use warpgraph_device::{
    Allocation, CancelWord, CopyKind, Device, Error, EventId, FunctionId, Gpu, MemoryInfo, MemoryKind,
    ModuleId, Properties, Result, Shape, Source, Stream,
};

/// How the fake GPU fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fails {
    /// The device is lost.
    Lost,
    /// Its memory turns out to be full.
    Full,
}

#[derive(Debug)]
struct Fake {
    properties: Properties,
    free: u64,
    fails: Fails,
    asked: Arc<AtomicU64>,
    word: AtomicU32,
}

/// Returns a GPU with this much free memory, and the count of calls that failed.
pub(super) fn gpu(label: &str, free: u64, fails: Fails) -> (Gpu, Arc<AtomicU64>) {
    let asked = Arc::new(AtomicU64::new(0));
    let properties = Properties {
        label: label.to_owned(),
        name: "made up".to_owned(),
        capability: (7, 0),
        multiprocessors: 1,
        memory: free,
        driver: String::new(),
        compiler: String::new(),
    };
    let word = AtomicU32::new(0);
    let device = Fake { properties, free, fails, asked: Arc::clone(&asked), word };
    (Gpu::new(Box::new(device)), asked)
}

/// Returns a graph large enough for a GPU.
pub(super) fn large() -> Graph {
    let graph = "grid:1100x1100".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    assert!(graph.arcs() as u64 >= crate::WORTH_ARCS);
    graph
}

impl Fake {
    fn fail<T>(&self) -> Result<T> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let (label, what) = (self.properties.label.clone(), "it is made up".to_owned());
        let (asked, free) = (self.free + 1, self.free);
        Err(match self.fails {
            Fails::Lost => Error::Lost { label, what },
            Fails::Full => Error::OutOfMemory { label, what, asked, free, total: free },
        })
    }
}

// SAFETY: no allocation, copy or event ever succeeds, and the word lives as long as the device.
unsafe impl Device for Fake {
    fn properties(&self) -> &Properties {
        &self.properties
    }
    fn memory(&self) -> Result<MemoryInfo> {
        Ok(MemoryInfo { free: self.free, total: self.free, held: 0, peak: 0 })
    }
    fn compile(&self, _: &Source) -> Result<ModuleId> {
        Ok(ModuleId(0))
    }
    fn function(&self, _: ModuleId, _: &str) -> Result<FunctionId> {
        Ok(FunctionId(0))
    }
    fn coresident_blocks(&self, _: FunctionId, _: u32, _: u32) -> Result<u32> {
        Ok(1)
    }
    fn alloc(&self, _: usize, _: MemoryKind) -> Result<Allocation> {
        self.fail()
    }
    unsafe fn free(&self, _: Allocation) {}
    unsafe fn pin(&self, _: u64, _: usize) -> Result<()> {
        self.fail()
    }
    unsafe fn unpin(&self, _: u64) -> Result<()> {
        self.fail()
    }
    unsafe fn copy(&self, _: Stream, _: CopyKind, _: u64, _: u64, _: usize) -> Result<()> {
        self.fail()
    }
    unsafe fn fill(&self, _: Stream, _: u64, _: u8, _: usize) -> Result<()> {
        self.fail()
    }
    unsafe fn launch(&self, _: Stream, _: FunctionId, _: Shape, _: &[u8]) -> Result<()> {
        self.fail()
    }
    unsafe fn launch_coresident(&self, _: Stream, _: FunctionId, _: Shape, _: &[u8]) -> Result<()> {
        self.fail()
    }
    fn record(&self, _: Stream) -> Result<EventId> {
        self.fail()
    }
    fn is_done(&self, _: EventId) -> Result<bool> {
        self.fail()
    }
    fn wait_for(&self, _: Stream, _: EventId) -> Result<()> {
        self.fail()
    }
    fn seconds_between(&self, _: EventId, _: EventId) -> Result<f64> {
        self.fail()
    }
    fn forget(&self, _: EventId) {}
    fn cancel_word(&self) -> CancelWord {
        let at = &raw const self.word as u64;
        CancelWord { device: at, host: at }
    }
}
