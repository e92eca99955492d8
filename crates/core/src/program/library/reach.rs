//! Reachability as a program.

use crate::program::{Combine, Dialect, Edge, Seeds, Vertex, VertexProgram};

/// Finds the vertices that the seeds reach: 1 if reached, else 0.
#[derive(Debug, Clone)]
pub struct Reach {
    /// The seeds.
    pub seeds: Vec<u32>,
    /// 1 at the seeds, 0 elsewhere.
    marks: Vec<u32>,
}

impl Reach {
    /// Searches from these vertices, in a graph of `vertices` vertices.
    pub fn from(seeds: impl IntoIterator<Item = u32>, vertices: usize) -> Self {
        let (seeds, mut marks) = (seeds.into_iter().collect::<Vec<_>>(), vec![0; vertices]);
        for &seed in &seeds {
            if let Some(mark) = marks.get_mut(seed as usize) {
                *mark = 1;
            }
        }
        Self { seeds, marks }
    }
}

impl VertexProgram for Reach {
    type Value = u32;
    type Weight = ();
    type Column = [u32; 1];
    const NAME: &'static str = "reach";
    const COMBINE: Combine = Combine::Or;
    const DISTRIBUTES: bool = true;
    const ONCE: bool = true;

    fn init<D: Dialect>(&self, _: &D, v: Vertex<D, [u32; 1]>) -> D::Val<u32> {
        let [mark] = v.columns;
        mark
    }
    fn seeds(&self) -> Seeds {
        Seeds::Many(self.seeds.clone())
    }
    #[inline(always)]
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value
    }
    fn columns(&self) -> Vec<(&'static str, &[u32])> {
        vec![("mark", &self.marks)]
    }
}
