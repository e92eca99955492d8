//! What a kernel is given: one `#[repr(C)]` struct, from which the CUDA struct is printed with its layout asserted.

use std::marker::PhantomData;

/// An address on a device, typed. 0 where there is nothing.
#[repr(transparent)]
pub struct Address<T> {
    raw: u64,
    kind: PhantomData<*const T>,
}

impl<T> Address<T> {
    /// Nothing.
    pub const NULL: Self = Self::new(0);

    /// Of a raw address.
    pub const fn new(raw: u64) -> Self {
        Self { raw, kind: PhantomData }
    }

    /// The raw address.
    pub fn raw(self) -> u64 {
        self.raw
    }

    /// Of other entries in the same memory.
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
// SAFETY: a number; what lies there is only reached by kernels.
unsafe impl<T> Send for Address<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Address<T> {}
// SAFETY: a transparent u64.
unsafe impl<T: 'static> bytemuck::Zeroable for Address<T> {}
// SAFETY: a transparent u64 without padding; any bits are an address, which is only ever given to kernels.
unsafe impl<T: 'static> bytemuck::Pod for Address<T> {}

/// A type that may be a field of [`Arguments`].
pub trait Kind {
    /// How a field of it is declared in CUDA C++.
    fn declare(name: &str) -> String;
}

macro_rules! plain {
    ($($rust:ty => $cuda:literal),*) => {$(
        impl Kind for $rust {
            fn declare(name: &str) -> String {
                format!("{} {name}", $cuda)
            }
        }
        impl Kind for Address<$rust> {
            fn declare(name: &str) -> String {
                format!("{}* {name}", $cuda)
            }
        }
    )*};
}
plain!(u8 => "u8", u32 => "u32", i32 => "i32", u64 => "u64", f32 => "f32", f64 => "f64");

/// Of entries whose type the kernel is compiled for, or that it knows.
impl Kind for Address<()> {
    fn declare(name: &str) -> String {
        format!("void* {name}")
    }
}

impl<T: Kind, const N: usize> Kind for [T; N] {
    fn declare(name: &str) -> String {
        T::declare(&format!("{name}[{N}]"))
    }
}

/// Where a field lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldLayout {
    /// Its name.
    pub name: &'static str,
    /// Its declaration in CUDA C++.
    pub declaration: String,
    /// Bytes from the start.
    pub offset: usize,
}

/// The struct a kernel is given. Made by [`arguments!`](crate::arguments!), which sees to the layout.
pub trait Arguments: bytemuck::Pod {
    /// Its name.
    const NAME: &'static str;

    /// Its fields in order.
    fn fields() -> Vec<FieldLayout>;

    /// The CUDA struct, with assertions that it lies in memory as the Rust one does.
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

/// Declares a struct of kernel arguments: fields are numbers, [`Address`]es, arrays of them, and such structs (whose text must
/// come first), without padding between.
///
/// ```
/// use warpgraph_device::{Address, Arguments, arguments};
/// arguments! {
///     /// What `scale` is given.
///     pub struct Scale {
///         /// What is scaled.
///         pub values: Address<f32>,
///         /// How many there are.
///         pub count: u32,
///         /// By what.
///         pub by: f32,
///     }
/// }
/// assert!(Scale::cuda().starts_with("struct Scale {\n    f32* values;\n    u32 count;\n    f32 by;\n};\n"));
/// assert_eq!(Scale { values: Address::NULL, count: 7, by: 0.5 }.count, 7);
/// ```
#[macro_export]
macro_rules! arguments {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$fmeta:meta])* $fvis:vis $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy)]
        $vis struct $name { $($(#[$fmeta])* $fvis $field: $type,)+ }

        const _: () = assert!(size_of::<$name>() == 0 $(+ size_of::<$type>())+, "no padding between fields");
        // SAFETY: every field is Zeroable: `Kind` is implemented for such types only.
        unsafe impl $crate::bytemuck::Zeroable for $name {}
        // SAFETY: repr(C), fields are Pod, and their sizes add up to that of the struct, so there is no padding.
        unsafe impl $crate::bytemuck::Pod for $name {}

        impl $crate::Kind for $name {
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
