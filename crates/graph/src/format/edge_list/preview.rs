//! Estimates the size of an edge list from a sample of its lines: their mean length and the largest id among them.

use super::{
    fields::{Fields, Separator},
    head::Head,
    layout::Layout,
};
use crate::{
    csr::MAX_VERTICES,
    error::Result,
    format::{Format, Input, Preview, ReadOptions, preview::MOST_ARCS},
    weights::WeightType,
};
use std::ops::Range;

/// The approximate number of windows to sample; each has `WINDOW` bytes.
const PLACES: usize = 16;
const WINDOW: usize = 1 << 16;

/// Statistics of the sampled lines.
#[derive(Default)]
struct Sample {
    bytes: u64,
    lines: u64,
    largest: u64,
    decimals: bool,
}

/// Returns the counts that the comments at the top promise, or else an estimate. `text` is the length of the whole
/// text.
pub(super) fn preview(input: &Input, text: u64, options: &ReadOptions) -> Result<Preview> {
    let head = Head::read(input.name(), input, options)?;
    let sample = Sample::of(input, &head);
    let guessed = text as f64 * sample.lines as f64 / sample.bytes.max(1) as f64;
    let edges = head.promised.map_or(guessed.round() as u64, |p| p.1).min(MOST_ARCS / 2);
    let vertices = head.promised.map_or_else(|| sample.vertices(&head, edges), |p| p.0).min(MAX_VERTICES);
    let directed = options.directed.or(head.direction.as_ref().map(|d| d.0)).unwrap_or(true);
    let weight = if sample.decimals { WeightType::F64 } else { WeightType::U32 };
    let preview = Preview {
        format: Format::EdgeList,
        vertices: options.vertices.unwrap_or(vertices).min(MAX_VERTICES),
        arcs: edges * if directed { 1 } else { 2 },
        directed,
        weights: None,
        unpacked: 0,
        id_bytes: if head.names { sample.name_bytes(vertices) } else { 0 },
        exact: head.promised.is_some(),
        basis: basis(&head, input.is_cut()),
    };
    Ok(preview.with_weights(head.layout.is_weighted().then_some(weight), options))
}

fn basis(head: &Head, packed: bool) -> String {
    if head.promised.is_some() {
        return "the comments at the top".to_owned();
    }
    let ids = if head.names { "as many names as edges" } else { "the largest id among them" };
    let packed = if packed { " (packed as its start is)" } else { "" };
    format!("a guess: the file's size{packed}, the length of some lines, and {ids}")
}

impl Sample {
    fn of(data: &[u8], head: &Head) -> Self {
        let mut sample = Self::default();
        let step = (data.len() / PLACES).max(WINDOW);
        for start in (head.start.min(data.len())..data.len()).step_by(step) {
            sample.look(data, start..data.len().min(start + WINDOW), head, start > head.start);
        }
        sample
    }

    /// Counts the complete lines of a window. If `inside` is true, the window may begin within a line, and counting
    /// starts after the first line end.
    fn look(&mut self, data: &[u8], window: Range<usize>, head: &Head, inside: bool) {
        let line_end = |at: usize| memchr::memchr(b'\n', &data[at..window.end]).map(|i| at + i + 1);
        let mut at = if inside { line_end(window.start).unwrap_or(window.end) } else { window.start };
        while let Some(end) =
            line_end(at).or((window.end == data.len() && at < window.end).then_some(window.end))
        {
            self.bytes += (end - at) as u64;
            let fields = Fields::new(data, at..end, head.separator.unwrap_or(Separator::Any));
            if !fields.is_no_data() {
                self.line(&head.layout, fields);
            }
            at = end;
        }
    }

    fn line(&mut self, layout: &Layout, fields: Fields<'_>) {
        self.lines += 1;
        let [source, target, weight] = layout.pick(fields);
        for id in [source, target].into_iter().flatten() {
            self.largest = self.largest.max(id.number().unwrap_or(0));
        }
        let is_decimal = |b: &u8| matches!(b, b'.' | b',' | b'e' | b'E');
        self.decimals |= weight.is_some_and(|w| w.text.iter().any(is_decimal));
    }

    /// Returns the estimated number of vertices: all ids up to the largest, but at most two per edge. Names count one
    /// per edge.
    fn vertices(&self, head: &Head, edges: u64) -> u64 {
        if head.names { edges } else { self.largest.saturating_add(1).min(2 * edges) }
    }

    /// Returns the estimated memory of the names: 8 bytes each and their text, which is half the mean length of a line.
    fn name_bytes(&self, vertices: u64) -> u64 {
        let name = self.bytes / self.lines.max(1) / 2;
        8 * (vertices + 1) + name * vertices
    }
}
