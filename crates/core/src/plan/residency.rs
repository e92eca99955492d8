//! Residencies: where the edges of a graph are stored while a GPU works on them. The CPU engine accepts none of these.
//!
//! The offsets of rows and the state of vertices are always in device memory. The *edges* are the targets of all arcs
//! and, if the algorithm reads them, the weights.
//!
//! The `residencies!` table below is the only list of residencies: an entry declares the variant, its name in a plan,
//! its properties and how its options are read. `Residency::written` displays the options. Names, [`Residency::ALL`],
//! the parser and its help texts follow from the table.

use crate::brackets::{Brackets, Wrong};
use std::fmt;

/// An entry of the table: everything about a residency except the values of its options.
struct Entry {
    /// Its name in a plan.
    name: &'static str,
    /// The residency with every option at its default.
    default: Residency,
    /// Reads its options.
    read: fn(&mut Brackets<'_>) -> Result<Residency, Wrong>,
}

macro_rules! residencies {
    ($($(#[$doc:meta])* $variant:ident $({ $($fields:tt)* })? = $entry:expr;)+) => {
        /// Where the edges of a graph are stored while a GPU works on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Residency {
            $($(#[$doc])* $variant $({ $($fields)* })?,)+
        }

        const TABLE: &[Entry] = &[$($entry),+];

        impl Residency {
            const fn entry(&self) -> &'static Entry {
                match self {
                    $(Self::$variant { .. } => const { &$entry },)+
                }
            }
        }
    };
}

residencies! {
    /// In device memory.
    Device {
        /// In-arcs of every row that also lie in an array of their own.
        heads: Heads,
        /// How targets are coded.
        code: Code,
    } = Entry {
        name: "device", default: Residency::DEVICE,
        read: |options| Ok(Residency::Device { heads: Heads::read(options)?, code: Code::read(options)? }),
    };
    /// In host memory, which kernels read over the bus.
    ZeroCopy {
        /// Keeps the rows that are read most on the device, as far as memory allows.
        hot: bool,
        /// Which partitions are copied to the device ahead of a superstep.
        ahead: Ahead,
        /// In-arcs of every row that lie on the device.
        heads: Heads,
        /// How targets are coded.
        code: Code,
    } = Entry {
        name: "zero-copy", default: Residency::ZERO_COPY,
        read: |options| {
            let hot = options.one_of("hot", &["auto", "off"])? == "auto";
            let (ahead, heads) = (Ahead::read(options)?, Heads::read(options)?);
            let code = Code::read(options)?;
            ahead.takes(code)?;
            Ok(Residency::ZeroCopy { hot, ahead, heads, code })
        },
    };
    /// In managed memory, whose pages the driver moves to the device when a kernel touches them.
    Unified {
        /// Tells the driver that pages are only read, and moves them ahead of use as far as memory allows.
        advice: bool,
    } = Entry {
        name: "unified", default: Residency::UNIFIED,
        read: |options| Ok(Residency::Unified { advice: options.switch("advice")? }),
    };
    /// In host memory or in a file. The host gathers the rows of a frontier and sends them ahead of use.
    Streamed = Entry {
        name: "streamed", default: Residency::Streamed,
        read: |_| Ok(Residency::Streamed),
    };
}

/// The *heads* of rows: the first in-arcs of every vertex, those from vertices of the highest degrees first, in an array
/// on the device. They decide most steps of a search that pulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Heads {
    /// As many as the algorithm gains from and memory allows.
    #[default]
    Auto,
    /// This many per vertex; 0 keeps none.
    Each(u32),
}

impl Heads {
    /// The numbers of heads per vertex that kernels are compiled for, fewest first.
    pub const SIZES: [u32; 5] = [4, 6, 8, 12, 16];

    fn read(options: &mut Brackets<'_>) -> Result<Self, Wrong> {
        Ok(match options.one_of("heads", &["auto", "off", "4", "6", "8", "12", "16"])? {
            "auto" => Self::Auto,
            // "off" is not a number.
            count => Self::Each(count.parse().unwrap_or(0)),
        })
    }

    fn written(self) -> Option<String> {
        match self {
            Self::Auto => None,
            Self::Each(0) => Some("heads=off".to_owned()),
            Self::Each(count) => Some(format!("heads={count}")),
        }
    }
}

/// Which *partitions* of the edges, groups of consecutive pages, are copied to a staging area on the device before a
/// superstep of a general form that pushes. Those that are not copied are read in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ahead {
    /// None; there is no staging area.
    #[default]
    Off,
    /// Those that a cost model chooses, with rates measured on this machine.
    Chosen(Staging),
    /// All that the frontier reads.
    All(Staging),
}

/// The size of the staging area, in percent of what hot pages would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Staging {
    /// A quarter; everything if no pages are hot.
    #[default]
    Auto,
    /// This many percent.
    Percent(u32),
}

