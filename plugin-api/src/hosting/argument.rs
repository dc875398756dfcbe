//! Kinds of arguments: how they cross the C boundary and the one to a worker, and what is checked of them.

use std::mem::MaybeUninit;

use bridgehead_abi as abi;
use bridgehead_abi::basic::Pose;
use bridgehead_abi::dynamics::SurfaceMotion;
use bridgehead_abi::{Status, Str, status};

use super::{At, Breach, Checked};
use crate::rules;

/// A kind of argument.
pub trait Argument {
    /// What the C function takes.
    type Raw: Copy;
    /// What a host gets.
    type Given<'a>;
    /// What a caller keeps while `Raw` may point at it.
    type Lent<'a>;

    /// Checks what a plugin has passed.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    ///
    /// # Safety
    /// Pointers must be null, misaligned, or valid for `'a`.
    unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status>;

    /// Prepares a value for a C function.
    fn lend(given: Self::Given<'_>) -> Self::Lent<'_>;

    /// What the C function takes for it.
    fn raw(lent: &Self::Lent<'_>) -> Self::Raw;
}

/// A kind of argument that a worker sends to its host.
pub trait Posted: Argument {
    /// Appends the value to a message.
    fn put(given: Self::Given<'_>, message: &mut Message);

    /// Takes the value from a message.
    fn take<'a>(rest: &mut &'a [u64]) -> Option<Self::Given<'a>>;
}

/// Words of a message that need no memory of their own: as many as the results of most functions have.
const SHORT: usize = 32;

/// A message between a worker and its host, which are the same program: values in their memory layout, each aligned.
#[derive(Debug, Default)]
pub struct Message {
    short: [u64; SHORT],
    len: usize,
    /// The whole message if it is longer.
    long: Vec<u64>,
}

impl Message {
    /// Appends bytes, and zeros up to the next multiple of eight.
    pub(super) fn put(&mut self, bytes: &[u8]) {
        let len = bytes.len().div_ceil(8);
        let Some(room) = self.short.get_mut(self.len..self.len + len).filter(|_| self.long.is_empty()) else {
            return self.put_long(bytes, len);
        };
        if let Some(room) = bytes_of_mut(room).get_mut(..bytes.len()) {
            room.copy_from_slice(bytes);
        }
        self.len += len;
    }

    #[cold]
    fn put_long(&mut self, bytes: &[u8], len: usize) {
        if self.long.is_empty() {
            self.long.extend(self.short.iter().take(self.len));
        }
        let before = self.long.len();
        self.long.resize(before + len, 0);
        let room = self.long.get_mut(before..).unwrap_or_default();
        if let Some(room) = bytes_of_mut(room).get_mut(..bytes.len()) {
            room.copy_from_slice(bytes);
        }
    }

    /// The whole message.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        bytes_of(self.words())
    }

    /// The message in these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut message = Message::default();
        message.put(bytes);
        message
    }

    pub(super) fn words(&self) -> &[u64] {
        if self.long.is_empty() { self.short.get(..self.len).unwrap_or_default() } else { &self.long }
    }
}

/// A type without padding, of which every pattern of bits is a value, with an alignment of at most eight.
///
/// # Safety
/// The type must be so.
pub unsafe trait Plain: Copy {
    /// The value of all zeros.
    // SAFETY: whoever implements the trait vouches for it.
    const ZERO: Self = unsafe { std::mem::zeroed() };
}

/// The bytes of values.
pub(super) fn bytes_of<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: without padding, all bytes are initialised.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Memory of values as bytes.
pub(super) fn bytes_of_mut<T: Plain>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: as above, and every pattern of bits is a value.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// The value in these bytes.
pub(super) fn value_of<T: Plain>(bytes: &[u8]) -> Option<T> {
    let mut value = MaybeUninit::<T>::zeroed();
    if bytes.len() < size_of::<T>() {
        return None;
    }
    // SAFETY: there are enough bytes, and every pattern of bits is a value.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), value.as_mut_ptr().cast::<u8>(), size_of::<T>());
        Some(value.assume_init())
    }
}

/// Takes bytes from a message.
pub(super) fn take_bytes<'a>(rest: &mut &'a [u64], len: usize) -> Option<&'a [u8]> {
    let (found, after) = rest.split_at_checked(len.div_ceil(8))?;
    *rest = after;
    bytes_of(found).get(..len)
}

pub(super) fn take_plain<T: Plain>(rest: &mut &[u64]) -> Option<T> {
    take_bytes(rest, size_of::<T>()).and_then(value_of)
}

macro_rules! plain {
    ($($type:ty),*) => { $(
        // SAFETY: numbers, or structs of them, of pointers and of lengths; a test checks that they have no padding.
        unsafe impl $crate::hosting::Plain for $type {}
    )* };
}
pub(super) use plain;

