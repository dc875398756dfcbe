//! `bridgehead.services/1` of a test: calls that the test makes and the plugin answers.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::sync::Mutex;

use bridgehead_abi::host::ServiceRequest;
use bridgehead_abi::{Status, status};

use super::bus::{handle, pointer};
use super::calls::Class;
use super::host::{Shared, TestHost, lock};
use crate::error::{Error, Result};
use crate::hosting::{Breach, Checked, Handle, ServiceHandle, ServicesHost};
use crate::messages::Message;
use crate::payload::Payload;
use crate::rules;

/// A call that the test made, for [`TestHost::answer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallId(u64);

/// What a service's pointer points at; never given back.
pub(super) struct ServiceEntry {
    shared: &'static Shared,
    name: String,
    request: String,
    response: String,
    waiting: Mutex<VecDeque<(u64, Payload)>>,
    taken: Mutex<Option<Payload>>,
}

/// Services and answers.
#[derive(Default)]
pub(super) struct ServiceRecord {
    services: Vec<&'static ServiceEntry>,
    calls: u64,
    answers: BTreeMap<u64, (Status, String, Vec<u8>)>,
}

impl TestHost {
    /// Full names of the services the plugin advertised.
    #[must_use]
    pub fn services(self) -> Vec<String> {
        lock(&self.shared.services).services.iter().map(|entry| entry.name.clone()).collect()
    }

    /// Calls a service; the plugin takes the call in one of its next steps.
    ///
    /// # Panics
    /// Panics if the plugin advertised no such service, or one of another type.
    #[track_caller]
    pub fn call_service<Q: Message>(self, name: &str, request: &Q) -> CallId {
        self.call_service_raw(name, Q::FULL_NAME, request.encode_to_vec())
    }

    /// Calls a service with bytes, right or wrong.
    ///
    /// # Panics
    /// As [`TestHost::call_service`].
    #[track_caller]
    pub fn call_service_raw(self, name: &str, request_type: &str, request: Vec<u8>) -> CallId {
        let name = self.shared.full_topic(name);
        let mut record = lock(&self.shared.services);
        let Some(entry) = record.services.iter().copied().find(|entry| entry.name == name) else {
            let known: Vec<_> = record.services.iter().map(|entry| &entry.name).collect();
            panic!("the plugin did not advertise service `{name}`; it advertised {known:?}");
        };
        assert_eq!(entry.request, request_type, "`{name}` takes another request");
        record.calls += 1;
        lock(&entry.waiting).push_back((record.calls, Payload::from_vec(request)));
        CallId(record.calls)
    }

    /// The answer to a call; `None` while there is none.
    ///
    /// # Panics
    /// Panics if the answer is not an `A`.
    #[must_use]
    #[track_caller]
    pub fn answer<A: Message>(self, call: CallId) -> Option<Result<A>> {
        let (code, reason, bytes) = lock(&self.shared.services).answers.get(&call.0).cloned()?;
        if code < 0 {
            return Some(Err(Error::with_status(code, reason)));
        }
        match A::decode(bytes.as_slice()) {
            Ok(message) => Some(Ok(message)),
            Err(error) => panic!("the answer is not a {}: {error}", A::FULL_NAME),
        }
    }
}

impl ServiceRecord {
    /// Answers the open calls with INTERRUPTED: the plugin will not.
    pub(super) fn close(&mut self) {
        for id in 1..=self.calls {
            self.answers.entry(id).or_insert_with(|| (status::INTERRUPTED, String::new(), Vec::new()));
        }
        self.services.iter().for_each(|entry| lock(&entry.waiting).clear());
    }
}

handle!(ServiceEntry);

impl ServicesHost for Shared {
    type Service = ServiceEntry;

    fn offer(&self, given: &str, request: &str, response: &str) -> std::result::Result<*mut c_void, Status> {
        let is_known = |name| lock(&self.types).find(name).is_some();
        if !is_known(request) || !is_known(response) {
            self.refuse(rules::service_type_unregistered(given));
            return Err(status::NOT_FOUND);
        }
        let name = rules::full_name(&self.setup.vehicle, given).map_err(|fault| {
            self.refuse(fault.to_string());
            status::INVALID_ARG
        })?;
        let mut record = lock(&self.services);
        if record.services.iter().any(|known| known.name == name) {
            self.refuse(rules::service_taken(given));
            return Err(status::EXISTS);
        }
        let entry: &'static ServiceEntry = Box::leak(Box::new(ServiceEntry {
            shared: self.leaked(),
            name,
            request: request.to_owned(),
            response: response.to_owned(),
            waiting: Mutex::default(),
            taken: Mutex::default(),
        }));
        record.services.push(entry);
        Ok(pointer(entry))
    }
}

impl ServiceHandle for ServiceEntry {
    fn take(&self) -> std::result::Result<ServiceRequest, Status> {
        self.shared.calls.require("take of a service", Class::Sim)?;
        let (id, request) = lock(&self.waiting).pop_front().ok_or(status::NOT_FOUND)?;
        let payload = request.as_raw();
        *lock(&self.taken) = Some(request);
        Ok(ServiceRequest { struct_size: ServiceRequest::SIZE, reserved: 0, id, payload })
    }

    fn reply(&self, id: u64, code: Status, payload: &[u8]) -> std::result::Result<(), Status> {
        let mut record = lock(&self.shared.services);
        let is_open = (1..=record.calls).contains(&id) && !record.answers.contains_key(&id);
        if !is_open {
            self.shared.calls.note(format!("call {id} of `{}` ({}) is not open", self.name, self.response));
            return Err(status::NOT_FOUND);
        }
        let reason = self.shared.calls.take_reason();
        record.answers.insert(id, (code, reason, payload.to_vec()));
        drop(record);
        self.shared.announce();
        Ok(())
    }
}
