//! The registrar of a worker: keeps the creators of a bridge, and announces them to the host.

use std::cell::RefCell;

use bridgehead_abi::bridge::{PublisherCreator, Registrar, ServiceCreator, SubscriberCreator};
use bridgehead_abi::{Status, Str, status};

use super::super::wire::{Request, Role};
use super::link;
use crate::guard::host_call;

/// How the plugin makes endpoints of one kind.
#[derive(Clone, Copy)]
pub(super) enum Creator {
    Publisher(PublisherCreator),
    Subscriber(SubscriberCreator),
    Service(ServiceCreator),
}

// SAFETY: the ABI says on which threads the functions may be called; `user` is only passed back.
unsafe impl Send for Creator {}

/// A registrar and the creators that it takes. The ABI struct is the first field, so that both have one address.
#[repr(C)]
pub(super) struct RegistrarCell {
    abi: Registrar,
    announces: bool,
    pub(super) creators: RefCell<Vec<Creator>>,
}

impl RegistrarCell {
    /// Announces creators to the host only if `announces`.
    pub(super) fn new(announces: bool) -> Self {
        let abi = Registrar {
            struct_size: Registrar::SIZE,
            reserved: 0,
            ctx: std::ptr::null_mut(),
            add_type,
            add_publisher,
            add_subscriber,
            add_service,
        };
        RegistrarCell { abi, announces, creators: RefCell::default() }
    }
}

/// Keeps a creator, and announces it to the host.
///
/// # Safety
/// `registrar` must be the first field of a live `RegistrarCell`, and the texts must be valid.
unsafe fn keep(
    registrar: *const Registrar,
    role: Role,
    (data_type, response): (Str, Str),
    creator: Creator,
) -> Status {
    // SAFETY: the caller vouches for it.
    let (cell, data_type, response) =
        unsafe { (&*registrar.cast::<RegistrarCell>(), data_type.as_str(), response.as_str()) };
    let (Some(data_type), Some(response)) = (data_type, response) else { return status::INVALID_ARG };
    let mut creators = cell.creators.borrow_mut();
    let Ok(number) = u32::try_from(creators.len()) else { return status::INVALID_ARG };
    let code = if cell.announces {
        link()
            .ask(Request::AddCreator { role, data_type, response, creator: number }, |answer| answer.status())
    } else {
        status::OK
    };
    // Also kept if the host refuses it, so that numbers are the same whether it is announced or not.
    creators.push(creator);
    code
}

unsafe extern "C" fn add_type(registrar: *const Registrar, data_type: Str, bridge_type: Str) -> Status {
    host_call("registrar.add_type", status::PANIC, || {
        // SAFETY: the plugin passes back its registrar and texts valid for the call.
        let (cell, data_type, bridge_type) =
            unsafe { (&*registrar.cast::<RegistrarCell>(), data_type.as_str(), bridge_type.as_str()) };
        match (data_type, bridge_type) {
            (Some(data_type), Some(bridge_type)) if cell.announces => {
                link().ask(Request::AddType { data_type, bridge_type }, |answer| answer.status())
            }
            (Some(_), Some(_)) => status::OK,
            _ => status::INVALID_ARG,
        }
    })
}

unsafe extern "C" fn add_publisher(
    registrar: *const Registrar,
    data_type: Str,
    creator: *const PublisherCreator,
) -> Status {
    host_call("registrar.add_publisher", status::PANIC, || {
        // SAFETY: as above; the creator is valid for the call.
        unsafe { keep(registrar, Role::Publisher, (data_type, Str::EMPTY), Creator::Publisher(*creator)) }
    })
}

unsafe extern "C" fn add_subscriber(
    registrar: *const Registrar,
    data_type: Str,
    creator: *const SubscriberCreator,
) -> Status {
    host_call("registrar.add_subscriber", status::PANIC, || {
        // SAFETY: as above.
        unsafe { keep(registrar, Role::Subscriber, (data_type, Str::EMPTY), Creator::Subscriber(*creator)) }
    })
}

unsafe extern "C" fn add_service(
    registrar: *const Registrar,
    request: Str,
    response: Str,
    creator: *const ServiceCreator,
) -> Status {
    host_call("registrar.add_service", status::PANIC, || {
        // SAFETY: as above.
        unsafe { keep(registrar, Role::Service, (request, response), Creator::Service(*creator)) }
    })
}
