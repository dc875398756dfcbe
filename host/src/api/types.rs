//! `bridgehead.types/1`: registration and look-up of message types.

use bridgehead_abi::host::HostTypes;
use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::{Bytes, Host, Status, Str, status};

use super::Context;
use super::context::{lend, read};
use crate::bus::RegisteredType;
use crate::guard::host_call;

pub(super) static TABLE: HostTypes =
    HostTypes { struct_size: HostTypes::SIZE, reserved: 0, register, find, describe };

/// The ABI's description of a type; valid until the process ends, because types are never removed.
pub(crate) fn describe_type(entry: &RegisteredType) -> TypeDesc {
    TypeDesc {
        struct_size: TypeDesc::SIZE,
        type_id: entry.id,
        name: lend(entry.full_name()),
        descriptor_set: Bytes::new(entry.descriptor_set()),
    }
}

unsafe extern "C" fn register(host: *const Host, desc: *const TypeDesc, out: *mut u32) -> Status {
    host_call("types.register", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer and a description valid for this call.
        let (context, desc) = unsafe { (Context::of(host), &*desc) };
        // SAFETY: as above.
        let (name, descriptor_set) = unsafe { (read(desc.name), desc.descriptor_set.as_slice()) };
        let Some(name) = name else {
            return status::INVALID_ARG;
        };
        match context.shared.types.register(name, descriptor_set, &context.label) {
            Ok(entry) => {
                // SAFETY: `out` is writable.
                unsafe { out.write(entry.id) };
                status::OK
            }
            Err(error) => {
                log::error!(target: &context.label, "{error}");
                context.explain(error.to_string());
                status::SCHEMA
            }
        }
    })
}

unsafe extern "C" fn find(host: *const Host, name: Str, out: *mut TypeDesc) -> Status {
    host_call("types.find", status::PANIC, || {
        // SAFETY: as in `register`.
        let (context, name) = unsafe { (Context::of(host), read(name)) };
        let Some(entry) = name.and_then(|name| context.shared.types.find(name)) else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(describe_type(&entry)) };
        status::OK
    })
}

unsafe extern "C" fn describe(host: *const Host, type_id: u32, out: *mut TypeDesc) -> Status {
    host_call("types.describe", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer.
        let context = unsafe { Context::of(host) };
        let Some(entry) = context.shared.types.get(type_id) else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(describe_type(&entry)) };
        status::OK
    })
}
