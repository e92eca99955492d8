//! The structs of the [Arrow C data interface](https://arrow.apache.org/docs/format/CDataInterface.html), whose layout its
//! specification fixes. Each owns what its `release` frees: dropping one releases it, unless that has happened.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
};

/// The type of an array.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct ArrowSchema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut ArrowSchema,
    pub(crate) dictionary: *mut ArrowSchema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub(crate) private_data: *mut c_void,
}

/// The values of an array.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct ArrowArray {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    pub(crate) n_buffers: i64,
    pub(crate) n_children: i64,
    pub(crate) buffers: *mut *const c_void,
    pub(crate) children: *mut *mut ArrowArray,
    pub(crate) dictionary: *mut ArrowArray,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub(crate) private_data: *mut c_void,
}

/// A sequence of arrays of one type.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct ArrowArrayStream {
    pub(crate) get_schema: Option<unsafe extern "C" fn(*mut Self, *mut ArrowSchema) -> c_int>,
    pub(crate) get_next: Option<unsafe extern "C" fn(*mut Self, *mut ArrowArray) -> c_int>,
    pub(crate) get_last_error: Option<unsafe extern "C" fn(*mut Self) -> *const c_char>,
    pub(crate) release: Option<unsafe extern "C" fn(*mut Self)>,
    pub(crate) private_data: *mut c_void,
}

/// The flag of a schema whose values may be null.
pub(crate) const NULLABLE: i64 = 2;

/// A struct of the interface, which the consumer takes out of a capsule.
///
/// # Safety
/// All bits zero are a valid, released value.
pub(crate) unsafe trait Released: Sized {
    /// The name of the capsule that holds it.
    const CAPSULE: &'static CStr;

    /// Returns true if there is nothing in it any more.
    fn is_released(&self) -> bool;

    /// Returns a struct that holds nothing, for a producer to fill.
    fn empty() -> Self {
        // SAFETY: the promise of the trait.
        unsafe { std::mem::zeroed() }
    }

    /// Moves the content out, and leaves a released struct.
    ///
    /// # Safety
    /// `from` points to a struct of this type that no other code uses.
    unsafe fn take(from: *mut Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { ptr::replace(from, Self::empty()) }
    }
}

macro_rules! released {
    ($($name:ident $capsule:literal),*) => {$(
        // SAFETY: null pointers, zeroes and no release callback are what the specification calls released.
        unsafe impl Released for $name {
            const CAPSULE: &'static CStr = $capsule;

            fn is_released(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the producer's callback takes the struct that it filled, once: it clears `release`.
                    unsafe { release(self) };
                }
            }
        }

        // SAFETY: the specification lets any thread use and release a struct, one at a time.
        unsafe impl Send for $name {}
    )*};
}
released!(ArrowSchema c"arrow_schema", ArrowArray c"arrow_array", ArrowArrayStream c"arrow_array_stream");

// SAFETY: the specification forbids to change arrays after they were handed over; shared reads are thus safe.
unsafe impl Sync for ArrowArray {}
// SAFETY: as above.
unsafe impl Sync for ArrowSchema {}

impl ArrowSchema {
    /// Returns the description of the type, such as `l` for int64.
    pub(crate) fn format(&self) -> &str {
        // SAFETY: a producer sets `format` to text that lives as long as the schema.
        unsafe { text(self.format) }
    }

    /// Returns the name of the column.
    pub(crate) fn name(&self) -> &str {
        // SAFETY: as above; the name may be null.
        unsafe { text(self.name) }
    }

    /// Returns the types of the columns of a struct.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Self> {
        // SAFETY: there are `n_children` pointers to valid schemas, which live as long as this one.
        (0..self.n_children.max(0) as usize).map(|i| unsafe { &**self.children.add(i) })
    }

    /// Returns the type of the values of a dictionary-encoded array.
    pub(crate) fn dictionary(&self) -> Option<&Self> {
        // SAFETY: null, or a valid schema that lives as long as this one.
        unsafe { self.dictionary.as_ref() }
    }
}

impl ArrowArray {
    /// Returns a column of a struct; `None` if there are not as many.
    pub(crate) fn child(&self, at: usize) -> Option<&Self> {
        // SAFETY: there are `n_children` pointers to valid arrays, which live as long as this one.
        ((at as i64) < self.n_children).then(|| unsafe { &**self.children.add(at) })
    }

    /// Returns the values of a dictionary-encoded array.
    pub(crate) fn dictionary(&self) -> Option<&Self> {
        // SAFETY: null, or a valid array that lives as long as this one.
        unsafe { self.dictionary.as_ref() }
    }

    /// Returns a buffer; null if there is none.
    pub(crate) fn buffer(&self, at: usize) -> *const c_void {
        if (at as i64) < self.n_buffers {
            // SAFETY: there are `n_buffers` pointers.
            unsafe { *self.buffers.add(at) }
        } else {
            ptr::null()
        }
    }
}

/// Returns a text; the empty one for null and for what is not UTF-8.
///
/// # Safety
/// `start` is null, or points to text that ends with a zero byte and lives for `'a`.
pub(crate) unsafe fn text<'a>(start: *const c_char) -> &'a str {
    if start.is_null() {
        return "";
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(start) }.to_str().unwrap_or_default()
}
