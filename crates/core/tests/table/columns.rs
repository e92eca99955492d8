//! Tables with columns of every kind.

use std::borrow::Cow;
use warpgraph_core::{Table, table::Values};
use warpgraph_graph::{Ids, NO_VERTEX, Names};

pub(crate) fn names(list: &[&str]) -> Ids {
    let mut starts = vec![0u64];
    starts.extend(list.iter().scan(0, |end, name| {
        *end += name.len() as u64;
        Some(*end)
    }));
    Ids::Names(Names::new(starts.into(), list.concat().into_bytes().into(), "test").unwrap())
}

/// Every kind of column, each with one "none".
pub(crate) fn every_kind(ids: &Ids) -> Table<'_> {
    Table::of_vertices(ids)
        .with("parent", Values::Vertices(ids, Cow::Owned(vec![0, 2, NO_VERTEX])))
        .with("u32", Values::U32(Cow::Owned(vec![0, 7, u32::MAX])))
        .with("u64", Values::U64(Cow::Owned(vec![0, 1 << 40, u64::MAX])))
        .with("i64", Values::I64(Cow::Owned(vec![-5, 0, i64::MAX])))
        .with("f32", Values::F32(Cow::Owned(vec![0.1, -2.0, f32::INFINITY])))
        .with("f64", Values::F64(Cow::Owned(vec![0.1 + 0.2, 1e-300, f64::NAN])))
}
