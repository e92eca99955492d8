//! Checks everything that a program provides, once, before anything runs.
//!
//! It refuses, each with its reason: `Or` over floating-point values; a `Sum` without a halt rule, or with seeds; a
//! tolerance for `Min`, `Max` and `Or`, which end on their own; `DISTRIBUTES` together with a custom `apply` or
//! `active` (changes could not be sent instead of values); a seed that is not a vertex; columns of the wrong number or
//! length, or with a NaN; weights that the wanted type cannot hold.

use super::{Column, Combine, Copies, Kind, Scalar, ScalarType, Seeds, Traced, VertexProgram, Weight};
use crate::{Chunks, Error, Halt, Options, Result};
use std::ops::Deref;
use warpgraph_graph::{Arcs, Graph, NodeMap, Pages, Vertex, WeightType, par, with_weights};

/// The type of a program's columns.
type ColumnOf<P> = <<P as VertexProgram>::Column as Column>::Scalar;
/// The type in which a program reads weights.
type WeightOf<P> = <<P as VertexProgram>::Weight as Weight>::Scalar;

/// An array that is borrowed from the graph or the program, or one made for the run.
#[derive(Debug)]
pub enum Held<'a, T: Scalar> {
    /// Used as it is.
    Borrowed(&'a [T]),
    /// Converted or reordered.
    Owned(Pages<T>),
}

impl<T: Scalar> Deref for Held<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            Self::Borrowed(values) => values,
            Self::Owned(values) => values,
        }
    }
}

/// A program that has passed the checks, with its columns and seeds in the order of the graph that it runs on.
pub struct Prepared<'a, P: VertexProgram> {
    /// The program.
    pub program: &'a P,
    /// Its functions as expressions.
    pub traced: Traced,
    /// The vertices that send messages first; `None` for all.
    pub seeds: Option<Vec<Vertex>>,
    pub(super) columns: Vec<Held<'a, ColumnOf<P>>>,
    pub(super) originals: Option<&'a [Vertex]>,
    copies: Option<Copies>,
}

impl<'a, P: VertexProgram> Prepared<'a, P> {
    /// Checks a program for a graph; `map` leads from the original vertices to those of the graph, if they differ.
    ///
    /// # Errors
    /// [`Error::Config`] with what is refused, and why; also if memory is short.
    pub fn new(program: &'a P, graph: &Graph, map: Option<&'a NodeMap>) -> Result<Self> {
        let traced = checked(program, graph.out().weights.weight_type())?;
        let vertices = map.map_or(graph.vertices(), NodeMap::len);
        let seeds = resolve(P::NAME, program.seeds(), vertices, map)?;
        let columns = columns(program, vertices, map)?;
        let copies = map.map(|map| Copies::of(map, &graph.out().csr)).transpose()?.flatten();
        Ok(Self { program, traced, seeds, columns, originals: map.map(|map| &**map.originals()), copies })
    }

    /// Returns the copies of vertices that the engine must reflect; `None` if the graph has neither copies nor holes.
    pub fn copies(&self) -> Option<&Copies> {
        self.copies.as_ref()
    }

    /// Returns the chunks that the engine iterates before each superstep; `None` if there are none, and if the program needs
    /// supersteps: because it sums, has an `apply` or `active` of its own, changes a vertex once or ends after a number of them.
    pub fn chunks<'o>(&self, options: &'o Options) -> Option<&'o Chunks> {
        let improves = P::COMBINE.is_idempotent() && self.traced.plain;
        let is_free = !P::ONCE && self.program.halt().limit().is_none();
        options.chunks.as_deref().filter(|chunks| improves && is_free && !chunks.is_empty())
    }

    /// Iterates over its columns, each with one value per vertex of the graph that it runs on.
    pub fn columns(&self) -> impl Iterator<Item = &[ColumnOf<P>]> {
        self.columns.iter().map(|column| &**column)
    }

    /// Returns the original number of each vertex; `None` if vertices have their original numbers.
    pub fn originals(&self) -> Option<&'a [Vertex]> {
        self.originals
    }

    /// Returns the weights of these arcs in the type that the program wants: a single 1 for an unweighted graph,
    /// nothing if the program reads no weights.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn weights<'g>(&self, arcs: &'g Arcs) -> Result<Held<'g, WeightOf<P>>> {
        if !P::Weight::USED {
            return Ok(Held::Borrowed(&[]));
        }
        with_weights!(&arcs.weights, |w| converted(w), none: Ok(Held::Owned(vec![WeightOf::<P>::ONE].into())))
    }
}

