//! Answers and edges as Arrow data: capsules by which other libraries read the columns where they lie.
//!
//! "None" is null here: the greatest number of a type, no vertex, a decimal that is not finite, an empty label. It is so in
//! Parquet files of answers, too.

use super::ffi::{ArrowArray, ArrowArrayStream, ArrowSchema, NULLABLE, Released};
use pyo3::{
    prelude::*,
    types::{PyCapsule, PyTuple},
};
use std::{
    any::Any,
    borrow::Cow,
    ffi::{CString, c_char, c_int, c_void},
    ptr,
    sync::Arc,
};
use warpgraph::{
    graph::{Ids, Labels, NO_VERTEX, Vertex},
    table::{Table, Values},
};

/// A table, ready to be handed over as often as it is asked for.
pub(crate) struct Export {
    columns: Vec<Column>,
    rows: usize,
}

/// The type of a column, and which rows have a value: one bit per row that is 1 for those; `None` if all have.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Form {
    pub(super) format: String,
    pub(super) is_nullable: bool,
    pub(super) nulls: Option<Vec<u8>>,
}

/// A column of it.
pub(super) struct Column {
    name: CString,
    format: &'static std::ffi::CStr,
    nulls: usize,
    validity: Option<Arc<Vec<u8>>>,
    is_nullable: bool,
    /// Validity, then the buffers of the type.
    buffers: Vec<Buffer>,
}

/// Memory and its owner.
struct Buffer {
    start: *const c_void,
    _owner: Option<Owner>,
}

type Owner = Arc<dyn Any + Send + Sync>;

// SAFETY: the memory is plain data that nothing changes and the owner keeps.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    fn none() -> Self {
        Self { start: ptr::null(), _owner: None }
    }

    fn owned<T: Send + Sync + 'static>(values: Vec<T>) -> Self {
        Self::shared(&Arc::new(values))
    }

    fn shared<T: Send + Sync + 'static>(values: &Arc<Vec<T>>) -> Self {
        Self { start: values.as_ptr().cast(), _owner: Some(values.clone()) }
    }
}

impl Export {
    /// Takes the columns of a table.
    ///
    /// # Safety
    /// What the table borrows lies in memory that nothing frees or changes while `owner` lives.
    pub(crate) unsafe fn of(table: Table<'_>, owner: Owner) -> Self {
        let rows = table.rows();
        let column = |column: warpgraph::table::Column<'_>| {
            // SAFETY: the caller's promise.
            let made = unsafe { Made::of(column.values, &owner) };
            made.named(&column.name)
        };
        Self { columns: table.columns.into_iter().map(column).collect(), rows }
    }

    /// Takes columns of this many rows.
    pub(super) fn new(columns: Vec<Column>, rows: usize) -> Self {
        Self { columns, rows }
    }

    /// Returns the forms of the columns by name.
    pub(crate) fn forms(&self) -> Vec<(String, Form)> {
        let form = |column: &Column| Form {
            format: column.format.to_string_lossy().into_owned(),
            is_nullable: column.is_nullable,
            nulls: column.validity.as_deref().cloned(),
        };
        self.columns.iter().map(|column| (column.name.to_string_lossy().into_owned(), form(column))).collect()
    }

    fn schema(&self) -> ArrowSchema {
        let children = self.columns.iter().map(|column| {
            let flags = if column.is_nullable { NULLABLE } else { 0 };
            schema(column.format, column.name.clone(), flags, Vec::new())
        });
        schema(c"+s", CString::default(), 0, children.collect())
    }

    fn array(self: &Arc<Self>) -> ArrowArray {
        let child = |column: &Column| {
            let buffers = column.buffers.iter().map(|buffer| buffer.start).collect();
            array(self.rows, column.nulls, buffers, Vec::new(), self.clone())
        };
        let children = self.columns.iter().map(child).collect();
        array(self.rows, 0, vec![ptr::null()], children, self.clone())
    }

    /// Returns a capsule with the type of the table.
    pub(crate) fn schema_capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule(py, self.schema())
    }

    /// Returns capsules with the type of the table and its rows.
    pub(crate) fn array_capsules<'py>(self: &Arc<Self>, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, [capsule(py, self.schema())?, capsule(py, self.array())?])
    }

    /// Returns a capsule with the table as a stream of one batch.
    pub(crate) fn stream_capsule<'py>(self: Arc<Self>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = Box::new(Streamed { export: self, is_done: false });
        let stream = ArrowArrayStream {
            get_schema: Some(stream_schema),
            get_next: Some(stream_next),
            get_last_error: Some(stream_error),
            release: Some(stream_release),
            private_data: Box::into_raw(state).cast(),
        };
        capsule(py, stream)
    }
}

