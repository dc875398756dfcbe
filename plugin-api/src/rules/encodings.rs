//! `bridgehead.encodings/1`: what the host, its workers and the host of tests have in common.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bridgehead_abi::encodings::{ENCODING_CDR, ENCODING_JSON, HostEncodings};
use bridgehead_abi::{Buffer, Bytes, Host, Status, Str, status};

use crate::messages::{CdrPlan, FieldPath, FieldPathError, FieldValue, JsonPlan, MessageType, NumbersPath};
use crate::payload::Payload;

/// How many paths of a type stay compiled. Plugins name a few; one that makes up paths must not fill the memory.
const MOST_PATHS: usize = 256;

/// A kind of host that offers the extension.
pub trait EncodingsHost: 'static {
    /// Returns the plans of a type for a call of `function`; `None` for an unknown id.
    ///
    /// # Errors
    /// Returns the status with which the call is refused.
    fn plans(
        function: &'static str,
        host: *const Host,
        type_id: u32,
    ) -> Result<Option<Arc<TypePlans>>, Status>;
    /// Explains the failure of the present call.
    fn explain(host: *const Host, reason: String);
    /// Runs the function `name`, with the guard that this host has around its functions.
    fn guarded(name: &'static str, body: impl FnOnce() -> Status) -> Status;
}

/// Returns the functions of the extension for a kind of host.
#[must_use]
pub const fn table<H: EncodingsHost>() -> HostEncodings {
    HostEncodings {
        struct_size: HostEncodings::SIZE,
        reserved: 0,
        encode: encode::<H>,
        decode: decode::<H>,
        number: number::<H>,
        numbers: numbers::<H>,
        text: text::<H>,
    }
}

/// What is compiled for a type when it is first needed.
pub struct TypePlans {
    message: MessageType,
    json: OnceLock<JsonPlan>,
    cdr: OnceLock<CdrPlan>,
    values: Paths<FieldPath>,
    arrays: Paths<NumbersPath>,
}

impl std::fmt::Debug for TypePlans {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypePlans").field("message", &self.message.full_name()).finish_non_exhaustive()
    }
}

/// Compiled paths by their text.
type Paths<P> = Mutex<HashMap<String, Arc<P>>>;

/// Why a call fails: its status, and the reason.
type Failure = (Status, String);

impl TypePlans {
    /// Plans of that type, none of which is compiled yet.
    #[must_use]
    pub fn new(message: MessageType) -> Self {
        let (json, cdr) = (OnceLock::new(), OnceLock::new());
        TypePlans { message, json, cdr, values: Mutex::default(), arrays: Mutex::default() }
    }

    fn json(&self) -> &JsonPlan {
        self.json.get_or_init(|| JsonPlan::compile(&self.message))
    }

    fn cdr(&self) -> &CdrPlan {
        self.cdr.get_or_init(|| CdrPlan::compile(&self.message))
    }

    fn encode(&self, encoding: u32, payload: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        match encoding {
            ENCODING_JSON => self.json().encode(payload, &mut out).map_err(schema)?,
            ENCODING_CDR => self.cdr().encode(payload, &mut out).map_err(schema)?,
            other => return Err(unknown(other)),
        }
        Ok(out)
    }

    fn decode(&self, encoding: u32, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        match encoding {
            ENCODING_JSON => {
                let text = std::str::from_utf8(bytes);
                let text =
                    text.map_err(|error| (status::SCHEMA, format!("the JSON is not UTF-8: {error}")))?;
                self.json().decode(text, &mut out).map_err(schema)?;
            }
            ENCODING_CDR => self.cdr().decode(bytes, &mut out).map_err(schema)?,
            other => return Err(unknown(other)),
        }
        Ok(out)
    }

    fn value<'a>(&self, path: &str, payload: &'a [u8]) -> Result<FieldValue<'a>, Failure> {
        let compiled = compiled(&self.values, path, |path| FieldPath::compile(&self.message, path))?;
        let value = compiled.read(payload).map_err(schema)?;
        value.ok_or_else(|| (status::NOT_FOUND, format!("`{path}` is beyond the end of its array")))
    }

    fn number(&self, path: &str, payload: &[u8]) -> Result<f64, Failure> {
        match self.value(path, payload)? {
            FieldValue::Number(number) => Ok(number),
            FieldValue::Bool(is) => Ok(f64::from(u8::from(is))),
            FieldValue::Text(_) => Err((status::INVALID_ARG, format!("`{path}` is a text and no number"))),
        }
    }

    fn text<'a>(&self, path: &str, payload: &'a [u8]) -> Result<&'a str, Failure> {
        match self.value(path, payload)? {
            FieldValue::Text(text) => Ok(text),
            FieldValue::Number(_) | FieldValue::Bool(_) => {
                Err((status::INVALID_ARG, format!("`{path}` is a number and no text")))
            }
        }
    }

    fn numbers(&self, path: &str, payload: &[u8], take: impl FnMut(usize, f64)) -> Result<usize, Failure> {
        let compiled = compiled(&self.arrays, path, |path| NumbersPath::compile(&self.message, path))?;
        compiled.read(payload, take).map_err(schema)
    }
}

fn schema(error: impl std::fmt::Display) -> Failure {
    (status::SCHEMA, error.to_string())
}

