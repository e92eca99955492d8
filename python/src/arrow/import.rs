//! Columns of numbers and texts from objects with `__arrow_c_stream__` or `__arrow_c_array__`.

use super::ffi::{ArrowArray, ArrowArrayStream, ArrowSchema, Released, text};
use crate::{
    edges::{Column, Numbers, Piece, Shared, Texts, Values},
    errors,
};
use pyo3::{
    prelude::*,
    types::{PyCapsule, PyCapsuleMethods, PyTuple},
};
use std::sync::Arc;

/// What an object has handed over: one type, and arrays of it.
pub(crate) struct Imported {
    schema: ArrowSchema,
    arrays: Vec<Arc<ArrowArray>>,
}

/// A mistake in what is imported: what, and what to do.
type Wrong = (String, &'static str);

impl Imported {
    /// Imports an object; `None` if it has neither method.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(method) = object.getattr("__arrow_c_stream__") {
            let stream: ArrowArrayStream = taken(&method.call0()?)?;
            return read(object.py(), stream).map(Some);
        }
        let Ok(method) = object.getattr("__arrow_c_array__") else { return Ok(None) };
        let both = method.call0()?.cast_into::<PyTuple>()?;
        let (schema, array) = (taken(&both.get_item(0)?)?, taken(&both.get_item(1)?)?);
        Ok(Some(Self { schema, arrays: vec![Arc::new(array)] }))
    }

    /// Returns the names of the columns of a table; `None` if this is a single column.
    pub(crate) fn names(&self) -> Option<Vec<String>> {
        let is_table = self.schema.format() == "+s";
        is_table.then(|| self.schema.children().map(|column| column.name().to_owned()).collect())
    }

    /// Returns a column of a table, or the single column.
    ///
    /// # Errors
    /// `warpgraph.Error` for values that are neither numbers nor texts, and for nulls.
    pub(crate) fn column(&self, py: Python<'_>, at: Option<usize>) -> PyResult<Column> {
        let schema = match at {
            Some(at) => self.schema.children().nth(at),
            None => Some(&self.schema),
        };
        let pieces = schema.map(|schema| {
            let piece = |array: &Arc<ArrowArray>| piece(schema, array, at);
            self.arrays.iter().map(piece).collect::<Result<Vec<_>, _>>()
        });
        match pieces {
            Some(Ok(pieces)) => Ok(Column { pieces }),
            Some(Err((what, help))) => Err(errors::invalid(py, what, help)),
            None => Err(errors::invalid(py, "a column is missing", "report it to the library of the table")),
        }
    }
}

/// Moves the struct out of a capsule.
fn taken<T: Released>(capsule: &Bound<'_, PyAny>) -> PyResult<T> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(T::CAPSULE))?;
    // SAFETY: the name of the capsule says what it holds. This thread is attached to the interpreter and takes the content
    // before other code can.
    let content = unsafe { T::take(pointer.as_ptr().cast()) };
    match content.is_released() {
        false => Ok(content),
        true => Err(errors::invalid(
            capsule.py(),
            "the Arrow capsule is empty: its content was taken before",
            "pass the table itself, or ask for a new capsule",
        )),
    }
}

/// Reads all arrays of a stream.
fn read(py: Python<'_>, mut stream: ArrowArrayStream) -> PyResult<Imported> {
    let stopped = |stream: &mut ArrowArrayStream, code: i32| {
        // SAFETY: the callback of a stream that is not released; its text lives until the next call.
        let why = unsafe { stream.get_last_error.map_or("", |last| text(last(stream))) };
        let what =
            format!("the table cannot be read: {}", if why.is_empty() { "no reason given" } else { why });
        errors::invalid(py, what, format!("its library reports error {code}"))
    };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(stopped(&mut stream, 0));
    };
    let mut schema = ArrowSchema::empty();
    // SAFETY: the callbacks of a stream that is not released fill an empty struct, or return an error code.
    let code = unsafe { get_schema(&mut stream, &mut schema) };
    if code != 0 {
        return Err(stopped(&mut stream, code));
    }
    let mut arrays = Vec::new();
    loop {
        let mut array = ArrowArray::empty();
        // SAFETY: as above.
        let code = unsafe { get_next(&mut stream, &mut array) };
        match (code, array.is_released()) {
            (0, true) => return Ok(Imported { schema, arrays }),
            (0, false) => arrays.push(Arc::new(array)),
            (code, _) => return Err(stopped(&mut stream, code)),
        }
        py.check_signals()?;
    }
}

/// The place of some values: `length` of them from `offset` on.
struct Place<'a> {
    array: &'a ArrowArray,
    offset: usize,
    length: usize,
    root: &'a Arc<ArrowArray>,
}