/// Returns a capsule that releases its content unless a consumer takes it.
fn capsule<T: Released + Send + 'static>(py: Python<'_>, content: T) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyCapsule::new_with_value(py, content, T::CAPSULE)?.into_any())
}

/// A column without its name.
pub(super) struct Made {
    format: &'static std::ffi::CStr,
    validity: Option<(Vec<u8>, usize)>,
    data: Vec<Buffer>,
    pub(super) is_nullable: bool,
}

impl Made {
    /// # Safety
    /// As for [`Export::of`].
    unsafe fn of(values: Values<'_>, owner: &Owner) -> Self {
        macro_rules! plain {
            ($format:literal, $values:expr, $is_there:expr) => {{
                let validity = validity($values.len(), |row| $is_there($values[row]));
                let data = match $values {
                    Cow::Borrowed(values) => {
                        Buffer { start: values.as_ptr().cast(), _owner: Some(owner.clone()) }
                    }
                    Cow::Owned(values) => Buffer::owned(values),
                };
                Self { format: $format, validity, data: vec![data], is_nullable: true }
            }};
        }
        match values {
            Values::Ids(ids) => ids_of(ids),
            Values::Vertices(ids, vertices) => vertices_of(ids, &vertices),
            Values::U32(values) => plain!(c"I", values, |value: u32| value != u32::MAX),
            Values::U64(values) => plain!(c"L", values, |value: u64| value != u64::MAX),
            Values::I64(values) => plain!(c"l", values, |value: i64| value != i64::MAX),
            Values::F32(values) => plain!(c"f", values, |value: f32| value.is_finite()),
            Values::F64(values) => plain!(c"g", values, |value: f64| value.is_finite()),
            Values::Labels(labels) => labels_of(labels),
        }
    }

    /// Returns a column of numbers, all of which are there.
    pub(super) fn of_numbers<T: Send + Sync + 'static>(
        format: &'static std::ffi::CStr,
        numbers: Vec<T>,
        is_nullable: bool,
    ) -> Self {
        Self { format, validity: None, data: vec![Buffer::owned(numbers)], is_nullable }
    }

    /// Takes a bit per row that is 1 for values that are there.
    pub(super) fn with_nulls(self, bits: Option<Vec<u8>>, rows: usize) -> Self {
        let is_there = |bits: &[u8], row: usize| bits[row / 8] >> (row % 8) & 1 == 1;
        let count = |bits: &Vec<u8>| (0..rows).filter(|&row| !is_there(bits, row)).count();
        Self {
            validity: bits.map(|bits| {
                let nulls = count(&bits);
                (bits, nulls)
            }),
            ..self
        }
    }

    pub(super) fn named(self, name: &str) -> Column {
        let (validity, nulls) =
            self.validity.map_or((None, 0), |(bits, nulls)| (Some(Arc::new(bits)), nulls));
        let bits = validity.as_ref().map_or_else(Buffer::none, Buffer::shared);
        Column {
            name: CString::new(name).unwrap_or_default(),
            format: self.format,
            nulls,
            validity,
            is_nullable: self.is_nullable,
            buffers: std::iter::once(bits).chain(self.data).collect(),
        }
    }
}

/// Returns a bit per row that is 1 for values that are there, and the number of others; `None` if all are.
fn validity(rows: usize, is_there: impl Fn(usize) -> bool) -> Option<(Vec<u8>, usize)> {
    let byte = |at: usize| {
        (8 * at..rows.min(8 * at + 8)).fold(0, |byte, row| byte | u8::from(is_there(row)) << (row % 8))
    };
    let bits: Vec<u8> = (0..rows.div_ceil(8)).map(byte).collect();
    let there: u32 = bits.iter().map(|byte| byte.count_ones()).sum();
    let nulls = rows - there as usize;
    (nulls > 0).then_some((bits, nulls))
}

/// Returns 64-bit numbers; signed if all fit.
fn whole(numbers: Vec<u64>, validity: Option<(Vec<u8>, usize)>, is_nullable: bool, fits: bool) -> Made {
    let format = if fits { c"l" } else { c"L" };
    Made { format, validity, data: vec![Buffer::owned(numbers)], is_nullable }
}

fn fits(ids: &Ids) -> bool {
    match ids {
        Ids::Numbers(numbers) => numbers.last().is_none_or(|&last| i64::try_from(last).is_ok()),
        _ => true,
    }
}

