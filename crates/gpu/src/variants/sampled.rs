//! The modules of the order `sampled`.

use super::{balance, head, module};
use crate::{
    advance::Scheme,
    renumber::RenumberArgs,
    sampled::{SECTOR, SampleArgs},
};
use std::sync::Arc;
use warpgraph_core::Result;
use warpgraph_device::{Arguments, Source};

/// Returns the module that samples the accesses of tiles by a scheme; `None` if the scheme has no tiles.
pub(crate) fn sample(wide: bool, scheme: Scheme) -> Option<Result<Arc<Source>>> {
    let shares = scheme.host().shares()?;
    let text = head(wide)
        + &SampleArgs::cuda()
        + &format!("#define SECTOR {SECTOR}u\n#define SHARES {shares}\n")
        + &balance(scheme)
        + "#include \"sample.cu\"\n";
    Some(module(&format!("sample-{scheme}"), wide, &text, vec!["sample_tiles"]))
}

/// Returns the module of the kernels that run between samples.
pub(crate) fn renumber(wide: bool) -> Result<Arc<Source>> {
    let text = head(wide) + &RenumberArgs::cuda() + &format!("#define SECTOR {SECTOR}u\n");
    let kernels = vec![
        "renumber_halve",
        "renumber_keys",
        "renumber_masters",
        "renumber_degrees",
        "renumber_arcs",
        "renumber_turned",
        "renumber_targets",
    ];
    module("renumber", wide, &(text + "#include \"renumber.cu\"\n"), kernels)
}

/// Appends all of these modules.
pub(super) fn all(into: &mut Vec<Arc<Source>>) -> Result<()> {
    for wide in [false, true] {
        into.push(renumber(wide)?);
        for source in Scheme::all().filter_map(|scheme| sample(wide, scheme)) {
            into.push(source?);
        }
    }
    Ok(())
}
