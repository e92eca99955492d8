//! Checks on small graphs what the generators promise.

mod models;
mod same;
mod text;

use super::Spec;
use crate::{Control, Graph};

fn graph(text: &str) -> Graph {
    spec(text).generate(&Control::new()).unwrap()
}

fn spec(text: &str) -> Spec {
    Spec::parse(text).unwrap_or_else(|e| panic!("{e}; {:?}", e.help()))
}
