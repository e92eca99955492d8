//! The modules of a GPU: loading them, finding their kernels, launching them.

use super::{compiler::Compiler, context::Context, driver::answer};
use crate::{Error, FunctionId, ModuleId, Result, Shape, Source};
use cudarc::driver::{
    result::{self, DriverError},
    sys::{self, CUfunction_attribute as Attribute, CUresult},
};
use std::{
    ffi::{CString, c_int, c_void},
    ptr,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU32, Ordering},
    },
};

/// The modules and kernels that are loaded on a device.
#[derive(Debug, Default)]
pub(super) struct Modules {
    loaded: Mutex<Vec<Loaded>>,
    functions: RwLock<Vec<Arc<Function>>>,
}

#[derive(Debug)]
struct Loaded {
    raw: sys::CUmodule,
    name: String,
    kernels: Vec<&'static str>,
}

#[derive(Debug)]
struct Function {
    raw: sys::CUfunction,
    name: Arc<str>,
    /// The most bytes of dynamic shared memory that it may be launched with.
    shared: AtomicU32,
}

// SAFETY: handles. The driver accepts them from any thread for which their context is current.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Modules {
    /// [`crate::Device::compile`].
    pub(super) fn compile(
        &self,
        context: &Context,
        compiler: &Compiler,
        source: &Source,
    ) -> Result<ModuleId> {
        let cubin = compiler.cubin(source, false)?;
        let mut loaded = load(context, &cubin.bytes);
        if !cubin.is_fresh && loaded.is_err_and(|error| is_refusal(error.0)) {
            loaded = load(context, &compiler.cubin(source, true)?.bytes);
        }
        let raw = loaded.map_err(|error| {
            if !is_refusal(error.0) {
                return context.error("cuModuleLoadData", error);
            }
            let what = format!("{}; {}", answer(error), compiler.blame());
            Error::Call { label: context.label().to_owned(), call: format!("loading {}", source.name), what }
        })?;
        let mut all = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(Loaded { raw, name: source.name.clone(), kernels: source.kernels.clone() });
        Ok(ModuleId(all.len() as u64 - 1))
    }

    /// [`crate::Device::function`].
    pub(super) fn function(&self, context: &Context, module: ModuleId, name: &str) -> Result<FunctionId> {
        let all = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = |what: String| Error::Call {
            label: context.label().to_owned(),
            call: format!("looking for kernel {name}"),
            what,
        };
        let module = usize::try_from(module.0).ok().and_then(|at| all.get(at));
        let module = module.ok_or_else(|| missing("there is no such module".to_owned()))?;
        let found = CString::new(name).map(|text| {
            // SAFETY: a module of this context that stays loaded.
            context.ask(|| unsafe { result::module::get_function(module.raw, text) })
        });
        let raw = match found {
            Ok(Ok(raw)) => raw,
            Ok(Err(error)) if error.0 != CUresult::CUDA_ERROR_NOT_FOUND => {
                return Err(context.error("cuModuleGetFunction", error));
            }
            _ => {
                return Err(missing(format!(
                    "{} has none of that name; its kernels are {}",
                    module.name,
                    module.kernels.join(", ")
                )));
            }
        };
        let limit = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: a function of this context.
        let shared = context
            .call("cuFuncGetAttribute", || unsafe { result::function::get_function_attribute(raw, limit) })?;
        let shared = AtomicU32::new(u32::try_from(shared).unwrap_or(0));
        let mut functions = self.functions.write().unwrap_or_else(PoisonError::into_inner);
        functions.push(Arc::new(Function { raw, name: name.into(), shared }));
        Ok(FunctionId(functions.len() as u64 - 1))
    }

    /// [`crate::Device::coresident_blocks`] for one multiprocessor.
    pub(super) fn coresident_blocks(
        &self,
        context: &Context,
        id: FunctionId,
        block: u32,
        shared: u32,
    ) -> Result<u32> {
        let function = self.get(context, id)?;
        function.allow(context, shared)?;
        let (threads, mut blocks) = (c_int::try_from(block).unwrap_or(c_int::MAX), 0);
        let room = context.ask(|| {
            // SAFETY: a function of this context, and one integer to write to.
            unsafe {
                sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                    &raw mut blocks,
                    function.raw,
                    threads,
                    shared as usize,
                )
            }
            .result()
        });
        match room {
            Ok(()) if blocks > 0 => return Ok(blocks as u32),
            Ok(()) | Err(DriverError(CUresult::CUDA_ERROR_INVALID_VALUE)) => {}
            Err(error) => return Err(context.error("cuOccupancyMaxActiveBlocksPerMultiprocessor", error)),
        }
        Err(Error::Call {
            label: context.label().to_owned(),
            call: format!("fitting a block of {block} threads and {shared} bytes of shared memory"),
            what: format!("no multiprocessor can run {} with such a block", function.name),
        })
    }

    /// [`crate::Device::launch`], or [`crate::Device::launch_coresident`] if `is_coresident`.
    ///
    /// # Safety
    /// As for those.
    pub(super) unsafe fn launch(
        &self,
        context: &Context,
        stream: sys::CUstream,
        id: FunctionId,
        shape: Shape,
        arguments: &[u8],
        is_coresident: bool,
    ) -> Result<()> {
        let function = self.get(context, id)?;
        function.allow(context, shape.shared)?;
        let Shape { grid, block, shared } = shape;
        let mut parameters = [arguments.as_ptr().cast_mut().cast::<c_void>()];
        let launched = context.ask(|| {
            let parameters = parameters.as_mut_ptr();
            // SAFETY: the caller's promise. There is one parameter, and the driver copies its bytes before the call
            // returns.
            unsafe {
                if is_coresident {
                    let raw = function.raw;
                    sys::cuLaunchCooperativeKernel(raw, grid, 1, 1, block, 1, 1, shared, stream, parameters)
                } else {
                    let (raw, none) = (function.raw, ptr::null_mut());
                    sys::cuLaunchKernel(raw, grid, 1, 1, block, 1, 1, shared, stream, parameters, none)
                }
            }
            .result()
        });
        launched.map_err(|error| {
            let together = if is_coresident { ", all at once" } else { "" };
            let name = &function.name;
            let call = format!(
                "launching {name} with {grid} blocks of {block} threads and {shared} bytes of shared memory{together}"
            );
            context.error(&call, error)
        })?;
        context.remember(&function.name);
        Ok(())
    }

    /// Unloads all modules.
    ///
    /// # Safety
    /// No kernel of them runs, now or later.
    pub(super) unsafe fn unload(&self, context: &Context) {
        self.functions.write().unwrap_or_else(PoisonError::into_inner).clear();
        for module in self.loaded.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // SAFETY: the caller's promise; the module is no longer in the list.
            let _ = context.ask(|| unsafe { result::module::unload(module.raw) });
        }
    }

    fn get(&self, context: &Context, id: FunctionId) -> Result<Arc<Function>> {
        let functions = self.functions.read().unwrap_or_else(PoisonError::into_inner);
        usize::try_from(id.0).ok().and_then(|at| functions.get(at)).cloned().ok_or_else(|| Error::Call {
            label: context.label().to_owned(),
            call: "asking for a kernel".to_owned(),
            what: format!("there is no kernel number {}", id.0),
        })
    }
}

