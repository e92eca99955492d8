//! The simulator on x86-64 Linux: a `Device` built from compiled modules, fibers and queues.
//!
//! All state that changes is in one [`State`] behind one lock. The lock is released between slices of work, so that
//! other host threads can use the device too. Any host thread can continue a kernel in progress.

mod buffer;
mod compiler;
mod launch;
mod memory;
mod module;
mod queue;
mod report;
mod stacks;
mod symbols;

use super::{LABEL, SimtOptions};
use crate::{
    Advice, Allocation, Cache, CancelWord, CopyKind, Device, Error, EventId, FunctionId, MemoryInfo,
    MemoryKind, ModuleId, Place, Properties, Result, Settings, Shape, Source, Stage, Stream,
};
use compiler::Compiler;
use launch::{BLOCK_SHARED, BLOCK_THREADS, Order, RESIDENT};
use memory::Memory;
use module::{Function, Module};
use queue::{Command, Reached, State};
use std::{
    sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicU32},
    time::Duration,
};

/// Bytes of memory, unless the settings set a budget.
const MEMORY: u64 = 4 << 30;
const INJECTED: &str = "an injected fault";

/// The simulated device.
#[derive(Debug)]
pub(super) struct Simulator {
    properties: Properties,
    settings: Settings,
    options: SimtOptions,
    compiler: Compiler,
    cache: Cache,
    /// Boxed, since kernels hold its address.
    cancel: Box<AtomicU32>,
    state: Mutex<State>,
}

impl Simulator {
    pub(super) fn new(settings: &Settings, options: SimtOptions) -> Result<Self> {
        if options.sanitize && !has_sanitizer() {
            let what = "AddressSanitizer is not in this process; start it with \
                LD_PRELOAD=$(c++ -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0";
            return Err(wrong("open", what.to_owned()));
        }
        let compiler = settings.staged(Stage::Compiler, None, || Compiler::find(options.sanitize))?;
        let budget = settings.memory_budget.unwrap_or(MEMORY);
        let properties = Properties {
            label: LABEL.to_owned(),
            name: "simulated GPU".to_owned(),
            capability: (7, 0),
            multiprocessors: options.multiprocessors,
            memory: budget,
            driver: String::new(),
            compiler: compiler.name.clone(),
        };
        let state = Mutex::new(State::new(Memory::new(budget, settings.oversubscribe), options.poll_limit));
        Ok(Self {
            properties,
            settings: settings.clone(),
            options,
            compiler,
            cache: Cache::open(settings.cache.clone()),
            cancel: Box::new(AtomicU32::new(0)),
            state,
        })
    }

    /// Returns the state, unless the device is lost.
    fn state(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.lock();
        state.alive()?;
        Ok(state)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs all work up to a position in a stream.
    fn run_to(&self, stream: Stream, position: u64) -> Result<()> {
        loop {
            match self.state()?.advance(stream, position, &self.cancel)? {
                Reached::Yes => return Ok(()),
                Reached::NotYet => {}
                // Only another host thread can change the value that the kernel waits for.
                Reached::Idle => std::thread::sleep(Duration::from_micros(50)),
            }
        }
    }

    /// Checks that a block of this kernel can run.
    fn check_block(function: &Function, block: u32, shared: u32) -> Result<()> {
        let name = function.name;
        if block == 0 || block > BLOCK_THREADS {
            return Err(wrong(
                "launch",
                format!("{name}: a block has 1 to {BLOCK_THREADS} threads, {block} were asked for"),
            ));
        }
        let (fixed, limit) = (function.static_shared, BLOCK_SHARED as usize);
        if fixed + shared as usize > limit {
            let sizes = format!("{fixed} bytes of static and {shared} of dynamic shared memory");
            return Err(wrong("launch", format!("{name}: {sizes}, a block has {limit} in all")));
        }
        Ok(())
    }

    /// Queues a launch, or the fault that is injected in its place.
    fn enqueue(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
        resident: bool,
    ) -> Result<()> {
        let mut state = self.state()?;
        let function = find(&state, function)?;
        Self::check_block(&function, shape.block, shape.shared)?;
        let name = function.name;
        if shape.grid == 0 {
            return Err(wrong("launch", format!("{name}: a grid of no blocks")));
        }
        if resident && shape.grid as usize > RESIDENT {
            let what = format!("{name}: {} blocks at the same time, at most {RESIDENT} fit", shape.grid);
            return Err(wrong("launch_coresident", what));
        }
        let (given, taken) = (arguments.len(), function.argument_bytes);
        if given != taken {
            return Err(wrong(
                "launch",
                format!("{name} takes {taken} bytes of arguments, {given} were given"),
            ));
        }
        state.launches += 1;
        let number = state.launches;
        let faults = &self.options.faults;
        let seed = launch::mix(self.options.seed).wrapping_add(number);
        let order = Box::new(Order { function, shape, arguments: arguments.to_vec(), resident, seed });
        let is_number = |fault: Option<u64>| fault == Some(number);
        state.push(
            stream,
            if is_number(faults.trap) {
                Command::Trap(name)
            } else if is_number(faults.deaf) {
                Command::Deaf(name)
            } else if is_number(faults.endless) {
                Command::Endless(order)
            } else {
                Command::Launch(order)
            },
        );
        Ok(())
    }

    /// Writes the text of a module to the folder of `keep_kernels`, if set.
    fn keep(&self, source: &Source) -> Result<()> {
        let Some(folder) = &self.settings.keep_kernels else { return Ok(()) };
        let path = folder.join(format!("{}.cu", source.name));
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, &source.text))
            .map_err(|error| Error::File { path, what: error.to_string() })
    }
}

