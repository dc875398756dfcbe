//! Conversions of payloads to other encodings, and reading of their fields, which all hosts do alike.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bridgehead_abi::encodings::{ENCODING_CDR, ENCODING_JSON};
use bridgehead_abi::{Status, status};

use crate::messages::{CdrPlan, FieldPath, FieldPathError, FieldValue, JsonPlan, MessageType, NumbersPath};

/// How many paths of a type stay compiled. Plugins name a few; one that makes up paths must not fill the memory.
const MAX_PATHS: usize = 256;

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
pub(crate) type Failure = (Status, String);

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

    pub(crate) fn encode(&self, encoding: u32, payload: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        match encoding {
            ENCODING_JSON => self.json().encode(payload, &mut out).map_err(schema)?,
            ENCODING_CDR => self.cdr().encode(payload, &mut out).map_err(schema)?,
            other => return Err(unknown(other)),
        }
        Ok(out)
    }

    pub(crate) fn decode(&self, encoding: u32, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
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

    pub(crate) fn number(&self, path: &str, payload: &[u8]) -> Result<f64, Failure> {
        match self.value(path, payload)? {
            FieldValue::Number(number) => Ok(number),
            FieldValue::Bool(is) => Ok(f64::from(u8::from(is))),
            FieldValue::Text(_) => Err((status::INVALID_ARG, format!("`{path}` is a text and no number"))),
        }
    }

    pub(crate) fn text<'a>(&self, path: &str, payload: &'a [u8]) -> Result<&'a str, Failure> {
        match self.value(path, payload)? {
            FieldValue::Text(text) => Ok(text),
            FieldValue::Number(_) | FieldValue::Bool(_) => {
                Err((status::INVALID_ARG, format!("`{path}` is a number and no text")))
            }
        }
    }

    pub(crate) fn numbers(
        &self,
        path: &str,
        payload: &[u8],
        take: impl FnMut(usize, f64),
    ) -> Result<usize, Failure> {
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
    if paths.len() < MAX_PATHS {
        paths.insert(path.to_owned(), Arc::clone(&new));
    }
    Ok(new)
}

#[cfg(test)]
mod tests;
