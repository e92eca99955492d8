//! The table of algorithms for Python: names, texts, and the fields of each configuration with help and default.

use crate::{errors, json};
use pyo3::prelude::*;
use serde_json::{Value, json};
use warpgraph::Entry;

/// Returns the version of the engine.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns one dict per algorithm, in the order of the documentation.
#[pyfunction]
pub(crate) fn algorithms(py: Python<'_>) -> PyResult<Py<PyAny>> {
    let all = warpgraph::algorithms().iter().map(described).collect::<Result<Vec<_>, _>>();
    json::to_python(py, &Value::Array(all.map_err(|error| errors::raise(py, &error))?))
}

fn described(entry: &Entry) -> Result<Value, warpgraph::Error> {
    let defaults = entry.question(json!({}))?.config();
    let command = entry.arguments(clap::Command::new(entry.name));
    let fields: Vec<Value> = command.get_arguments().filter_map(|flag| field(flag, &defaults)).collect();
    Ok(json!({
        "name": entry.name,
        "title": entry.about.title,
        "asks": entry.about.asks,
        "details": entry.about.details,
        "verified_by": entry.about.verified_by,
        "finds_paths": entry.finds_paths,
        "fields": fields,
    }))
}

/// Describes a field of a configuration by its flag; `None` for a flag that is no field.
fn field(flag: &clap::Arg, defaults: &Value) -> Option<Value> {
    let name = flag.get_id().as_str();
    let default = defaults.get(name)?;
    let text = |help: Option<&clap::builder::StyledStr>| help.map(ToString::to_string);
    let value_name =
        flag.get_value_names().and_then(|names| names.first()).map(|name| name.as_str().to_owned());
    Some(json!({
        "name": name,
        "default": default,
        "help": text(flag.get_help()),
        "long_help": text(flag.get_long_help()),
        "value_name": value_name,
        "is_list": default.is_array(),
        "is_flag": default.is_boolean(),
    }))
}
