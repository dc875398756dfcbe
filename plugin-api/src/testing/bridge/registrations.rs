//! What a bridge announces in its registration, kept as the host keeps it: duplicates are refused.

use std::cell::RefCell;
use std::collections::BTreeMap;

use bridgehead_abi::bridge::{PublisherCreator, Registrar, ServiceCreator, SubscriberCreator};
use bridgehead_abi::{Status, status};

use crate::bridge::{ANY_TYPE, Bridge};
use crate::export;
use crate::objects::{Callback, Offered, RegistrarObject};
use crate::testing::host::{TestHost, of_test};
use crate::testing::outcome::Outcome;

/// What a bridge announced.
#[derive(Default)]
pub struct Registrations {
    types: BTreeMap<String, String>,
    publishers: BTreeMap<String, Callback<PublisherCreator>>,
    subscribers: BTreeMap<String, Callback<SubscriberCreator>>,
    services: BTreeMap<(String, String), Callback<ServiceCreator>>,
}

impl Registrations {
    /// Calls [`Bridge::register`].
    ///
    /// # Errors
    /// How the registration ended, where it failed. The reason is in the library's log.
    pub fn of<B: Bridge>() -> Result<Self, Outcome> {
        let host = TestHost::new();
        let registrations = RefCell::default();
        let registrar = Offered::<Registrar, _>::new(TestRegistrar { host, registrations });
        // SAFETY: the registrar lives for the call.
        let code = unsafe { (export::bridge_factory::<B>().register)(registrar.as_raw()) };
        let outcome = Outcome::from_status("register", code, host.shared.calls.take_violations().join("; "));
        if outcome.is_done() { Ok(registrar.into_inner().registrations.into_inner()) } else { Err(outcome) }
    }

    /// Data types with a publisher; `*` for every type.
    #[must_use]
    pub fn publishers(&self) -> Vec<&str> {
        self.publishers.keys().map(String::as_str).collect()
    }

    /// Data types with a subscriber; `*` for every type.
    #[must_use]
    pub fn subscribers(&self) -> Vec<&str> {
        self.subscribers.keys().map(String::as_str).collect()
    }

    /// Request and response types of the services; `*` for every type.
    #[must_use]
    pub fn services(&self) -> Vec<(&str, &str)> {
        self.services.keys().map(|(request, response)| (request.as_str(), response.as_str())).collect()
    }

    /// The bridge's own name for a data type.
    #[must_use]
    pub fn bridge_type(&self, data_type: &str) -> Option<&str> {
        self.types.get(data_type).map(String::as_str)
    }

    pub(super) fn publisher(&self, data_type: &str) -> Option<Callback<PublisherCreator>> {
        self.publishers.get(data_type).or_else(|| self.publishers.get(ANY_TYPE)).copied()
    }

    pub(super) fn subscriber(&self, data_type: &str) -> Option<Callback<SubscriberCreator>> {
        self.subscribers.get(data_type).or_else(|| self.subscribers.get(ANY_TYPE)).copied()
    }

    pub(super) fn service(&self, request: &str, response: &str) -> Option<Callback<ServiceCreator>> {
        let exact = self.services.get(&(request.to_owned(), response.to_owned()));
        exact.or_else(|| self.services.get(&(ANY_TYPE.to_owned(), ANY_TYPE.to_owned()))).copied()
    }
}

/// A registrar that keeps what it is told.
struct TestRegistrar {
    host: TestHost,
    registrations: RefCell<Registrations>,
}

of_test!(TestRegistrar);

fn insert<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: V) -> Status {
    if map.contains_key(&key) {
        return status::EXISTS;
    }
    map.insert(key, value);
    status::OK
}

impl RegistrarObject for TestRegistrar {
    fn add_type(&self, data_type: &str, bridge_type: &str) -> Status {
        insert(&mut self.registrations.borrow_mut().types, data_type.to_owned(), bridge_type.to_owned())
    }

    fn add_publisher(&self, data_type: &str, creator: Callback<PublisherCreator>) -> Status {
        insert(&mut self.registrations.borrow_mut().publishers, data_type.to_owned(), creator)
    }

    fn add_subscriber(&self, data_type: &str, creator: Callback<SubscriberCreator>) -> Status {
        insert(&mut self.registrations.borrow_mut().subscribers, data_type.to_owned(), creator)
    }

    fn add_service(&self, request: &str, response: &str, creator: Callback<ServiceCreator>) -> Status {
        let key = (request.to_owned(), response.to_owned());
        insert(&mut self.registrations.borrow_mut().services, key, creator)
    }
}
