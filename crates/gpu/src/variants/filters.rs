//! The modules of algorithms whose kernels share one struct of arguments: what vertices do, and filters by every scheme.

use super::{balance, head, module};
use crate::{advance::Scheme, kcore, label_propagation, scc};
use std::{fmt::Write as _, sync::Arc};
use warpgraph_core::Result;
use warpgraph_device::Source;

/// An algorithm in filter form, whose kernels share one struct of arguments. Those of vertices lie in `NAME_vertices.cu`, those that
/// expand in `NAME.cu`.
pub(crate) struct Filters {
    pub(crate) name: &'static str,
    /// The text of the arguments.
    pub(crate) arguments: fn() -> String,
    /// Numbers that kernels know by name.
    pub(crate) constants: &'static [(&'static str, u32)],
    /// Files that all of them need.
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

    /// What vertices do between expansions.
    pub(crate) fn vertices(&self, wide: bool) -> Result<Arc<Source>> {
        let name = self.name;
        let text = self.head(wide) + &format!("#include \"{name}_vertices.cu\"\n");
        module(&format!("{name}-vertices"), wide, &text, self.of_vertices.to_vec())
    }

    /// Expansions by a scheme.
    pub(crate) fn along(&self, wide: bool, scheme: Scheme) -> Result<Arc<Source>> {
        let name = self.name;
        let text = self.head(wide) + &balance(scheme) + &format!("#include \"{name}.cu\"\n");
        module(&format!("{name}-{scheme}"), wide, &text, self.along_arcs.to_vec())
    }

    /// All of its modules.
    fn modules(&self, into: &mut Vec<Arc<Source>>) -> Result<()> {
        for wide in [false, true] {
            into.push(self.vertices(wide)?);
            for scheme in Scheme::all() {
                into.push(self.along(wide, scheme)?);
            }
        }
        Ok(())
    }
}

/// All of them.
pub(super) fn all(into: &mut Vec<Arc<Source>>) -> Result<()> {
    for filters in [kcore::FILTERS, scc::FILTERS, label_propagation::FILTERS] {
        filters.modules(into)?;
    }
    Ok(())
}