impl Function {
    /// Allows launches with this much dynamic shared memory. The driver requires this above 48 KiB.
    fn allow(&self, context: &Context, shared: u32) -> Result<()> {
        if shared <= self.shared.load(Ordering::Relaxed) {
            return Ok(());
        }
        let limit = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let value = c_int::try_from(shared).unwrap_or(c_int::MAX);
        // SAFETY: a function of this context.
        let set = context.ask(|| unsafe { result::function::set_function_attribute(self.raw, limit, value) });
        set.map_err(|error| {
            context.error(&format!("allowing {} {shared} bytes of shared memory per block", self.name), error)
        })?;
        self.shared.store(shared, Ordering::Relaxed);
        Ok(())
    }
}

fn load(context: &Context, cubin: &[u8]) -> std::result::Result<sys::CUmodule, DriverError> {
    // SAFETY: a whole cubin, whose head gives its length: NVRTC made it, or the cache verified its checksum.
    context.ask(|| unsafe { result::module::load_data(cubin.as_ptr().cast()) })
}

/// Returns whether the error means that the driver refuses the cubin itself.
fn is_refusal(code: CUresult) -> bool {
    use CUresult as Code;
    matches!(
        code,
        Code::CUDA_ERROR_INVALID_IMAGE
            | Code::CUDA_ERROR_INVALID_VALUE
            | Code::CUDA_ERROR_NO_BINARY_FOR_GPU
            | Code::CUDA_ERROR_INVALID_PTX
            | Code::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
            | Code::CUDA_ERROR_INVALID_SOURCE
            | Code::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND
    )
}