// SAFETY: `State::memory` hands out host memory aligned to 256 bytes and frees it only in `free` and at the end; `copy`
// runs a copy of unpinned host memory to its end or drops it with the lost device; an event is done after all commands
// before it; the cancel word is boxed, and kernels only read it; ids are checked indices.
unsafe impl Device for Simulator {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn memory(&self) -> Result<MemoryInfo> {
        Ok(self.state()?.memory.info())
    }

    fn cache(&self) -> Option<&Cache> {
        Some(&self.cache)
    }

    fn compile(&self, source: &Source) -> Result<ModuleId> {
        drop(self.state()?);
        self.keep(source)?;
        if self.options.faults.no_compiler {
            return Err(compiler::missing(INJECTED));
        }
        let text = Compiler::text(source);
        let parts = [text.as_str(), &self.compiler.options(), LABEL, &self.compiler.name];
        let bytes = self.cache.get_or_make(&parts, || {
            if let Some(tell) = &self.settings.compiling {
                tell(&source.name);
            }
            let compile = || self.compiler.compile(source, &text);
            self.settings.staged(Stage::Compile, Some(&source.name), compile)
        })?;
        let module = Module::load(source, &bytes)?;
        let mut state = self.state()?;
        state.modules.push(module);
        Ok(ModuleId(state.modules.len() as u64 - 1))
    }

    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId> {
        let mut state = self.state()?;
        let at = module.0 as usize;
        let no_module = || wrong("function", format!("there is no module {at}"));
        let function = state.modules.get(at).ok_or_else(no_module)?.function(at, name)?;
        state.functions.push(function);
        Ok(FunctionId(state.functions.len() as u64 - 1))
    }