fn ids_of(ids: &Ids) -> Made {
    match ids {
        Ids::Range { first, len } => whole((*first..first + *len as u64).collect(), None, false, true),
        Ids::Numbers(numbers) => whole(numbers.to_vec(), None, false, fits(ids)),
        Ids::Names(names) => {
            let text = Text {
                starts: names.starts().iter().map(|&s| s as i64).collect(),
                text: names.text().to_vec(),
            };
            Made { is_nullable: false, ..text.made(None) }
        }
    }
}

fn vertices_of(ids: &Ids, vertices: &[Vertex]) -> Made {
    let validity = validity(vertices.len(), |row| vertices[row] != NO_VERTEX);
    let numbers = |number: &dyn Fn(Vertex) -> u64| {
        let all = vertices.iter().map(|&v| if v == NO_VERTEX { 0 } else { number(v) }).collect();
        whole(all, validity.clone(), true, fits(ids))
    };
    match ids {
        Ids::Range { first, .. } => numbers(&|v| first + u64::from(v)),
        Ids::Numbers(known) => numbers(&|v| known[v as usize]),
        Ids::Names(names) => {
            let text = |&v: &Vertex| if v == NO_VERTEX { "" } else { names.get(v as usize) };
            Text::of(vertices.iter().map(text)).made(validity)
        }
    }
}

fn labels_of(labels: &Labels) -> Made {
    let label = |v: usize| labels.get(v as Vertex);
    let validity = validity(labels.len(), |v| !label(v).is_empty());
    Text::of((0..labels.len()).map(label)).made(validity)
}

/// Texts end to end.
pub(super) struct Text {
    starts: Vec<i64>,
    text: Vec<u8>,
}

impl Text {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut all = Self { starts: vec![0], text: Vec::new() };
        for text in texts {
            all.text.extend_from_slice(text.as_bytes());
            all.starts.push(all.text.len() as i64);
        }
        all
    }

    pub(super) fn made(self, validity: Option<(Vec<u8>, usize)>) -> Made {
        let data = vec![Buffer::owned(self.starts), Buffer::owned(self.text)];
        Made { format: c"U", validity, data, is_nullable: true }
    }
}

/// What a schema owns.
struct SchemaParts {
    _name: CString,
    children: Box<[*mut ArrowSchema]>,
}

fn schema(
    format: &'static std::ffi::CStr,
    name: CString,
    flags: i64,
    children: Vec<ArrowSchema>,
) -> ArrowSchema {
    let children: Box<[_]> = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut parts = Box::new(SchemaParts { _name: name, children });
    ArrowSchema {
        format: format.as_ptr(),
        name: parts._name.as_ptr(),
        metadata: ptr::null(),
        flags,
        n_children: parts.children.len() as i64,
        children: parts.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller passes a schema of this module that is not released. Children whose content was moved away are
    // released structs, which are freed without effect.
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        parts.children.iter().for_each(|&child| drop(Box::from_raw(child)));
        (*schema).release = None;
    }
}

/// What an array owns.
struct ArrayParts {
    buffers: Box<[*const c_void]>,
    children: Box<[*mut ArrowArray]>,
    _export: Arc<Export>,
}

fn array(
    rows: usize,
    nulls: usize,
    buffers: Vec<*const c_void>,
    children: Vec<ArrowArray>,
    export: Arc<Export>,
) -> ArrowArray {
    let children: Box<[_]> = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut parts = Box::new(ArrayParts { buffers: buffers.into(), children, _export: export });
    ArrowArray {
        length: rows as i64,
        null_count: nulls as i64,
        offset: 0,
        n_buffers: parts.buffers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.buffers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as in `release_schema`.
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        parts.children.iter().for_each(|&child| drop(Box::from_raw(child)));
        (*array).release = None;
    }
}

/// What a stream owns.
struct Streamed {
    export: Arc<Export>,
    is_done: bool,
}

unsafe extern "C" fn stream_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the caller passes a stream of this module that is not released, and memory for a schema.
    unsafe { ptr::write(out, (*(*stream).private_data.cast::<Streamed>()).export.schema()) };
    0
}

unsafe extern "C" fn stream_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as above; the caller uses a stream on one thread at a time.
    unsafe {
        let state = &mut *(*stream).private_data.cast::<Streamed>();
        let array = if state.is_done { ArrowArray::empty() } else { state.export.array() };
        state.is_done = true;
        ptr::write(out, array);
    }
    0
}

unsafe extern "C" fn stream_error(_: *mut ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn stream_release(stream: *mut ArrowArrayStream) {
    // SAFETY: as in `release_schema`.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Streamed>()));
        (*stream).release = None;
    }
}
