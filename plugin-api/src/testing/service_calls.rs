//! `bridgehead.service-calls/1` of a test: services that the test offers and the plugin calls.

use bridgehead_abi::{Status, status};

use super::host::{Shared, TestHost, lock};
use crate::hosting::ServiceCallsHost;
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

impl ServiceCallsHost for Shared {
    fn call(&self, name: &str, request_type: &str, request: &[u8]) -> Result<(), Status> {
        let mut record = lock(&self.service_calls);
        let offered = record.offered.iter().find(|(known, _)| known == name);
        match offered.map(|(_, takes)| takes.as_str()) {
            None => {
                self.calls.explain(rules::no_such_service(name));
                Err(status::NOT_FOUND)
            }
            Some(takes) if takes != request_type => {
                self.calls.explain(rules::wrong_request(name, takes, request_type));
                Err(status::SCHEMA)
            }
            Some(_) => {
                record.calls.push(TestServiceCall { service: name.to_owned(), request: request.to_vec() });
                Ok(())
            }
        }
    }
}
