//! [`Host`]: an array in host memory, of any type, as bytes. Clones share the array.

use bytemuck::Pod;
use std::{fmt, ops::Deref, sync::Arc};
use warpgraph_graph::Buffer;

trait Bytes: Send + Sync {
    fn bytes(&self) -> &[u8];
}

impl<T: Pod + Send + Sync> Bytes for Buffer<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }
}

/// An array in host memory, kept alive.
#[derive(Clone)]
pub(crate) struct Host {
    array: Arc<dyn Bytes>,
    /// Bytes of an entry.
    width: usize,
}

impl Host {
    /// Of an array of a graph.
    pub(crate) fn of<T: Pod + Send + Sync>(buffer: &Buffer<T>) -> Self {
        Self { array: Arc::new(buffer.clone()), width: size_of::<T>() }
    }

    /// Returns the bytes of an entry.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Returns the size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.array.bytes().len()
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.array.bytes().len() / self.width
    }
}

impl Deref for Host {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.array.bytes()
    }
}

impl AsRef<[u8]> for Host {
    fn as_ref(&self) -> &[u8] {
        self.array.bytes()
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} entries of {} bytes", self.len(), self.width)
    }
}
