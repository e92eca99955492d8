//! [`Evictor`]: the regions that occupy device memory, by the age of their latest allocation.

use warpgraph_graph::{Pages, Result};

/// No region.
const NONE: u64 = u64::MAX;

/// A list node: the regions allocated just before and just after this one.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Link {
    older: u64,
    newer: u64,
    /// 1 if the region occupies device memory.
    held: u64,
}

/// A doubly linked list of regions, from the oldest to the newest.
#[derive(Debug)]
pub(super) struct Evictor {
    links: Pages<Link>,
    oldest: u64,
    newest: u64,
    held: u64,
    room: u64,
}

impl Evictor {
    /// Creates an evictor with room for `room` regions at a time, at least 1.
    pub(super) fn new(regions: usize, room: u64) -> Result<Self> {
        Ok(Self { links: Pages::zeroed(regions)?, oldest: NONE, newest: NONE, held: 0, room })
    }

    pub(super) fn is_full(&self) -> bool {
        self.held == self.room
    }

    /// Makes a region the newest, since pages of it were allocated. Requires room for it.
    pub(super) fn allocated(&mut self, region: usize) {
        if self.links[region].held == 1 {
            self.unlink(region);
        }
        let older = self.newest;
        self.links[region] = Link { older, newer: NONE, held: 1 };
        self.newest = region as u64;
        *self.newer_of(older) = region as u64;
        self.held += 1;
    }

    /// Evicts the oldest region that is not spared, or the oldest if all are spared. Requires that there is one.
    pub(super) fn evict(&mut self, is_spared: impl Fn(usize) -> bool) -> usize {
        let mut victim = self.oldest;
        while victim != NONE && is_spared(victim as usize) {
            victim = self.links[victim as usize].newer;
        }
        let victim = if victim == NONE { self.oldest } else { victim } as usize;
        self.unlink(victim);
        victim
    }

    fn unlink(&mut self, region: usize) {
        let Link { older, newer, .. } = self.links[region];
        *self.newer_of(older) = newer;
        *self.older_of(newer) = older;
        self.links[region].held = 0;
        self.held -= 1;
    }

    /// Returns the link to the region after this one; for [`NONE`], the link to the first region.
    fn newer_of(&mut self, region: u64) -> &mut u64 {
        if region == NONE { &mut self.oldest } else { &mut self.links[region as usize].newer }
    }

    fn older_of(&mut self, region: u64) -> &mut u64 {
        if region == NONE { &mut self.newest } else { &mut self.links[region as usize].older }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_allocation_goes_first_unless_it_is_spared() {
        let mut evictor = Evictor::new(9, 4).unwrap();
        for region in [3, 5, 7, 8, 3] {
            evictor.allocated(region);
        }
        assert!(evictor.is_full());
        assert_eq!(evictor.evict(|_| false), 5, "3 was allocated again");
        assert!(!evictor.is_full());
        evictor.allocated(1);
        assert_eq!(evictor.evict(|region| region > 2), 1);
        assert_eq!(evictor.evict(|_| true), 7, "all are spared");
        assert_eq!([evictor.evict(|_| false), evictor.evict(|_| false)], [8, 3]);
        evictor.allocated(0);
        assert_eq!((evictor.evict(|_| true), evictor.held), (0, 0));
    }
}
