//! The bins of one thread: vertices whose distance it lowered, by bucket.

use warpgraph_graph::Vertex;

/// A vertex and the distance to which it was lowered; stale once the vertex has a smaller one.
pub(super) type Entry<D> = (Vertex, D);

/// Number of buckets, from the current one on, that have their own bins; later ones share one list.
const RING: u64 = 512;

/// The last bucket. Later numbers are free, because `u64::MAX` means that there is no bucket, and because the ring begins
/// at the current one.
pub(super) const LAST_BUCKET: u64 = u64::MAX - 2 * RING;

/// The bins of one thread.
pub(super) struct Bins<D> {
    /// The bin of bucket `b` is `ring[b % RING]`.
    ring: Vec<Vec<Entry<D>>>,
    /// Entries that were at least `RING` buckets away when they were added.
    far: Vec<(u64, Entry<D>)>,
    /// The nearest bucket among them.
    nearest_far: u64,
    /// The first bucket that has entries, where that is known: a thread that found nothing since is not searched again.
    first: Option<u64>,
    /// Empty vectors for reuse.
    spare: Vec<Vec<Entry<D>>>,
}

impl<D: Copy> Bins<D> {
    pub(super) fn new() -> Self {
        let ring = (0..RING).map(|_| Vec::new()).collect();
        Self { ring, far: Vec::new(), nearest_far: u64::MAX, first: None, spare: Vec::new() }
    }

    /// Must be called before entries are added.
    pub(super) fn begin(&mut self) {
        self.first = None;
    }

    /// Adds an entry to a bucket that is not before `current`.
    #[inline(always)]
    pub(super) fn push(&mut self, current: u64, bucket: u64, entry: Entry<D>) {
        debug_assert!(bucket >= current && self.first.is_none_or(|first| first <= bucket));
        if bucket - current < RING {
            self.ring[(bucket % RING) as usize].push(entry);
        } else {
            self.nearest_far = self.nearest_far.min(bucket);
            self.far.push((bucket, entry));
        }
    }

    /// Takes the bin of a bucket. Give the vector back with [`Bins::recycle`].
    pub(super) fn take(&mut self, bucket: u64) -> Vec<Entry<D>> {
        self.first = self.first.filter(|&first| first > bucket);
        let empty = self.spare.pop().unwrap_or_default();
        std::mem::replace(&mut self.ring[(bucket % RING) as usize], empty)
    }

    /// Returns the number of entries in the bin of a bucket.
    pub(super) fn len(&self, bucket: u64) -> usize {
        self.ring[(bucket % RING) as usize].len()
    }

    pub(super) fn recycle(&mut self, mut bin: Vec<Entry<D>>) {
        bin.clear();
        self.spare.push(bin);
    }

    /// Returns the bytes held.
    pub(super) fn bytes(&self) -> usize {
        let near: usize = self.ring.iter().chain(&self.spare).map(Vec::capacity).sum();
        near * size_of::<Entry<D>>() + self.far.capacity() * size_of::<(u64, Entry<D>)>()
    }

    /// Returns the first bucket from `current` on that has entries; `u64::MAX` if there is none.
    pub(super) fn first(&mut self, current: u64) -> u64 {
        if let Some(first) = self.first {
            return first;
        }
        let near = (current..current + RING).find(|&b| self.len(b) > 0);
        let first = near.unwrap_or(u64::MAX).min(self.nearest_far);
        self.first = Some(first);
        first
    }

    /// Moves far entries that are now near the current bucket into their bins.
    pub(super) fn advance(&mut self, current: u64) {
        if self.nearest_far >= current + RING {
            return;
        }
        self.nearest_far = u64::MAX;
        for (bucket, entry) in std::mem::take(&mut self.far) {
            self.push(current, bucket, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_out_by_bucket_however_far_they_were() {
        let mut bins = Bins::new();
        bins.begin();
        for bucket in [0, 3, 511, 512, 513, 5_000, 1 << 40] {
            bins.push(0, bucket, (bucket as Vertex, bucket));
        }
        let (mut current, mut order) = (0, Vec::new());
        loop {
            current = bins.first(current);
            if current == u64::MAX {
                break;
            }
            bins.advance(current);
            order.extend(bins.take(current).into_iter().map(|entry| entry.1));
        }
        assert_eq!(order, [0, 3, 511, 512, 513, 5_000, 1 << 40]);
    }
}
