//! `bridgehead.services/1`: services of a model plugin.

use std::ffi::c_void;

use bridgehead_abi::host::{HostServices, ServiceRequest};
use bridgehead_abi::{Bytes, Host, Status, Str, status};
use bridgehead_plugin_api::{Payload, rules};

use super::Context;
use super::context::read;
use crate::bus::ServicePoint;
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
        // SAFETY: plugins pass back their host pointer and texts valid for this call.
        let (context, name, request, response) =
            unsafe { (Context::of(host), read(name), read(request), read(response)) };
        let Some(name) = name else {
            return status::INVALID_ARG;
        };
        let find = |name: Option<&str>| name.and_then(|name| context.shared.types.find(name));
        let (Some(request), Some(response)) = (find(request), find(response)) else {
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

/// # Safety
/// `service` must come from `advertise` of an instance that is alive.
unsafe fn point<'a>(service: *mut c_void) -> &'a ServicePoint {
    // SAFETY: the caller vouches for it; the instance's context keeps it.
    unsafe { &*service.cast::<ServicePoint>() }
}

unsafe extern "C" fn take(service: *mut c_void, out: *mut ServiceRequest) -> Status {
    host_call("services.take", status::PANIC, || {
        if !super::scope::is_open() {
            return status::WRONG_THREAD;
        }
        // SAFETY: plugins pass back their own handles.
        let taken = unsafe { point(service) }.take(|call| ServiceRequest {
            struct_size: ServiceRequest::SIZE,
            reserved: 0,
            id: call.id,
            payload: call.request.as_raw(),
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
        let (point, bytes) = unsafe { (point(service), payload.as_slice()) };
        let response = (code >= 0).then(|| Payload::from_vec(bytes.to_vec()));
        if point.answer(id, code, response) { status::OK } else { status::NOT_FOUND }
    })
}
