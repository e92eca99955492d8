//! The two streams of a GPU, the copies and fills in them, and events. Events are kept and reused.

use super::context::Context;
use crate::{CopyKind, Error, EventId, Place, Result, Stream};
use cudarc::driver::{
    result::{self, DriverError, stream::StreamKind},
    sys::{self, CUresult},
};
use std::{
    ffi::c_void,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Both streams and their events.
#[derive(Debug)]
pub(super) struct Streams {
    compute: sys::CUstream,
    copy: sys::CUstream,
    events: Mutex<Events>,
}

// SAFETY: handles. The driver accepts them from any thread for which their context is current.
unsafe impl Send for Streams {}
// SAFETY: as above.
unsafe impl Sync for Streams {}

/// All events ever created. The id of an event is its index here.
#[derive(Debug, Default)]
struct Events {
    all: Vec<sys::CUevent>,
    is_used: Vec<bool>,
    free: Vec<usize>,
}

impl Events {
    /// Takes an event that is not in use.
    fn take(&mut self) -> Option<(EventId, sys::CUevent)> {
        let at = self.free.pop()?;
        self.is_used[at] = true;
        Some((EventId(at as u64), self.all[at]))
    }

    /// Adds a new event, in use.
    fn add(&mut self, event: sys::CUevent) -> EventId {
        self.all.push(event);
        self.is_used.push(true);
        EventId(self.all.len() as u64 - 1)
    }

    /// Returns the handle of an event in use.
    fn get(&self, id: EventId) -> Option<sys::CUevent> {
        let at = usize::try_from(id.0).ok()?;
        self.is_used.get(at)?.then(|| self.all[at])
    }

    fn give_back(&mut self, id: EventId) {
        if self.get(id).is_some() {
            self.is_used[id.0 as usize] = false;
            self.free.push(id.0 as usize);
        }
    }
}

/// How streams ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Both are empty.
    Idle,
    /// Work is still running.
    Busy,
    /// The context can no longer be used.
    Lost,
}

impl Streams {
    /// Creates two streams that do not wait for the default stream.
    ///
    /// # Errors
    /// The driver's.
    pub(super) fn new(context: &Context) -> Result<Self> {
        let stream = || context.call("cuStreamCreate", || result::stream::create(StreamKind::NonBlocking));
        Ok(Self { compute: stream()?, copy: stream()?, events: Mutex::default() })
    }

    /// Returns the driver's handle.
    pub(super) fn raw(&self, stream: Stream) -> sys::CUstream {
        match stream {
            Stream::Compute => self.compute,
            Stream::Copy => self.copy,
        }
    }

    /// Waits until a stream is empty.
    ///
    /// # Errors
    /// The errors of the work in it.
    pub(super) fn synchronize(&self, context: &Context, stream: Stream) -> Result<()> {
        // SAFETY: a live stream of this context.
        context.call("cuStreamSynchronize", || unsafe { result::stream::synchronize(self.raw(stream)) })
    }

    /// Queues a copy in a stream.
    ///
    /// # Safety
    /// As for [`crate::Device::copy`], and host memory that is not pinned stays valid until the stream is empty.
    pub(super) unsafe fn copy(
        &self,
        context: &Context,
        stream: Stream,
        kind: CopyKind,
        (to, from): (u64, u64),
        bytes: usize,
    ) -> Result<()> {
        let stream = self.raw(stream);
        match kind {
            CopyKind::ToDevice => context.call("cuMemcpyHtoDAsync", || {
                // SAFETY: the caller's promise.
                unsafe { sys::cuMemcpyHtoDAsync_v2(to, from as *const c_void, bytes, stream) }.result()
            }),
            CopyKind::ToHost => context.call("cuMemcpyDtoHAsync", || {
                // SAFETY: the caller's promise.
                unsafe { sys::cuMemcpyDtoHAsync_v2(to as *mut c_void, from, bytes, stream) }.result()
            }),
            CopyKind::Within => context.call("cuMemcpyDtoDAsync", || {
                // SAFETY: the caller's promise.
                unsafe { result::memcpy_dtod_async(to, from, bytes, stream) }
            }),
        }
    }

    /// Queues setting bytes in a stream.
    ///
    /// # Safety
    /// As for [`crate::Device::fill`].
    pub(super) unsafe fn fill(
        &self,
        context: &Context,
        stream: Stream,
        to: u64,
        byte: u8,
        bytes: usize,
    ) -> Result<()> {
        let stream = self.raw(stream);
        // SAFETY: the caller's promise.
        context.call("cuMemsetD8Async", || unsafe { result::memset_d8_async(to, byte, bytes, stream) })
    }

