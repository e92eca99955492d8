//! Kernels with one argument struct: an array in, an array out.

use std::{
    path::PathBuf,
    process::{Command, Output},
};
use warpgraph_device::{
    Address, Arguments, Array, Error, Gpu, Kernel, PRELUDE, Result, Settings, Shape, Source, arguments,
    simt::{Simt, SimtOptions},
};

arguments! {
    /// Arguments of the kernels of these tests.
    pub(crate) struct Io {
        /// Read.
        pub(crate) input: Address<u32>,
        /// Written.
        pub(crate) output: Address<u32>,
        /// The cancel word.
        pub(crate) cancel: Address<u32>,
        /// Number of entries of the output.
        pub(crate) count: u32,
        /// A number for the kernel's own use.
        pub(crate) other: u32,
    }
}

/// Returns a module with one kernel, `k`, with this body.
pub(crate) fn body(text: &str) -> Source {
    module(&format!("KERNEL(k, Io) {{\n{text}\n}}\n"), vec!["k"])
}

/// Returns a module with these kernels.
pub(crate) fn module(text: &str, kernels: Vec<&'static str>) -> Source {
    let root = format!("#include \"prelude.cuh\"\n{}{text}", Io::cuda());
    Source::assemble("test", &root, &[PRELUDE], kernels).unwrap()
}

/// Returns the number of the line of a source that contains this text.
pub(crate) fn line_of(source: &Source, text: &str) -> usize {
    1 + source.text.lines().position(|line| line.contains(text)).unwrap()
}

/// One grid of one block.
pub(crate) fn block(threads: u32) -> Shape {
    blocks(1, threads)
}

/// A grid without dynamic shared memory.
pub(crate) fn blocks(grid: u32, block: u32) -> Shape {
    Shape { grid, block, shared: 0 }
}

/// Settings with a cache of their own.
pub(crate) fn settings() -> Settings {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("simt-cache");
    Settings { cache: Some(cache), ..Settings::default() }
}

/// A device whose kernel `k` is ready.
pub(crate) struct Bench {
    pub(crate) gpu: Gpu,
    pub(crate) kernel: Kernel,
}

impl Bench {
    pub(crate) fn new(source: &Source) -> Self {
        Self::with(source, SimtOptions::default())
    }

    pub(crate) fn with(source: &Source, options: SimtOptions) -> Self {
        Self::on(Simt::open(&settings(), options).unwrap(), source)
    }

    pub(crate) fn on(gpu: Gpu, source: &Source) -> Self {
        let kernel = gpu.compile(source).unwrap().kernel("k").unwrap();
        Self { gpu, kernel }
    }

    /// Launches the kernel with these arrays.
    pub(crate) fn launch(&self, shape: Shape, io: Io, resident: bool) -> Result<()> {
        // SAFETY: the kernel takes an Io, and the tests keep their arrays until they have waited.
        unsafe {
            if resident {
                self.gpu.launch_coresident(&self.kernel, shape, &io)
            } else {
                self.gpu.launch(&self.kernel, shape, &io)
            }
        }
    }

    pub(crate) fn io(&self, input: &Array<u32>, output: &Array<u32>) -> Io {
        let cancel = self.gpu.cancel_address();
        Io { input: input.address(), output: output.address(), cancel, count: output.len() as u32, other: 0 }
    }

    /// An array of zeros.
    pub(crate) fn zeros(&self, len: usize) -> Result<Array<u32>> {
        let mut array = self.gpu.array::<u32>(len, "zeros")?;
        array.fill_bytes(0)?;
        Ok(array)
    }

    /// Runs the kernel on an input and returns its output: `len` words that were zero before.
    pub(crate) fn run(&self, shape: Shape, input: &[u32], len: usize, resident: bool) -> Result<Vec<u32>> {
        let input = self.gpu.array_of(input, "input")?;
        let output = self.zeros(len)?;
        self.launch(shape, self.io(&input, &output), resident)?;
        self.gpu.finish()?;
        output.to_vec()
    }

    /// Runs the kernel and returns why the device was lost.
    pub(crate) fn lost(&self, shape: Shape, resident: bool) -> String {
        match self.run(shape, &[0], 4096, resident) {
            Err(Error::Lost { what, .. }) => what,
            other => panic!("not lost: {other:?}"),
        }
    }
}

/// Runs a kernel of this body.
pub(crate) fn run(text: &str, shape: Shape, input: &[u32], len: usize) -> Result<Vec<u32>> {
    Bench::new(&body(text)).run(shape, input, len, false)
}

/// Asserts that a kernel of this body is lost with a text that has all of `parts`, where `@X` stands for the line that
/// ends with the comment X.
pub(crate) fn assert_lost(text: &str, shape: Shape, parts: &[&str]) {
    let source = body(text);
    let what = Bench::new(&source).lost(shape, false);
    for part in parts {
        let part = match part.strip_prefix('@') {
            Some(text) => format!("test.cu:{}", line_of(&source, &format!("// {text}"))),
            None => (*part).to_owned(),
        };
        assert!(what.contains(&part), "{part:?} is not in {what:?}");
    }
}

/// The variable that tells an inner test that it runs in a process of its own.
const INSIDE: &str = "WARPGRAPH_SIMT_INSIDE";

/// Returns whether `run_in_new_process` started this process. Inner tests do nothing elsewhere, since they end the
/// process.
pub(crate) fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Runs one inner test of this program, an ignored one, in a process of its own.
pub(crate) fn run_in_new_process(test: &str, environment: &[(&str, &str)]) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", test])
        .envs(environment.iter().copied())
        .env(INSIDE, "1")
        .output()
        .unwrap()
}
