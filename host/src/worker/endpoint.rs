//! Endpoints of a bridge in a worker: made there, and made again in another worker if that one has ended.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_abi::bridge::{Channel, Endpoint, ServiceSink, Sink};
use bridgehead_abi::{Status, Str, status};

use super::bridge::Isolated;
use super::desk::{Desk, Numbered};
use super::wire::{self, Call, Lane, Role};
use crate::guard::host_call;
use crate::thread::lock;

/// An endpoint, with what is needed to make it again in another worker.
pub(super) struct Made {
    role: Role,
    creator: u32,
    vehicle: String,
    pub(super) topic: String,
    bridge_type: String,
    data_type: u32,
    response_type: Option<u32>,
    qos: (u32, u32, u32),
    encoding: u32,
}

/// What the `ctx` of an endpoint points to.
struct EndpointHandle {
    instance: Arc<Isolated>,
    number: u32,
}

/// Reads the numbers of endpoints.
pub(super) struct Numbers;

impl Numbered for Numbers {
    unsafe fn number(ctx: *mut c_void) -> u32 {
        // SAFETY: the caller vouches that it is the `ctx` of a live endpoint, and each is such a handle.
        unsafe { (*ctx.cast::<EndpointHandle>()).number }
    }
}

impl Made {
    pub(super) fn call(&self, endpoint: u32) -> Call<'_> {
        let (reliability, durability, depth) = self.qos;
        Call::CreateEndpoint {
            role: self.role,
            creator: self.creator,
            endpoint,
            channel: wire::Channel {
                vehicle: &self.vehicle,
                topic: &self.topic,
                bridge_type: &self.bridge_type,
                data_type: self.data_type,
                response_type: self.response_type,
                reliability,
                durability,
                depth,
                encoding: self.encoding,
            },
        }
    }
}

/// Copies a channel.
///
/// # Safety
/// The texts of the channel must be valid for the call.
unsafe fn made(role: Role, user: *mut c_void, channel: &Channel) -> Option<Made> {
    // SAFETY: the caller vouches for them.
    let text = |text: Str| unsafe { text.as_str() }.map(str::to_owned);
    Some(Made {
        role,
        creator: u32::try_from(user as usize).ok()?,
        vehicle: text(channel.vehicle)?,
        topic: text(channel.topic)?,
        bridge_type: text(channel.bridge_type)?,
        data_type: channel.data_type.type_id,
        response_type: (role == Role::Service).then_some(channel.response_type.type_id),
        qos: (channel.qos.reliability, channel.qos.durability, channel.qos.depth),
        encoding: channel.encoding,
    })
}

/// Makes an endpoint of any kind; `add` gives its sink to the desk.
///
/// # Safety
/// The pointers must be those of a call of a creator.
unsafe fn create_endpoint(
    role: Role,
    user: *mut c_void,
    (ctx, channel): (*mut c_void, *const Channel),
    out: *mut Endpoint,
    add: impl FnOnce(&Desk, u32),
) -> Status {
    // SAFETY: the host passes its instance; the reference that it holds is not given away.
    let instance = unsafe {
        Arc::increment_strong_count(ctx.cast::<Isolated>());
        Arc::from_raw(ctx.cast::<Isolated>())
    };
    // SAFETY: the channel is valid for the call.
    let Some(made) = (unsafe { made(role, user, &*channel) }) else { return status::INVALID_ARG };
    let number = instance.next_endpoint.fetch_add(1, Ordering::Relaxed);
    add(&instance.desk, number);
    let code = instance.make(number, made);
    if code >= status::OK {
        let handle = Box::into_raw(Box::new(EndpointHandle { instance, number }));
        // SAFETY: the host passes memory for an endpoint.
        unsafe { out.write(Endpoint { ctx: handle.cast(), destroy: destroy_endpoint }) };
    }
    code
}

unsafe extern "C" fn destroy_endpoint(ctx: *mut c_void) {
    host_call("worker.destroy_endpoint", (), || {
        // SAFETY: the host destroys an endpoint once.
        let EndpointHandle { instance, number } = *unsafe { Box::from_raw(ctx.cast::<EndpointHandle>()) };
        instance.desk.remove(number);
        lock(&instance.endpoints).remove(&number);
        let process = instance.process();
        if !process.has_ended() {
            // As above.
            _ = process.call(Lane::Main, Call::DestroyEndpoint { endpoint: number });
        }
    })
}

pub(super) unsafe extern "C" fn create_publisher(
    user: *mut c_void,
    instance: *mut c_void,
    channel: *const Channel,
    out: *mut Endpoint,
) -> Status {
    host_call("worker.create_publisher", status::PANIC, || {
        // SAFETY: the host calls a creator as the ABI says.
        unsafe { create_endpoint(Role::Publisher, user, (instance, channel), out, |_, _| ()) }
    })
}

pub(super) unsafe extern "C" fn create_subscriber(
    user: *mut c_void,
    instance: *mut c_void,
    channel: *const Channel,
    sink: *const Sink,
    out: *mut Endpoint,
) -> Status {
    host_call("worker.create_subscriber", status::PANIC, || {
        // SAFETY: as above.
        unsafe {
            create_endpoint(Role::Subscriber, user, (instance, channel), out, |desk, number| {
                desk.add_sink(number, sink);
            })
        }
    })
}

pub(super) unsafe extern "C" fn create_service(
    user: *mut c_void,
    instance: *mut c_void,
    channel: *const Channel,
    sink: *const ServiceSink,
    out: *mut Endpoint,
) -> Status {
    host_call("worker.create_service", status::PANIC, || {
        // SAFETY: as above.
        unsafe {
            create_endpoint(Role::Service, user, (instance, channel), out, |desk, number| {
                desk.add_service(number, sink);
            })
        }
    })
}
