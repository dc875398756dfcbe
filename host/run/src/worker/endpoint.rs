//! Endpoints of a bridge in a worker: made there, and made again in another worker if that one has ended.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::bridge::Channel;
use bridgehead_plugin_api::objects::{EndpointOwner, Maker, ServiceSinkRef, SinkRef};

use super::bridge::Isolated;
use super::dispatcher::{Dispatcher, Numbered, Target};
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

/// An endpoint of this process.
pub(super) struct EndpointHandle {
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

fn made(role: Role, creator: usize, channel: Channel<'_>) -> Option<Made> {
    let qos = &channel.raw().qos;
    Some(Made {
        role,
        creator: u32::try_from(creator).ok()?,
        vehicle: channel.vehicle().to_owned(),
        topic: channel.topic().to_owned(),
        bridge_type: channel.bridge_type().to_owned(),
        data_type: channel.data_type().id,
        response_type: (role == Role::Service).then_some(channel.response_type().id),
        qos: (qos.reliability, qos.durability, qos.depth),
        encoding: channel.raw().encoding,
    })
}

/// Makes an endpoint of any kind; `add` gives its sink to the dispatcher.
fn create(
    instance: &Arc<Isolated>,
    role: Role,
    creator: usize,
    channel: Channel<'_>,
    add: impl FnOnce(&Dispatcher, u32),
) -> Result<EndpointHandle, Status> {
    let made = made(role, creator, channel).ok_or(status::INVALID_ARG)?;
    let number = instance.next_endpoint.fetch_add(1, Ordering::Relaxed);
    add(&instance.dispatcher, number);
    match instance.make(number, made) {
        code if code < status::OK => Err(code),
        _ => Ok(EndpointHandle { instance: Arc::clone(instance), number }),
    }
}

impl EndpointOwner for EndpointHandle {
    fn destroy(self: Box<Self>) {
        host_call("worker.destroy_endpoint", (), || {
            self.instance.dispatcher.remove(self.number);
            lock(&self.instance.endpoints).remove(&self.number);
            let process = self.instance.process();
            if !process.has_ended() {
                // A failure has been reported.
                _ = process.call(Lane::Main, Call::DestroyEndpoint { endpoint: self.number });
            }
        });
    }
}

impl Maker for Isolated {
    type Publisher = EndpointHandle;
    type Subscriber = EndpointHandle;
    type Service = EndpointHandle;

    fn publisher(self: &Arc<Self>, user: usize, channel: Channel<'_>) -> Result<EndpointHandle, Status> {
        create(self, Role::Publisher, user, channel, |_, _| ())
    }

    fn subscriber(
        self: &Arc<Self>,
        user: usize,
        channel: Channel<'_>,
        sink: SinkRef<'static>,
    ) -> Result<EndpointHandle, Status> {
        create(self, Role::Subscriber, user, channel, |dispatcher, number| {
            dispatcher.add(number, Target::Sink(sink))
        })
    }

    fn service(
        self: &Arc<Self>,
        user: usize,
        channel: Channel<'_>,
        sink: ServiceSinkRef<'static>,
    ) -> Result<EndpointHandle, Status> {
        create(self, Role::Service, user, channel, |dispatcher, number| {
            dispatcher.add(number, Target::Service(sink))
        })
    }
}
