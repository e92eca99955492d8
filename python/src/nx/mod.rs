//! What the NetworkX backend does in native code.
//!
//! [`adjacency::Adjacency`] is the structure of a NetworkX graph as arrays: the keys of its nodes, numbered in the order
//! of the graph, and the neighbours of each node *in the order of the graph*. [`column::Column`] has the values of one edge
//! attribute. `python/warpgraph/nx` holds both for each converted graph, and calls the functions of `paths`, `parts` and
//! `values`, which return Python objects.
//!
//! Two kinds of algorithms answer. Values that do not depend on the order of neighbours (`engine`) come from the engines of
//! this project. Answers with an order of their own (which of two equally short paths, in which sequence nodes are found)
//! must be those of NetworkX, so `bfs`, `dijkstra`, `bellman_ford`, `both_ends`, `strong`, `kruskal` and `labels` take the
//! steps that NetworkX documents, over arrays. They run on the calling thread, which looks for signals now and then
//! ([`crate::work::Signals`]).

mod adjacency;
mod bellman_ford;
mod bfs;
mod both_ends;
mod build;
mod column;
mod convert;
mod dijkstra;
mod edges;
mod engine;
mod graph;
mod keys;
mod kruskal;
mod labels;
mod parts;
mod paths;
mod pickled;
mod rows;
mod strong;
mod values;

use pyo3::prelude::*;

/// The part `nx` of the native module.
#[pymodule]
pub(crate) mod nx {
    #[pymodule_export]
    use super::{
        adjacency::Adjacency,
        column::Column,
        edges::{parse_edges, read_arrays},
        graph::to_graph,
        parts::{
            communities, condensed, forest, strong_components, strong_count, weak_components, weak_count,
        },
        paths::{
            bellman_ford, bfs_edges, bfs_layers, bfs_lengths, bfs_parents, bfs_paths, dijkstra,
            has_negative_loop, path_by_hops, path_by_weight,
        },
        pickled::{restored, restored_column},
        values::{
            betweenness, closeness, clustering, core_numbers, degrees, distance_sums, eccentricity, harmonic,
            pagerank, triangles,
        },
    };
}
