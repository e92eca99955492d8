//! Defines [`NodeMap`], which relates the vertices of a transformed graph to those of the original graph.
//!
//! Every original vertex has one *master* among the inner vertices. An inner vertex is a master, a *copy* of a master
//! (it takes the master's value, becomes active with it and never appears in results), or a *hole* that stands for no
//! vertex. A plain renumbering has neither copies nor holes.
//!
//! [`NodeMap::new`] checks these invariants: `masters[v]` is an inner vertex, and `originals[masters[v]] == v`.

use crate::{
    atomics::atomics,
    csr::{NO_VERTEX, Vertex},
    error::{Error, Position, Result},
    memory::{Buffer, Pages},
    par,
};
use bytemuck::Pod;
use std::sync::atomic::Ordering;

/// Maps original vertices to inner vertices and back; cheap to clone.
#[derive(Debug, Clone)]
pub struct NodeMap {
    masters: Buffer<Vertex>,
    originals: Buffer<Vertex>,
}

impl NodeMap {
    /// Takes the master of every original vertex and the original of every inner vertex ([`NO_VERTEX`] for a hole).
    ///
    /// # Errors
    /// [`Error::Format`] naming the first original vertex whose master does not map back to it, or the first inner
    /// vertex that stands for an unknown vertex; `origin` names the source of the map.
    pub fn new(masters: Buffer<Vertex>, originals: Buffer<Vertex>, origin: &str) -> Result<Self> {
        let wrong = |what: String| {
            let help = "the map is damaged or belongs to another graph; reorder the graph anew";
            Err(Error::format(Position::file(origin), what, help))
        };
        let lost = |&v: &usize| originals.get(masters[v] as usize) != Some(&(v as Vertex));
        if let Some(v) = par::find_first(masters.len(), par::FINE, |mut range| range.find(lost)) {
            return wrong(format!("vertex number {v} is mapped to {}, which does not map back", masters[v]));
        }
        let unknown = |&i: &usize| originals[i] != NO_VERTEX && originals[i] as usize >= masters.len();
        if let Some(i) = par::find_first(originals.len(), par::FINE, |mut range| range.find(unknown)) {
            return wrong(format!("inner vertex {i} stands for {}, which is no vertex", originals[i]));
        }
        Ok(Self { masters, originals })
    }

    /// Returns the renumbering that gives every vertex the new number listed for it.
    ///
    /// # Errors
    /// [`Error::Format`] if two vertices get the same number or a number is too large; [`Error::TooLarge`] if memory is
    /// short.
    pub fn renumbering(masters: impl Into<Buffer<Vertex>>) -> Result<Self> {
        let masters = masters.into();
        let originals = inverted(&masters)?.into();
        Self::new(masters, originals, "a renumbering")
    }

    /// Returns the renumbering that puts the vertices in the given order.
    ///
    /// # Errors
    /// As [`NodeMap::renumbering`], if a vertex is missing or listed twice.
    pub fn of_order(order: impl Into<Buffer<Vertex>>) -> Result<Self> {
        let originals = order.into();
        let masters = inverted(&originals)?.into();
        Self::new(masters, originals, "an order")
    }

    /// Returns the composition of this map and `next`, which starts at the inner vertices of this map. A copy of a copy
    /// stands for the same original.
    ///
    /// # Errors
    /// [`Error::Format`] if `next` does not start where this map ends; [`Error::TooLarge`] if memory is short.
    pub fn then(&self, next: &Self) -> Result<Self> {
        let known = |inner: Vertex| next.masters.get(inner as usize).copied().unwrap_or(NO_VERTEX);
        let masters = each_as(&self.masters, known)?;
        let originals = each_as(&next.originals, |inner| self.original(inner))?;
        Self::new(masters.into(), originals.into(), "two maps in a row")
    }

    /// Returns the map from the inner vertices to the original ones; `None` if there are copies or holes.
    pub fn inverse(&self) -> Option<Self> {
        let (masters, originals) = (self.originals.clone(), self.masters.clone());
        self.is_renumbering().then_some(Self { masters, originals })
    }

    /// Returns true if the map has neither copies nor holes.
    pub fn is_renumbering(&self) -> bool {
        self.len() == self.inner_len()
    }

    /// Returns the number of original vertices.
    pub fn len(&self) -> usize {
        self.masters.len()
    }

    /// Returns true if there are no original vertices.
    pub fn is_empty(&self) -> bool {
        self.masters.is_empty()
    }

    /// Returns the number of inner vertices: masters, copies and holes.
    pub fn inner_len(&self) -> usize {
        self.originals.len()
    }

    /// Returns the master of an original vertex. Panics if there is no such vertex.
    #[inline]
    pub fn inner(&self, original: Vertex) -> Vertex {
        self.masters[original as usize]
    }

    /// Returns the original of an inner vertex; [`NO_VERTEX`] for a hole and for [`NO_VERTEX`] itself.
    #[inline]
    pub fn original(&self, inner: Vertex) -> Vertex {
        self.originals.get(inner as usize).copied().unwrap_or(NO_VERTEX)
    }

    /// Returns the master of every original vertex.
    pub fn masters(&self) -> &Buffer<Vertex> {
        &self.masters
    }

