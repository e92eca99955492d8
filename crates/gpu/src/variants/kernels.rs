//! The modules of kernels that no balance expands: prefix sums, sorting, triangles, core numbers, spanning forests,
//! components and PageRank.

use super::{head, module, with_heads};
use crate::{
    bc::{self, BcPathsArgs},
    by_degree::ByDegreeArgs,
    copies::CopyArgs,
    edges::{
        heads::{self, HeadsArgs},
        hot::PagesArgs,
        link::LinkArgs,
        staged::{self, StagedArgs},
    },
    kcore::{self, PersistentArgs},
    machine,
    mst::{self, MstArgs},
    opened::{self, CheckArgs},
    pagerank::{self, PullArgs, Shares},
    scan::ScanArgs,
    sort::{self, SortArgs},
    triangles::{self, TrianglesArgs},
    wcc::{self, WccArgs},
};
use std::{fmt::Write as _, sync::Arc};
use warpgraph_core::{Result, program::ScalarType};
use warpgraph_device::{Arguments, Source};

/// Returns the module of prefix sums of 32-bit or 64-bit numbers.
pub(crate) fn scan(wide: bool) -> Result<Arc<Source>> {
    let text = head(wide) + &ScanArgs::cuda() + "#include \"scan.cu\"\n";
    module("scan", wide, &text, vec!["scan_tiles", "scan_sums", "scan_add", "scan_short"])
}

/// Returns the module that copies pages of edges to the device.
pub(crate) fn pages() -> Result<Arc<Source>> {
    let text = head(false) + &PagesArgs::cuda() + "#include \"pages.cu\"\n";
    module("pages", false, &text, vec!["pages_copy"])
}

/// Returns the module of partitions that are copied ahead.
pub(crate) fn staged(wide: bool) -> Result<Arc<Source>> {
    let text = head(wide) + &StagedArgs::cuda() + &staged::defines() + "#include \"staged.cu\"\n";
    module("staged", wide, &text, vec!["staged_count", "staged_group", "staged_map"])
}

/// Returns the module that measures the bus.
pub(crate) fn link() -> Result<Arc<Source>> {
    let text = head(false) + &LinkArgs::cuda() + "#include \"link.cu\"\n";
    module("link", false, &text, vec!["link_lines"])
}

/// Returns the module that makes this many heads per row.
pub(crate) fn heads(wide: bool, size: u32) -> Result<Arc<Source>> {
    let mut text = head(wide) + &HeadsArgs::cuda();
    let _ = writeln!(text, "#define HEADS {size}u\n#define HEADS_FROM {}u", heads::FROM);
    module(&format!("heads-{size}"), wide, &(text + "#include \"heads.cu\"\n"), vec!["heads_make"])
}

/// Returns the module that checks a graph from a file.
pub(crate) fn check(wide: bool) -> Result<Arc<Source>> {
    let mut text = head(wide) + &CheckArgs::cuda();
    let _ = writeln!(text, "#define RUN {}", opened::RUN);
    let numbered = |names: &[&str]| -> String {
        names.iter().enumerate().map(|(number, name)| format!("#define {name} {number}\n")).collect()
    };
    text += &numbered(&opened::WORDS.map(|(name, _)| name));
    text += &numbered(&opened::WEIGHTS.map(|(name, _)| name));
    let kernels = vec!["check_offsets", "check_arcs", "check_weights"];
    module("check", wide, &(text + "#include \"check.cu\"\n"), kernels)
}

/// Returns the module of sorting, which does not depend on the width of offsets.
pub(crate) fn sort() -> Result<Arc<Source>> {
    let mut text = head(false) + &SortArgs::cuda();
    let _ = writeln!(text, "#define DIGITS {}u", sort::DIGITS);
    let _ = writeln!(text, "#define BLOCK_WARPS {}", machine::BLOCK / 32);
    module("sort", false, &(text + "#include \"sort.cu\"\n"), vec!["sort_count", "sort_place"])
}

/// Returns the module that orders vertices by degree.
pub(crate) fn by_degree(wide: bool) -> Result<Arc<Source>> {
    let text = head(wide) + &ByDegreeArgs::cuda() + "#include \"by_degree.cu\"\n";
    module(
        "by-degree",
        wide,
        &text,
        vec!["degree_keys", "degree_places", "degree_arcs", "degree_rows", "degree_targets"],
    )
}