impl Ahead {
    fn read(options: &mut Brackets<'_>) -> Result<Self, Wrong> {
        let word = options.one_of("ahead", &["off", "auto", "all"])?;
        let size = options.one_of("staging", &["auto", "10", "25", "50", "75", "100"])?;
        // "auto" is not a number.
        let staging = size.parse().map_or(Staging::Auto, Staging::Percent);
        match (word, staging) {
            ("auto", _) => Ok(Self::Chosen(staging)),
            ("all", _) => Ok(Self::All(staging)),
            (_, Staging::Auto) => Ok(Self::Off),
            _ => Err((
                "staging is the size of what ahead=auto or ahead=all needs, and ahead is off".to_owned(),
                format!("zero-copy(ahead=auto,staging={size})"),
            )),
        }
    }

    /// Refuses coded targets, whose blocks have no pages.
    fn takes(self, code: Code) -> Result<(), Wrong> {
        if self == Self::Off || code == Code::Plain {
            return Ok(());
        }
        let what = "ahead copies partitions of plain targets, and code=ef stores blocks of many lengths";
        Err((what.to_owned(), "zero-copy(code=ef) reads few bytes in place; or leave out code=ef".to_owned()))
    }

    /// Returns the size of the staging area, unless there is none.
    pub const fn staging(self) -> Option<Staging> {
        match self {
            Self::Off => None,
            Self::Chosen(staging) | Self::All(staging) => Some(staging),
        }
    }

    fn written(self) -> Vec<String> {
        let word = match self {
            Self::Off => return Vec::new(),
            Self::Chosen(_) => "ahead=auto",
            Self::All(_) => "ahead=all",
        };
        let size = match self.staging() {
            Some(Staging::Percent(percent)) => Some(format!("staging={percent}")),
            _ => None,
        };
        [word.to_owned()].into_iter().chain(size).collect()
    }
}

impl Staging {
    /// Returns the part of some bytes that the staging area takes; `hot`: hot pages take the rest.
    pub const fn of(self, bytes: u64, hot: bool) -> u64 {
        match self {
            _ if !hot => bytes,
            Self::Auto => bytes / 4,
            Self::Percent(percent) => bytes / 100 * percent as u64,
        }
    }
}

/// How the targets of arcs are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Code {
    /// 32 bits each.
    #[default]
    Plain,
    /// Elias-Fano, in blocks of 32 arcs; weights stay plain.
    EliasFano,
}

impl Code {
    fn read(options: &mut Brackets<'_>) -> Result<Self, Wrong> {
        Ok(if options.one_of("code", &["off", "ef"])? == "ef" { Self::EliasFano } else { Self::Plain })
    }

    fn written(self) -> Option<String> {
        (self == Self::EliasFano).then(|| "code=ef".to_owned())
    }
}

