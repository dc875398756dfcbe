//! `bridgehead.service-calls/1` of a test: services that the test offers and the plugin calls.

use bridgehead_abi::calls::HostServiceCalls;
use bridgehead_abi::{Bytes, Host, Status, Str, status};

use super::calls::Class;
use super::host::{Shared, TestHost, lock};
use crate::messages::Message;
use crate::rules;

/// A call that the plugin made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestServiceCall {
    /// Full name of the service.
    pub service: String,
    /// The encoded request.
    pub request: Vec<u8>,
}

/// Offered services, by full name with the type of their requests, and calls.
#[derive(Default)]
pub(super) struct ServiceCallRecord {
    offered: Vec<(String, String)>,
    calls: Vec<TestServiceCall>,
}

pub(super) static TABLE: HostServiceCalls =
    HostServiceCalls { struct_size: HostServiceCalls::SIZE, reserved: 0, call };

impl TestHost {
    /// Offers a service with that full name for the plugin to call.
    pub fn offer_service<Q: Message>(self, name: &str) {
        let service = (name.to_owned(), Q::FULL_NAME.to_owned());
        lock(&self.shared.service_calls).offered.push(service);
    }

    /// Takes the calls that the plugin made of such services since the last time.
    #[must_use]
    pub fn take_service_calls(self) -> Vec<TestServiceCall> {
        std::mem::take(&mut lock(&self.shared.service_calls).calls)
    }
}

unsafe extern "C" fn call(host: *const Host, name: Str, request_type: Str, request: Bytes) -> Status {
    // SAFETY: plugins pass back the pointer they were given; texts and bytes live for the call.
    let (shared, name, request_type, request) =
        unsafe { (Shared::of(host), name.as_str(), request_type.as_str(), request.as_slice().to_vec()) };
    if let Err(code) = shared.calls.require("service_calls.call", Class::Sim) {
        return code;
    }
    let (Some(name), Some(request_type)) = (name, request_type) else { return status::INVALID_ARG };
    let mut record = lock(&shared.service_calls);
    let offered = record.offered.iter().find(|(known, _)| known == name);
    match offered.map(|(_, takes)| takes.as_str()) {
        None => {
            shared.calls.explain(rules::no_such_service(name));
            status::NOT_FOUND
        }
        Some(takes) if takes != request_type => {
            shared.calls.explain(rules::wrong_request(name, takes, request_type));
            status::SCHEMA
        }
        Some(_) => {
            record.calls.push(TestServiceCall { service: name.to_owned(), request });
            status::OK
        }
    }
}
