//! Every format and option read, every malformed input answered in full, every writer read back.

// Helpers outside of #[test] functions unwrap too: a failure there is a failed test.
#![allow(clippy::unwrap_used)]

mod adjacency;
mod bv;
mod damage;
mod dimacs;
mod dot;
mod foreign;
mod gap;
mod gml;
mod graph500;
mod graphalytics;
mod graphml;
mod matrix_market;
mod metis;
mod node_link;
mod npz;
mod pajek;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parts;
mod round_trip;
mod stop;
#[cfg(feature = "parquet")]
mod vertex_table;
mod webgraph;
mod wg;
mod wg_paths;
mod write;

use self::webgraph::Files;
use warpgraph_graph::{Control, Error, Graph, Input, ReadOptions, Vertex, format};

/// Arcs with their weights (1 where there are none), by inner numbers.
fn arcs(graph: &Graph) -> Vec<(Vertex, Vertex, f64)> {
    let out = graph.out();
    (0..graph.vertices() as Vertex)
        .flat_map(|u| out.csr.arcs_of(u).map(move |i| (u, out.csr.targets()[i], out.weights.get(i))))
        .collect()
}

fn read_with(name: &str, data: impl Into<Vec<u8>>, options: &ReadOptions) -> Result<Graph, Error> {
    format::read(Input::from_bytes(name, data.into()), options, &Control::new())
}

fn read(name: &str, data: impl Into<Vec<u8>>) -> Graph {
    read_with(name, data, &ReadOptions::default()).unwrap()
}

/// The error and its help, as the command line prints them.
fn fails_with(name: &str, data: impl Into<Vec<u8>>, options: &ReadOptions) -> String {
    let error = read_with(name, data, options).expect_err("an error");
    error.help().map_or(error.to_string(), |help| format!("{error}\nhelp: {help}"))
}

fn fails(name: &str, data: impl Into<Vec<u8>>) -> String {
    fails_with(name, data, &ReadOptions::default())
}