/// A program that has passed the checks which need no graph, only its size: for engines that hold a part of one.
#[derive(Debug)]
pub struct Checked {
    /// Its functions as expressions.
    pub traced: Traced,
    /// The original numbers of the vertices that send messages first, rising; `None` for all.
    pub seeds: Option<Vec<Vertex>>,
}

impl Checked {
    /// Checks a program for a graph of so many vertices whose weights have this type. Does not call
    /// [`VertexProgram::check`], which looks at a graph.
    ///
    /// # Errors
    /// [`Error::Config`] with what is refused, and why.
    pub fn new<P: VertexProgram>(program: &P, vertices: usize, weights: Option<WeightType>) -> Result<Self> {
        let traced = checked(program, weights)?;
        columns(program, vertices, None)?;
        Ok(Self { traced, seeds: resolve(P::NAME, program.seeds(), vertices, None)? })
    }
}

/// Returns the functions of a program as expressions, once it has passed the checks of its kind and of weights of a type.
fn checked<P: VertexProgram>(program: &P, weights: Option<WeightType>) -> Result<Traced> {
    let traced = Traced::of(program)?;
    check_kind(Kind::of::<P>(), traced.plain, program.halt(), program.seeds() == Seeds::All)?;
    check_weights(Kind::of::<P>(), weights)?;
    Ok(traced)
}

/// Returns `weights` converted to another type, or borrowed if the type is the same.
///
/// # Errors
/// When memory runs out.
pub fn converted<S: Stored, T: Scalar>(weights: &[S]) -> Result<Held<'_, T>> {
    if S::TYPE == T::TYPE {
        return Ok(Held::Borrowed(bytemuck::cast_slice(weights)));
    }
    let mut copy = Pages::<T>::scratch(weights.len())?;
    par::parts_mut(&mut copy, par::FINE, |first, part| {
        part.iter_mut().zip(&weights[first..]).for_each(|(to, from)| *to = from.cast());
    });
    Ok(Held::Owned(copy))
}

/// A type of stored weights.
pub trait Stored: Scalar {}
impl Stored for u32 {}
impl Stored for i32 {}
impl Stored for f32 {}
impl Stored for f64 {}

/// Refuses programs that make no sense on any graph. `is_plain` tells that `apply` only combines and `active` only compares.
pub(super) fn check_kind(kind: Kind, is_plain: bool, halt: Halt, starts_everywhere: bool) -> Result<()> {
    let refuse = |what: &str, help: &str| Err(Error::config(kind.name, what, help));
    let is_sum = kind.combine == Combine::Sum;
    if kind.combine == Combine::Or && kind.is_decimal() {
        return refuse("`Or` joins bits, and its values are decimals", "use u32 or u64 values, or `Max`");
    }
    let is_exact = kind.distributes && !kind.is_decimal();
    if is_sum && halt.tolerance().is_none() && halt.limit().is_none() && !is_exact {
        return refuse(
            "a sum needs a rule that ends it",
            "give `halt`, e.g. Halt::l1(1e-6).or(Halt::rounds(100))",
        );
    }
    if is_sum && !starts_everywhere {
        return refuse(
            "a sum starts at all vertices",
            "leave `seeds` out; let `init` be 0 where nothing starts",
        );
    }
    if !is_sum && halt.tolerance().is_some() {
        let what = format!("`{}` ends when nothing changes any more, it has no tolerance", kind.combine);
        return refuse(&what, "leave `halt` out, or limit the rounds");
    }
    if is_sum && kind.distributes && !is_plain {
        return refuse(
            "a sum that distributes adds what arrives, and has an `apply` or `active` of its own",
            "leave both out, or set DISTRIBUTES to false",
        );
    }
    if halt.tolerance().is_some_and(|t| !(t.is_finite() && t >= 0.0)) || halt.limit() == Some(0) {
        return refuse("its halt rule can never be met", "give a tolerance from 0, and a round at least");
    }
    Ok(())
}

