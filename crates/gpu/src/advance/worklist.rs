//! [`Worklist`]: the list that a balance makes of a frontier.

use crate::{error::lift, machine::Machine};
use warpgraph_core::Result;
use warpgraph_device::{Address, Array};

/// A list on the device, made when it is first needed and used again, with counters of its length.
#[derive(Debug)]
pub(super) struct Worklist {
    entries: Option<Array<u8>>,
    counters: Array<u64>,
}

impl Worklist {
    /// Makes an empty list with so many counters.
    pub(super) fn new(machine: &Machine<'_>, counters: usize) -> Result<Self> {
        Ok(Self { entries: None, counters: machine.zeros(counters, "counters of a worklist")? })
    }

    /// Returns the bytes of its entries.
    pub(super) fn bytes(&self) -> u64 {
        self.entries.as_ref().map_or(0, Array::bytes)
    }

    /// Returns where a list of at least so many bytes lies. It drops one that is too short: no kernel may still read it.
    pub(super) fn with_room(&mut self, machine: &Machine<'_>, bytes: usize) -> Result<Address<()>> {
        if self.entries.as_ref().is_none_or(|entries| entries.bytes() < bytes as u64) {
            self.entries = None;
            self.entries = Some(machine.array(bytes, "a worklist")?);
        }
        Ok(self.entries.as_ref().map_or(Address::NULL, |entries| entries.address().cast()))
    }

    /// Sets its counters to 0, and returns where they lie.
    pub(super) fn clear(&mut self) -> Result<Address<u64>> {
        self.counters.fill_bytes(0).map_err(lift)?;
        Ok(self.counters.address())
    }
}