impl Residency {
    /// `device` with default options.
    pub const DEVICE: Self = Self::Device { heads: Heads::Auto, code: Code::Plain };
    /// `zero-copy` with default options.
    pub const ZERO_COPY: Self =
        Self::ZeroCopy { hot: true, ahead: Ahead::Off, heads: Heads::Auto, code: Code::Plain };
    /// `unified` with default options.
    pub const UNIFIED: Self = Self::Unified { advice: true };

    /// All residencies with default options, in the order of the table.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::DEVICE; TABLE.len()];
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

    /// Returns true if all edges are in device memory.
    pub const fn is_on_device(&self) -> bool {
        matches!(self, Self::Device { .. })
    }

    /// Returns how it codes targets.
    pub const fn code(&self) -> Code {
        match *self {
            Self::Device { code, .. } | Self::ZeroCopy { code, .. } => code,
            Self::Unified { .. } | Self::Streamed => Code::Plain,
        }
    }

    /// Returns the heads that it keeps.
    pub const fn heads(&self) -> Heads {
        match *self {
            Self::Device { heads, .. } | Self::ZeroCopy { heads, .. } => heads,
            Self::Unified { .. } | Self::Streamed => Heads::Each(0),
        }
    }

    /// Returns the same residency with heads left open: where the edges themselves are.
    pub const fn without_heads(self) -> Self {
        match self {
            Self::Device { code, .. } => Self::Device { heads: Heads::Auto, code },
            Self::ZeroCopy { hot, ahead, code, .. } => {
                Self::ZeroCopy { hot, ahead, heads: Heads::Auto, code }
            }
            other => other,
        }
    }

    /// Returns true if pages of the edges have copies on the device.
    pub const fn has_pages(&self) -> bool {
        matches!(self, Self::ZeroCopy { hot: true, .. }) || self.ahead().staging().is_some()
    }

    /// Returns which partitions it copies ahead of a superstep.
    pub const fn ahead(&self) -> Ahead {
        match *self {
            Self::ZeroCopy { ahead, .. } => ahead,
            _ => Ahead::Off,
        }
    }

    /// Returns the residency of this name with these options; `None` if no residency has this name.
    pub(super) fn named(name: &str, options: &mut Brackets<'_>) -> Option<Result<Self, Wrong>> {
        TABLE.iter().find(|entry| entry.name == name).map(|entry| (entry.read)(options))
    }

    /// Returns the options that differ from their defaults, as `key=value`.
    fn written(&self) -> Vec<String> {
        let stored = self.heads().written().into_iter().chain(self.code().written());
        match *self {
            Self::Device { .. } => stored.collect(),
            Self::ZeroCopy { hot, ahead, .. } => {
                let hot = (!hot).then(|| "hot=off".to_owned()).into_iter();
                hot.chain(ahead.written()).chain(stored).collect()
            }
            Self::Unified { advice } => (!advice).then(|| "advice=off".to_owned()).into_iter().collect(),
            Self::Streamed => Vec::new(),
        }
    }
}

impl fmt::Display for Residency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.written();
        f.write_str(self.name())?;
        if options.is_empty() { Ok(()) } else { write!(f, "({})", options.join(",")) }
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
            assert_eq!(Residency::named(name, &mut options).unwrap(), Ok(entry.default));
            assert_eq!(entry.default.to_string(), entry.name, "{} prints its defaults", entry.name);
        }
    }

    #[test]
    fn the_staging_area_takes_its_part_of_what_hot_pages_would_take() {
        assert_eq!([true, false].map(|hot| Staging::Auto.of(1000, hot)), [250, 1000]);
        assert_eq!([true, false].map(|hot| Staging::Percent(75).of(1000, hot)), [750, 1000]);
    }

    #[test]
    fn every_size_of_heads_is_read_and_printed() {
        for size in Heads::SIZES {
            let text = format!("zero-copy(heads={size})");
            let (name, mut options) = Brackets::of(&text).unwrap();
            let read = Residency::named(name, &mut options).unwrap().unwrap();
            assert_eq!((read.heads(), read.to_string()), (Heads::Each(size), text));
        }
    }
}
