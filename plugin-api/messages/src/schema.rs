//! A message's descriptor as it is handed around, and the door to its validated form.
//!
//! A schema is bytes and a name; nothing is checked until it is resolved. Each schema has a pool of its own:
//! two plugins may carry different files of the same name without disturbing each other.

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
    /// A schema from bytes, for example those a plugin handed over. `full_name` has no leading dot.
    pub fn new(
        descriptor_set: impl Into<Cow<'static, [u8]>>,
        full_name: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { descriptor_set: descriptor_set.into(), full_name: full_name.into() }
    }

    /// The schema of a Rust message.
    pub fn of<M: Message>() -> Self {
        Self::new(M::DESCRIPTOR_SET, M::FULL_NAME)
    }

    /// The encoded descriptor set, as MCAP and Foxglove take it.
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
    /// A [`SchemaError`] that names the message and field which cannot be used; garbage never panics.
    pub fn resolve(&self) -> Result<MessageType, SchemaError> {
        resolve::resolve(self)
    }
}
