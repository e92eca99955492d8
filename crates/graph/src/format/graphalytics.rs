//! Reads the graphs of LDBC Graphalytics: `X.e` with `X.v` and, if it is there, `X.properties` beside it.
//!
//! ```text
//! X.e           lines `source target [weight]`: read as an edge list
//! X.v           one vertex id per line, isolated ones too
//! X.properties  `graph.X.directed = true`
//! ```
//!
//! The vertices are those of `X.v`; an edge that names another one is an error, and so is an id that `X.v` lists twice.
//! The graph is directed or not as `X.properties` says; without that file it is directed, and a warning says so.
//!
//! The edge-list reader reads `X.e` in parallel. Vertices without edges then become rows without arcs, which keeps the
//! order of all others: O(vertices + arcs) work, and a second copy of the arcs while it runs.

use super::{
    Format, IdKind, Input, ReadOptions, detect, edge_list,
    lex::{self, Cursor},
    table::{Entry, Sign, Used},
};
use crate::{
    control::Control,
    csr::{Csr, Offsets, Vertex},
    error::{Error, Position, Result},
    graph::{Arcs, Graph, Origin},
    ids::{Ids, VertexId},
    par,
};

pub(super) const ENTRY: Entry = Entry {
    name: "graphalytics",
    aliases: &["ldbc"],
    endings: &[],
    sign: Sign::Companion(is_graphalytics),
    is_finished: false,
    uses: &[Used::WeightType],
    read_parts: None,
    read: |input, options, control| read(&input, options, control),
    preview: |input, bytes, options| {
        let options = ReadOptions { directed: Some(direction(&input, options)?.0), ..options.clone() };
        let preview = (edge_list::ENTRY.preview)(input, bytes, &options)?;
        Ok(super::Preview { format: Format::Graphalytics, ..preview })
    },
};

/// The number of lines between two looks at the [`Control`].
const STRIDE: usize = 1 << 16;

/// Returns true if the input is an `.e` file with a `.v` file beside it. Fails if it is that `.v` file.
fn is_graphalytics(input: &Input) -> Result<bool> {
    match &detect::ending(input.name())[..] {
        "e" => Ok(input.beside("v")?.is_some()),
        "v" => match input.beside("e")? {
            None => Ok(false),
            Some(edges) => Err(Error::format(
                Position::file(input.name()),
                "this is the list of vertices of a Graphalytics graph",
                format!("name the file of its edges, {}", edges.name()),
            )),
        },
        _ => Ok(false),
    }
}

/// Reads a Graphalytics graph.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    if options.ids == IdKind::Names {
        let what = format!("{}: the ids of a Graphalytics graph are numbers", input.name());
        return Err(Error::invalid(what, "leave --ids names out, or pass --format edge-list"));
    }
    let list = input.beside("v")?.ok_or_else(|| no_vertices(input))?;
    let ids = vertex_list(&list, control)?;
    let (directed, because) = direction(input, options)?;
    let how =
        ReadOptions { directed: Some(directed), ids: IdKind::Numbers, vertices: None, ..options.clone() };
    let graph = Graph::read_edge_list(input, &how, control)?;
    let places = places(&graph, &ids).map_err(|id| unlisted(input, &list, id))?;
    let mut origin = Origin { format: Format::Graphalytics.name().to_owned(), ..graph.origin().clone() };
    match because {
        Some(because) => origin.direction_because = because,
        None => {
            origin.direction_because = "no .properties file says otherwise".to_owned();
            let warning = "there is no .properties file beside it: the graph is taken as directed";
            origin.warnings.push(warning.to_owned());
        }
    }
    control.check("reading")?;
    let arcs = spread(&graph, &places, ids.len(), input.name())?;
    let (first, len) = (ids.first().copied().unwrap_or(0), ids.len());
    let is_range = ids.last().is_none_or(|last| last - first == len as u64 - 1);
    let ids = if is_range { Ids::Range { first, len } } else { Ids::Numbers(ids.into()) };
    // SAFETY: the weights are those of the arcs of a consistent graph, whose order is kept; renaming vertices keeps
    // symmetric arcs symmetric; there is one row per id.
    Ok(unsafe { Graph::new_unchecked(arcs, directed, ids, origin) })
}