    /// Queues moving the pages of managed memory.
    ///
    /// # Safety
    /// As for [`crate::Device::prefetch`].
    pub(super) unsafe fn prefetch(
        &self,
        context: &Context,
        stream: Stream,
        at: u64,
        bytes: usize,
        to: Place,
    ) -> Result<()> {
        // Not `cuMemPrefetchAsync_v2`, which drivers before CUDA 12.2 do not have. The host has the number -1.
        let (to, stream) = (if to == Place::Device { context.device() } else { -1 }, self.raw(stream));
        context.call("cuMemPrefetchAsync", || {
            // SAFETY: the caller's promise.
            unsafe { sys::cuMemPrefetchAsync(at, bytes, to, stream) }.result()
        })
    }

    /// [`crate::Device::record`].
    pub(super) fn record(&self, context: &Context, stream: Stream) -> Result<EventId> {
        let unused = self.events().take();
        let (id, event) = match unused {
            Some(taken) => taken,
            None => {
                // With timing, since the same events measure time.
                let flags = sys::CUevent_flags::CU_EVENT_DEFAULT;
                let event = context.call("cuEventCreate", || result::event::create(flags))?;
                (self.events().add(event), event)
            }
        };
        // The call blocks while the stream is full. So nothing is locked here: other threads must be able to query
        // events. SAFETY: a live event and a live stream of this context.
        let recorded =
            context.call("cuEventRecord", || unsafe { result::event::record(event, self.raw(stream)) });
        if recorded.is_err() {
            self.forget(id);
        }
        recorded.map(|()| id)
    }

    /// [`crate::Device::is_done`].
    pub(super) fn is_done(&self, context: &Context, id: EventId) -> Result<bool> {
        let event = self.event(context, id)?;
        // SAFETY: a live event of this context.
        match context.ask(|| unsafe { result::event::query(event) }) {
            Ok(()) => Ok(true),
            Err(DriverError(CUresult::CUDA_ERROR_NOT_READY)) => Ok(false),
            Err(error) => Err(context.error("cuEventQuery", error)),
        }
    }

    /// [`crate::Device::wait_for`].
    pub(super) fn wait_for(&self, context: &Context, stream: Stream, id: EventId) -> Result<()> {
        let (event, stream) = (self.event(context, id)?, self.raw(stream));
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: a live event and a live stream of this context.
        context.call("cuStreamWaitEvent", || unsafe { result::stream::wait_event(stream, event, flags) })
    }

    /// [`crate::Device::seconds_between`].
    pub(super) fn seconds_between(&self, context: &Context, from: EventId, to: EventId) -> Result<f64> {
        let (from, to) = (self.event(context, from)?, self.event(context, to)?);
        // SAFETY: live events of this context.
        let milliseconds =
            context.call("cuEventElapsedTime", || unsafe { result::event::elapsed(from, to) })?;
        Ok(f64::from(milliseconds) / 1e3)
    }

    /// [`crate::Device::forget`].
    pub(super) fn forget(&self, id: EventId) {
        self.events().give_back(id);
    }

    /// Waits for both streams, for at most `patience`.
    pub(super) fn end(&self, context: &Context, patience: Duration) -> Ended {
        let start = Instant::now();
        for stream in [self.compute, self.copy] {
            loop {
                // SAFETY: a live stream of this context.
                match context.ask(|| unsafe { sys::cuStreamQuery(stream) }.result()) {
                    Ok(()) => break,
                    Err(DriverError(CUresult::CUDA_ERROR_NOT_READY)) if start.elapsed() < patience => {
                        std::thread::sleep(Duration::from_micros(50));
                    }
                    Err(DriverError(CUresult::CUDA_ERROR_NOT_READY)) => return Ended::Busy,
                    Err(_) => return Ended::Lost,
                }
            }
        }
        Ended::Idle
    }

    /// Destroys streams and events.
    ///
    /// # Safety
    /// They are no longer used.
    pub(super) unsafe fn destroy(&self, context: &Context) {
        for event in std::mem::take(&mut *self.events()).all {
            // SAFETY: a live event. It is no longer in the list, so it is destroyed once.
            let _ = context.ask(|| unsafe { result::event::destroy(event) });
        }
        for stream in [self.compute, self.copy] {
            // SAFETY: the caller's promise.
            let _ = context.ask(|| unsafe { result::stream::destroy(stream) });
        }
    }

    fn events(&self) -> MutexGuard<'_, Events> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn event(&self, context: &Context, id: EventId) -> Result<sys::CUevent> {
        self.events().get(id).ok_or_else(|| {
            let (label, call) = (context.label().to_owned(), "asking for an event".to_owned());
            Error::Call { label, call, what: format!("event {} is not in use", id.0) }
        })
    }
}
