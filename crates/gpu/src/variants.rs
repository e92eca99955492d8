//! The texts of all modules, and the table of those that are built in.
//!
//! A module is a functor, the types it is compiled for, a direction and a balance. Everything that is launched is put together
//! here; [`all`] lists what the built-in algorithms and the library of programs can ever ask for, so that a test can
//! compile each for every architecture.

mod approximate;
mod filters;
mod kernels;
mod parts;
mod sampled;
mod walkers;

pub(crate) use filters::Filters;
pub(crate) use kernels::{
    afforest, bc_paths, by_degree, check, cores, heads, link, pagerank, pagerank_pages, pages, scan, sort,
    spanning, staged, triangles,
};
pub(crate) use sampled::{renumber, sample};
pub(crate) use walkers::{bc_walk, bfs, sssp};

use crate::{
    Options, Outline,
    advance::{Lists, ProbeArgs, Scheme},
    ahead,
    arguments::{
        ADDS_TO_INIT, Along, BatchArgs, BcArgs, Edges, FROM_START, FrontierArgs, JOINS_LATER, ONCE,
        ProgramArgs, REPEATS, Telling,
    },
    batch, bc,
    copies::CopyArgs,
    edges::{self, ADAPTED},
    paths::{self, PathArgs},
    print::{self, Printed, Types},
};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};
use warpgraph_core::{
    Direction, Halt, Heads, Result,
    pagerank::Walk,
    program::{
        Combine, Recorded, ScalarType, Traced, VertexProgram, Ways,
        library::{Adsorption, Components, HopTree, Hops, Lengths, Ranks, Reach, ShortestPaths, WidestPaths},
    },
};
use warpgraph_device::{Arguments, PRELUDE, Source};
use warpgraph_graph::Graph;
use xxhash_rust::xxh3::xxh3_128;

/// Every file of kernels, by its name below `kernels/`.
const KERNEL_FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Returns every file that the text of a module may include.
fn files() -> &'static [(&'static str, &'static str)] {
    static ALL: LazyLock<Vec<(&str, &str)>> =
        LazyLock::new(|| [PRELUDE].into_iter().chain(KERNEL_FILES.iter().copied()).collect());
    &ALL
}

/// Texts that are kept.
const KEPT: usize = 4096;

/// A program ready to be put into modules.
#[derive(Debug, Clone)]
pub(crate) struct Functor {
    pub(crate) name: &'static str,
    pub(crate) types: Types,
    pub(crate) printed: Printed,
    /// True if the program only joins messages: see [`Traced::plain`].
    plain: bool,
}

impl Functor {
    /// Of a traced program.
    pub(crate) fn new<P: VertexProgram>(traced: &Traced) -> Result<Self> {
        let types = Types::of::<P>();
        let printed = print::program(P::NAME, traced, types)?;
        Ok(Self { name: P::NAME, types, printed, plain: traced.plain })
    }

    /// Of a recorded program.
    pub(crate) fn of_recorded(program: &Recorded) -> Result<Self> {
        let (name, traced, types) = (program.kind().name, program.traced(), Types::of_recorded(program));
        let printed = print::program(name, traced, types)?;
        Ok(Self { name, types, printed, plain: traced.plain })
    }

    /// Of a program, whatever its parameters.
    pub(crate) fn of<P: VertexProgram>(program: &P) -> Result<Self> {
        Self::new::<P>(&Traced::of(program)?)
    }

    /// What messages are gathered in: sums of many f32 lose too much in f32.
    pub(crate) fn gathered(&self) -> ScalarType {
        match (self.types.combine, self.types.value) {
            (Combine::Sum, ScalarType::F32) => ScalarType::F64,
            (_, value) => value,
        }
    }

    /// What comes before the kernels of a program.
    fn head(&self, wide: bool) -> String {
        let gathered = self.gathered();
        let mut text = head(wide);
        text += "#include \"scalar.cuh\"\n#include \"combine.cuh\"\n";
        text += &self.printed.types;
        let _ = writeln!(text, "// What messages are gathered in.\ntypedef {gathered} Gathered;");
        text += &ProgramArgs::cuda();
        for (name, flag) in [
            ("FROM_START", FROM_START),
            ("ADDS_TO_INIT", ADDS_TO_INIT),
            ("ONCE", ONCE),
            ("REPEATS", REPEATS),
            ("JOINS_LATER", JOINS_LATER),
        ] {
            let _ = writeln!(text, "#define {name} {flag}u");
        }
        text + "#include \"program.cuh\"\n" + &self.printed.program
    }

