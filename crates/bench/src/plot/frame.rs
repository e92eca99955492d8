//! The frame of a diagram: marks, a grid, and what the axes stand for.

use super::{
    Canvas, Drawn,
    axis::Axis,
    canvas::fitting,
    colors::{FAINT, INK, RULE},
    words::Unit,
};

/// What is around a diagram: values upright on the left, marks and a label below.
pub(super) const LEFT: i32 = 78;
pub(super) const RIGHT: i32 = 24;
pub(super) const FOOT: i32 = 44;

/// A horizontal and an upright axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) across: Axis,
    pub(super) up: Axis,
}

impl Frame {
    /// Where the diagram is: left, right, top, bottom.
    fn sides(&self) -> (i32, i32, i32, i32) {
        let ((left, right), (bottom, top)) = (self.across.pixels(), self.up.pixels());
        (left, right, top, bottom)
    }

    /// Marks of the upright axis with lines across, and its label.
    pub(super) fn values(&self, canvas: &Canvas<'_>, unit: Unit, label: &str) -> Drawn {
        let (left, right, top, bottom) = self.sides();
        for mark in self.up.marks() {
            let y = self.up.at(mark);
            canvas.line(vec![(left, y), (right, y)], RULE, 1)?;
            canvas.end(&unit.mark(mark), (left - 6, y), FAINT)?;
        }
        canvas.upright(&fitting(label, bottom - top + FOOT), (left - LEFT + 16, (top + bottom) / 2), FAINT)
    }

    /// Marks of the horizontal axis with upright lines, and its label.
    pub(super) fn parameters(&self, canvas: &Canvas<'_>, marks: &[f64], label: &str) -> Drawn {
        let (left, right, top, bottom) = self.sides();
        for mark in marks {
            let x = self.across.at(*mark);
            canvas.line(vec![(x, top), (x, bottom)], RULE, 1)?;
            canvas.middle(&Unit::Number.mark(*mark), (x, bottom + 12), FAINT)?;
        }
        canvas.middle(&fitting(label, right - left + RIGHT), ((left + right) / 2, bottom + 30), FAINT)
    }

    /// The two axes themselves, above the grid.
    pub(super) fn axes(&self, canvas: &Canvas<'_>) -> Drawn {
        let (left, right, top, bottom) = self.sides();
        canvas.line(vec![(left, top), (left, bottom)], INK, 1)?;
        canvas.line(vec![(left, bottom), (right, bottom)], INK, 1)
    }
}
