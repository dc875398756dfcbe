//! What a bridge announces in its registration, kept as the host keeps it: duplicates are refused.

use std::collections::BTreeMap;

use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Status, Str, status};

use crate::bridge::{ANY_TYPE, Bridge};
use crate::export;
use crate::testing::outcome::Outcome;

/// What a bridge announced.
#[derive(Default)]
pub struct Registrations {
    types: BTreeMap<String, String>,
    publishers: BTreeMap<String, raw::PublisherCreator>,
    subscribers: BTreeMap<String, raw::SubscriberCreator>,
    services: BTreeMap<(String, String), raw::ServiceCreator>,
}

impl Registrations {
    /// Calls [`Bridge::register`].
    ///
    /// # Errors
    /// How the registration ended, where it failed. The reason is in the library's log.
    pub fn of<B: Bridge>() -> Result<Self, Outcome> {
        let mut registrations = Registrations::default();
        let registrar = raw::Registrar {
            struct_size: raw::Registrar::SIZE,
            reserved: 0,
            ctx: (&raw mut registrations).cast(),
            add_type,
            add_publisher,
            add_subscriber,
            add_service,
        };
        // SAFETY: the registrar lives for the call.
        let code = unsafe { (export::bridge_factory::<B>().register)(&raw const registrar) };
        let outcome = Outcome::from_status("register", code, String::new());
        if outcome.is_done() { Ok(registrations) } else { Err(outcome) }
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

    pub(super) fn publisher(&self, data_type: &str) -> Option<raw::PublisherCreator> {
        self.publishers.get(data_type).or_else(|| self.publishers.get(ANY_TYPE)).copied()
    }

    pub(super) fn subscriber(&self, data_type: &str) -> Option<raw::SubscriberCreator> {
        self.subscribers.get(data_type).or_else(|| self.subscribers.get(ANY_TYPE)).copied()
    }

    pub(super) fn service(&self, request: &str, response: &str) -> Option<raw::ServiceCreator> {
        let exact = self.services.get(&(request.to_owned(), response.to_owned()));
        exact.or_else(|| self.services.get(&(ANY_TYPE.to_owned(), ANY_TYPE.to_owned()))).copied()
    }
}

/// # Safety
/// `registrar` must be the one made in [`Registrations::of`], during the call it was made for.
unsafe fn of<'a>(registrar: *const raw::Registrar) -> &'a mut Registrations {
    // SAFETY: the caller vouches for the registrar; registration runs on one thread.
    unsafe { &mut *(*registrar).ctx.cast::<Registrations>() }
}

/// # Safety
/// The text must be alive.
unsafe fn owned(text: Str) -> String {
    // SAFETY: the caller vouches for the text.
    String::from_utf8_lossy(unsafe { text.as_bytes() }).into_owned()
}

fn insert<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: V) -> Status {
    if map.contains_key(&key) {
        return status::EXISTS;
    }
    map.insert(key, value);
    status::OK
}

unsafe extern "C" fn add_type(registrar: *const raw::Registrar, data_type: Str, bridge_type: Str) -> Status {
    // SAFETY: the bridge passes back the registrar it was given, and texts that live for the call.
    unsafe { insert(&mut of(registrar).types, owned(data_type), owned(bridge_type)) }
}

unsafe extern "C" fn add_publisher(
    registrar: *const raw::Registrar,
    data_type: Str,
    creator: *const raw::PublisherCreator,
) -> Status {
    // SAFETY: as above; the creator is copied.
    unsafe { insert(&mut of(registrar).publishers, owned(data_type), *creator) }
}

unsafe extern "C" fn add_subscriber(
    registrar: *const raw::Registrar,
    data_type: Str,
    creator: *const raw::SubscriberCreator,
) -> Status {
    // SAFETY: as above.
    unsafe { insert(&mut of(registrar).subscribers, owned(data_type), *creator) }
}

unsafe extern "C" fn add_service(
    registrar: *const raw::Registrar,
    request: Str,
    response: Str,
    creator: *const raw::ServiceCreator,
) -> Status {
    // SAFETY: as above.
    unsafe { insert(&mut of(registrar).services, (owned(request), owned(response)), *creator) }
}
