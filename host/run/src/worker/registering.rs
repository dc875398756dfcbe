//! What a bridge in a worker announces while it registers: passed on to the registrar of this process, with creators that
//! lead back to the worker.

use bridgehead_abi::bridge::{PublisherCreator, Registrar, ServiceCreator, SubscriberCreator};
use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::objects::{Callback, RegistrarRef};

use super::bridge::Isolated;
use super::slot::Slot;
use super::wire::Role;

impl Slot<Registrar> {
    /// Makes one call of the registrar.
    fn with(&self, add: impl FnOnce(RegistrarRef<'_>) -> Status) -> Status {
        // SAFETY: the registrar is valid while it is set.
        unsafe { RegistrarRef::of(self.get()) }.map_or(status::WRONG_STATE, add)
    }

    pub(super) fn add_type(&self, data_type: &str, bridge_type: &str) -> Status {
        self.with(|registrar| registrar.add_type(data_type, bridge_type))
    }

    /// Announces a creator of the worker. Its number takes the place of the pointer that the plugin has given for it.
    pub(super) fn add_creator(&self, role: Role, data_type: &str, response: &str, creator: u32) -> Status {
        let user = creator as usize;
        self.with(|registrar| match role {
            Role::Publisher => {
                registrar.add_publisher(data_type, Callback::<PublisherCreator>::of::<Isolated>(user))
            }
            Role::Subscriber => {
                registrar.add_subscriber(data_type, Callback::<SubscriberCreator>::of::<Isolated>(user))
            }
            Role::Service => {
                registrar.add_service(data_type, response, Callback::<ServiceCreator>::of::<Isolated>(user))
            }
        })
    }
}
