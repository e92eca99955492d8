//! The options that every run has beside its configuration, as the Python package passes them.

use crate::{engines::Key, errors, work::Watched};
use pyo3::{prelude::*, types::PyDict};
use warpgraph::{Approximation, DEFAULT_SEED, Error, Options, Order, Plan};

/// How to run, parsed.
#[derive(Debug)]
pub(crate) struct How<'py> {
    pub(crate) key: Key,
    pub(crate) order: Option<Order>,
    pub(crate) approximation: Approximation,
    pub(crate) options: Options,
    pub(crate) watched: Watched<'py>,
}

/// The names of the options. `python/warpgraph/_options.py` has them with their help.
const NAMES: [&str; 11] = [
    "device",
    "plan",
    "order",
    "approx",
    "threads",
    "seed",
    "deterministic",
    "trace",
    "gpu_memory",
    "progress",
    "time_limit",
];

impl<'py> How<'py> {
    /// Reads the options; those left out or `None` have the defaults of the command line.
    pub(crate) fn new(given: &Bound<'py, PyDict>) -> PyResult<Self> {
        let py = given.py();
        if let Some(name) =
            given.keys().iter().find(|key| !NAMES.iter().any(|name| key.eq(name).unwrap_or(false)))
        {
            return Err(errors::invalid(py, format!("there is no option {name}"), NAMES.join(", ")));
        }
        let item = |name: &str| Ok::<_, PyErr>(given.get_item(name)?.filter(|value| !value.is_none()));
        fn as_type<'py, T>(value: Option<Bound<'py, PyAny>>) -> PyResult<Option<T>>
        where
            T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
        {
            value.map(|value| value.extract::<T>().map_err(Into::into)).transpose()
        }
        let text = |name: &str| as_type::<String>(item(name)?);
        let refuse = |error: Error| errors::raise(py, &error);
        let device = text("device")?.as_deref().unwrap_or("auto").parse().map_err(refuse)?;
        let plan: Plan = text("plan")?.as_deref().unwrap_or("auto").parse().map_err(refuse)?;
        let order: Option<Order> = text("order")?.map(|text| text.parse()).transpose().map_err(refuse)?;
        let approximation = text("approx")?.as_deref().unwrap_or("none").parse().map_err(refuse)?;
        let seed = as_type(item("seed")?)?.unwrap_or(DEFAULT_SEED);
        let options = Options {
            plan,
            order: order.unwrap_or_default(),
            approximation,
            seed,
            deterministic: as_type(item("deterministic")?)?.unwrap_or(false),
            trace: as_type(item("trace")?)?.unwrap_or(false),
            ..Options::default()
        };
        let gpu_memory = item("gpu_memory")?.map(|value| crate::make::size(&value)).transpose()?;
        let key = Key::new(device, as_type(item("threads")?)?, gpu_memory);
        let watched = Watched::of(given)?;
        Ok(Self { key, order, approximation, options, watched })
    }
}
