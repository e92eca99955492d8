//! The argument struct of a kernel: one `#[repr(C)]` struct in Rust, from which the CUDA struct is generated, with
//! assertions that both have the same layout.

use std::marker::PhantomData;

/// A typed address in device memory. 0 is the null address.
#[repr(transparent)]
pub struct Address<T> {
    raw: u64,
    kind: PhantomData<*const T>,
}

impl<T> Address<T> {
    /// The null address.
    pub const NULL: Self = Self::new(0);

    /// Wraps a raw address.
    pub const fn new(raw: u64) -> Self {
        Self { raw, kind: PhantomData }
    }

    /// Returns the raw address.
    pub fn raw(self) -> u64 {
        self.raw
    }

    /// Returns the same address with another type of entries.
    pub fn cast<U>(self) -> Address<U> {
        Address::new(self.raw)
    }
}

impl<T> Clone for Address<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Address<T> {}
impl<T> std::fmt::Debug for Address<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}", self.raw)
    }
}
// SAFETY: an address is a number. Only kernels access what lies there.
unsafe impl<T> Send for Address<T> {}
// SAFETY: as for Send.
unsafe impl<T> Sync for Address<T> {}
// SAFETY: a transparent u64, for which all zeros is a valid value.
unsafe impl<T: 'static> bytemuck::Zeroable for Address<T> {}
// SAFETY: a transparent u64 without padding. Every bit pattern is a valid value, since only kernels use the address.
unsafe impl<T: 'static> bytemuck::Pod for Address<T> {}

/// A type that may be a field of [`Arguments`].
///
/// The supertrait makes every field plain data: [`arguments!`](crate::arguments!) derives [`Pod`](bytemuck::Pod) for a
/// struct from its fields. A type that is not plain data does not compile, neither as a field nor with an
/// implementation of its own:
///
/// ```compile_fail,E0277
/// warpgraph_device::arguments! {
///     struct Flags {
///         set: bool, // two of 256 bit patterns are valid: not plain data
///     }
/// }
/// ```
/// ```compile_fail,E0277
/// struct Handle(Box<u32>);
/// // SAFETY: none.
/// unsafe impl warpgraph_device::Kind for Handle {
///     fn declare(name: &str) -> String {
///         format!("u64 {name}")
///     }
/// }
/// ```
///
/// # Safety
/// `declare` declares a field of the same size, alignment and meaning in CUDA C++. The assertions that
/// [`Arguments::cuda`] writes check size and offset when a kernel is compiled; they cannot check the meaning.
pub unsafe trait Kind: bytemuck::Pod {
    /// Returns the declaration of a field of this type in CUDA C++.
    fn declare(name: &str) -> String;
}

macro_rules! plain {
    ($($rust:ty => $cuda:literal),*) => {$(
        // SAFETY: `prelude.cuh` defines this name as the C++ type of the same size and meaning.
        unsafe impl Kind for $rust {
            fn declare(name: &str) -> String {
                format!("{} {name}", $cuda)
            }
        }
        // SAFETY: an address is 8 bytes, as is a pointer of a 64-bit device, and points to entries of the type above.
        unsafe impl Kind for Address<$rust> {
            fn declare(name: &str) -> String {
                format!("{}* {name}", $cuda)
            }
        }
    )*};
}
plain!(u8 => "u8", u32 => "u32", i32 => "i32", u64 => "u64", f32 => "f32", f64 => "f64");

/// An address whose entries have a type that the kernel knows, or is compiled for.
// SAFETY: an address is 8 bytes, as is a pointer of a 64-bit device; the kernel casts it.
unsafe impl Kind for Address<()> {
    fn declare(name: &str) -> String {
        format!("void* {name}")
    }
}

// SAFETY: an array has the same layout in both languages, and `T` declares its entries.
unsafe impl<T: Kind, const N: usize> Kind for [T; N] {
    fn declare(name: &str) -> String {
        T::declare(&format!("{name}[{N}]"))
    }
}

/// The place of a field in its struct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldLayout {
    /// Name of the field.
    pub name: &'static str,
    /// Declaration in CUDA C++.
    pub declaration: String,
    /// Offset in bytes from the start of the struct.
    pub offset: usize,
}

/// The argument struct of a kernel. [`arguments!`](crate::arguments!) implements it and checks the layout.
pub trait Arguments: bytemuck::Pod {
    /// Name of the struct.
    const NAME: &'static str;

    /// Returns the fields in order.
    fn fields() -> Vec<FieldLayout>;

    /// Returns the text of the CUDA struct, with assertions that its layout is that of the Rust struct.
    fn cuda() -> String {
        let (name, fields) = (Self::NAME, Self::fields());
        let mut text = format!("struct {name} {{\n");
        for field in &fields {
            text += &format!("    {};\n", field.declaration);
        }
        text += &format!("}};\nstatic_assert(sizeof({name}) == {}, \"{name}\");\n", size_of::<Self>());
        for FieldLayout { name: field, offset, .. } in &fields {
            text += &format!(
                "static_assert(__builtin_offsetof({name}, {field}) == {offset}, \"{name}.{field}\");\n"
            );
        }
        text
    }
}

/// Declares a struct of kernel arguments. Fields are numbers, [`Address`]es, arrays of these, and other such structs
/// (whose CUDA text must come first). There must be no padding between fields.
///
/// ```
/// use warpgraph_device::{Address, Arguments, arguments};
/// arguments! {
///     /// Arguments of `scale`.
///     pub struct Scale {
///         /// The values to scale.
///         pub values: Address<f32>,
///         /// Number of values.
///         pub count: u32,
///         /// The factor.
///         pub by: f32,
///     }
/// }
/// assert!(Scale::cuda().starts_with("struct Scale {\n    f32* values;\n    u32 count;\n    f32 by;\n};\n"));
/// assert_eq!(Scale { values: Address::NULL, count: 7, by: 0.5 }.count, 7);
/// ```
///
/// A struct with padding does not compile, since its padding bytes would not be initialised:
///
/// ```compile_fail,E0080
/// warpgraph_device::arguments! {
///     struct Padded {
///         small: u32,
///         large: u64,
///     }
/// }
/// ```
#[macro_export]
macro_rules! arguments {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$fmeta:meta])* $fvis:vis $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy)]
        $vis struct $name { $($(#[$fmeta])* $fvis $field: $type,)+ }

        const _: () = assert!(size_of::<$name>() == 0 $(+ size_of::<$type>())+, "no padding between fields");
        // SAFETY: `fields` below requires `Kind` of every field, so each is Pod and all zeros is a valid value of it.
        unsafe impl $crate::bytemuck::Zeroable for $name {}
        // SAFETY: repr(C). Every field is Pod, since `fields` below requires `Kind` of it, and the sizes of the fields
        // add up to that of the struct, so there is no padding.
        unsafe impl $crate::bytemuck::Pod for $name {}

        // SAFETY: `Arguments::cuda` declares a struct of this name from the same fields and asserts its layout.
        unsafe impl $crate::Kind for $name {
            fn declare(name: &str) -> String {
                format!("{} {name}", stringify!($name))
            }
        }

        impl $crate::Arguments for $name {
            const NAME: &'static str = stringify!($name);
            fn fields() -> Vec<$crate::FieldLayout> {
                vec![$($crate::FieldLayout {
                    name: stringify!($field),
                    declaration: <$type as $crate::Kind>::declare(stringify!($field)),
                    offset: std::mem::offset_of!($name, $field),
                }),+]
            }
        }
    };
}
