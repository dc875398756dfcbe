//! The registrar of a worker: keeps the creators of a bridge, and announces them to the host.

use std::cell::RefCell;

use bridgehead_abi::bridge::{PublisherCreator, ServiceCreator, SubscriberCreator};
use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::objects::{Callback, RegistrarObject};

use super::super::wire::{Request, Role};
use super::link;
use crate::api::hosting::host_object;

/// How the plugin makes endpoints of one kind.
#[derive(Clone, Copy)]
pub(super) enum Creator {
    Publisher(Callback<PublisherCreator>),
    Subscriber(Callback<SubscriberCreator>),
    Service(Callback<ServiceCreator>),
}

/// The creators that a plugin has registered.
#[derive(Default)]
pub(super) struct RegistrarCell {
    announces: bool,
    pub(super) creators: RefCell<Vec<Creator>>,
}

host_object!(RegistrarCell, |_| None);

impl RegistrarCell {
    /// Announces creators to the host only if `announces`.
    pub(super) fn new(announces: bool) -> Self {
        RegistrarCell { announces, creators: RefCell::default() }
    }

    /// Keeps a creator, and announces it to the host.
    fn keep(&self, role: Role, data_type: &str, response: &str, creator: Creator) -> Status {
        let mut creators = self.creators.borrow_mut();
        let Ok(number) = u32::try_from(creators.len()) else { return status::INVALID_ARG };
        let request = Request::AddCreator { role, data_type, response, creator: number };
        let code = if self.announces { link().ask(request, |answer| answer.status()) } else { status::OK };
        // Also kept if the host refuses it, so that numbers are the same whether it is announced or not.
        creators.push(creator);
        code
    }
}

impl RegistrarObject for RegistrarCell {
    fn add_type(&self, data_type: &str, bridge_type: &str) -> Status {
        if !self.announces {
            return status::OK;
        }
        link().ask(Request::AddType { data_type, bridge_type }, |answer| answer.status())
    }

    fn add_publisher(&self, data_type: &str, creator: Callback<PublisherCreator>) -> Status {
        self.keep(Role::Publisher, data_type, "", Creator::Publisher(creator))
    }

    fn add_subscriber(&self, data_type: &str, creator: Callback<SubscriberCreator>) -> Status {
        self.keep(Role::Subscriber, data_type, "", Creator::Subscriber(creator))
    }

    fn add_service(&self, request: &str, response: &str, creator: Callback<ServiceCreator>) -> Status {
        self.keep(Role::Service, request, response, Creator::Service(creator))
    }
}