    /// What vertices do between expansions.
    pub(crate) fn vertices(&self, wide: bool) -> Result<Arc<Source>> {
        let kernels =
            vec!["program_init", "program_apply", "program_commit", "program_settle", "program_sweep"];
        let text = self.head(wide) + "#include \"program_vertices.cu\"\n";
        module(&format!("{}-vertices", self.name), wide, &text, kernels)
    }

    /// Expansion in a direction.
    pub(crate) fn expand(&self, wide: bool, direction: Direction, scheme: Scheme) -> Result<Arc<Source>> {
        let kernel = match direction {
            Direction::Push => "program_push",
            Direction::Pull => "program_pull",
        };
        let text = self.head(wide) + &balance(scheme) + &format!("#include \"{kernel}.cu\"\n");
        module(&format!("{}-{direction}-{scheme}", self.name), wide, &text, vec![kernel])
    }

    /// Walks along paths.
    pub(crate) fn paths(&self, wide: bool) -> Result<Arc<Source>> {
        let combine = self.types.combine;
        let mut kernels = vec!["paths_begin", "paths_line_up", "paths_collect", "paths_walk"];
        match combine {
            Combine::Sum => kernels.extend(["paths_weigh", "paths_end"]),
            Combine::Min | Combine::Max => kernels.push("paths_await"),
            Combine::Or => {}
        }
        let text = self.head(wide) + &PathArgs::cuda() + &paths::defines(combine) + "#include \"paths.cu\"\n";
        module(&format!("{}-paths", self.name), wide, &text, kernels)
    }

    /// Returns the modules that a run of the program will compile. A directed graph may lack the incoming arcs that pulling
    /// needs, so messages along outgoing arcs are only pushed unless the plan says otherwise.
    pub(crate) fn ahead(&self, outline: &Outline, options: &Options, ways: Ways) -> Result<Vec<Arc<Source>>> {
        if options.plan.paths().is_some() {
            return Ok(vec![self.paths(outline.wide)?]);
        }
        let is_sum = self.types.combine == Combine::Sum;
        let directions: &[Direction] = match options.direction() {
            Some(Direction::Push) => &[Direction::Push],
            Some(Direction::Pull) => &[Direction::Pull],
            None if is_sum => &[Direction::Pull],
            None if outline.directed && ways == Ways::Out => &[Direction::Push],
            None => &[Direction::Push, Direction::Pull],
        };
        let mut all = vec![self.vertices(outline.wide)?];
        all.extend(self.approximate_ahead(outline.wide, options)?);
        for &direction in directions {
            let takes = |scheme: &Scheme| direction == Direction::Push || scheme.pulls();
            let module = |scheme| self.expand(outline.wide, direction, scheme);
            all.extend(ahead::expansion(outline, options, is_sum && options.deterministic, takes, module)?);
        }
        Ok(all)
    }

    /// All of its modules.
    fn modules(&self, into: &mut Vec<Arc<Source>>) -> Result<()> {
        into.extend(of_both_widths(|wide| self.paths(wide))?);
        self.supersteps(into)
    }

    /// Its modules but for those along paths.
    fn supersteps(&self, into: &mut Vec<Arc<Source>>) -> Result<()> {
        for wide in [false, true] {
            into.push(self.vertices(wide)?);
            into.extend(self.approximate(wide)?);
            into.push(self.parts(wide)?);
            for scheme in Scheme::all() {
                into.push(self.expand(wide, Direction::Push, scheme)?);
            }
            for scheme in Scheme::pulling() {
                into.push(self.expand(wide, Direction::Pull, scheme)?);
            }
        }
        Ok(())
    }
}

/// Returns the first lines of every module.
fn head(wide: bool) -> String {
    let offset = if wide { "u64" } else { "u32" };
    let (edges, along) = (Edges::cuda(), Along::cuda());
    format!(
        "#include \"prelude.cuh\"\ntypedef {offset} Offset;\n{edges}#include \"edges.cuh\"\n{along}#include \"frontier.cuh\"\n"
    )
}

