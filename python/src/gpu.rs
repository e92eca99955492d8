//! Columns in the memory of a GPU, which other libraries offer by `__cuda_array_interface__` or `__dlpack__`: copied to the
//! host through the driver, which is loaded when the first of them comes.
//!
//! Nothing else of CUDA is needed. The driver knows the context of an address, so that it does not matter which library
//! allocated it, and on which GPU.

use crate::errors;
use libloading::{Library, Symbol};
use pyo3::{
    prelude::*,
    types::{PyByteArray, PyCapsule, PyCapsuleMethods, PyDict},
};
use std::{
    ffi::{c_char, c_int, c_void},
    ptr,
};

/// An array in device memory.
#[derive(Debug)]
struct OnDevice {
    address: u64,
    bytes: usize,
    /// The type as NumPy writes it, such as `<i4`.
    kind: String,
    /// The stream that fills it, if work may be pending there.
    stream: Option<u64>,
}

/// Copies a one-dimensional array to the host; returns its bytes and its type.
#[pyfunction]
pub(crate) fn from_gpu<'py>(object: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyByteArray>, String)> {
    let py = object.py();
    // The tensor, if there is one, keeps the memory until it was copied.
    let (array, _tensor) = match object.getattr("__cuda_array_interface__") {
        Ok(interface) => (of_interface(interface.cast::<PyDict>()?)?, None),
        Err(_) => {
            let tensor = Tensor::of(object)?;
            (tensor.array(py)?, Some(tensor))
        }
    };
    let copy = PyByteArray::new_with(py, array.bytes, |to| {
        copy(&array, to).map_err(|(what, help)| errors::device(py, what, help))
    })?;
    Ok((copy, array.kind))
}

fn refuse(py: Python<'_>, what: String) -> PyErr {
    errors::invalid(py, what, "give a contiguous, one-dimensional array of numbers")
}

/// Reads version 2 and 3 of `__cuda_array_interface__`.
fn of_interface(interface: &Bound<'_, PyDict>) -> PyResult<OnDevice> {
    let py = interface.py();
    let item = |name: &str| {
        interface
            .get_item(name)?
            .ok_or_else(|| refuse(py, format!("__cuda_array_interface__ lacks {name:?}")))
    };
    let shape: Vec<usize> = item("shape")?.extract()?;
    let kind: String = item("typestr")?.extract()?;
    let (address, _): (u64, bool) = item("data")?.extract()?;
    let width: usize = kind.get(2..).and_then(|width| width.parse().ok()).unwrap_or(0);
    let strides: Option<Vec<isize>> =
        interface.get_item("strides")?.filter(|s| !s.is_none()).map(|s| s.extract()).transpose()?;
    let is_dense = strides.is_none_or(|strides| strides == [width as isize]);
    let &[length] = &shape[..] else { return Err(refuse(py, format!("an array of shape {shape:?}"))) };
    if !is_dense || width == 0 || !["<", "|"].iter().any(|order| kind.starts_with(order)) {
        return Err(refuse(py, format!("an array of type {kind} with gaps between values")));
    }
    let stream = interface.get_item("stream")?.filter(|s| !s.is_none()).map(|s| s.extract()).transpose()?;
    Ok(OnDevice { address, bytes: length * width, kind, stream })
}

/// `DLTensor` of DLPack.
#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// `DLManagedTensor` of DLPack.
#[repr(C)]
struct DlManaged {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut DlManaged)>,
}

/// A tensor that was taken out of its capsule, which its producer gets back in the end.
struct Tensor(ptr::NonNull<DlManaged>);

impl Drop for Tensor {
    fn drop(&mut self) {
        // SAFETY: the tensor was taken, so this is its only user, and the deleter is called once.
        unsafe {
            if let Some(deleter) = self.0.as_ref().deleter {
                deleter(self.0.as_ptr());
            }
        }
    }
}

/// The stream on which the driver copies; the producer makes it wait for pending work.
const DEFAULT_STREAM: u64 = 1;
/// Numbers of DLPack for CUDA and for its managed memory.
const CUDA: [i32; 2] = [2, 13];