/// Returns the values of a column in one array of the stream.
fn piece(schema: &ArrowSchema, root: &Arc<ArrowArray>, at: Option<usize>) -> Result<Piece, Wrong> {
    let name = if schema.name().is_empty() { "the column" } else { schema.name() };
    let (mut array, mut offset, length) = (&**root, whole(root.offset)?, whole(root.length)?);
    if let Some(at) = at {
        refuse_nulls(&Place { array, offset, length, root }, "the table")?;
        array = array.child(at).ok_or_else(|| damaged("an array lacks a column"))?;
        offset += whole(array.offset)?;
    }
    let place = Place { array, offset, length, root };
    refuse_nulls(&place, name)?;
    let values = match (schema.dictionary(), array.dictionary()) {
        (Some(known), Some(array)) => {
            let (offset, length) = (whole(array.offset)?, whole(array.length)?);
            let known = texts(known.format(), &Place { array, offset, length, root })?;
            match (numbers(schema.format(), &place)?, known) {
                (Some(codes), Some(known)) => Values::Coded { codes, known },
                _ => return Err(unknown(schema.format(), name)),
            }
        }
        _ => match texts(schema.format(), &place)? {
            Some(texts) => Values::Texts(texts),
            None => Values::Numbers(
                numbers(schema.format(), &place)?.ok_or_else(|| unknown(schema.format(), name))?,
            ),
        },
    };
    Ok(Piece { values, length })
}

fn whole(value: i64) -> Result<usize, Wrong> {
    usize::try_from(value).map_err(|_| damaged("a length is negative"))
}

fn damaged(what: &str) -> Wrong {
    (format!("the Arrow data contradicts itself: {what}"), "report it to the library of the table")
}

fn unknown(format: &str, name: &str) -> Wrong {
    let what = match format {
        "b" => "true and false",
        "n" => "nulls only",
        "e" => "16-bit decimals",
        "z" | "Z" | "vz" => "bytes",
        _ if format.starts_with(['t', 'd']) => "dates, times or decimals of fixed width",
        _ => "nested or encoded values",
    };
    let help = "ids are whole numbers or text, weights are numbers: cast the column first";
    (format!("{name} has {what} (Arrow type {format:?})"), help)
}

/// Refuses values that are null.
fn refuse_nulls(place: &Place<'_>, name: &str) -> Result<(), Wrong> {
    let valid = place.array.buffer(0).cast::<u8>();
    if place.array.null_count == 0 || valid.is_null() {
        return Ok(());
    }
    let is_null = |&i: &usize| {
        let at = place.offset + i;
        // SAFETY: the bitmap has a bit for each of the values of the array, whose offset is counted.
        unsafe { *valid.add(at / 8) >> (at % 8) & 1 == 0 }
    };
    match (0..place.length).find(is_null) {
        None => Ok(()),
        Some(row) => {
            Err((format!("{name} has a null in row {row}"), "drop the rows with nulls first, or fill them"))
        }
    }
}

/// Returns `length` values of buffer `at` from `offset` on.
///
/// # Safety
/// The specification gives the buffer this type, and at least so many values.
unsafe fn shared<T>(place: &Place<'_>, at: usize, offset: usize, length: usize) -> Result<Shared<T>, Wrong> {
    let start = place.array.buffer(at).cast::<T>();
    if length > 0 && start.is_null() {
        return Err(damaged("a buffer is missing"));
    }
    if !start.is_aligned() {
        return Err(damaged("a buffer is not aligned"));
    }
    let start =
        if start.is_null() { std::ptr::NonNull::dangling().as_ptr() } else { start.wrapping_add(offset) };
    // SAFETY: the caller's promise; the root owns the buffers of all arrays in it, and no code changes them.
    Ok(unsafe { Shared::new(start, length, place.root.clone()) })
}

/// Returns numbers; `None` if the type is another one.
fn numbers(format: &str, place: &Place<'_>) -> Result<Option<Numbers>, Wrong> {
    macro_rules! by_format {
        ($($format:literal $variant:ident),*) => {
            match format {
                // SAFETY: buffer 1 of a primitive array has one value of its type per row.
                $($format => Numbers::$variant(unsafe { shared(place, 1, place.offset, place.length) }?),)*
                _ => return Ok(None),
            }
        };
    }
    Ok(Some(by_format!(
        "C" U8, "S" U16, "I" U32, "L" U64, "c" I8, "s" I16, "i" I32, "l" I64, "f" F32, "g" F64
    )))
}

/// Returns texts; `None` if the type is another one.
fn texts(format: &str, place: &Place<'_>) -> Result<Option<Texts>, Wrong> {
    let (offset, length) = (place.offset, place.length);
    // A null buffer of starts is allowed for an array without values.
    let has_starts = !place.array.buffer(1).is_null();
    // SAFETY: the layouts that the specification gives these types: one start more than rows, and text up to the last; or
    // one view of 16 bytes per row, buffers of text, and a last buffer with the length of each of them.
    unsafe {
        Ok(Some(match format {
            "u" if has_starts => {
                let starts: Shared<i32> = shared(place, 1, offset, length + 1)?;
                let end = starts.last().map_or(0, |&end| end.max(0) as usize);
                Texts::Narrow(starts, shared(place, 2, 0, end)?)
            }
            "U" if has_starts => {
                let starts: Shared<i64> = shared(place, 1, offset, length + 1)?;
                let end = starts.last().map_or(0, |&end| end.max(0) as usize);
                Texts::Wide(starts, shared(place, 2, 0, end)?)
            }
            "u" | "U" if length == 0 => Texts::default(),
            "vu" => {
                let count = whole(place.array.n_buffers - 3)?;
                let lengths: Shared<i64> = shared(place, count + 2, 0, count)?;
                let buffer = |i: usize| shared(place, 2 + i, 0, whole(lengths[i])?);
                let buffers = (0..count).map(buffer).collect::<Result<_, _>>()?;
                Texts::Views(shared(place, 1, offset, length)?, buffers)
            }
            _ => return Ok(None),
        }))
    }
}
