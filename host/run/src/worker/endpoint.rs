//! Endpoints of a bridge in a worker: made there, and made again in another worker if that one has ended.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::bridge::Channel;
use bridgehead_plugin_api::objects::{EndpointOwner, Maker, ServiceSinkRef, SinkRef};

use super::bridge::Isolated;
use super::dispatcher::{Dispatcher, Target};
use super::made::made;
use super::wire::{Call, Lane, Role};
use crate::guard::host_call;
use crate::thread::lock;

/// An endpoint of this process. Its number comes first, where [`Numbers`](super::made::Numbers) reads it.
#[repr(C)]
pub(super) struct EndpointHandle {
    number: u32,
    instance: Arc<Isolated>,
}

// `Numbers` in `made.rs` reads the number at the address of the handle.
const _: () = assert!(std::mem::offset_of!(EndpointHandle, number) == 0);

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
