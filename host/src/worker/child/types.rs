//! `bridgehead.types/1` in a worker: descriptions of message types, which the host gives once for each type.

use std::collections::HashMap;
use std::sync::Mutex;

use bridgehead_abi::host::HostTypes;
use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::{Bytes, Host, Status, Str, status};

use super::super::wire::{Answer, Request};
use super::host::caller_of;
use super::{link, place};
use crate::guard::host_call;
use crate::thread::lock;

pub(super) static TABLE: HostTypes =
    HostTypes { struct_size: HostTypes::SIZE, reserved: 0, register, find, describe };

/// Descriptions of types, valid until the process ends, by id.
static KNOWN_TYPES: Mutex<Option<HashMap<u32, KnownType>>> = Mutex::new(None);

#[derive(Clone, Copy)]
struct KnownType {
    name: &'static str,
    descriptor_set: &'static [u8],
}

fn type_desc(id: u32, known: KnownType) -> TypeDesc {
    TypeDesc {
        struct_size: TypeDesc::SIZE,
        type_id: id,
        name: Str::new(known.name),
        descriptor_set: Bytes::new(known.descriptor_set),
        reserved: [0; 2],
    }
}

/// Keeps the description of an answer.
fn learn(answer: Answer<'_>) -> Result<TypeDesc, Status> {
    match answer {
        Answer::Type { id, name, descriptor_set } => {
            let mut known = lock(&KNOWN_TYPES);
            let known = known.get_or_insert_default().entry(id).or_insert_with(|| KnownType {
                name: Box::leak(name.to_owned().into_boxed_str()),
                descriptor_set: Box::leak(descriptor_set.to_vec().into_boxed_slice()),
            });
            Ok(type_desc(id, *known))
        }
        other => Err(other.status()),
    }
}

/// Describes a type by its id; a description without a name if there is none.
pub(super) fn described(id: u32) -> Result<TypeDesc, Status> {
    let known = lock(&KNOWN_TYPES).as_ref().and_then(|known| known.get(&id).copied());
    match known {
        Some(known) => Ok(type_desc(id, known)),
        None => link().ask(Request::DescribeType { id }, learn),
    }
}

unsafe extern "C" fn register(host: *const Host, desc: *const TypeDesc, out: *mut u32) -> Status {
    host_call("types.register", status::PANIC, || {
        // SAFETY: plugins pass memory for the id.
        if let Err(code) = unsafe { place::check(out, "types.register") } {
            return code;
        }
        // SAFETY: plugins pass a description valid for this call.
        let (name, descriptor_set) = unsafe {
            let Some(desc) = desc.as_ref() else { return status::INVALID_ARG };
            let Some(name) = desc.name.as_str() else { return status::INVALID_ARG };
            (name, desc.descriptor_set.as_slice())
        };
        let request = Request::RegisterType { caller: caller_of(host), name, descriptor_set };
        let registered = link().ask(request, |answer| match answer {
            Answer::Number(id) => u32::try_from(id).map_err(|_| status::INVALID_ARG),
            other => Err(other.status()),
        });
        match registered {
            Ok(id) => {
                // SAFETY: plugins pass memory for the id.
                unsafe { out.write(id) };
                status::OK
            }
            Err(code) => code,
        }
    })
}

/// Gives a description to a plugin.
fn give(function: &'static str, found: Result<TypeDesc, Status>, out: *mut TypeDesc) -> Status {
    // SAFETY: plugins pass memory for a description.
    if let Err(code) = unsafe { place::check(out, function) } {
        return code;
    }
    match found {
        Ok(desc) => {
            // SAFETY: plugins pass memory for a description.
            unsafe { out.write(desc) };
            status::OK
        }
        Err(code) => code,
    }
}

unsafe extern "C" fn find(_: *const Host, name: Str, out: *mut TypeDesc) -> Status {
    host_call("types.find", status::PANIC, || {
        // SAFETY: plugins pass a text valid for this call.
        let Some(name) = (unsafe { name.as_str() }) else { return status::INVALID_ARG };
        give("types.find", link().ask(Request::FindType { name }, learn), out)
    })
}

unsafe extern "C" fn describe(_: *const Host, id: u32, out: *mut TypeDesc) -> Status {
    host_call("types.describe", status::PANIC, || give("types.describe", described(id), out))
}
