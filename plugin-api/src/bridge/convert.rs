//! Converters: how a plugin's own message type reaches a bridge that has a form of its own for it.

use std::ffi::c_void;

use bridgehead_abi as abi;
use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Message, Status, status};

use crate::boundary;
use crate::error::{Error, Result};
use crate::objects::{Callback, ConverterRegistrarRef};

/// A bridge plugin, as shown to plugins that bring converters for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BridgeInfo<'a> {
    /// Reverse-domain id.
    pub id: &'a str,
    /// Short name.
    pub name: &'a str,
}

impl<'a> BridgeInfo<'a> {
    /// # Safety
    /// The texts must live for `'a`.
    pub(crate) unsafe fn from_raw(raw: &'a raw::BridgeInfo) -> Self {
        // SAFETY: the caller vouches for the texts.
        unsafe { BridgeInfo { id: raw.id.as_str().unwrap_or(""), name: raw.name.as_str().unwrap_or("") } }
    }
}

/// A conversion of one payload: reads the input bytes, appends the output bytes.
///
/// A plain function rather than a closure: it lives as long as the library and runs on several threads.
pub type Convert = fn(input: &[u8], output: &mut Vec<u8>) -> Result;

/// Where a plugin registers converters for one bridge.
pub struct ConverterRegistrar<'a> {
    raw: ConverterRegistrarRef<'a>,
}

impl<'a> ConverterRegistrar<'a> {
    pub(crate) fn new(raw: ConverterRegistrarRef<'a>) -> Self {
        ConverterRegistrar { raw }
    }

    /// Messages of `data_type` reach the bridge as `bridge_type`, made by `convert`.
    ///
    /// # Errors
    /// Returns an error if the pair was registered before.
    pub fn add_publisher(&mut self, data_type: &str, bridge_type: &str, convert: Convert) -> Result {
        let code = self.raw.add_publisher(data_type, bridge_type, converter(convert));
        Error::check(code, format_args!("converter `{data_type}` to `{bridge_type}`"))
    }

    /// What the bridge receives as `bridge_type` reaches subscribers as `data_type`, made by `convert`.
    ///
    /// # Errors
    /// Returns an error if the pair was registered before.
    pub fn add_subscriber(&mut self, data_type: &str, bridge_type: &str, convert: Convert) -> Result {
        let code = self.raw.add_subscriber(data_type, bridge_type, converter(convert));
        Error::check(code, format_args!("converter `{bridge_type}` to `{data_type}`"))
    }
}

fn converter(convert: Convert) -> Callback<raw::Converter> {
    // SAFETY: `run` finds the function again, which lives as long as the library.
    unsafe { Callback::new(raw::Converter { user: convert as *mut c_void, convert: run }) }
}

unsafe extern "C" fn run(
    user: *mut c_void,
    message: *const Message,
    out: *mut u8,
    capacity: usize,
    len: *mut usize,
) -> Status {
    let mut output = Vec::new();
    let code = boundary::run_unhosted("a converter", || {
        // SAFETY: `user` is the function pointer that `converter` stored.
        let convert = unsafe { std::mem::transmute::<*mut c_void, Convert>(user) };
        // SAFETY: the host passes a live message with a live payload.
        let input = unsafe {
            abi::Bytes { ptr: (*(*message).payload).data, len: (*(*message).payload).len }.as_slice()
        };
        convert(input, &mut output)
    });
    if code < 0 {
        return code;
    }
    // SAFETY: `len` is writable.
    unsafe { len.write(output.len()) };
    if output.len() > capacity {
        return status::WOULD_BLOCK;
    }
    if !output.is_empty() {
        // SAFETY: `out` holds `capacity` bytes of the host's, which do not overlap ours.
        unsafe { std::ptr::copy_nonoverlapping(output.as_ptr(), out, output.len()) };
    }
    status::OK
}
