//! `bridgehead.types/1`: registration and look-up of message types.

use bridgehead_abi::host::HostTypes;
use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::{Bytes, Host, Status, Str, status};

use super::caller::{caller, check_out, check_pointer, check_size, checked, text};
use super::context::lend;
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
        reserved: [0; 2],
    }
}

unsafe extern "C" fn register(host: *const Host, desc: *const TypeDesc, out: *mut u32) -> Status {
    host_call("types.register", status::PANIC, || {
        let context = caller!(host, "types.register");
        checked!(check_pointer(&context.label, desc, "description", "types.register"));
        checked!(check_pointer(&context.label, out.cast_const(), "result", "types.register"));
        // SAFETY: plugins pass a description valid for this call.
        let desc = unsafe { &*desc };
        checked!(check_size(&context.label, desc.descriptor_set.len, "types.register"));
        // SAFETY: as above.
        let (name, descriptor_set) = unsafe {
            (checked!(text(&context.label, desc.name, "types.register")), desc.descriptor_set.as_slice())
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
        let context = caller!(host, "types.find");
        // SAFETY: as in `register`; `out` is memory for a result.
        let name = unsafe {
            checked!(check_out(&context.label, out, "types.find"));
            checked!(text(&context.label, name, "types.find"))
        };
        let Some(entry) = context.shared.types.find(name) else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(describe_type(&entry)) };
        status::OK
    })
}

unsafe extern "C" fn describe(host: *const Host, type_id: u32, out: *mut TypeDesc) -> Status {
    host_call("types.describe", status::PANIC, || {
        let context = caller!(host, "types.describe");
        // SAFETY: `out` is memory for a result.
        checked!(unsafe { check_out(&context.label, out, "types.describe") });
        let Some(entry) = context.shared.types.get(type_id) else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(describe_type(&entry)) };
        status::OK
    })
}
