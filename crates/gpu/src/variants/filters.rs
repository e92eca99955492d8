//! The modules of algorithms in filter form: kernels over vertices, and one module of filters per scheme.

use super::{balance, head, module};
use crate::{Options, Outline, advance::Scheme, ahead};
use std::{fmt::Write as _, sync::Arc};
use warpgraph_core::Result;
use warpgraph_device::Source;

/// An algorithm in filter form, whose kernels share one struct of arguments. The file `NAME_vertices.cu` has the
/// kernels over vertices, and `NAME.cu` the kernels that expand.
pub(crate) struct Filters {
    pub(crate) name: &'static str,
    /// Prints the struct of arguments.
    pub(crate) arguments: fn() -> String,
    /// Constants that kernels use by name.
    pub(crate) constants: &'static [(&'static str, u32)],
    /// Headers that all kernels include.
    pub(crate) headers: &'static [&'static str],
    pub(crate) of_vertices: &'static [&'static str],
    pub(crate) along_arcs: &'static [&'static str],
}

impl Filters {
    fn head(&self, wide: bool) -> String {
        let mut text = head(wide) + &(self.arguments)();
        for (name, number) in self.constants {
            let _ = writeln!(text, "#define {name} {number}u");
        }
        for header in self.headers {
            let _ = writeln!(text, "#include \"{header}\"");
        }
        text
    }

    /// Returns the module of the kernels over vertices.
    pub(crate) fn vertices(&self, wide: bool) -> Result<Arc<Source>> {
        let name = self.name;
        let text = self.head(wide) + &format!("#include \"{name}_vertices.cu\"\n");
        module(&format!("{name}-vertices"), wide, &text, self.of_vertices.to_vec())
    }

    /// Returns the module of the kernels that expand by a scheme.
    pub(crate) fn along(&self, wide: bool, scheme: Scheme) -> Result<Arc<Source>> {
        let name = self.name;
        let text = self.head(wide) + &balance(scheme) + &format!("#include \"{name}.cu\"\n");
        module(&format!("{name}-{scheme}"), wide, &text, self.along_arcs.to_vec())
    }

    /// Returns the modules that a run will compile.
    pub(crate) fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        let mut all = vec![self.vertices(outline.wide)?];
        let module = |scheme| self.along(outline.wide, scheme);
        all.extend(ahead::expansion(outline, options, false, |_| true, module)?);
        Ok(all)
    }

    /// Returns all modules.
    pub(crate) fn modules(&self) -> Result<Vec<Arc<Source>>> {
        let mut all = Vec::new();
        for wide in [false, true] {
            all.push(self.vertices(wide)?);
            for scheme in Scheme::all() {
                all.push(self.along(wide, scheme)?);
            }
        }
        Ok(all)
    }
}
