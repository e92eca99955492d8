//! [`Rows`]: the neighbours of every node, in the order of the NetworkX graph.

/// The neighbours of node `v` are `targets[offsets[v] .. offsets[v + 1]]`, each once, in the order of the graph.
///
/// Invariant: `offsets` has one more entry than there are nodes, never decreases and ends at `targets.len()`; every target
/// is a node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub(crate) offsets: Vec<usize>,
    pub(crate) targets: Vec<u32>,
}

impl Rows {
    /// Returns rows without arcs, to which [`Rows::end_row`] adds nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        let mut offsets = Vec::with_capacity(nodes + 1);
        offsets.push(0);
        Self { offsets, targets: Vec::new() }
    }

    /// Ends the row of the next node.
    pub(crate) fn end_row(&mut self) {
        self.offsets.push(self.targets.len());
    }

    pub(crate) fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the places of the arcs of `v`.
    #[inline]
    pub(crate) fn range(&self, v: u32) -> std::ops::Range<usize> {
        self.offsets[v as usize]..self.offsets[v as usize + 1]
    }

    /// Returns the neighbours of `v`.
    #[inline]
    pub(crate) fn of(&self, v: u32) -> &[u32] {
        &self.targets[self.range(v)]
    }

    /// Returns the place of the arc from `u` to `v`.
    pub(crate) fn find(&self, u: u32, v: u32) -> Option<usize> {
        self.of(u).iter().position(|&target| target == v).map(|at| self.offsets[u as usize] + at)
    }

    /// Returns the reversed rows, each by ascending node, and per arc the place of its original.
    pub(crate) fn reversed(&self) -> (Self, Vec<usize>) {
        let n = self.nodes();
        let mut offsets = vec![0; n + 1];
        for &v in &self.targets {
            offsets[v as usize + 1] += 1;
        }
        (0..n).for_each(|v| offsets[v + 1] += offsets[v]);
        let mut next = offsets.clone();
        let (mut targets, mut places) = (vec![0; self.targets.len()], vec![0; self.targets.len()]);
        for u in 0..n as u32 {
            for place in self.range(u) {
                let slot = &mut next[self.targets[place] as usize];
                (targets[*slot], places[*slot]) = (u, place);
                *slot += 1;
            }
        }
        (Self { offsets, targets }, places)
    }

    /// Returns the number of arcs from a node to itself.
    pub(crate) fn self_loops(&self) -> usize {
        (0..self.nodes() as u32).filter(|&v| self.of(v).contains(&v)).count()
    }
}
