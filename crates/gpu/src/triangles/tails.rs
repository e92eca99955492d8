//! Triangles straight from the rows of an undirected graph whose vertices have few neighbours with greater numbers:
//! no ranks, no lists, no tables.
//!
//! The *tail* of a vertex is the end of its row, its neighbours with greater numbers. Cutting rows there takes one pass
//! over the vertices, while ranking vertices and listing their neighbours takes a random read and a write per arc. So
//! this form pays off as long as it looks up little more than lists would: an entry of a tail is looked up once per
//! earlier entry at most, and the sum of these pairs is known before anything is looked up.
//!
//! The lanes of a warp take 32 arcs, and then together the entries that those arcs ask for, one per lane, as GroupTC does
//! for the edges of a block. So lanes idle neither for short rows nor for short tails.
//!
//! Memory: 8 bytes per vertex.

use super::TrianglesArgs;
use crate::machine::{Grid, Launch, Machine};
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, Pinned, Source};

/// Rows suit this form up to this many pairs of entries of tails per arc. A pair costs a bisection in a short list, about
/// 1/150 ns on an H200. Lists cost about 1/25 ns per arc to build, and as many lookups or fewer.
const PAIRS_PER_ARC: u64 = 8;
/// A tail packs into 64 bits: these bits say where it begins, the others how long it is.
pub(super) const PLACE_BITS: u32 = 40;
const LONG: u64 = 1 << (64 - PLACE_BITS);
/// Words of 32 arcs that a warp takes at a time.
pub(super) const WORDS_PER_TICKET: u32 = 16;

/// Indices of counters: the pairs, the longest tail, the next ticket, and the triangles.
const PAIRS: usize = 0;
const LONGEST: usize = 1;
const NEXT: usize = 2;
const TOTAL: usize = 3;
const COUNTERS: usize = 4;

/// The kernels.
pub(super) struct ByTails<'m, 'a> {
    machine: &'m Machine<'a>,
    cut: Launch<TrianglesArgs>,
    count: Launch<TrianglesArgs>,
}

/// Where rows are cut, and counters.
pub(super) struct Tails {
    tails: Array<u64>,
    counters: Array<u64>,
    seen: Pinned<u64>,
}

impl Tails {
    pub(super) fn bytes(&self) -> u64 {
        self.tails.bytes() + self.counters.bytes()
    }

    fn args(&self, args: TrianglesArgs) -> TrianglesArgs {
        let counter = |which: usize| Address::new(self.counters.address().raw() + 8 * which as u64);
        TrianglesArgs {
            tails: self.tails.address(),
            pairs: counter(PAIRS),
            longest: counter(LONGEST),
            next: counter(NEXT),
            total: counter(TOTAL),
            ..args
        }
    }
}

impl<'m, 'a> ByTails<'m, 'a> {
    /// Compiles the kernels.
    pub(super) fn new(machine: &'m Machine<'a>, source: &Source) -> Result<Self> {
        let kernel = |name| machine.kernel(source, name);
        Ok(Self { machine, cut: kernel("triangles_tails")?, count: kernel("triangles_edges")? })
    }

    /// Cuts the rows that `args` describes. Returns `None` if they do not suit this form.
    pub(super) fn cut(&self, arcs: usize, args: TrianglesArgs) -> Result<Option<Tails>> {
        let machine = self.machine;
        let mut tails = Tails {
            tails: machine.array(args.vertices as usize, "tails of rows")?,
            counters: machine.zeros(COUNTERS, "counters")?,
            seen: machine.gpu().pinned(COUNTERS, "counters").map_err(crate::lift)?,
        };
        // SAFETY: there is a tail per vertex; rows and counters live until the wait.
        unsafe { machine.start(&self.cut, Grid::For(args.vertices), &tails.args(args))? };
        machine.fetch(&mut tails.seen, &tails.counters)?;
        let is_short = tails.seen.get(LONGEST) < LONG && arcs < 1 << PLACE_BITS;
        let suits = is_short && tails.seen.get(PAIRS) <= PAIRS_PER_ARC * arcs as u64;
        Ok(suits.then_some(tails))
    }

    /// Returns the number of triangles, when the device is idle. Adds to counts and degrees of vertices if `args` has
    /// them.
    pub(super) fn count(&self, tails: &mut Tails, arcs: usize, args: TrianglesArgs) -> Result<u64> {
        // SAFETY: the tails are those of these rows; there is a count and a degree per vertex if the caller wants them; all
        // arrays live until the wait.
        unsafe { self.machine.start(&self.count, Grid::Shares(arcs as u64), &tails.args(args))? };
        self.machine.fetch(&mut tails.seen, &tails.counters)?;
        Ok(tails.seen.get(TOTAL))
    }
}
