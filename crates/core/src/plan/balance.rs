//! Balances: how the threads of a GPU share the arcs of a frontier \[1, 2\]. The CPU engine has a balance of its own
//! and accepts none of these.
//!
//! The `balances!` table below is the only list of balances: an entry declares the variant, its name in a plan, its
//! properties and how its options are read. `Balance::written` displays the options. Names, [`Balance::ALL`], the
//! parser and its help texts follow from the table.
//!
//! \[1\] A. Raval, R. Nasre, V. Kumar, R. Vasudevan, S. Vadhiyar, K. Pingali, Dynamic load balancing strategies for
//! graph applications on GPUs, 2017.
//!
//! \[2\] M. Sha, Y. Li, K.-L. Tan, Self-adaptive graph traversal on GPUs, SIGMOD 2021: `tiled` and `resident`.

use crate::brackets::{Brackets, Wrong};
use std::num::NonZeroU32;

/// An entry of the table: everything about a balance except the values of its options.
struct Entry {
    /// Its name in a plan.
    name: &'static str,
    /// The balance with every option at its default.
    default: Balance,
    /// True if it can only expand a frontier, so programs cannot pull with it.
    only_pushes: bool,
    /// True if it processes adjacency lists in tiles, from whose accesses the order `sampled` learns.
    has_tiles: bool,
    /// True if it keeps tables with the places of arcs in the edge array, so the array must stay in one place.
    keeps_places: bool,
    /// Reads its options.
    read: fn(&mut Brackets<'_>) -> Result<Balance, Wrong>,
}

macro_rules! balances {
    ($($(#[$doc:meta])* $variant:ident $(($options:ty))? $({ $($fields:tt)* })? = $entry:expr;)+) => {
        /// How the threads of a GPU share the arcs of a frontier.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Balance {
            $($(#[$doc])* $variant $(($options))? $({ $($fields)* })?,)+
        }

        const TABLE: &[Entry] = &[$($entry),+];

        impl Balance {
            const fn entry(&self) -> &'static Entry {
                match self {
                    $(Self::$variant { .. } => const { &$entry },)+
                }
            }
        }
    };
}

balances! {
    /// One thread per vertex: the baseline of the literature.
    Node = Entry {
        name: "node", default: Balance::Node, only_pushes: false, has_tiles: false, keeps_places: false,
        read: |_| Ok(Balance::Node),
    };
    /// The worklist holds arcs, assigned in turn to as many threads as run at a time.
    Edge {
        /// The arcs of a vertex join the worklist with one atomic in total, not one per arc.
        chunking: bool,
        /// A vertex joins the worklist at most once per superstep.
        condensing: bool,
    } = Entry {
        name: "edge", default: Balance::EDGE, only_pushes: true, has_tiles: false, keeps_places: true,
        read: |options| Ok(Balance::Edge {
            chunking: options.switch("chunking")?, condensing: options.switch("condensing")?,
        }),
    };
    /// A scan sums the degrees of the frontier, and each thread gets an equal, contiguous share of the arcs.
    Workload = Entry {
        name: "workload", default: Balance::Workload, only_pushes: false, has_tiles: false, keeps_places: false,
        read: |_| Ok(Balance::Workload),
    };
    /// A vertex with more arcs than a threshold is processed as several children, each with an even share of the arcs.
    Split(Threshold) = Entry {
        name: "split", default: Balance::SPLIT, only_pushes: true, has_tiles: false, keeps_places: true,
        read: |options| Threshold::read(options).map(Balance::Split),
    };
    /// Sub-iterations of at most a threshold of arcs per vertex over a shrinking list, then `Workload` for the few
    /// vertices that remain.
    Hierarchical(Threshold) = Entry {
        name: "hierarchical", default: Balance::HIERARCHICAL, only_pushes: true, has_tiles: false, keeps_places: true,
        read: |options| Threshold::read(options).map(Balance::Hierarchical),
    };
    /// One thread per vertex, except for runs of arcs that fill a tile of threads: first the whole block processes
    /// these, then halves of it, and so on. The threads share the arcs that fill no tile.
    Tiled(Tiles) = Entry {
        name: "tiled", default: Balance::TILED, only_pushes: false, has_tiles: true, keeps_places: false,
        read: |options| Tiles::read(options).map(Balance::Tiled),
    };
    /// The device keeps the tiles of a vertex once they are made; the tiles of a frontier are distributed over the
    /// whole device.
    Resident(Tiles) = Entry {
        name: "resident", default: Balance::RESIDENT, only_pushes: true, has_tiles: true, keeps_places: true,
        read: |options| Tiles::read(options).map(Balance::Resident),
    };
}

/// How adjacency lists are cut into tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tiles {
    /// Threads of the smallest tile: a power of two, at most a block.
    pub min: u32,
    /// True if tiles start at sector boundaries of memory. The arcs before the first boundary join those that fill no
    /// tile.
    pub align: bool,
}

impl Tiles {
    /// Tiles of at least a warp. The literature goes down to 8 threads; but here neighbouring threads also read
    /// neighbouring arcs among those that fill no tile, and no thread stays idle.
    pub const DEFAULT: Self = Self { min: 32, align: true };
    /// The smallest allowed value of `min`.
    pub const LEAST: u32 = 8;
    const MOST: u32 = 256;

    fn read(options: &mut Brackets<'_>) -> Result<Self, Wrong> {
        let min = options.number("min", Self::LEAST..=Self::MOST, 8)?.unwrap_or(Self::DEFAULT.min);
        if !min.is_power_of_two() {
            let what = format!("min is a power of two from {} to {}, got \"{min}\"", Self::LEAST, Self::MOST);
            return Err((what, format!("min={} is one", min.next_power_of_two())));
        }
        Ok(Self { min, align: options.switch("align")? })
    }

    fn written(self) -> Vec<String> {
        let min = (self.min != Self::DEFAULT.min).then(|| format!("min={}", self.min));
        min.into_iter().chain(off("align", self.align)).collect()
    }
}

impl Default for Tiles {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The maximum degree threshold, MDT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Threshold {
    /// The threshold; `None` computes it from the histogram of degrees.
    pub mdt: Option<NonZeroU32>,
    /// Number of bins of that histogram.
    pub bins: NonZeroU32,
}

impl Threshold {
    /// The threshold of the literature: from a histogram of ten bins.
    pub const AUTOMATIC: Self = Self { mdt: None, bins: NonZeroU32::new(10).unwrap() };

    fn read(options: &mut Brackets<'_>) -> Result<Self, Wrong> {
        let mut number = |key| options.number(key, 1..=u32::MAX, 64).map(|n| n.and_then(NonZeroU32::new));
        let mdt = number("mdt")?;
        let bins = number("bins")?.unwrap_or(Self::AUTOMATIC.bins);
        Ok(Self { mdt, bins })
    }

    fn written(self) -> Vec<String> {
        let mdt = self.mdt.map(|mdt| format!("mdt={mdt}"));
        let bins = (self.bins != Self::AUTOMATIC.bins).then(|| format!("bins={}", self.bins));
        mdt.into_iter().chain(bins).collect()
    }
}

impl Default for Threshold {
    fn default() -> Self {
        Self::AUTOMATIC
    }
}

/// Returns `key=off` for a switch that is off.
fn off(key: &str, is_on: bool) -> Option<String> {
    (!is_on).then(|| format!("{key}=off"))
}

impl Balance {
    /// `edge` with default options.
    pub const EDGE: Self = Self::Edge { chunking: true, condensing: true };
    /// `split` with an automatic threshold.
    pub const SPLIT: Self = Self::Split(Threshold::AUTOMATIC);
    /// `hierarchical` with an automatic threshold.
    pub const HIERARCHICAL: Self = Self::Hierarchical(Threshold::AUTOMATIC);
    /// `tiled` with default options.
    pub const TILED: Self = Self::Tiled(Tiles::DEFAULT);
    /// `resident` with default options.
    pub const RESIDENT: Self = Self::Resident(Tiles::DEFAULT);

    /// All balances with default options, in the order of the table.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Node; TABLE.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = TABLE[at].default;
            at += 1;
        }
        all
    };

    /// Returns its name in a plan.
    pub const fn name(&self) -> &'static str {
        self.entry().name
    }

