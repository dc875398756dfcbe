//! Protobuf's text format, `linear: {x: 0.5} angular: {z: 1}`, as people write messages by hand.
//!
//! The text becomes a tree ([`parse`]), the tree becomes JSON by the fields of the type ([`json`]), and the JSON plan
//! does the rest. It is for configuration, not for the data path.

mod json;
mod parse;
#[cfg(test)]
mod tests;

use crate::{JsonPlan, PayloadError};

/// Why a text is no message of the type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextFormatError {
    /// The text cannot be read, or does not fit the type.
    #[error("{line}:{column}: {what} [BH-MSG-035]")]
    Text {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What was found and what was expected.
        what: String,
    },
    /// A value does not fit its field.
    #[error(transparent)]
    Value(#[from] PayloadError),
}

impl JsonPlan {
    /// Encodes a message written in protobuf's text format. An empty text is a message of defaults.
    ///
    /// Fields may be separated by blanks, commas or semicolons; comments begin with `#`. Fields of `bytes` cannot be
    /// written.
    ///
    /// # Errors
    /// Returns an error if the text is malformed, names a field that the type does not have, or holds a value that does not fit.
    pub fn decode_text(&self, text: &str, payload: &mut Vec<u8>) -> Result<(), TextFormatError> {
        let fields = parse::message(text)?;
        let json = json::write(self.message_type(), &fields)?;
        Ok(self.decode(&json, payload)?)
    }
}