/// Returns the ids of the `.v` file in ascending order.
fn vertex_list(list: &Input, control: &Control) -> Result<Vec<u64>> {
    const HELP: &str = "a .v file has one vertex id per line, a whole number";
    let mut ids = Vec::new();
    let mut cursor = Cursor::new(list, 0..list.len());
    while !cursor.is_done() {
        if ids.len() % STRIDE == 0 {
            control.check("reading")?;
        }
        cursor.skip_blanks();
        if !cursor.at_line_end() && cursor.peek() != b'#' {
            let id = cursor.unsigned();
            ids.push(id.ok_or_else(|| cursor.expected(list.name(), "a vertex id", HELP))?);
            // What follows the id are properties of the vertex.
        }
        cursor.next_line();
    }
    par::sort_numbers(&mut ids);
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(ids),
        Some(pair) => {
            let problem = format!("the vertex {} is listed twice", pair[0]);
            Err(Error::format(position(list, pair[0]), problem, "keep one of the lines"))
        }
    }
}

/// Returns the direction that the options or the `.properties` file give, and the reason; without a reason there is no
/// such file or line.
fn direction(input: &Input, options: &ReadOptions) -> Result<(bool, Option<String>)> {
    if let Some(directed) = options.directed {
        return Ok((directed, Some("asked for".to_owned())));
    }
    let Some(properties) = input.beside("properties")? else { return Ok((true, None)) };
    for (number, line) in properties.split(|&b| b == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim());
        if !key.ends_with(".directed") || key.starts_with('#') {
            continue;
        }
        let directed = match value {
            "true" => true,
            "false" => false,
            _ => {
                let at = Position::line(properties.name(), number as u64 + 1);
                let problem = format!("{key} is {value:?}, expected true or false");
                return Err(Error::format(
                    at,
                    problem,
                    "correct the line, or pass --directed or --undirected",
                ));
            }
        };
        return Ok((directed, Some(format!("{} says {key} = {value}", properties.name()))));
    }
    Ok((true, None))
}

/// Returns the place among `ids` of each vertex of the graph. The error is the first id that is not among them.
fn places(graph: &Graph, ids: &[u64]) -> Result<Vec<Vertex>, u64> {
    let place = |v: usize| match graph.ids().id(v as Vertex) {
        VertexId::Number(id) => ids.binary_search(&id).map(|place| place as Vertex).map_err(|_| id),
        VertexId::Name(_) => Err(0),
    };
    par::map(graph.vertices(), place).into_iter().collect()
}

/// Returns the arcs of the graph with each vertex moved to its place among `vertices` vertices. Places ascend, so the
/// arcs stay in their order.
fn spread(graph: &Graph, places: &[Vertex], vertices: usize, file: &str) -> Result<Arcs> {
    if places.len() == vertices {
        return Ok(graph.out().clone());
    }
    let csr = &graph.out().csr;
    let mut rows = 0;
    let starts = (0..=vertices).map(|vertex| {
        // `rows` counts the rows of the graph that stand before this vertex.
        let start = csr.offsets().get(rows);
        rows += usize::from(places.get(rows).is_some_and(|&place| place as usize == vertex));
        start
    });
    let offsets = match csr.offsets() {
        Offsets::Narrow(_) => Offsets::Narrow(starts.map(|start| start as u32).collect::<Vec<_>>().into()),
        Offsets::Wide(_) => Offsets::Wide(starts.map(|start| start as u64).collect::<Vec<_>>().into()),
    };
    let targets = par::map(csr.arcs(), |arc| places[csr.targets()[arc] as usize]);
    Ok(Arcs { csr: Csr::new(offsets, targets.into(), file)?, weights: graph.out().weights.clone() })
}

/// Returns the position of the last line that has this id as one of its words.
fn position(input: &Input, id: u64) -> Position {
    let mut cursor = Cursor::new(input, 0..input.len());
    let mut found = None;
    while !cursor.is_done() {
        cursor.skip_blanks();
        while !cursor.at_line_end() {
            if cursor.token() == id.to_string().as_bytes() {
                found = Some(cursor.at);
            }
            cursor.at += cursor.token().len().max(1);
            cursor.skip_blanks();
        }
        cursor.next_line();
    }
    found.map_or_else(|| Position::file(input.name()), |at| lex::position(input.name(), input, at))
}

fn unlisted(input: &Input, list: &Input, id: u64) -> Error {
    let problem = format!("the vertex {id} is not listed in {}", list.name());
    let help = "add it there, or pass --format edge-list to take the vertices that occur";
    Error::format(position(input, id), problem, help)
}

fn no_vertices(input: &Input) -> Error {
    Error::format(
        Position::file(input.name()),
        "a Graphalytics graph is an .e and a .v file, and there is no .v beside this one",
        "put the .v file of the same name into the same folder, or pass --format edge-list",
    )
}
