//! `bridgehead.description/1`: what the world consists of.

use bridgehead_abi::description::HostDescription;
use bridgehead_abi::{Buffer, Host, Status, status};

use super::caller::{caller, check_pointer, checked};
use crate::bus::give;
use crate::guard::host_call;

pub(super) static TABLE: HostDescription =
    HostDescription { struct_size: HostDescription::SIZE, reserved: 0, revision, read };

unsafe extern "C" fn revision(host: *const Host) -> u64 {
    host_call("description.revision", 0, || {
        caller!(host, "description.revision", 0).shared.description.revision()
    })
}

unsafe extern "C" fn read(host: *const Host, out: *mut *const Buffer) -> Status {
    host_call("description.read", status::PANIC, || {
        let context = caller!(host, "description.read");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "description.read"));
        let payload = context.shared.description.read();
        // SAFETY: `out` is writable; the reference is the caller's from here on.
        unsafe { out.write(give(payload)) };
        status::OK
    })
}
