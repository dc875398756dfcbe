//! The descriptor of a message, and its conversion to the validated form.
//!
//! A schema consists of bytes and a name; nothing is checked until it is resolved. Each schema has a pool of its own:
//! two plugins may have different files with the same name.

use std::borrow::Cow;

use crate::{Message, MessageType, SchemaError};

mod resolve;
#[cfg(test)]
mod tests;

/// A self-contained encoded `google.protobuf.FileDescriptorSet` and the full name of one message in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Schema {
    descriptor_set: Cow<'static, [u8]>,
    full_name: Cow<'static, str>,
}

impl Schema {
    /// Creates a schema from bytes, for example of a plugin. `full_name` has no leading dot.
    pub fn new(
        descriptor_set: impl Into<Cow<'static, [u8]>>,
        full_name: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { descriptor_set: descriptor_set.into(), full_name: full_name.into() }
    }

    /// Returns the schema of a Rust message.
    pub fn of<M: Message>() -> Self {
        Self::new(M::DESCRIPTOR_SET, M::FULL_NAME)
    }

    /// Returns the encoded descriptor set, in the form for MCAP and Foxglove.
    pub fn descriptor_set(&self) -> &[u8] {
        &self.descriptor_set
    }

    /// Protobuf full name of the message.
    pub fn full_name(&self) -> &str {
        &self.full_name
    }

    /// Reads and checks the descriptor.
    ///
    /// # Errors
    /// Returns a [`SchemaError`] that names the unusable message and field. Invalid bytes never panic.
    pub fn resolve(&self) -> Result<MessageType, SchemaError> {
        resolve::resolve(self)
    }
}
