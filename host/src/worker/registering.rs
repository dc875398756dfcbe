//! What a bridge in a worker announces while it registers: passed on to the registrar of this process, with creators that
//! lead back to the worker.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

use bridgehead_abi::bridge::{PublisherCreator, Registrar, ServiceCreator, SubscriberCreator};
use bridgehead_abi::{Status, Str, status};

use super::endpoint::{create_publisher, create_service, create_subscriber};
use super::wire::Role;

/// The registrar of the call that is running, if there is one.
#[derive(Debug, Default)]
pub(super) struct Announced {
    registrar: AtomicPtr<Registrar>,
}

impl Announced {
    /// Passes announcements on to a registrar while `call` runs.
    pub(super) fn during<T>(&self, registrar: *const Registrar, call: impl FnOnce() -> T) -> T {
        self.registrar.store(registrar.cast_mut(), Ordering::Release);
        let outcome = call();
        self.registrar.store(std::ptr::null_mut(), Ordering::Release);
        outcome
    }

    /// Makes one call of the registrar.
    fn with(&self, add: impl FnOnce(&Registrar) -> Status) -> Status {
        // SAFETY: the registrar is valid while it is set.
        unsafe { self.registrar.load(Ordering::Acquire).as_ref() }.map_or(status::WRONG_STATE, add)
    }

    pub(super) fn add_type(&self, data_type: &str, bridge_type: &str) -> Status {
        // SAFETY: the registrar is valid, and the texts live for the call.
        self.with(|registrar| unsafe {
            (registrar.add_type)(registrar, Str::new(data_type), Str::new(bridge_type))
        })
    }

    /// Announces a creator of the worker. Its number takes the place of the pointer that the plugin has given for it.
    pub(super) fn add_creator(&self, role: Role, data_type: &str, response: &str, creator: u32) -> Status {
        let user = creator as usize as *mut c_void;
        let data_type = Str::new(data_type);
        // SAFETY: as above; the registrar copies the creator.
        self.with(|registrar| unsafe {
            match role {
                Role::Publisher => {
                    let creator = PublisherCreator { user, create: create_publisher };
                    (registrar.add_publisher)(registrar, data_type, &raw const creator)
                }
                Role::Subscriber => {
                    let creator = SubscriberCreator { user, create: create_subscriber };
                    (registrar.add_subscriber)(registrar, data_type, &raw const creator)
                }
                Role::Service => {
                    let creator = ServiceCreator { user, create: create_service };
                    (registrar.add_service)(registrar, data_type, Str::new(response), &raw const creator)
                }
            }
        })
    }
}
