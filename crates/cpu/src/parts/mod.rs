//! Small parts the algorithms are put together from.

mod atomics;
mod bitmap;
mod spare;

pub(crate) use atomics::atomics;
pub(crate) use bitmap::Bitmap;
pub(crate) use spare::Spare;
