//! The weights of a piece, in the narrowest type that holds those read so far, and the common type of all pieces.
//!
//! Other formats that list edges one by one use this module too.

use crate::{
    build::{self, Built, Chunk, Filled, Numbering, Options},
    control::Control,
    csr::Vertex,
    error::{Error, Result},
    weights::WeightType,
};

/// The largest `n` for which f64 holds every whole number from 0 to `n` exactly.
const MAX_EXACT: u64 = 1 << 53;

/// One weight as the file writes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::format) enum Weight {
    Unsigned(u32),
    Signed(i32),
    Decimal(f64),
}

impl Weight {
    /// Parses a weight, whole or decimal. The error says what was expected.
    pub(in crate::format) fn read(text: &[u8]) -> Result<Self, &'static str> {
        match lexical_core::parse::<i128>(text) {
            Ok(whole) => Self::whole(whole),
            Err(_) => Self::decimal(text),
        }
    }

    /// Returns a whole number in the narrowest type that holds it. Fails if no type holds it exactly.
    pub(in crate::format) fn whole(whole: i128) -> Result<Self, &'static str> {
        if let Ok(w) = u32::try_from(whole) {
            Ok(Self::Unsigned(w))
        } else if let Ok(w) = i32::try_from(whole) {
            Ok(Self::Signed(w))
        } else if whole.unsigned_abs() <= MAX_EXACT.into() {
            Ok(Self::Decimal(whole as f64))
        } else {
            Err("a whole weight of at most 2^53, which decimals hold exactly")
        }
    }

    /// Parses a weight as a decimal, even if it is whole.
    pub(in crate::format) fn decimal(text: &[u8]) -> Result<Self, &'static str> {
        match lexical_core::parse::<f64>(text) {
            Ok(w) if w.is_finite() => Ok(Self::Decimal(w)),
            Ok(_) => Err("a finite weight"),
            Err(_) => Err("a weight"),
        }
    }
}

/// The weights of a piece.
#[derive(Debug)]
pub(in crate::format) enum Column {
    None,
    U32(Filled<u32>),
    I32(Filled<i32>),
    F64(Filled<f64>),
}

/// The type of one column, or the common type of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    None,
    U32,
    /// Every weight fits i32.
    I32,
    F64,
}

impl Column {
    /// Returns an empty column with room for `room` weights, or the unweighted column if `weighted` is false.
    pub(in crate::format) fn new(weighted: bool, room: usize) -> Result<Self> {
        if weighted { Ok(Self::U32(Filled::with_room(room)?)) } else { Ok(Self::None) }
    }

    /// Appends a weight, and first widens the type of the column if the weight needs it. An unweighted column ignores
    /// it.
    pub(in crate::format) fn push(&mut self, weight: Weight) -> Result<()> {
        match (&mut *self, weight) {
            (Self::None, _) => {}
            (Self::U32(column), Weight::Unsigned(w)) => column.push(w),
            (Self::I32(column), Weight::Signed(w)) => column.push(w),
            (Self::I32(column), Weight::Unsigned(w)) if i32::try_from(w).is_ok() => column.push(w as i32),
            (Self::F64(column), Weight::Unsigned(w)) => column.push(w.into()),
            (Self::F64(column), Weight::Signed(w)) => column.push(w.into()),
            (Self::F64(column), Weight::Decimal(w)) => column.push(w),
            (Self::U32(column), Weight::Signed(_)) if column.iter().all(|&w| i32::try_from(w).is_ok()) => {
                *self = Self::I32(column.convert(|w| w as i32)?);
                self.push(weight)?;
            }
            _ => {
                *self = Self::F64(self.decimals()?);
                self.push(weight)?;
            }
        }
        Ok(())
    }

    /// Returns the weight of an edge, or `None` if the column is unweighted.
    pub(in crate::format) fn get(&self, edge: usize) -> Option<Weight> {
        match self {
            Self::None => None,
            Self::U32(column) => Some(Weight::Unsigned(column[edge])),
            Self::I32(column) => Some(Weight::Signed(column[edge])),
            Self::F64(column) => Some(Weight::Decimal(column[edge])),
        }
    }

    fn decimals(&self) -> Result<Filled<f64>> {
        match self {
            Self::None => Filled::with_room(0),
            Self::U32(column) => column.convert(f64::from),
            Self::I32(column) => column.convert(f64::from),
            Self::F64(column) => column.convert(|w| w),
        }
    }

    /// Returns true if no weight is too large for an i32.
    fn is_small(&self) -> bool {
        match self {
            Self::U32(column) => column.iter().all(|&w| i32::try_from(w).is_ok()),
            _ => true,
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::None => Kind::None,
            Self::U32(_) => Kind::U32,
            Self::I32(_) => Kind::I32,
            Self::F64(_) => Kind::F64,
        }
    }
}