/// Returns the module of triangles: ranking vertices, building lists, sorting them, and looking them up.
pub(crate) fn triangles(wide: bool) -> Result<Arc<Source>> {
    let mut text = head(wide) + &TrianglesArgs::cuda();
    for (name, number) in triangles::DEFINES {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    for file in ["triangles_lists", "triangles_sort", "triangles", "triangles_tails"] {
        let _ = writeln!(text, "#include \"{file}.cu\"");
    }
    let kernels = vec![
        "triangles_keys",
        "triangles_rank",
        "triangles_keep",
        "triangles_first",
        "triangles_list",
        "triangles_add",
        "triangles_part",
        "triangles_degrees",
        "triangles_sort",
        "triangles_shares",
        "triangles_heavy",
        "triangles_light",
        "triangles_tails",
        "triangles_edges",
    ];
    module("triangles", wide, &text, kernels)
}

/// Returns the module of core numbers by a persistent kernel.
pub(crate) fn cores(wide: bool) -> Result<Arc<Source>> {
    let mut text = head(wide) + &PersistentArgs::cuda();
    for (name, number) in kcore::DEFINES {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    module("kcore-persistent", wide, &(text + "#include \"kcore_persistent.cu\"\n"), vec!["kcore_persistent"])
}

/// Returns the module of spanning forests by weights of a type.
pub(crate) fn spanning(wide: bool, weight: ScalarType) -> Result<Arc<Source>> {
    // Decimals are compared as whole numbers.
    let key = match weight {
        ScalarType::U32 => "u32",
        ScalarType::F64 => "i64",
        _ => "i32",
    };
    let mut text = head(wide) + &CopyArgs::cuda() + &MstArgs::cuda();
    let _ = writeln!(text, "typedef {weight} Weight;\ntypedef {key} Key;\n#define JUMPS {}u", mst::JUMPS);
    for (name, counter) in [("HOOKED", mst::HOOKED), ("FAR", mst::FAR), ("LISTED", mst::LISTED)] {
        let _ = writeln!(text, "#define {name} {counter}u");
    }
    text += "#include \"mst.cu\"\n#include \"mst_forest.cu\"\n";
    let kernels = vec![
        "mst_begin",
        "mst_unite",
        "mst_weigh",
        "mst_choose",
        "mst_find",
        "mst_hook",
        "mst_jump",
        "mst_list",
        "mst_pair",
        "mst_columns",
    ];
    module(&format!("mst-{weight}"), wide, &text, kernels)
}

/// Returns the module of components by Afforest, with this many heads per row.
pub(crate) fn afforest(wide: bool, heads: u32) -> Result<Arc<Source>> {
    let mut text = head(wide) + &WccArgs::cuda();
    let _ = writeln!(text, "#define HEADS {heads}u");
    for (name, number) in
        [("SAMPLES", wcc::SAMPLES), ("SLOTS", wcc::SLOTS), ("SHORT", wcc::SHORT), ("CHUNK", wcc::CHUNK)]
    {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    for (name, counter) in [("GIANT", wcc::GIANT), ("CHUNKS", wcc::CHUNKS), ("NEXT_CHUNKS", wcc::NEXT_CHUNKS)]
    {
        let _ = writeln!(text, "#define {name} {counter}u");
    }
    let kernels = vec!["wcc_begin", "wcc_compress", "wcc_second", "wcc_sample", "wcc_rest", "wcc_chunks"];
    module(&with_heads("wcc-afforest", heads), wide, &(text + "#include \"wcc.cu\"\n"), kernels)
}

/// Returns the module of PageRank by pages of arcs, for shares of a form.
pub(crate) fn pagerank_pages(wide: bool, form: Shares) -> Result<Arc<Source>> {
    let (defined, name) = pagerank::module(form);
    let mut text = head(wide) + &PullArgs::cuda() + &defined;
    for file in ["pagerank_vertices", "pagerank_sweep", "pagerank_pages"] {
        let _ = writeln!(text, "#include \"{file}.cu\"");
    }
    let kernels =
        vec!["pagerank_first", "pagerank_pages", "pagerank_joins", "pagerank_widen", "pagerank_ranks"];
    module(&format!("{name}-pages"), wide, &text, kernels)
}

/// Returns the module of PageRank by pulling shares of a form.
pub(crate) fn pagerank(wide: bool, form: Shares) -> Result<Arc<Source>> {
    let (defined, name) = pagerank::module(form);
    let text = head(wide) + &PullArgs::cuda() + &defined;
    let text = text + "#include \"pagerank_vertices.cu\"\n#include \"pagerank_sweep.cu\"\n";
    module(name, wide, &text, vec!["pagerank_begin", "pagerank_widen", "pagerank_ranks", "pagerank_sweep"])
}

/// Returns the module of betweenness by sampled paths.
pub(crate) fn bc_paths(wide: bool) -> Result<Arc<Source>> {
    let mut text = head(wide) + &BcPathsArgs::cuda();
    for (name, number) in bc::PATHS_DEFINES {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    module("bc-paths", wide, &(text + "#include \"bc_paths.cu\"\n"), vec!["bc_paths"])
}