/// Refuses weights that the type which the program wants cannot hold.
pub(super) fn check_weights(kind: Kind, weights: Option<WeightType>) -> Result<()> {
    let Some((stored, wanted)) = weights.zip(kind.weight) else { return Ok(()) };
    let is_held = match (stored.name(), wanted) {
        ("u32", ScalarType::I32) => false,
        (_, ScalarType::F32 | ScalarType::F64) | ("u32", _) => true,
        (stored, wanted) => stored == wanted.name(),
    };
    if is_held {
        return Ok(());
    }
    Err(Error::config(
        kind.name,
        format!("it reads weights as {wanted}, and those of the graph are {stored}"),
        format!("declare `type Weight = {stored}`, or f64, or read the graph without weights"),
    ))
}

/// Returns seeds by the numbers of the graph that the program runs on; `None` for all vertices.
pub(super) fn resolve(
    name: &'static str,
    seeds: Seeds,
    vertices: usize,
    map: Option<&NodeMap>,
) -> Result<Option<Vec<Vertex>>> {
    let mut seeds = match seeds {
        Seeds::All => return Ok(None),
        Seeds::One(v) => vec![v],
        Seeds::Many(list) => list,
    };
    if let Some(v) = seeds.iter().find(|&&v| v as usize >= vertices) {
        return Err(Error::config(
            name,
            format!("seed {v} is not a vertex, the graph has {vertices}"),
            "seeds are original numbers from 0; graph.ids().vertex(id) gives that of an id",
        ));
    }
    if let Some(map) = map {
        seeds.iter_mut().for_each(|v| *v = map.inner(*v));
    }
    seeds.sort_unstable();
    seeds.dedup();
    Ok(Some(seeds))
}

fn columns<'a, P: VertexProgram>(
    program: &'a P,
    vertices: usize,
    map: Option<&NodeMap>,
) -> Result<Vec<Held<'a, ColumnOf<P>>>> {
    let columns = program.columns();
    let wrong = |what: String| {
        Error::config(
            P::NAME,
            what,
            "`columns` gives one array for each entry of `Column`, one number per vertex",
        )
    };
    if columns.len() != P::Column::COUNT {
        return Err(wrong(format!(
            "it has {} columns, and {} are declared",
            columns.len(),
            P::Column::COUNT
        )));
    }
    for (name, values) in &columns {
        if values.len() != vertices {
            return Err(wrong(format!(
                "column {name:?} has {} values for {vertices} vertices",
                values.len()
            )));
        }
        let search = |mut range: std::ops::Range<usize>| range.find(|&v| !values[v].is_number());
        if let Some(v) = par::find_first(values.len(), par::FINE, search) {
            return Err(wrong(format!("column {name:?} has NaN at vertex {v}")));
        }
    }
    columns.into_iter().map(|(_, values)| ordered(values, map)).collect()
}

/// Returns a column in the order of internal vertices; a hole gets 0.
fn ordered<'a, T: Scalar>(values: &'a [T], map: Option<&NodeMap>) -> Result<Held<'a, T>> {
    let Some(map) = map else { return Ok(Held::Borrowed(values)) };
    let mut inner = Pages::<T>::scratch(map.inner_len())?;
    par::parts_mut(&mut inner, par::FINE, |first, part| {
        for (to, &original) in part.iter_mut().zip(&map.originals()[first..]) {
            *to = values.get(original as usize).copied().unwrap_or(T::ZERO);
        }
    });
    Ok(Held::Owned(inner))
}