plain!(u8, i32, u32, u64, i64, f64, [f64; 3], Pose, SurfaceMotion);

/// Numbers are passed by value.
macro_rules! by_value {
    ($($type:ty),*) => { $(
        impl Argument for $type {
            type Raw = $type;
            type Given<'a> = $type;
            type Lent<'a> = $type;
            unsafe fn read<'a, H: Checked>(raw: $type, _: At<'_, H>) -> Result<Self::Given<'a>, Status> {
                Ok(raw)
            }
            fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
                given
            }
            fn raw(lent: &Self::Lent<'_>) -> $type {
                *lent
            }
        }

        impl Posted for $type {
            fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
                message.put(bytes_of(&[given]));
            }
            fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
                take_plain(rest)
            }
        }
    )* };
}

by_value!(i32, u32, u64, i64, f64);

/// Vectors and structs are passed by a pointer.
macro_rules! by_pointer {
    ($($type:ty),*) => { $(
        impl Argument for $type {
            type Raw = *const $type;
            type Given<'a> = $type;
            type Lent<'a> = $type;
            unsafe fn read<'a, H: Checked>(raw: *const $type, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
                at.pointer(raw)?;
                // SAFETY: the caller vouches for it.
                Ok(unsafe { *raw })
            }
            fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
                given
            }
            fn raw(lent: &Self::Lent<'_>) -> *const $type {
                lent
            }
        }

        impl Posted for $type {
            fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
                message.put(bytes_of(&[given]));
            }
            fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
                take_plain(rest)
            }
        }
    )* };
}

/// Three numbers.
pub type Vector = [f64; 3];

by_pointer!(Vector, Pose, SurfaceMotion);

/// A text, UTF-8.
#[derive(Debug)]
pub enum Text {}

impl Argument for Text {
    type Raw = Str;
    type Given<'a> = &'a str;
    type Lent<'a> = &'a str;

    unsafe fn read<'a, H: Checked>(raw: Str, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        // SAFETY: the caller vouches for it.
        let bytes = unsafe { Words::read(raw, at) }?;
        std::str::from_utf8(bytes).map_err(|_| status::INVALID_ARG)
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        given
    }

    fn raw(lent: &Self::Lent<'_>) -> Str {
        Str::new(lent)
    }
}

impl Posted for Text {
    fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
        u64::put(given.len() as u64, message);
        message.put(given.as_bytes());
    }

    fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
        let len = usize::try_from(u64::take(rest)?).ok()?;
        std::str::from_utf8(take_bytes(rest, len)?).ok()
    }
}

/// A text for people, which need not be UTF-8.
#[derive(Debug)]
pub enum Words {}

impl Argument for Words {
    type Raw = Str;
    type Given<'a> = &'a [u8];
    type Lent<'a> = &'a [u8];

    unsafe fn read<'a, H: Checked>(raw: Str, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        if raw.len > rules::MAX_TEXT || (raw.len > 0 && raw.ptr.is_null()) {
            let place = if raw.ptr.is_null() { " at address 0" } else { "" };
            return at.refuse(Breach::Size, &format!("a text of {} bytes{place}", raw.len));
        }
        // SAFETY: the caller vouches for it.
        Ok(unsafe { raw.as_bytes() })
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        given
    }

    fn raw(lent: &Self::Lent<'_>) -> Str {
        Str { ptr: lent.as_ptr(), len: lent.len() }
    }
}

impl Posted for Words {
    fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
        u64::put(given.len() as u64, message);
        message.put(given);
    }

    fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
        let len = usize::try_from(u64::take(rest)?).ok()?;
        take_bytes(rest, len)
    }
}

/// The bytes of a message.
#[derive(Debug)]
pub enum Encoded {}

impl Argument for Encoded {
    type Raw = abi::Bytes;
    type Given<'a> = &'a [u8];
    type Lent<'a> = &'a [u8];

    unsafe fn read<'a, H: Checked>(raw: abi::Bytes, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        if raw.len > rules::MAX_PAYLOAD || (raw.len > 0 && raw.ptr.is_null()) {
            let most = rules::MAX_PAYLOAD >> 20;
            let text =
                format!("{} bytes at {:p}, of which at most {most} MiB are allowed,", raw.len, raw.ptr);
            return at.refuse(Breach::Size, &text);
        }
        // SAFETY: the caller vouches for it.
        Ok(unsafe { raw.as_slice() })
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        given
    }

    fn raw(lent: &Self::Lent<'_>) -> abi::Bytes {
        abi::Bytes::new(lent)
    }
}

impl Posted for Encoded {
    fn put(given: <Self as Argument>::Given<'_>, message: &mut Message) {
        Words::put(given, message);
    }

    fn take<'a>(rest: &mut &'a [u64]) -> Option<<Self as Argument>::Given<'a>> {
        Words::take(rest)
    }
}
