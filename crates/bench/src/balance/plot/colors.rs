//! What colours stand for in the figures of `bench balance`.

use crate::plot::colors::RGBColor;

pub(super) const KERNELS: RGBColor = RGBColor(43, 108, 176);
pub(super) const OVERHEAD: RGBColor = RGBColor(246, 173, 85);
pub(super) const BEFORE: RGBColor = RGBColor(245, 166, 166);
pub(super) const AFTER: RGBColor = RGBColor(47, 133, 90);
pub(super) const BAND: RGBColor = RGBColor(226, 232, 240);
#[cfg(test)]
pub(super) const KERNELS_HEX: &str = "#2B6CB0";
#[cfg(test)]
pub(super) const OVERHEAD_HEX: &str = "#F6AD55";