    /// Returns the original of every inner vertex, [`NO_VERTEX`] for holes.
    pub fn originals(&self) -> &Buffer<Vertex> {
        &self.originals
    }

    /// Returns true if both are clones of one map. Equal maps that were created separately are not the same.
    pub fn is_same(&self, other: &Self) -> bool {
        // Both maps are alive, so equal addresses mean the same memory.
        let place = |buffer: &Buffer<Vertex>| (buffer.as_ptr(), buffer.len());
        place(&self.masters) == place(&other.masters) && place(&self.originals) == place(&other.originals)
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        self.masters.bytes() + self.originals.bytes()
    }

    /// Converts values of inner vertices to values of original vertices; each original takes the value of its master.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if memory is short.
    pub fn restore<T: Pod + Send + Sync>(&self, values: &[T]) -> Result<Pages<T>> {
        each_as(&self.masters, |inner| values[inner as usize])
    }

    /// Converts like [`NodeMap::restore`], for values that are themselves inner vertices, such as parents.
    ///
    /// # Errors
    /// As [`NodeMap::restore`].
    pub fn restore_vertices(&self, values: &[Vertex]) -> Result<Pages<Vertex>> {
        each_as(&self.masters, |inner| self.original(values[inner as usize]))
    }

    /// Renames classes, each named by its smallest inner vertex, to the smallest *original* vertex of the class.
    ///
    /// # Errors
    /// As [`NodeMap::restore`].
    pub fn restore_classes(&self, classes: &[Vertex]) -> Result<Pages<Vertex>> {
        let mut smallest: Pages<Vertex> = Pages::scratch(self.inner_len())?;
        smallest.fill(NO_VERTEX);
        let mut restored = self.restore(classes)?;
        let names = atomics(&mut smallest);
        par::ranges(restored.len(), par::FINE, |range| {
            for v in range {
                // The load comes first: most vertices follow a smaller vertex of their class and need no write.
                let (name, v) = (&names[restored[v] as usize], v as Vertex);
                if v < name.load(Ordering::Relaxed) {
                    name.fetch_min(v, Ordering::Relaxed);
                }
            }
        });
        par::parts_mut(&mut restored, par::FINE, |_, part| {
            part.iter_mut().for_each(|class| *class = smallest[*class as usize]);
        });
        Ok(restored)
    }
}

/// Returns the result of `value` for every vertex of a list, in order.
fn each_as<T: Pod + Send>(list: &[Vertex], value: impl Fn(Vertex) -> T + Sync) -> Result<Pages<T>> {
    let mut values = Pages::scratch(list.len())?;
    par::parts_mut(&mut values, par::FINE, |first, part| {
        part.iter_mut().zip(&list[first..]).for_each(|(to, &vertex)| *to = value(vertex));
    });
    Ok(values)
}

/// Returns the position of each number in the list; [`NO_VERTEX`] for numbers below its length that are not in it.
fn inverted(list: &[Vertex]) -> Result<Pages<Vertex>> {
    let mut places: Pages<Vertex> = Pages::scratch(list.len())?;
    places.fill(NO_VERTEX);
    let slots = atomics(&mut places);
    par::ranges(list.len(), par::FINE, |range| {
        for place in range {
            if let Some(slot) = slots.get(list[place] as usize) {
                slot.store(place as Vertex, Ordering::Relaxed);
            }
        }
    });
    Ok(places)
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
        // Inner vertices 0 and 2 form one class; they are the originals 1 and 0.
        assert_eq!(map().restore_classes(&[0, 1, 0]).unwrap()[..], [0, 0, 2]);
    }

    #[test]
    fn an_order_lists_the_vertices_by_their_new_numbers() {
        let map = NodeMap::of_order(vec![1, 2, 0]).unwrap();
        assert_eq!((&map.masters()[..], &map.originals()[..]), (&[2, 0, 1][..], &[1, 2, 0][..]));
        let message = |order: Vec<Vertex>| NodeMap::of_order(order).unwrap_err().to_string();
        assert!(message(vec![0, 0]).starts_with("an order: vertex number "), "{}", message(vec![0, 0]));
        assert!(NodeMap::of_order(vec![0, 7]).is_err() && NodeMap::of_order(vec![NO_VERTEX]).is_err());
        assert!(NodeMap::of_order(Vec::new()).unwrap().is_empty());
    }

    #[test]
    fn maps_compose_and_a_map_with_its_inverse_changes_nothing() {
        let round = map().then(&map().inverse().unwrap()).unwrap();
        assert_eq!((&round.masters()[..], &round.originals()[..]), (&[0, 1, 2][..], &[0, 1, 2][..]));
        // Inner 1 of the second map is a copy of its vertex 0, which is original 1 of the first map; inner 4 is a hole.
        let copying = NodeMap::new(vec![0, 2, 3].into(), vec![0, 0, 1, 2, NO_VERTEX].into(), "x").unwrap();
        let both = map().then(&copying).unwrap();
        assert_eq!(both.masters()[..], [3, 0, 2]);
        assert_eq!(both.originals()[..], [1, 1, 2, 0, NO_VERTEX]);
        assert!(both.inverse().is_none() && !both.is_renumbering());
        assert!(map().then(&NodeMap::renumbering(vec![0]).unwrap()).is_err());
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