    /// Returns true if it can only expand a frontier, so programs cannot pull with it.
    pub const fn only_pushes(&self) -> bool {
        self.entry().only_pushes
    }

    /// Returns true if it processes adjacency lists in tiles, from whose accesses the order `sampled` learns.
    pub const fn has_tiles(&self) -> bool {
        self.entry().has_tiles
    }

    /// Returns true if it keeps tables with the places of arcs in the edge array, so the array must stay in one place.
    pub const fn keeps_places(&self) -> bool {
        self.entry().keeps_places
    }

    /// Returns true if a vertex may join the next frontier several times.
    pub const fn repeats(&self) -> bool {
        matches!(self, Self::Edge { condensing: false, .. })
    }

    /// Returns the balance of this name with these options; `None` if no balance has this name.
    pub(super) fn named(name: &str, options: &mut Brackets<'_>) -> Option<Result<Self, Wrong>> {
        TABLE.iter().find(|entry| entry.name == name).map(|entry| (entry.read)(options))
    }

    /// Returns the options that differ from their defaults, as `key=value`.
    pub(super) fn written(&self) -> Vec<String> {
        match *self {
            Self::Node | Self::Workload => Vec::new(),
            Self::Edge { chunking, condensing } => {
                off("chunking", chunking).into_iter().chain(off("condensing", condensing)).collect()
            }
            Self::Split(threshold) | Self::Hierarchical(threshold) => threshold.written(),
            Self::Tiled(tiles) | Self::Resident(tiles) => tiles.written(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_the_table_is_that_of_its_default_and_reads_it() {
        for entry in TABLE {
            assert_eq!(entry.default.name(), entry.name);
            let (name, mut options) = Brackets::of(entry.name).unwrap();
            assert_eq!(Balance::named(name, &mut options).unwrap(), Ok(entry.default));
            assert!(entry.default.written().is_empty(), "{} prints its defaults", entry.name);
        }
    }
}
