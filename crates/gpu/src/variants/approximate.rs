//! The modules of programs on graphs that were approximated: with copies of vertices, or with chunks that are iterated.

use super::{Functor, module};
use crate::program::{
    chunks::{self, ChunkArgs},
    reflect::ReflectArgs,
};
use std::sync::Arc;
use warpgraph_core::{Options, Result, program::Combine};
use warpgraph_device::{Arguments, Source};

impl Functor {
    /// Returns the kernels that reflect copies.
    pub(crate) fn reflect(&self, wide: bool) -> Result<Arc<Source>> {
        let is_sum = self.types.combine == Combine::Sum;
        let (file, kernels) = match is_sum {
            true => ("reflect_sum.cu", vec!["reflect_sweep", "reflect_changes"]),
            false => ("reflect.cu", vec!["reflect_values", "reflect_back"]),
        };
        let text = self.head(wide) + &ReflectArgs::cuda() + &format!("#include \"{file}\"\n");
        module(&format!("{}-reflect", self.name), wide, &text, kernels)
    }

    /// Returns the kernels that iterate chunks.
    pub(crate) fn chunks(&self, wide: bool) -> Result<Arc<Source>> {
        let text = self.head(wide) + &ChunkArgs::cuda() + &chunks::defines() + "#include \"chunks.cu\"\n";
        module(&format!("{}-chunks", self.name), wide, &text, vec!["chunks_list", "chunks_iterate"])
    }

    /// Returns true if a run of the program may iterate chunks.
    fn iterates(&self) -> bool {
        self.plain && self.types.combine != Combine::Sum
    }

    /// Returns both modules, as far as the program may need them.
    pub(super) fn approximate(&self, wide: bool) -> Result<Vec<Arc<Source>>> {
        let chunks = self.iterates().then(|| self.chunks(wide)).transpose()?;
        Ok([Some(self.reflect(wide)?), chunks].into_iter().flatten().collect())
    }

    /// Returns those that a run with these options will compile, as far as the approximation tells.
    pub(super) fn approximate_ahead(&self, wide: bool, options: &Options) -> Result<Vec<Arc<Source>>> {
        let approximation = options.approximation;
        let reflect = approximation.coalesce.is_some().then(|| self.reflect(wide)).transpose()?;
        let iterates = approximation.latency.is_some() && self.iterates();
        let chunks = iterates.then(|| self.chunks(wide)).transpose()?;
        Ok([reflect, chunks].into_iter().flatten().collect())
    }
}
