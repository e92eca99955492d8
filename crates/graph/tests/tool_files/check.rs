//! Reads one file and compares the outcome with its row.

use crate::table::{Expected, Row, folder};
use serde_json::{Value, json};
use warpgraph_graph::{Control, Error, Graph, Vertex, VertexId};

/// Reads the file of a row. Panics if the outcome is another one than the row's.
pub(crate) fn check(row: &Row) {
    let path = folder().join("files").join(&row.file);
    match (Graph::open_with(&path, &row.options(), &Control::new()), &row.graph, &row.error) {
        (Ok(graph), Some(expected), _) => compare(&graph, expected, row),
        (Err(error), _, Some(words)) => explains(&error, words, row),
        (Err(error), _, None) => panic!("expected a graph, got: {}", told(&error)),
        (Ok(graph), None, _) => {
            let origin = json!(graph.origin());
            panic!("expected an error with {:?}, got {:#?}\n{origin}", row.error, seen(&graph))
        }
    }
}

fn compare(graph: &Graph, expected: &Expected, row: &Row) {
    let seen = seen(graph);
    assert!(seen == *expected, "got {seen:?}\nexpected {expected:?}\norigin {}", json!(graph.origin()));
    let report = without_name(&texts(&json!(graph.origin())), row);
    for text in &row.says {
        assert!(mentions(&report, text), "the origin does not mention {text:?}: {report}");
    }
}

/// Panics if an error lacks one of the words or says nothing about what to do next.
fn explains(error: &Error, words: &[String], row: &Row) {
    let message = without_name(&told(error), row);
    for word in words {
        let is_there = word.split('|').any(|choice| mentions(&message, choice));
        assert!(is_there, "the error does not mention {word:?}: {message}");
    }
    assert!(error.help().is_some(), "the error does not say what to do next: {message}");
}

fn told(error: &Error) -> String {
    format!("{error}\n  help: {}", error.help().unwrap_or_default())
}

/// Removes path and name of the file: a name such as `utf-16.csv` explains nothing.
fn without_name(text: &str, row: &Row) -> String {
    let path = folder().join("files").join(&row.file);
    text.replace(&*path.to_string_lossy(), "FILE").replace(&row.file, "FILE")
}

/// Returns all texts in a value, one per line, without the names of fields.
fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(values) => values.iter().map(texts).collect(),
        Value::Object(fields) => fields.values().map(texts).collect(),
        _ => String::new(),
    }
}

/// Returns true if a text has these words, in any case and not as a part of longer words.
fn mentions(text: &str, words: &str) -> bool {
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    let is_part = |a: Option<char>, b: Option<char>| {
        a.zip(b).is_some_and(|(a, b)| [a, b].iter().all(|c| c.is_alphanumeric() || *c == '_'))
    };
    text.match_indices(&words).any(|(start, found)| {
        let (before, after) = (text[..start].chars().next_back(), text[start + found.len()..].chars().next());
        !is_part(before, words.chars().next()) && !is_part(words.chars().next_back(), after)
    })
}

/// Writes a graph down in the form of the table.
fn seen(graph: &Graph) -> Expected {
    let kind = if graph.ids().kind() == "names" { "names" } else { "numbers" };
    let vertices = 0..graph.vertices() as Vertex;
    Expected {
        directed: graph.is_directed(),
        ids: kind.to_owned(),
        vertices: vertices.clone().map(|v| id(graph, v)).collect(),
        edges: vertices.flat_map(|u| edges_of(graph, u)).collect(),
    }
}

/// Returns the edges of `u`, without those of an undirected graph whose other end is smaller; parallel ones by weight.
fn edges_of(graph: &Graph, u: Vertex) -> Vec<Vec<Value>> {
    let out = graph.out();
    let mut arcs: Vec<usize> = out.csr.arcs_of(u).collect();
    arcs.retain(|&arc| graph.is_directed() || u <= out.csr.targets()[arc]);
    arcs.sort_by(|&a, &b| {
        let by_target = out.csr.targets()[a].cmp(&out.csr.targets()[b]);
        by_target.then(out.weights.get(a).total_cmp(&out.weights.get(b)))
    });
    let edge = |arc| {
        let ends = [id(graph, u), id(graph, out.csr.targets()[arc])];
        let weight = out.weights.weight_type().map(|_| json!(out.weights.get(arc)));
        ends.into_iter().chain(weight).collect()
    };
    arcs.into_iter().map(edge).collect()
}

fn id(graph: &Graph, v: Vertex) -> Value {
    match graph.ids().id(v) {
        VertexId::Number(number) => json!(number),
        VertexId::Name(name) => json!(name),
    }
}
