//! `bridgehead.services/1`: services of a model plugin.

use std::ffi::c_void;

use bridgehead_abi::host::{HostServices, ServiceRequest};
use bridgehead_abi::{Bytes, Host, Status, Str, status};
use bridgehead_plugin_api::{Payload, rules};

use super::budget::may_open;
use super::caller::{
    caller, check_main, check_out, check_pointer, check_size, checked, held, text, wrong_thread,
};
use crate::bus::{ServicePoint, lent};
use crate::guard::host_call;

pub(super) static TABLE: HostServices =
    HostServices { struct_size: HostServices::SIZE, reserved: 0, advertise, take, reply };

unsafe extern "C" fn advertise(
    host: *const Host,
    name: Str,
    request: Str,
    response: Str,
    out: *mut *mut c_void,
) -> Status {
    host_call("services.advertise", status::PANIC, || {
        let context = caller!(host, "services.advertise");
        checked!(check_main(context, "services.advertise"));
        checked!(check_pointer(&context.label, out.cast_const(), "result", "services.advertise"));
        checked!(may_open(context));
        // SAFETY: plugins pass texts valid for this call.
        let [name, request, response] =
            unsafe { [name, request, response].map(|name| text(&context.label, name, "services.advertise")) };
        let name = checked!(name);
        let find = |name| context.shared.types.find(name);
        let (Some(request), Some(response)) = (find(checked!(request)), find(checked!(response))) else {
            context.refuse(rules::service_type_unregistered(name));
            return status::NOT_FOUND;
        };
        let public = context.attachment.public_name(name);
        match context.shared.services.advertise(&context.attachment.vehicle, &public, request, response) {
            Ok(Some(point)) => {
                // SAFETY: `out` is writable.
                unsafe { out.write(context.keep_service(point)) };
                status::OK
            }
            Ok(None) => {
                context.refuse(rules::service_taken(name));
                status::EXISTS
            }
            Err(error) => {
                context.refuse(error.to_string());
                status::INVALID_ARG
            }
        }
    })
}

unsafe extern "C" fn take(service: *mut c_void, out: *mut ServiceRequest) -> Status {
    host_call("services.take", status::PANIC, || {
        // SAFETY: plugins pass back their own handles, and memory for a request.
        let handle = unsafe {
            let handle = checked!(held::<ServicePoint>(service, "services.take"));
            checked!(check_out(handle.owner(), out, "services.take"));
            handle
        };
        if !super::scope::is_open() {
            return wrong_thread(handle.owner(), "services.take");
        }
        let taken = handle.object.take(|call| ServiceRequest {
            struct_size: ServiceRequest::SIZE,
            reserved: 0,
            id: call.id,
            payload: lent(&call.request),
        });
        let Some(request) = taken else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(request) };
        status::OK
    })
}

unsafe extern "C" fn reply(service: *mut c_void, id: u64, code: Status, payload: Bytes) -> Status {
    host_call("services.reply", status::PANIC, || {
        // SAFETY: plugins pass back their own handles and bytes valid for this call.
        let handle = unsafe { checked!(held::<ServicePoint>(service, "services.reply")) };
        checked!(check_size(handle.owner(), payload.len, "services.reply"));
        // SAFETY: as above.
        let bytes = unsafe { payload.as_slice() };
        let response = (code >= 0).then(|| Payload::from_vec(bytes.to_vec()));
        if handle.object.answer(id, code, response) { status::OK } else { status::NOT_FOUND }
    })
}
