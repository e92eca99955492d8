//! The modules by which programs on several devices exchange values.

use super::{Functor, module};
use crate::several::PartsArgs;
use std::sync::Arc;
use warpgraph_core::Result;
use warpgraph_device::{Arguments, Source};

impl Functor {
    /// Returns the kernels that move values between the parts of a graph.
    pub(crate) fn parts(&self, wide: bool) -> Result<Arc<Source>> {
        let text = self.head(wide) + &PartsArgs::cuda() + "#include \"parts.cu\"\n";
        let kernels =
            vec!["parts_split", "parts_read", "parts_reset", "parts_tell", "parts_take", "parts_learn"];
        module(&format!("{}-parts", self.name), wide, &text, kernels)
    }
}