    fn coresident_blocks(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32> {
        let function = find(&*self.state()?, function)?;
        Self::check_block(&function, block, shared)?;
        Ok(RESIDENT as u32)
    }

    fn alloc(&self, bytes: usize, kind: MemoryKind) -> Result<Allocation> {
        let mut state = self.state()?;
        state.allocations += 1;
        if self.options.faults.allocation == Some(state.allocations) {
            return Err(state.memory.full(bytes));
        }
        state.memory.alloc(bytes, kind)
    }

    unsafe fn free(&self, allocation: Allocation) {
        let Ok(mut state) = self.state() else { return };
        // SAFETY: the caller's promise.
        if let Err(error) = unsafe { state.memory.free(allocation) } {
            state.lose(error.to_string());
        }
    }

    unsafe fn pin(&self, host: u64, bytes: usize) -> Result<()> {
        if self.options.faults.no_pinning {
            return Err(wrong("pin", INJECTED.to_owned()));
        }
        self.state()?.memory.pin(host, bytes)
    }

    unsafe fn unpin(&self, host: u64) -> Result<()> {
        self.state()?.memory.unpin(host)
    }

    unsafe fn map(&self, host: u64, bytes: usize) -> Result<u64> {
        let mut state = self.state()?;
        state.mappings += 1;
        let faults = &self.options.faults;
        if faults.no_pinning || faults.mapping == Some(state.mappings) {
            return Err(wrong("map", INJECTED.to_owned()));
        }
        state.memory.map(host, bytes);
        Ok(host)
    }

    unsafe fn unmap(&self, host: u64, bytes: usize) -> Result<()> {
        self.state()?.memory.unmap(host, bytes)
    }

    unsafe fn advise(&self, at: u64, bytes: usize, _advice: Advice) -> Result<()> {
        self.state()?.memory.check_managed(at, bytes).map_err(|why| wrong("advise", why))
    }

    unsafe fn prefetch(&self, stream: Stream, at: u64, bytes: usize, _to: Place) -> Result<()> {
        if self.options.faults.no_prefetch {
            return Err(wrong("prefetch", INJECTED.to_owned()));
        }
        let mut state = self.state()?;
        state.memory.check_managed(at, bytes).map_err(|why| wrong("prefetch", why))?;
        state.push(stream, Command::Prefetch { at, bytes });
        Ok(())
    }

    unsafe fn copy(&self, stream: Stream, kind: CopyKind, to: u64, from: u64, bytes: usize) -> Result<()> {
        let mut state = self.state()?;
        if stream == Stream::Copy {
            state.copies += 1;
            let faults = &self.options.faults;
            if faults.no_copy_stream || faults.copy == Some(state.copies) {
                return Err(wrong("copy", INJECTED.to_owned()));
            }
        }
        if bytes == 0 {
            return Ok(());
        }
        let is_mapped =
            stream == Stream::Copy && kind == CopyKind::ToDevice && state.memory.is_mapped(from, bytes);
        let must_wait = state.memory.check_copy(kind, to, from, bytes)? && !is_mapped;
        let position = state.push(stream, Command::Copy { kind, to, from, bytes });
        drop(state);
        if must_wait { self.run_to(stream, position) } else { Ok(()) }
    }

    unsafe fn fill(&self, stream: Stream, to: u64, byte: u8, bytes: usize) -> Result<()> {
        let mut state = self.state()?;
        if bytes == 0 {
            return Ok(());
        }
        state.memory.check_fill(to, bytes)?;
        state.push(stream, Command::Fill { to, byte, bytes });
        Ok(())
    }

    unsafe fn launch(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
    ) -> Result<()> {
        self.enqueue(stream, function, shape, arguments, false)
    }

    unsafe fn launch_coresident(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
    ) -> Result<()> {
        self.enqueue(stream, function, shape, arguments, true)
    }

    fn record(&self, stream: Stream) -> Result<EventId> {
        Ok(self.state()?.record(stream))
    }

    fn is_done(&self, event: EventId) -> Result<bool> {
        Ok(self.state()?.advance_to(event, &self.cancel)? == Reached::Yes)
    }

    fn wait_for(&self, stream: Stream, event: EventId) -> Result<()> {
        self.state()?.wait_for(stream, event)
    }

    fn seconds_between(&self, from: EventId, to: EventId) -> Result<f64> {
        self.state()?.seconds_between(from, to)
    }

    fn forget(&self, event: EventId) {
        self.lock().forget(event);
    }

    fn cancel_word(&self) -> CancelWord {
        let at = self.cancel.as_ptr() as u64;
        CancelWord { device: at, host: at }
    }
}

fn find(state: &State, function: FunctionId) -> Result<Function> {
    let none = || wrong("launch", format!("there is no kernel {}", function.0));
    state.functions.get(function.0 as usize).copied().ok_or_else(none)
}

/// Returns whether AddressSanitizer was in the process from its start. Loading it later would end the process.
fn has_sanitizer() -> bool {
    // SAFETY: the call searches for a name among the loaded libraries.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__asan_init".as_ptr()) }.is_null()
}

/// Returns the error of a call with wrong arguments.
fn wrong(call: &str, what: String) -> Error {
    Error::Call { label: LABEL.to_owned(), call: call.to_owned(), what }
}
