//! `bridgehead.types/1` of a test: resolves and keeps message types as the host does.

use bridgehead_abi as abi;
use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::{Bytes, Status, Str, status};

use super::host::{Shared, TestHost, lock};
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

pub(super) static TABLE: abi::host::HostTypes =
    abi::host::HostTypes { struct_size: abi::host::HostTypes::SIZE, reserved: 0, register, find, describe };

unsafe extern "C" fn register(host: *const abi::Host, desc: *const TypeDesc, out: *mut u32) -> Status {
    // SAFETY: plugins pass back the pointer they were given, and a description that lives for the call.
    let (shared, name, set) = unsafe {
        let name = String::from_utf8_lossy((*desc).name.as_bytes());
        (Shared::of(host), name, (*desc).descriptor_set.as_slice())
    };
    match lock(&shared.types).register(&name, set, &shared.setup.path) {
        Ok(id) => {
            // SAFETY: `out` is writable.
            unsafe { out.write(id) };
            status::OK
        }
        Err(reason) => {
            shared.refuse(reason);
            status::SCHEMA
        }
    }
}

unsafe extern "C" fn find(host: *const abi::Host, name: Str, out: *mut TypeDesc) -> Status {
    // SAFETY: as above.
    let (shared, name) = unsafe { (Shared::of(host), name.as_str().unwrap_or_default()) };
    let id = lock(&shared.types).find(name);
    // SAFETY: `out` is writable.
    unsafe { answer(shared, id, out) }
}

unsafe extern "C" fn describe(host: *const abi::Host, type_id: u32, out: *mut TypeDesc) -> Status {
    // SAFETY: as above; `out` is writable.
    unsafe { answer(Shared::of(host), Some(type_id), out) }
}

/// # Safety
/// `out` must be writable.
unsafe fn answer(shared: &Shared, id: Option<u32>, out: *mut TypeDesc) -> Status {
    let found = id.and_then(|id| Some((id, lock(&shared.types).get(id)?)));
    let Some((id, known)) = found else {
        return status::NOT_FOUND;
    };
    // SAFETY: the caller vouches for `out`.
    unsafe { out.write(describe_type(id, known)) };
    status::OK
}
