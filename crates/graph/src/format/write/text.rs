//! Formats edges as text: one line per edge, made of ids, weights and the marks between them.

use super::{
    Output,
    edges::{self, Piece},
};
use crate::{csr::Vertex, error::Result, graph::Graph, ids::Ids, weights::Weights};
use std::io::Write;

/// The form of a line.
pub(super) struct Line<'a> {
    /// The ids of the vertices.
    pub(super) ids: &'a Ids,
    /// The weights to write.
    pub(super) weights: &'a Weights,
    /// The text before the source.
    pub(super) open: &'a str,
    /// The text between source and target.
    pub(super) between: &'a str,
    /// The text between target and weight, if there are weights.
    pub(super) before_weight: &'a str,
    /// The text after the last value, with the line end.
    pub(super) close: &'a str,
    /// Appends a name so that a reader takes it as it is.
    pub(super) escape: fn(&mut Vec<u8>, &str),
    /// True to write the target before the source.
    pub(super) flipped: bool,
}

impl Line<'_> {
    /// Writes one line per edge.
    pub(super) fn write(&self, graph: &Graph, out: &mut Output<'_>) -> Result<()> {
        edges::write(graph, &|piece| self.piece(graph, piece), out)
    }

    fn piece(&self, graph: &Graph, piece: &Piece) -> Vec<u8> {
        let targets = graph.out().csr.targets();
        let (mut text, mut source) = (Vec::new(), Vec::new());
        piece.rows(graph, |u, arcs| {
            source.clear();
            push_id(&mut source, self.ids, u, self.escape);
            for arc in arcs {
                text.extend_from_slice(self.open.as_bytes());
                if self.flipped {
                    push_id(&mut text, self.ids, targets[arc], self.escape);
                    text.extend_from_slice(self.between.as_bytes());
                    text.extend_from_slice(&source);
                } else {
                    text.extend_from_slice(&source);
                    text.extend_from_slice(self.between.as_bytes());
                    push_id(&mut text, self.ids, targets[arc], self.escape);
                }
                if !matches!(self.weights, Weights::None) {
                    text.extend_from_slice(self.before_weight.as_bytes());
                    push_weight(&mut text, self.weights, arc);
                }
                text.extend_from_slice(self.close.as_bytes());
            }
        });
        text
    }
}

/// Appends the id of a vertex.
#[inline]
pub(super) fn push_id(text: &mut Vec<u8>, ids: &Ids, v: Vertex, escape: fn(&mut Vec<u8>, &str)) {
    match ids {
        Ids::Range { first, .. } => push_number(text, first + u64::from(v)),
        Ids::Numbers(ids) => push_number(text, ids[v as usize]),
        Ids::Names(names) => escape(text, names.get(v as usize)),
    }
}

/// Appends a weight: an integer as it is, a decimal with a point or an exponent and as many digits as it needs to be
/// read back exactly.
#[inline]
fn push_weight(text: &mut Vec<u8>, weights: &Weights, arc: usize) {
    match weights {
        Weights::None => {}
        Weights::U32(w) => push_number(text, w[arc].into()),
        Weights::I32(w) => {
            if w[arc] < 0 {
                text.push(b'-');
            }
            push_number(text, w[arc].unsigned_abs().into());
        }
        // Writing to a `Vec` cannot fail.
        Weights::F32(w) => drop(write!(text, "{:?}", w[arc])),
        Weights::F64(w) => drop(write!(text, "{:?}", w[arc])),
    }
}

const PAIRS: &[u8; 200] = b"00010203040506070809101112131415161718192021222324252627282930313233343536373839\
40414243444546474849505152535455565758596061626364656667686970717273747576777879\
8081828384858687888990919293949596979899";

/// Appends a number in decimal; makes two digits at a time, from the last.
#[inline]
fn push_number(text: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    while number >= 100 {
        let pair = (number % 100) as usize * 2;
        number /= 100;
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if number >= 10 {
        let pair = number as usize * 2;
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        at -= 1;
        digits[at] = b'0' + number as u8;
    }
    text.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_the_standard_library_prints_them() {
        let powers = (0..20).map(|e| 10u64.pow(e));
        for number in powers.flat_map(|p| [p - 1, p, p + 1, 7u64.saturating_mul(p / 3)]).chain([u64::MAX]) {
            let mut text = Vec::new();
            push_number(&mut text, number);
            assert_eq!(String::from_utf8(text).unwrap(), number.to_string());
        }
    }
}