/// Returns the text of a scheme: the arguments of its own, and `advance` and `gather`.
fn balance(scheme: Scheme) -> String {
    let own = scheme.host().own();
    format!("{own}#include \"advance/given.cuh\"\n#include \"advance/{scheme}.cuh\"\n")
}

/// A module; its name ends with a hash of its text, since programs of the user's own may share theirs. Texts are kept: a run asks
/// for the same few again and again.
pub(crate) fn module(name: &str, wide: bool, text: &str, kernels: Vec<&'static str>) -> Result<Arc<Source>> {
    static KNOWN: Mutex<BTreeMap<u128, Arc<Source>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = xxh3_128(text.as_bytes());
    if let Some(source) = known.get(&key) {
        return Ok(Arc::clone(source));
    }
    let mut source = Source::assemble(name, text, files(), kernels).map_err(crate::lift)?;
    let width = if wide { 64 } else { 32 };
    source.name = format!("{name}-{width}-{:08x}", xxh3_128(source.text.as_bytes()) as u32);
    if known.len() >= KEPT {
        known.clear();
    }
    let source = Arc::new(source);
    known.insert(key, Arc::clone(&source));
    Ok(source)
}

/// Returns the name of a module that uses so many heads per row.
fn with_heads(name: &str, heads: u32) -> String {
    if heads == 0 { name.to_owned() } else { format!("{name}-heads-{heads}") }
}

/// Returns the module of frontiers.
pub(crate) fn frontier(wide: bool) -> Result<Arc<Source>> {
    let kernels = vec![
        "frontier_arcs",
        "frontier_bitmap",
        "frontier_order",
        "frontier_stamp",
        "scan_tiles",
        "scan_sums",
        "scan_add",
        "scan_short",
    ];
    let text = head(wide) + &Telling::cuda() + &FrontierArgs::cuda() + "#include \"frontier.cu\"\n";
    module("frontier", wide, &text, kernels)
}

/// Returns the module by which a scheme makes what it keeps of a graph, and its lists of a frontier; `None` if it makes none.
pub(crate) fn lists(wide: bool, scheme: Scheme) -> Option<Result<Arc<Source>>> {
    let Lists { arguments, kernels } = scheme.host().lists()?;
    let text = head(wide) + &arguments + &format!("#include \"{scheme}_list.cu\"\n");
    Some(module(&format!("{scheme}-lists"), wide, &text, kernels.to_vec()))
}

/// Returns the module by which a scheme is measured.
pub(crate) fn probe(scheme: Scheme) -> Result<Arc<Source>> {
    let text = head(false) + &ProbeArgs::cuda() + &balance(scheme) + "#include \"probe.cu\"\n";
    module(&format!("probe-{scheme}"), false, &text, vec!["probe"])
}