fn unknown(encoding: u32) -> Failure {
    (status::UNSUPPORTED, format!("there is no conversion for encoding {encoding}"))
}

fn compiled<P>(
    paths: &Paths<P>,
    path: &str,
    compile: impl FnOnce(&str) -> Result<P, FieldPathError>,
) -> Result<Arc<P>, Failure> {
    let mut paths = paths.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = paths.get(path) {
        return Ok(Arc::clone(known));
    }
    let new = Arc::new(compile(path).map_err(|error| (status::INVALID_ARG, error.to_string()))?);
    if paths.len() < MOST_PATHS {
        paths.insert(path.to_owned(), Arc::clone(&new));
    }
    Ok(new)
}

/// Runs a function of the extension on the plans of a type. `body` returns a failure with its reason.
fn run<H: EncodingsHost>(
    name: &'static str,
    host: *const Host,
    type_id: u32,
    body: impl FnOnce(&TypePlans) -> Result<(), Failure>,
) -> Status {
    H::guarded(name, || {
        let done = match H::plans(name, host, type_id) {
            Ok(Some(plans)) => body(&plans),
            Ok(None) => Err((status::NOT_FOUND, format!("no message type has the id {type_id}"))),
            Err(code) => return code,
        };
        match done {
            Ok(()) => status::OK,
            Err((code, reason)) => {
                H::explain(host, reason);
                code
            }
        }
    })
}

/// Reads an argument, and refuses a length that no memory has.
///
/// # Safety
/// The bytes must be valid for `'a`.
unsafe fn bytes<'a>(bytes: Bytes) -> Result<&'a [u8], Failure> {
    if isize::try_from(bytes.len).is_err() {
        return Err((status::INVALID_ARG, format!("{} bytes exceed any memory", bytes.len)));
    }
    // SAFETY: the caller vouches for them.
    Ok(unsafe { bytes.as_slice() })
}

/// Reads a path.
///
/// # Safety
/// The text must be valid for `'a`.
unsafe fn path<'a>(path: Str) -> Result<&'a str, Failure> {
    // SAFETY: the caller vouches for it.
    let path = unsafe { bytes(Bytes { ptr: path.ptr, len: path.len }) }?;
    std::str::from_utf8(path).map_err(|_| (status::INVALID_ARG, "the path is not UTF-8".to_owned()))
}

/// Writes a result.
///
/// # Safety
/// `out` must be null or writable.
unsafe fn give<T>(out: *mut T, value: T) -> Result<(), Failure> {
    if out.is_null() {
        return Err((status::INVALID_ARG, "the pointer for the result is null".to_owned()));
    }
    // SAFETY: the caller vouches for it.
    unsafe { out.write(value) };
    Ok(())
}

/// Gives a buffer with one reference.
///
/// # Safety
/// `out` must be null or writable.
unsafe fn give_buffer(out: *mut *const Buffer, content: Vec<u8>) -> Result<(), Failure> {
    if out.is_null() {
        return Err((status::INVALID_ARG, "the pointer for the result is null".to_owned()));
    }
    // SAFETY: the caller vouches for it; the reference is the plugin's from here on.
    unsafe { give(out, Payload::from_vec(content).into_raw()) }
}

unsafe extern "C" fn encode<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    encoding: u32,
    payload: Bytes,
    out: *mut *const Buffer,
) -> Status {
    // SAFETY: plugins pass bytes valid for this call, and memory for a pointer.
    run::<H>("encodings.encode", host, type_id, |plans| unsafe {
        give_buffer(out, plans.encode(encoding, bytes(payload)?)?)
    })
}

unsafe extern "C" fn decode<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    encoding: u32,
    content: Bytes,
    out: *mut *const Buffer,
) -> Status {
    // SAFETY: as in `encode`.
    run::<H>("encodings.decode", host, type_id, |plans| unsafe {
        give_buffer(out, plans.decode(encoding, bytes(content)?)?)
    })
}

unsafe extern "C" fn number<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    payload: Bytes,
    field: Str,
    out: *mut f64,
) -> Status {
    // SAFETY: plugins pass bytes and a text valid for this call, and memory for the result.
    run::<H>("encodings.number", host, type_id, |plans| unsafe {
        give(out, plans.number(path(field)?, bytes(payload)?)?)
    })
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
    run::<H>("encodings.numbers", host, type_id, |plans| unsafe {
        if out.is_null() && capacity > 0 {
            return Err((status::INVALID_ARG, "the pointer for the numbers is null".to_owned()));
        }
        let found = plans.numbers(path(field)?, bytes(payload)?, |index, number| {
            if index < capacity {
                out.add(index).write(number);
            }
        })?;
        give(count, found)
    })
}

unsafe extern "C" fn text<H: EncodingsHost>(
    host: *const Host,
    type_id: u32,
    payload: Bytes,
    field: Str,
    out: *mut Str,
) -> Status {
    // SAFETY: as in `number`. The text lies in the payload, which is the plugin's.
    run::<H>("encodings.text", host, type_id, |plans| unsafe {
        give(out, Str::new(plans.text(path(field)?, bytes(payload)?)?))
    })
}

#[cfg(test)]
mod tests;
