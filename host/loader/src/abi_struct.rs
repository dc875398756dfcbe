//! Checks ABI structs that a plugin passes by pointer before they are used as Rust references.
//!
//! A C plugin may leave a required function pointer null. A Rust reference to such memory is undefined behaviour, so
//! the struct is first read as plain words, guided by the layout rows. Usable from any thread.

use bridgehead_abi::{LayoutRow, bridge, entry, model};

/// An ABI struct whose contents can be checked.
///
/// # Safety
/// `ROWS` must be the layout rows of the implementing struct.
pub unsafe trait AbiStruct: Copy + 'static {
    /// Name in messages.
    const NAME: &'static str;
    /// Rows of its fields.
    const ROWS: &'static [LayoutRow];
    /// What `struct_size` must hold.
    const SIZE: u32;
}

macro_rules! abi_structs {
    ($($path:path = $name:literal),* $(,)?) => {
        // SAFETY: each struct names its own rows.
        $( unsafe impl AbiStruct for $path {
            const NAME: &'static str = $name;
            const ROWS: &'static [LayoutRow] = <$path>::ROWS;
            const SIZE: u32 = <$path>::SIZE;
        } )*
    };
}

abi_structs! {
    entry::Entry = "Entry",
    entry::Descriptor = "Descriptor",
    entry::PluginFactory = "PluginFactory",
    bridge::BridgeFactory = "BridgeFactory",
    bridge::BridgeInstance = "BridgeInstance",
    bridge::BridgeConverters = "BridgeConverters",
    model::ModelFactory = "ModelFactory",
    model::ModelInstance = "ModelInstance",
}

/// Why a struct of a plugin cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StructError {
    /// The pointer is null.
    #[error("the {0} pointer is null")]
    Null(&'static str),
    /// The pointer is not aligned.
    #[error("the {name} pointer {address:#x} is not aligned")]
    Misaligned {
        /// Name of the struct.
        name: &'static str,
        /// The address.
        address: usize,
    },
    /// `struct_size` has another value than in this ABI.
    #[error("{name}.struct_size is {found}, this ABI has {expected}")]
    Size {
        /// Name of the struct.
        name: &'static str,
        /// The value of the field.
        found: u32,
        /// The size in this ABI.
        expected: u32,
    },
    /// A required function pointer is null.
    #[error("{name}.{field} is null")]
    NullFunction {
        /// Name of the struct.
        name: &'static str,
        /// Name of the field.
        field: String,
    },
}

/// Checks a struct and borrows it: the pointer is not null and aligned, `struct_size` is that of this ABI, and every
/// required function pointer is set.
///
/// # Errors
/// Returns an error that names the first failed check.
///
/// # Safety
/// A pointer that is neither null nor misaligned must point at `size_of::<T>()` readable bytes that nothing
/// changes for `'a`.
pub unsafe fn checked_ref<'a, T: AbiStruct>(pointer: *const T) -> Result<&'a T, StructError> {
    if pointer.is_null() {
        return Err(StructError::Null(T::NAME));
    }
    if !pointer.is_aligned() {
        return Err(StructError::Misaligned { name: T::NAME, address: pointer.addr() });
    }
    for row in T::ROWS {
        // SAFETY: the row lies within the struct, which the caller guarantees.
        unsafe { check_field::<T>(pointer.cast(), row)? };
    }
    // SAFETY: as above, and no field holds a value that its Rust type forbids.
    Ok(unsafe { &*pointer })
}

/// Checks one field of a struct.
///
/// # Safety
/// `base` must point at a readable `T`.
unsafe fn check_field<T: AbiStruct>(base: *const u8, row: &LayoutRow) -> Result<(), StructError> {
    let field = field_name(row);
    // SAFETY: offsets in the rows of `T` lie within `T`.
    let at = unsafe { base.add(row.offset as usize) };
    if field == "struct_size" {
        // SAFETY: `struct_size` is a `u32` in every ABI struct.
        let size = unsafe { at.cast::<u32>().read() };
        if size != T::SIZE {
            return Err(StructError::Size { name: T::NAME, found: size, expected: T::SIZE });
        }
    }
    // SAFETY: a function pointer has the size and alignment of a `usize`.
    if is_required_function(row) && unsafe { at.cast::<usize>().read() } == 0 {
        return Err(StructError::NullFunction { name: T::NAME, field: field.to_owned() });
    }
    Ok(())
}

fn field_name(row: &LayoutRow) -> &str {
    let end = row.name.iter().position(|&byte| byte == 0).unwrap_or(row.name.len());
    let name = row.name.get(..end).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
    name.split_once('.').map_or("", |(_, field)| field)
}

/// Returns true for a function pointer that must not be null; optional ones are spelled `Option<…>`.
fn is_required_function(row: &LayoutRow) -> bool {
    row.type_name.starts_with(b"unsafeextern")
}

#[cfg(test)]
mod tests;
