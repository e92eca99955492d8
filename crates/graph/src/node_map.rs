//! [`NodeMap`]: how the vertices of a transformed graph stand for those of the original one.
//!
//! Every original vertex has one *master* among the inner vertices. An inner vertex is a master, a *copy* of one (it takes
//! the master's value and wakes with it, and never appears in results), or a *hole* that stands for nothing. A plain
//! renumbering is the case without copies and holes.
//!
//! Invariants, checked by [`NodeMap::new`]: `masters[v]` is an inner vertex, and `originals[masters[v]] == v`.

use crate::{
    csr::{NO_VERTEX, Vertex},
    error::{Error, Position, Result},
    memory::{Buffer, Pages},
};
use bytemuck::Pod;
use rayon::prelude::*;

/// Original vertices to inner ones and back; cheap to clone.
#[derive(Debug, Clone)]
pub struct NodeMap {
    masters: Buffer<Vertex>,
    originals: Buffer<Vertex>,
}

impl NodeMap {
    /// From the master of every original vertex and the original of every inner vertex ([`NO_VERTEX`] for a hole).
    ///
    /// # Errors
    /// [`Error::Format`] naming the first vertex that is not mapped to itself and back; `origin` is where the map is from.
    pub fn new(masters: Buffer<Vertex>, originals: Buffer<Vertex>, origin: &str) -> Result<Self> {
        let wrong = |what: String| {
            let help = "the map is damaged or belongs to another graph; reorder the graph anew";
            Err(Error::format(Position::file(origin), what, help))
        };
        let lost = |&v: &usize| originals.get(masters[v] as usize) != Some(&(v as Vertex));
        if let Some(v) = (0..masters.len()).into_par_iter().find_first(lost) {
            return wrong(format!("vertex number {v} is mapped to {}, which does not map back", masters[v]));
        }
        let unknown = |&i: &usize| originals[i] != NO_VERTEX && originals[i] as usize >= masters.len();
        if let Some(i) = (0..originals.len()).into_par_iter().find_first(unknown) {
            return wrong(format!("inner vertex {i} stands for {}, which is no vertex", originals[i]));
        }
        Ok(Self { masters, originals })
    }

    /// A renumbering, from the new number of every vertex.
    ///
    /// # Errors
    /// [`Error::Format`] when two vertices get one number or a number is too large, [`Error::TooLarge`] when memory is
    /// short.
    pub fn renumbering(masters: impl Into<Buffer<Vertex>>) -> Result<Self> {
        let masters = masters.into();
        let mut originals = Pages::zeroed(masters.len())?;
        for (v, &inner) in masters.iter().enumerate() {
            if let Some(original) = originals.get_mut(inner as usize) {
                *original = v as Vertex;
            }
        }
        Self::new(masters, originals.into(), "a renumbering")
    }

    /// Original vertices.
    pub fn len(&self) -> usize {
        self.masters.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.masters.is_empty()
    }

    /// Inner vertices: masters, copies and holes.
    pub fn inner_len(&self) -> usize {
        self.originals.len()
    }

    /// The master of an original vertex. Panics if there is no such vertex.
    #[inline]
    pub fn inner(&self, original: Vertex) -> Vertex {
        self.masters[original as usize]
    }

    /// What an inner vertex stands for; [`NO_VERTEX`] for a hole, and for [`NO_VERTEX`] itself.
    #[inline]
    pub fn original(&self, inner: Vertex) -> Vertex {
        self.originals.get(inner as usize).copied().unwrap_or(NO_VERTEX)
    }

    /// The master of every original vertex.
    pub fn masters(&self) -> &Buffer<Vertex> {
        &self.masters
    }

    /// The original of every inner vertex, [`NO_VERTEX`] for holes.
    pub fn originals(&self) -> &Buffer<Vertex> {
        &self.originals
    }

    /// Memory it takes.
    pub fn bytes(&self) -> u64 {
        self.masters.bytes() + self.originals.bytes()
    }

    /// Values of inner vertices as values of the original ones: each takes its master's.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when memory is short.
    pub fn restore<T: Pod + Send + Sync>(&self, values: &[T]) -> Result<Pages<T>> {
        let mut restored = Pages::scratch(self.len())?;
        let pairs = restored.par_iter_mut().zip(self.masters.par_iter());
        pairs.with_min_len(1 << 12).for_each(|(value, &inner)| *value = values[inner as usize]);
        Ok(restored)
    }

    /// [`NodeMap::restore`] for values that are inner vertices themselves, such as parents.
    ///
    /// # Errors
    /// As [`NodeMap::restore`].
    pub fn restore_vertices(&self, values: &[Vertex]) -> Result<Pages<Vertex>> {
        let mut restored = self.restore(values)?;
        restored.par_iter_mut().with_min_len(1 << 12).for_each(|v| *v = self.original(*v));
        Ok(restored)
    }

    /// Names of classes, each the smallest inner vertex of its class, as the smallest *original* vertex of it.
    ///
    /// # Errors
    /// As [`NodeMap::restore`].
    pub fn restore_classes(&self, classes: &[Vertex]) -> Result<Pages<Vertex>> {
        let mut smallest: Pages<Vertex> = Pages::scratch(self.inner_len())?;
        smallest.fill(NO_VERTEX);
        let mut restored = self.restore(classes)?;
        // In increasing order, so that the first to come is the smallest.
        for (v, class) in restored.iter_mut().enumerate() {
            let name = &mut smallest[*class as usize];
            *name = (*name).min(v as Vertex);
            *class = *name;
        }
        Ok(restored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> NodeMap {
        NodeMap::renumbering(vec![2, 0, 1]).unwrap()
    }

    #[test]
    fn a_renumbering_goes_there_and_back() {
        let map = map();
        for v in 0..3 {
            assert_eq!(map.original(map.inner(v)), v);
        }
        assert_eq!(map.original(NO_VERTEX), NO_VERTEX);
    }

    #[test]
    fn values_come_back_in_the_original_order() {
        assert_eq!(map().restore(&[10.0, 20.0, 30.0]).unwrap()[..], [30.0, 10.0, 20.0]);
        assert_eq!(map().restore_vertices(&[2, NO_VERTEX, 0]).unwrap()[..], [1, 0, NO_VERTEX]);
    }

    #[test]
    fn classes_are_named_by_their_smallest_original_vertex() {
        // Inner 0 and 2 are one class, which are the originals 1 and 0.
        assert_eq!(map().restore_classes(&[0, 1, 0]).unwrap()[..], [0, 0, 2]);
    }

    #[test]
    fn copies_and_holes_are_allowed_and_lost_vertices_are_not() {
        let map = NodeMap::new(vec![1, 0].into(), vec![1, 0, 1, NO_VERTEX].into(), "x").unwrap();
        assert_eq!((map.len(), map.inner_len(), map.original(2), map.original(3)), (2, 4, 1, NO_VERTEX));
        let message = |masters: Vec<Vertex>, originals: Vec<Vertex>| {
            NodeMap::new(masters.into(), originals.into(), "x").unwrap_err().to_string()
        };
        assert_eq!(
            message(vec![0, 0], vec![0, 1]),
            "x: vertex number 1 is mapped to 0, which does not map back"
        );
        assert_eq!(message(vec![0], vec![0, 7]), "x: inner vertex 1 stands for 7, which is no vertex");
        assert!(NodeMap::renumbering(vec![0, 0]).is_err() && NodeMap::renumbering(vec![0, 9]).is_err());
    }
}