/// The edges and the weights of a piece.
pub(in crate::format) type Piece = (Filled<[Vertex; 2]>, Column);

/// Builds the arcs of all pieces, with weights of their common type. Decimals become f32 if `narrow` is true.
pub(in crate::format) fn build(
    pieces: Vec<Piece>,
    bound: u64,
    numbering: &Numbering,
    narrow: bool,
    options: &Options,
    control: &Control,
) -> Result<Built> {
    let narrow_bits =
        |chunks, kind| build::build_chunks::<u32>(chunks, Some(kind), bound, numbering, options, control);
    match common_kind(&pieces) {
        Kind::None => build::build_chunks(unweighted(pieces)?, None, bound, numbering, options, control),
        Kind::U32 => narrow_bits(unsigned(pieces)?, WeightType::U32),
        Kind::I32 => narrow_bits(signed(pieces)?, WeightType::I32),
        Kind::F64 if narrow => narrow_bits(narrowed(pieces)?, WeightType::F32),
        Kind::F64 => {
            build::build_chunks(decimal(pieces)?, Some(WeightType::F64), bound, numbering, options, control)
        }
    }
}

/// Returns the narrowest type that holds all columns.
fn common_kind(pieces: &[Piece]) -> Kind {
    let widest = pieces.iter().map(|p| p.1.kind()).max().unwrap_or(Kind::None);
    match widest {
        Kind::I32 if !pieces.iter().all(|p| p.1.is_small()) => Kind::F64,
        widest => widest,
    }
}

/// The types of columns that are seen one after another, and not kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kinds {
    widest: Kind,
    small: bool,
}

impl Kinds {
    /// Returns the type of no column.
    pub(super) const NONE: Self = Self { widest: Kind::None, small: true };

    /// Returns the type of one column.
    pub(super) fn of(column: &Column) -> Self {
        Self { widest: column.kind(), small: column.is_small() }
    }

    /// Returns what holds both.
    pub(super) fn and(self, other: Self) -> Self {
        Self { widest: self.widest.max(other.widest), small: self.small && other.small }
    }

    /// Returns the type of the weights of a graph with these columns, as [`build`] chooses it.
    pub(super) fn weight_type(self, narrow: bool) -> Option<WeightType> {
        match self.widest {
            Kind::None => None,
            Kind::U32 => Some(WeightType::U32),
            Kind::I32 if self.small => Some(WeightType::I32),
            _ if narrow => Some(WeightType::F32),
            _ => Some(WeightType::F64),
        }
    }
}

fn unweighted(pieces: Vec<Piece>) -> Result<Vec<Chunk<()>>> {
    pieces
        .into_iter()
        .map(|(pairs, _)| {
            let len = pairs.len();
            Chunk::new(pairs, vec![(); len].into())
        })
        .collect()
}

fn unsigned(pieces: Vec<Piece>) -> Result<Vec<Chunk<u32>>> {
    let take = |(pairs, column)| match column {
        Column::U32(column) => Chunk::new(pairs, column),
        _ => Chunk::new(pairs, Filled::with_room(0)?),
    };
    pieces.into_iter().map(take).collect()
}

fn signed(pieces: Vec<Piece>) -> Result<Vec<Chunk<u32>>> {
    let take = |(pairs, column)| match column {
        Column::I32(column) => Chunk::new(pairs, column.cast()),
        // A whole number that fits both types has the same bits in both.
        Column::U32(column) => Chunk::new(pairs, column),
        _ => Chunk::new(pairs, Filled::with_room(0)?),
    };
    pieces.into_iter().map(take).collect()
}

fn decimal(pieces: Vec<Piece>) -> Result<Vec<Chunk<u64>>> {
    let take = |(pairs, column)| match column {
        Column::F64(column) => Chunk::new(pairs, column.cast()),
        column => Chunk::new(pairs, column.decimals()?.cast()),
    };
    pieces.into_iter().map(take).collect()
}

fn narrowed(pieces: Vec<Piece>) -> Result<Vec<Chunk<u32>>> {
    let take = |(pairs, column): Piece| {
        let wide = column.decimals()?;
        if let Some(w) = wide.iter().find(|w| !(**w as f32).is_finite()) {
            return Err(Error::invalid(
                format!("the weight {w} does not fit f32"),
                "leave the weights as f64",
            ));
        }
        Chunk::new(pairs, wide.convert(|w| (w as f32).to_bits())?)
    };
    pieces.into_iter().map(take).collect()
}
