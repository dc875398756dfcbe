//! `bridgehead.services/1`: services of a model plugin.

use std::ffi::c_void;

use bridgehead_abi::host::ServiceRequest;
use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::hosting::{ServiceHandle, ServicesHost};
use bridgehead_plugin_api::{Payload, rules};

use super::budget::may_open;
use super::check::wrong_thread;
use super::context::Context;
use super::handle::Handle;
use crate::bus::{ServicePoint, lent};

impl ServicesHost for Context {
    type Service = Handle<ServicePoint>;

    fn offer(&self, name: &str, request: &str, response: &str) -> Result<*mut c_void, Status> {
        may_open(self)?;
        let find = |name| self.shared.types.find(name);
        let (Some(request), Some(response)) = (find(request), find(response)) else {
            self.refuse(rules::service_type_unregistered(name));
            return Err(status::NOT_FOUND);
        };
        let public = self.attachment.public_name(name);
        match self.shared.services.advertise(&self.attachment.vehicle, &public, request, response) {
            Ok(Some(point)) => Ok(self.keep_service(point)),
            Ok(None) => {
                self.refuse(rules::service_taken(name));
                Err(status::EXISTS)
            }
            Err(error) => {
                self.refuse(error.to_string());
                Err(status::INVALID_ARG)
            }
        }
    }
}

impl ServiceHandle for Handle<ServicePoint> {
    fn take(&self) -> Result<ServiceRequest, Status> {
        if !super::scope::is_open() {
            return Err(wrong_thread(self.owner(), "services.take"));
        }
        let taken = self.object.take(|call| ServiceRequest {
            struct_size: ServiceRequest::SIZE,
            reserved: 0,
            id: call.id,
            payload: lent(&call.request),
        });
        taken.ok_or(status::NOT_FOUND)
    }

    fn reply(&self, id: u64, code: Status, payload: &[u8]) -> Result<(), Status> {
        let response = (code >= 0).then(|| Payload::from_vec(payload.to_vec()));
        if self.object.answer(id, code, response) { Ok(()) } else { Err(status::NOT_FOUND) }
    }
}
