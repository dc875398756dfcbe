//! `bridgehead.types/1` of a test: resolves and keeps message types as the host does.

use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::{Bytes, Status, Str, status};

use super::host::{Shared, TestHost, lock};
use crate::hosting::{NewType, TypesHost};
use crate::messages::{MessageType, Schema};
use crate::rules;

/// Types by their number, from 1.
#[derive(Default)]
pub(super) struct TypeTable {
    /// Leaked, because descriptions stay valid until the process ends.
    types: Vec<&'static MessageType>,
}

impl TypeTable {
    /// The number of a type; an older or newer version of it keeps its number.
    ///
    /// # Errors
    /// The reason why the type is refused.
    pub(super) fn register(&mut self, name: &str, descriptor_set: &[u8], owner: &str) -> Result<u32, String> {
        let schema = Schema::new(descriptor_set.to_vec(), name.to_owned());
        let resolved =
            schema.resolve().map_err(|error| format!("type `{name}` of {owner} is refused: {error}"))?;
        if let Some(id) = self.find(name) {
            let known = self.types[id as usize - 1].is_compatible_with(&resolved);
            return if known { Ok(id) } else { Err(rules::type_conflict(name, owner, owner)) };
        }
        self.types.push(Box::leak(Box::new(resolved)));
        Ok(u32::try_from(self.types.len()).unwrap_or(u32::MAX))
    }

    /// The number of a type by its protobuf or ROS name.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        let is =
            |known: &&'static MessageType| known.full_name() == name || known.ros_type().to_string() == name;
        let index = self.types.iter().position(is)?;
        u32::try_from(index + 1).ok()
    }

    /// The type of that number.
    pub(super) fn get(&self, id: u32) -> Option<&'static MessageType> {
        self.types.get((id as usize).checked_sub(1)?).copied()
    }
}

/// A description that stays valid until the process ends.
pub(super) fn describe_type(id: u32, known: &'static MessageType) -> TypeDesc {
    TypeDesc {
        struct_size: TypeDesc::SIZE,
        type_id: id,
        name: Str::new(known.full_name()),
        descriptor_set: Bytes::new(known.schema().descriptor_set()),
        reserved: [0; 2],
    }
}

impl TestHost {
    /// Full names of the types that were registered, in that order.
    #[must_use]
    pub fn registered_types(self) -> Vec<String> {
        lock(&self.shared.types).types.iter().map(|known| known.full_name().to_owned()).collect()
    }
}

impl TypesHost for Shared {
    fn register(&self, new: NewType<'_>) -> Result<u32, Status> {
        let registered = lock(&self.types).register(new.name, new.descriptor_set, &self.setup.path);
        registered.map_err(|reason| {
            self.refuse(reason);
            status::SCHEMA
        })
    }

    fn find(&self, name: &str) -> Result<TypeDesc, Status> {
        let id = lock(&self.types).find(name).ok_or(status::NOT_FOUND)?;
        TypesHost::describe(self, id)
    }

    fn describe(&self, type_id: u32) -> Result<TypeDesc, Status> {
        let known = lock(&self.types).get(type_id).ok_or(status::NOT_FOUND)?;
        Ok(describe_type(type_id, known))
    }
}
