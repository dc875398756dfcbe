//! `bridgehead.types/1`: registration and look-up of message types.

use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::{Bytes, Status, Str, status};
use bridgehead_plugin_api::hosting::{NewType, TypesHost};

use super::context::Context;
use crate::bus::RegisteredType;

/// The ABI's description of a type; valid until the process ends, because types are never removed.
pub(crate) fn describe_type(entry: &RegisteredType) -> TypeDesc {
    TypeDesc {
        struct_size: TypeDesc::SIZE,
        type_id: entry.id,
        name: Str::new(entry.full_name()),
        descriptor_set: Bytes::new(entry.descriptor_set()),
        reserved: [0; 2],
    }
}

impl TypesHost for Context {
    fn register(&self, new: NewType<'_>) -> Result<u32, Status> {
        match self.shared.types.register(new.name, new.descriptor_set, &self.label) {
            Ok(entry) => Ok(entry.id),
            Err(error) => {
                log::error!(target: &self.label, "{error}");
                self.explain(error.to_string());
                Err(status::SCHEMA)
            }
        }
    }

    fn find(&self, name: &str) -> Result<TypeDesc, Status> {
        self.shared.types.find(name).map(|entry| describe_type(&entry)).ok_or(status::NOT_FOUND)
    }

    fn describe(&self, type_id: u32) -> Result<TypeDesc, Status> {
        self.shared.types.get(type_id).map(|entry| describe_type(&entry)).ok_or(status::NOT_FOUND)
    }
}
