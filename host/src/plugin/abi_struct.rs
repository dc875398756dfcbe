//! Reads ABI structs that a plugin hands over by pointer, without trusting what it filled in.
//!
//! A C plugin may leave a function pointer null that must not be. Turning such memory into a Rust reference
//! would already be undefined, so that it is first looked at as plain words, guided by the layout rows.

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

/// Checks a struct and borrows it: not null, aligned, `struct_size` as in this ABI, and no null in a function
/// pointer that is not optional.
///
/// # Errors
/// What is wrong, in words.
///
/// # Safety
/// A pointer that is neither null nor misaligned must point at `size_of::<T>()` readable bytes that nobody
/// changes for `'a`.
pub unsafe fn checked_ref<'a, T: AbiStruct>(pointer: *const T) -> Result<&'a T, String> {
    if pointer.is_null() {
        return Err(format!("the {} pointer is null", T::NAME));
    }
    if !pointer.is_aligned() {
        return Err(format!("the {} pointer {pointer:p} is not aligned", T::NAME));
    }
    for row in T::ROWS {
        // SAFETY: the row lies within the struct, which the caller vouches for.
        unsafe { check_field::<T>(pointer.cast(), row)? };
    }
    // SAFETY: as above, and no field holds a value that its Rust type forbids.
    Ok(unsafe { &*pointer })
}

/// # Safety
/// `base` must point at a readable `T`.
unsafe fn check_field<T: AbiStruct>(base: *const u8, row: &LayoutRow) -> Result<(), String> {
    let field = field_name(row);
    // SAFETY: offsets in the rows of `T` lie within `T`.
    let at = unsafe { base.add(row.offset as usize) };
    if field == "struct_size" {
        // SAFETY: `struct_size` is a `u32` in every ABI struct.
        let size = unsafe { at.cast::<u32>().read() };
        if size != T::SIZE {
            return Err(format!("{}.struct_size is {size}, this ABI has {}", T::NAME, T::SIZE));
        }
    }
    // SAFETY: a function pointer has the size and alignment of a `usize`.
    if is_required_function(row) && unsafe { at.cast::<usize>().read() } == 0 {
        return Err(format!("{}.{field} is null", T::NAME));
    }
    Ok(())
}

fn field_name(row: &LayoutRow) -> &str {
    let end = row.name.iter().position(|&byte| byte == 0).unwrap_or(row.name.len());
    let name = row.name.get(..end).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
    name.split_once('.').map_or("", |(_, field)| field)
}

/// Optional functions are spelled `Option<…>`.
fn is_required_function(row: &LayoutRow) -> bool {
    row.type_name.starts_with(b"unsafeextern")
}

#[cfg(test)]
mod tests;