/// What comes before the kernels of betweenness over distances of a type, and their name.
fn betweenness(wide: bool, types: bc::Types) -> (String, String) {
    let bc::Types { distance, weight } = types;
    let mut text = head(wide) + "#include \"scalar.cuh\"\n#include \"combine.cuh\"\n";
    text += &(CopyArgs::cuda() + "#include \"copies.cuh\"\n" + &BcArgs::cuda());
    let _ = writeln!(text, "typedef {distance} Distance;\n#define HOPS {}", u32::from(weight.is_none()));
    if let Some(weight) = weight {
        let _ = writeln!(text, "typedef {weight} Weight;");
    }
    for (name, number) in [("ARCS", bc::ARCS), ("MANY", bc::MANY), ("VANISHED", bc::VANISHED)] {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    let name = weight.map_or_else(|| "bc-hops".to_owned(), |weight| format!("bc-{distance}-{weight}"));
    (text + "#include \"bc.cuh\"\n", name)
}

/// What vertices do for betweenness.
pub(crate) fn betweenness_vertices(wide: bool, types: bc::Types) -> Result<Arc<Source>> {
    let (head, name) = betweenness(wide, types);
    let kernels =
        vec!["bc_clear", "bc_begin", "bc_collect", "bc_arcs", "bc_normalise", "bc_ends", "bc_score"];
    module(&format!("{name}-vertices"), wide, &(head + "#include \"bc_vertices.cu\"\n"), kernels)
}

/// What reflects copies of vertices for betweenness.
pub(crate) fn betweenness_copies(wide: bool, types: bc::Types) -> Result<Arc<Source>> {
    let (head, name) = betweenness(wide, types);
    let kernels = vec!["bc_wake", "bc_await", "bc_place", "bc_reflect", "bc_combine"];
    module(&format!("{name}-copies"), wide, &(head + "#include \"bc_copies.cu\"\n"), kernels)
}

/// Returns the expansions of betweenness by a scheme.
pub(crate) fn betweenness_walk(wide: bool, types: bc::Types, scheme: Scheme) -> Result<Arc<Source>> {
    let (head, name) = betweenness(wide, types);
    let (file, mut kernels) = match types.weight {
        None => ("bc_hops", vec![]),
        Some(_) => ("bc_weighted", vec!["bc_relax", "bc_expect"]),
    };
    kernels.extend(["bc_forward", "bc_count", "bc_backward"]);
    let files = balance(scheme) + &format!("#include \"{file}.cu\"\n#include \"bc.cu\"\n");
    module(&format!("{name}-{scheme}"), wide, &(head + &files), kernels)
}

/// Returns those of them that count paths with an exponent.
pub(crate) fn betweenness_scaled(wide: bool, types: bc::Types, scheme: Scheme) -> Result<Arc<Source>> {
    let (head, name) = betweenness(wide, types);
    let kernels = vec!["bc_exponent", "bc_scaled_count", "bc_scaled_backward"];
    let files = balance(scheme) + "#include \"bc_scaled.cu\"\n";
    module(&format!("{name}-scaled-{scheme}"), wide, &(head + &files), kernels)
}

/// Searches from as many sources at once as so many words have bits: what vertices do, or an expansion by a scheme.
pub(crate) fn batch(wide: bool, words: usize, scheme: Option<Scheme>) -> Result<Arc<Source>> {
    let mut text = head(wide) + &BatchArgs::cuda();
    for (name, number) in
        [("WORDS", words), ("ARCS", batch::ARCS), ("FINISHED", batch::FINISHED), ("LONGEST", batch::LONGEST)]
    {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    text += "#include \"batch.cuh\"\n";
    match scheme {
        None => {
            let kernels = vec!["batch_begin", "batch_settle"];
            let name = format!("batch-{words}-vertices");
            module(&name, wide, &(text + "#include \"batch_vertices.cu\"\n"), kernels)
        }
        Some(scheme) => {
            text += &(balance(scheme) + "#include \"batch.cu\"\n");
            module(&format!("batch-{words}-{scheme}"), wide, &text, vec!["batch_push", "batch_pull"])
        }
    }
}

/// Every module that the built-in algorithms and the library of programs can ask for.
///
/// # Errors
/// None that a user could cause: a program that cannot be printed, or a file that is missing.
pub fn all() -> Result<Vec<Arc<Source>>> {
    let graph = Graph::from_edges(1, &[], false)?;
    let halt = Halt::l1(1e-6);
    let adsorption = |weighted| Adsorption { inject: vec![0.0], pass: vec![0.0], weighted, halt };
    let functors = [
        Functor::of(&HopTree { source: 0, limit: 0 })?,
        Functor::of(&Hops::from(0))?,
        Functor::of(&Reach::from([0], 1))?,
        Functor::of(&ShortestPaths::<u32>::from(0))?,
        Functor::of(&ShortestPaths::<i32>::from(0))?,
        Functor::of(&ShortestPaths::<u64>::from(0))?,
        Functor::of(&ShortestPaths::<f32>::from(0))?,
        Functor::of(&ShortestPaths::<f64>::from(0))?,
        Functor::of(&Lengths::<u32, u32>::from(0))?,
        Functor::of(&Lengths::<u64, u32>::from(0))?,
        Functor::of(&Lengths::<u32, i32>::from(0))?,
        Functor::of(&Lengths::<u64, i32>::from(0))?,
        Functor::of(&Lengths::<f32, f32>::from(0))?,
        Functor::of(&Lengths::<f64, f64>::from(0))?,
        Functor::of(&WidestPaths::<f32>::from(0))?,
        Functor::of(&WidestPaths::<f64>::from(0))?,
        Functor::of(&Components {})?,
        Functor::of(&Ranks::<f32>::of(&graph, 0.85, halt))?,
        Functor::of(&Ranks::<f64>::of(&graph, 0.85, halt))?,
        Functor::of(&Walk::example(false))?,
        Functor::of(&Walk::example(true))?,
        Functor::of(&adsorption(false))?,
        Functor::of(&adsorption(true))?,
    ];
    let mut all = Vec::new();
    for wide in [false, true] {
        all.push(frontier(wide)?);
        all.extend(Scheme::all().filter_map(|scheme| lists(wide, scheme)).collect::<Result<Vec<_>>>()?);
    }
    for scheme in Scheme::all().filter(|scheme| scheme.host().price().is_some()) {
        all.push(probe(scheme)?);
    }
    all.push(sort()?);
    for wide in [false, true] {
        all.push(scan(wide)?);
    }
    all.extend([pages()?, link()?]);
    all.extend(of_both_widths(staged)?);
    for size in Heads::SIZES {
        all.extend(of_both_widths(|wide| heads(wide, size))?);
    }
    sampled::all(&mut all)?;
    all.extend(of_both_widths(check)?);
    for functor in functors {
        functor.modules(&mut all)?;
    }
    // Only negative weights have these types, and paths refuse negative weights.
    Functor::of(&Lengths::<f64, i32>::from(0))?.supersteps(&mut all)?;
    macro_rules! of_algorithms {
        ($($module:ident: $config:ident -> $answer:ident;)*) => {
            $(all.extend(<warpgraph_core::$module::$config as crate::OnGpu>::modules()?);)*
        };
    }
    warpgraph_core::for_each_algorithm!(of_algorithms);
    Ok(all)
}

/// Returns the modules of [`all`] as runs need them whose edges are not plain arrays in device memory, with the name of the
/// residency, and once more with kernels that count what crosses the bus. Modules that read no edges are left out.
///
/// # Errors
/// None that a user could cause.
pub fn adapted() -> Result<Vec<(String, Vec<Arc<Source>>)>> {
    let all = all()?;
    let mut adapted = Vec::new();
    for (plan, count_transfer) in ADAPTED.iter().flat_map(|plan| [(plan, false), (plan, true)]) {
        let options = Options { plan: plan.parse()?, count_transfer, ..Options::default() };
        let texts = all.iter().filter_map(|source| match edges::adapted(source, &options) {
            Cow::Owned(source) => Some(Arc::new(source)),
            Cow::Borrowed(_) => None,
        });
        adapted.push((format!("{plan}{}", if count_transfer { ", counting" } else { "" }), texts.collect()));
    }
    Ok(adapted)
}

/// Every module of betweenness by supersteps.
pub(crate) fn all_betweenness() -> Result<Vec<Arc<Source>>> {
    let mut all = Vec::new();
    for (wide, types) in [false, true].into_iter().flat_map(|wide| bc::TYPES.map(|types| (wide, types))) {
        all.push(betweenness_vertices(wide, types)?);
        all.push(betweenness_copies(wide, types)?);
        for scheme in Scheme::all() {
            all.push(betweenness_walk(wide, types, scheme)?);
            all.push(betweenness_scaled(wide, types, scheme)?);
        }
    }
    Ok(all)
}

/// Every module of batches of searches.
pub(crate) fn all_batches() -> Result<Vec<Arc<Source>>> {
    let mut all = Vec::new();
    for (wide, words) in [false, true].into_iter().flat_map(|wide| batch::WORDS.map(|words| (wide, words))) {
        all.push(batch(wide, words, None)?);
        for scheme in Scheme::all() {
            all.push(batch(wide, words, Some(scheme))?);
        }
    }
    Ok(all)
}

/// Returns a module for narrow and one for wide offsets.
pub(crate) fn of_both_widths(module: impl Fn(bool) -> Result<Arc<Source>>) -> Result<Vec<Arc<Source>>> {
    [false, true].into_iter().map(module).collect()
}
