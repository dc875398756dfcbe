//! `bridgehead.encodings/1`: payloads in other encodings, and their fields. Each host converts by itself, also that of a
//! worker.

use std::marker::PhantomData;
use std::sync::Arc;

use bridgehead_abi::encodings::HostEncodings;
use bridgehead_abi::{Buffer, Bytes, Host, Status, Str, extension, status};

use super::argument::{Argument, Encoded, Text};
use super::bus::local;
use super::call::{answer, memory};
use super::{At, Checked, Function, Hosting, Place};
use crate::payload::Payload;
use crate::rules::{Failure, TypePlans};

/// A host that offers the extension.
pub trait EncodingsHost: Hosting {
    /// Returns the plans of a type; `None` for an unknown id.
    fn plans(&self, type_id: u32) -> Option<Arc<TypePlans>>;

    /// Explains the failure of the present call.
    fn explain(&self, reason: String);
}

struct Table<H>(PhantomData<H>);

impl<H: EncodingsHost> Table<H> {
    const TABLE: HostEncodings = HostEncodings {
        struct_size: HostEncodings::SIZE,
        reserved: 0,
        encode: encode::<H>,
        decode: decode::<H>,
        number: number::<H>,
        numbers: numbers::<H>,
        text: text::<H>,
    };
}

/// The functions of the extension.
#[must_use]
pub fn encodings_table<H: EncodingsHost>() -> &'static HostEncodings {
    &Table::<H>::TABLE
}

static ENCODE: Function = local(extension::ENCODINGS, "encodings.encode", Place::Any);
static DECODE: Function = local(extension::ENCODINGS, "encodings.decode", Place::Any);
static NUMBER: Function = local(extension::ENCODINGS, "encodings.number", Place::Any);
static NUMBERS: Function = local(extension::ENCODINGS, "encodings.numbers", Place::Any);
static TEXT: Function = local(extension::ENCODINGS, "encodings.text", Place::Any);

/// What a call is given: whom to tell, and the function.
struct Called<'a, H> {
    host: &'a H,
    function: &'static Function,
}

impl<'a, H: Checked> Called<'a, H> {
    fn at(&self, what: &'static str) -> At<'a, H> {
        At { host: self.host, what, function: self.function.name }
    }

    /// # Safety
    /// The bytes must be valid for `'b`.
    unsafe fn bytes<'b>(&self, bytes: Bytes) -> Result<&'b [u8], Status> {
        // SAFETY: the caller vouches for them.
        unsafe { Encoded::read(bytes, self.at("payload")) }
    }

    /// # Safety
    /// The text must be valid for `'b`.
    unsafe fn path<'b>(&self, path: Str) -> Result<&'b str, Status> {
        // SAFETY: the caller vouches for it.
        unsafe { Text::read(path, self.at("field")) }
    }
}

/// Runs a function on the plans of a type: reads the arguments, then does the work. Only the work explains its failure.
///
/// # Safety
/// As for [`Hosting::entered`].
unsafe fn run<H: EncodingsHost, T>(
    host: *const Host,
    function: &'static Function,
    type_id: u32,
    read: impl FnOnce(&Called<'_, H>) -> Result<T, Status>,
    work: impl FnOnce(&TypePlans, T) -> Result<(), Failure>,
) -> Status {
    // SAFETY: the caller vouches for it.
    unsafe {
        answer::<H>(host, function, |host| {
            let arguments = read(&Called { host, function })?;
            let done = match host.plans(type_id) {
                Some(plans) => work(&plans, arguments),
                None => Err((status::NOT_FOUND, format!("no message type has the id {type_id}"))),
            };
            done.map_err(|(code, reason)| {
                host.explain(reason);
                code
            })
        })
    }
}

unsafe extern "C" fn encode<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    encoding: u32,
    payload: Bytes,
    out: *mut *const Buffer,
) -> Status {
    // SAFETY: the plugin passes its host, bytes that are valid for the call, and memory for a pointer.
    unsafe {
        let read = |called: &Called<'_, H>| {
            called.at("result").pointer(out.cast_const())?;
            called.bytes(payload)
        };
        run::<H, _>(host, &ENCODE, type_id, read, |plans, payload| {
            out.write(Payload::from_vec(plans.encode(encoding, payload)?).into_raw());
            Ok(())
        })
    }
}

unsafe extern "C" fn decode<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    encoding: u32,
    content: Bytes,
    out: *mut *const Buffer,
) -> Status {
    // SAFETY: as in `encode`.
    unsafe {
        let read = |called: &Called<'_, H>| {
            called.at("result").pointer(out.cast_const())?;
            called.bytes(content)
        };
        run::<H, _>(host, &DECODE, type_id, read, |plans, content| {
            out.write(Payload::from_vec(plans.decode(encoding, content)?).into_raw());
            Ok(())
        })
    }
}

unsafe extern "C" fn number<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    payload: Bytes,
    field: Str,
    out: *mut f64,
) -> Status {
    // SAFETY: as in `encode`, and a text that is valid for the call.
    unsafe {
        let read = |called: &Called<'_, H>| {
            called.at("result").pointer(out.cast_const())?;
            Ok((called.path(field)?, called.bytes(payload)?))
        };
        run::<H, _>(host, &NUMBER, type_id, read, |plans, (path, payload)| {
            out.write(plans.number(path, payload)?);
            Ok(())
        })
    }
}

unsafe extern "C" fn numbers<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    payload: Bytes,
    field: Str,
    out: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> Status {
    // SAFETY: as in `number`; `out` holds `capacity` numbers.
    unsafe {
        let read = |called: &Called<'_, H>| {
            called.at("number").pointer(count.cast_const())?;
            let out = memory(out, capacity, called.at("result"))?;
            Ok((out, called.path(field)?, called.bytes(payload)?))
        };
        run::<H, _>(host, &NUMBERS, type_id, read, |plans, (out, path, payload)| {
            count.write(plans.numbers(path, payload, |index, number| {
                if let Some(place) = out.get_mut(index) {
                    *place = number;
                }
            })?);
            Ok(())
        })
    }
}

unsafe extern "C" fn text<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    payload: Bytes,
    field: Str,
    out: *mut Str,
) -> Status {
    // SAFETY: as in `number`. The text lies in the payload, which is the plugin's.
    unsafe {
        let read = |called: &Called<'_, H>| {
            called.at("result").pointer(out.cast_const())?;
            Ok((called.path(field)?, called.bytes(payload)?))
        };
        run::<H, _>(host, &TEXT, type_id, read, |plans, (path, payload)| {
            out.write(Str::new(plans.text(path, payload)?));
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
