//! `bridgehead.services/1` of a test: calls that the test makes and the plugin answers.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::sync::Mutex;

use bridgehead_abi as abi;
use bridgehead_abi::host::ServiceRequest;
use bridgehead_abi::{Bytes, Host, Status, Str, status};

use super::calls::Class;
use super::host::{Shared, TestHost, lock};
use crate::error::{Error, Result};
use crate::messages::Message;
use crate::payload::Payload;
use crate::rules;

/// A call that the test made, for [`TestHost::answer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallId(u64);

/// What a service's pointer points at; never given back.
struct ServiceEntry {
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

pub(super) static TABLE: abi::host::HostServices = abi::host::HostServices {
    struct_size: abi::host::HostServices::SIZE,
    reserved: 0,
    advertise,
    take,
    reply,
};

unsafe extern "C" fn advertise(
    host: *const Host,
    name: Str,
    request: Str,
    response: Str,
    out: *mut *mut c_void,
) -> Status {
    // SAFETY: plugins pass back the pointer they were given; texts live for the call.
    let (shared, given, request, response) =
        unsafe { (Shared::of(host), name.as_str(), request.as_str(), response.as_str()) };
    if let Err(code) = shared.calls.require("services.advertise", Class::Main) {
        return code;
    }
    let Some(given) = given else {
        return status::INVALID_ARG;
    };
    let is_known = |name: &&str| lock(&shared.types).find(name).is_some();
    let (Some(request), Some(response)) = (request.filter(is_known), response.filter(is_known)) else {
        shared.refuse(rules::service_type_unregistered(given));
        return status::NOT_FOUND;
    };
    let name = match rules::full_name(&shared.setup.vehicle, given) {
        Ok(name) => name,
        Err(fault) => {
            shared.refuse(fault.to_string());
            return status::INVALID_ARG;
        }
    };
    let mut record = lock(&shared.services);
    if record.services.iter().any(|known| known.name == name) {
        shared.refuse(rules::service_taken(given));
        return status::EXISTS;
    }
    let (request, response) = (request.to_owned(), response.to_owned());
    let (waiting, taken) = (Mutex::default(), Mutex::default());
    let entry: &'static ServiceEntry =
        Box::leak(Box::new(ServiceEntry { shared, name, request, response, waiting, taken }));
    record.services.push(entry);
    // SAFETY: `out` is writable; the host's side never writes through the pointer.
    unsafe { out.write(std::ptr::from_ref(entry).cast_mut().cast()) };
    status::OK
}

unsafe extern "C" fn take(service: *mut c_void, out: *mut ServiceRequest) -> Status {
    // SAFETY: plugins pass back what `advertise` gave them.
    let entry = unsafe { &*service.cast::<ServiceEntry>() };
    if let Err(code) = entry.shared.calls.require("take of a service", Class::Sim) {
        return code;
    }
    let Some((id, request)) = lock(&entry.waiting).pop_front() else {
        return status::NOT_FOUND;
    };
    let payload = request.as_raw();
    *lock(&entry.taken) = Some(request);
    // SAFETY: `out` is writable.
    unsafe { out.write(ServiceRequest { struct_size: ServiceRequest::SIZE, reserved: 0, id, payload }) };
    status::OK
}

unsafe extern "C" fn reply(service: *mut c_void, id: u64, code: Status, payload: Bytes) -> Status {
    // SAFETY: plugins pass back what `advertise` gave them; the bytes live for the call.
    let (entry, bytes) = unsafe { (&*service.cast::<ServiceEntry>(), payload.as_slice().to_vec()) };
    let mut record = lock(&entry.shared.services);
    let is_open = (1..=record.calls).contains(&id) && !record.answers.contains_key(&id);
    if !is_open {
        entry.shared.calls.note(format!("call {id} of `{}` ({}) is not open", entry.name, entry.response));
        return status::NOT_FOUND;
    }
    let reason = entry.shared.calls.take_reason();
    record.answers.insert(id, (code, reason, bytes));
    drop(record);
    entry.shared.announce();
    status::OK
}
