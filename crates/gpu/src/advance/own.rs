//! [`Own`]: the arguments that only the kernels of one balance take. Kernels get them behind those of the functor, as `Own`.

use warpgraph_core::Balance;
use warpgraph_device::Arguments;

/// A struct of arguments of one balance. Starting a kernel with it is starting the kernel of that balance.
pub(super) trait Own {
    /// The balance whose kernels take it.
    const BALANCE: Balance;

    /// Returns its bytes.
    fn bytes(&self) -> &[u8];

    /// Returns its CUDA text, under the name `Own`, and OWN_BYTES.
    fn text() -> String
    where
        Self: Sized;
}

/// Makes an `arguments!` struct the [`Own`] of a balance.
macro_rules! own {
    ($name:ty, $balance:expr) => {
        const _: () = assert!(size_of::<$name>().is_multiple_of(8), "whole words");

        impl $crate::advance::own::Own for $name {
            const BALANCE: warpgraph_core::Balance = $balance;

            fn bytes(&self) -> &[u8] {
                bytemuck::bytes_of(self)
            }

            fn text() -> String {
                $crate::advance::own::text::<Self>()
            }
        }
    };
}
pub(super) use own;

/// Returns the CUDA text of a struct that is an [`Own`].
pub(super) fn text<A: Arguments>() -> String {
    format!("{}typedef {} Own;\n#define OWN_BYTES {}u\n", A::cuda(), A::NAME, size_of::<A>())
}

/// Returns the CUDA text for a balance that has no arguments of its own.
pub(super) fn no_text() -> String {
    "struct Own {};\n#define OWN_BYTES 0u\n".to_owned()
}