impl Tensor {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let arguments = PyDict::new(py);
        arguments.set_item("stream", DEFAULT_STREAM)?;
        let capsule = object.call_method("__dlpack__", (), Some(&arguments))?.cast_into::<PyCapsule>()?;
        let tensor = capsule.pointer_checked(Some(c"dltensor"))?.cast();
        // A taken capsule is known by this name, and does not delete the tensor.
        // SAFETY: the capsule is valid, and the name is a constant.
        unsafe { pyo3::ffi::PyCapsule_SetName(capsule.as_ptr(), c"used_dltensor".as_ptr()) };
        Ok(Self(tensor))
    }

    fn array(&self, py: Python<'_>) -> PyResult<OnDevice> {
        // SAFETY: the name of the capsule said what it holds; shape and strides have `ndim` entries.
        unsafe {
            let tensor = &self.0.as_ref().tensor;
            let letter = match tensor.code {
                0 => 'i',
                1 => 'u',
                2 => 'f',
                other => return Err(refuse(py, format!("a tensor of DLPack's type {other}"))),
            };
            if tensor.ndim != 1 || tensor.lanes != 1 || (!tensor.strides.is_null() && *tensor.strides != 1) {
                return Err(refuse(py, format!("a tensor of {} dimensions, or with gaps", tensor.ndim)));
            }
            if !CUDA.contains(&tensor.device_type) {
                return Err(refuse(
                    py,
                    format!("a tensor on a device of DLPack's kind {}", tensor.device_type),
                ));
            }
            let (length, width) = ((*tensor.shape).max(0) as usize, usize::from(tensor.bits / 8));
            let address = tensor.data as u64 + tensor.byte_offset;
            Ok(OnDevice { address, bytes: length * width, kind: format!("<{letter}{width}"), stream: None })
        }
    }
}

/// What failed, and what to do.
type Failed = (String, &'static str);

/// Copies an array to host memory.
fn copy(array: &OnDevice, to: &mut [u8]) -> Result<(), Failed> {
    type Call1<A> = unsafe extern "C" fn(A) -> c_int;
    let missing = |error: libloading::Error| {
        let help = "an array on a GPU needs its driver; copy it to the host first";
        (format!("the CUDA driver cannot be loaded: {error}"), help)
    };
    if to.is_empty() {
        return Ok(());
    }
    // SAFETY: the signatures are those of the driver's interface, which does not change them under these names. The address
    // is the other library's, which keeps it; the host memory is as long as the copy.
    unsafe {
        let driver = Library::new("libcuda.so.1").map_err(missing)?;
        let init: Symbol<'_, Call1<u32>> = driver.get(b"cuInit").map_err(missing)?;
        let attribute: Symbol<'_, unsafe extern "C" fn(*mut *mut c_void, c_int, u64) -> c_int> =
            driver.get(b"cuPointerGetAttribute").map_err(missing)?;
        let push: Symbol<'_, Call1<*mut c_void>> = driver.get(b"cuCtxPushCurrent_v2").map_err(missing)?;
        let pop: Symbol<'_, Call1<*mut *mut c_void>> = driver.get(b"cuCtxPopCurrent_v2").map_err(missing)?;
        let wait: Symbol<'_, Call1<u64>> = driver.get(b"cuStreamSynchronize").map_err(missing)?;
        let fetch: Symbol<'_, unsafe extern "C" fn(*mut c_void, u64, usize) -> c_int> =
            driver.get(b"cuMemcpyDtoH_v2").map_err(missing)?;
        let check = |code: c_int, what: &str| match code {
            0 => Ok(()),
            code => {
                let help = "the array may have been freed, or the GPU has failed before";
                Err((format!("the CUDA driver cannot {what}: {}", described(&driver, code)), help))
            }
        };
        check(init(0), "start")?;
        let mut context = ptr::null_mut();
        check(attribute(&mut context, POINTER_CONTEXT, array.address), "find the array")?;
        check(push(context), "use the context of the array")?;
        let waited = array.stream.map_or(0, |stream| wait(stream));
        let code = if waited == 0 { fetch(to.as_mut_ptr().cast(), array.address, to.len()) } else { waited };
        check(pop(&mut context), "leave the context of the array")?;
        check(code, "copy the array")
    }
}

/// `CU_POINTER_ATTRIBUTE_CONTEXT`.
const POINTER_CONTEXT: c_int = 1;

fn described(driver: &Library, code: c_int) -> String {
    let mut name: *const c_char = ptr::null();
    // SAFETY: the signature is the driver's; it sets the name to a constant text or leaves it null.
    unsafe {
        if let Ok(call) =
            driver.get::<unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int>(b"cuGetErrorName")
        {
            call(code, &mut name);
        }
        if name.is_null() {
            format!("error {code}")
        } else {
            std::ffi::CStr::from_ptr(name).to_string_lossy().into_owned()
        }
    }
}
