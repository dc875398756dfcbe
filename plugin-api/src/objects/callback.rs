//! Functions that one side gives to the other together with a pointer for them, and the endpoints that some of them make.

use std::ffi::c_void;
use std::sync::Arc;

use bridgehead_abi::bridge::{
    Channel as RawChannel, Converter, Endpoint, PublisherCreator, ServiceCreator, ServiceReply, ServiceSink,
    Sink, SubscriberCreator,
};
use bridgehead_abi::message::Message;
use bridgehead_abi::{Buffer, Status, status};

use super::flow::{Answer, ServiceSinkRef, SinkRef};
use super::{BorrowedPayload, BridgeRef, Object};
use crate::bridge::Channel;
use crate::hosting::{Argument, At, Checked};
use crate::payload::Payload;

/// A function of the other side, with the pointer that it gets back.
#[derive(Clone, Copy)]
pub struct Callback<C>(C);

// SAFETY: the ABI says which thread may call which function; the pointer is only passed back.
unsafe impl<C> Send for Callback<C> {}
// SAFETY: as above.
unsafe impl<C> Sync for Callback<C> {}

impl<C> Callback<C> {
    /// Wraps a function.
    ///
    /// # Safety
    /// The function must follow the ABI, and live until the process ends.
    #[must_use]
    pub unsafe fn new(raw: C) -> Self {
        Callback(raw)
    }
}

macro_rules! callbacks {
    ($($type:ty),*) => { $(
        impl Argument for $type {
            type Raw = *const $type;
            type Given<'a> = Callback<$type>;
            type Lent<'a> = Callback<$type>;

            unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
                at.pointer(raw)?;
                // SAFETY: the caller vouches for it.
                Ok(Callback(unsafe { *raw }))
            }

            fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
                given
            }

            fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
                &raw const lent.0
            }
        }
    )* };
}

callbacks!(Converter, PublisherCreator, ServiceCreator, SubscriberCreator);

impl Callback<Converter> {
    /// Converts the payload of a message. Returns the status, and how many bytes were written or are needed.
    #[must_use]
    pub fn convert(&self, message: &Message, out: &mut [u8]) -> (Status, usize) {
        let mut len = 0;
        // SAFETY: message, memory and length live for the call.
        let code =
            unsafe { (self.0.convert)(self.0.user, message, out.as_mut_ptr(), out.len(), &raw mut len) };
        (code, len)
    }
}

/// An endpoint that a bridge has made.
#[derive(Clone, Copy)]
pub struct EndpointRef(Endpoint);

// SAFETY: the ABI says which thread may destroy it; the pointer is only passed back.
unsafe impl Send for EndpointRef {}
// SAFETY: as above.
unsafe impl Sync for EndpointRef {}

impl EndpointRef {
    /// The pointer that names it in messages.
    #[must_use]
    pub fn ctx(&self) -> *mut c_void {
        self.0.ctx
    }

    /// Destroys it.
    ///
    /// # Safety
    /// This must be the last use, on the main thread of the instance.
    pub unsafe fn destroy(&self) {
        // SAFETY: the caller vouches for it.
        unsafe { (self.0.destroy)(self.0.ctx) }
    }
}

/// Calls a creator, and returns the endpoint that it has made.
fn made(create: impl FnOnce(*mut Endpoint) -> Status) -> Result<EndpointRef, Status> {
    unsafe extern "C" fn nothing(_: *mut c_void) {}
    let mut out = Endpoint { ctx: std::ptr::null_mut(), destroy: nothing };
    let code = create(&raw mut out);
    if code < status::OK { Err(code) } else { Ok(EndpointRef(out)) }
}

impl Callback<PublisherCreator> {
    /// Makes an endpoint.
    ///
    /// # Errors
    /// Returns the status of the bridge.
    pub fn create(&self, instance: &BridgeRef, channel: &RawChannel) -> Result<EndpointRef, Status> {
        // SAFETY: the creator is one of the instance's plugin; the channel lives for the call.
        made(|out| unsafe { (self.0.create)(self.0.user, instance.raw().ctx, channel, out) })
    }
}

impl Callback<SubscriberCreator> {
    /// Makes an endpoint, which may deliver into the sink until it is destroyed.
    ///
    /// # Errors
    /// Returns the status of the bridge.
    pub fn create(
        &self,
        instance: &BridgeRef,
        channel: &RawChannel,
        sink: SinkRef<'_>,
    ) -> Result<EndpointRef, Status> {
        // SAFETY: as above; a sink lives as long as its endpoint.
        made(|out| unsafe { (self.0.create)(self.0.user, instance.raw().ctx, channel, sink.as_raw(), out) })
    }
}

impl Callback<ServiceCreator> {
    /// Makes an endpoint, which may call the sink until it is destroyed.
    ///
    /// # Errors
    /// Returns the status of the bridge.
    pub fn create(
        &self,
        instance: &BridgeRef,
        channel: &RawChannel,
        sink: ServiceSinkRef<'_>,
    ) -> Result<EndpointRef, Status> {
        // SAFETY: as above.
        made(|out| unsafe { (self.0.create)(self.0.user, instance.raw().ctx, channel, sink.as_raw(), out) })
    }
}

/// An instance that makes endpoints. `user` is what its creators were registered with.
pub trait Maker: Object + Send + Sync {
    /// An endpoint that sends.
    type Publisher: EndpointOwner;
    /// An endpoint that receives.
    type Subscriber: EndpointOwner;
    /// An endpoint that offers a service.
    type Service: EndpointOwner;

    /// Makes an endpoint that sends.
    ///
    /// # Errors
    /// Returns the status for the host.
    fn publisher(self: &Arc<Self>, user: usize, channel: Channel<'_>) -> Result<Self::Publisher, Status>;

    /// Makes an endpoint that receives. The sink lives as long as the endpoint.
    ///
    /// # Errors
    /// Returns the status for the host.
    fn subscriber(
        self: &Arc<Self>,
        user: usize,
        channel: Channel<'_>,
        sink: SinkRef<'static>,
    ) -> Result<Self::Subscriber, Status>;

    /// Makes an endpoint that offers a service. The sink lives as long as the endpoint.
    ///
    /// # Errors
    /// Returns the status for the host.
    fn service(
        self: &Arc<Self>,
        user: usize,
        channel: Channel<'_>,
        sink: ServiceSinkRef<'static>,
    ) -> Result<Self::Service, Status>;
}

/// An endpoint of an instance.
pub trait EndpointOwner: Send + Sync + 'static {
    /// Ends it: the last call.
    fn destroy(self: Box<Self>);
}

unsafe extern "C" fn destroy_endpoint<E: EndpointOwner>(ctx: *mut c_void) {
    // SAFETY: the host destroys an endpoint that `create` gave away, once.
    unsafe { Box::from_raw(ctx.cast::<E>()) }.destroy();
}

/// Runs a creator.
///
/// # Safety
/// The pointers must be those of a call of a creator of `T`.
unsafe fn create<T: Maker, E: EndpointOwner>(
    name: &'static str,
    instance: *mut c_void,
    channel: *const RawChannel,
    out: *mut Endpoint,
    make: impl FnOnce(&Arc<T>, Channel<'_>) -> Result<E, Status>,
) -> Status {
    // SAFETY: the caller vouches for the pointers; the reference that the host holds is not given away.
    unsafe {
        let instance = std::mem::ManuallyDrop::new(Arc::from_raw(instance.cast_const().cast::<T>()));
        instance.guarded(name, status::PANIC, || match make(&instance, Channel::from_raw(&*channel)) {
            Ok(endpoint) => {
                let ctx = Box::into_raw(Box::new(endpoint)).cast();
                out.write(Endpoint { ctx, destroy: destroy_endpoint::<E> });
                status::OK
            }
            Err(code) => code,
        })
    }
}

/// The creators of a kind of instances.
macro_rules! creators {
    ($($creator:ident: $method:ident $create:ident, $name:literal $(($sink:ident: $of:ident))?;)*) => { $(
        impl Callback<$creator> {
            /// The creator of this kind of instances.
            #[must_use]
            pub fn of<T: Maker>(user: usize) -> Self {
                Callback($creator { user: std::ptr::without_provenance_mut(user), create: $create::<T> })
            }
        }

        unsafe extern "C" fn $create<T: Maker>(
            user: *mut c_void,
            instance: *mut c_void,
            channel: *const RawChannel,
            $($sink: *const $of,)?
            out: *mut Endpoint,
        ) -> Status {
            // SAFETY: the host calls a creator as the ABI says; a sink lives as long as its endpoint.
            unsafe {
                create::<T, _>($name, instance, channel, out, |maker, channel| {
                    maker.$method(user.addr(), channel $(, creators!(@sink $of, $sink)?)?)
                })
            }
        }
    )* };
    (@sink Sink, $sink:ident) => { SinkRef::of($sink).ok_or(status::INVALID_ARG) };
    (@sink ServiceSink, $sink:ident) => { ServiceSinkRef::of($sink).ok_or(status::INVALID_ARG) };
}

creators! {
    PublisherCreator: publisher create_publisher, "creator.publisher";
    SubscriberCreator: subscriber create_subscriber, "creator.subscriber" (sink: Sink);
    ServiceCreator: service create_service, "creator.service" (sink: ServiceSink);
}

/// The function that takes the answer of a call of a service.
pub struct Reply(pub(super) ServiceReply);

// SAFETY: the ABI allows a reply from any thread.
unsafe impl Send for Reply {}

impl Reply {
    /// Gives the answer: OK and a response, or a failure and none.
    pub fn send(self, code: Status, response: Option<BorrowedPayload<'_>>) {
        let response = response.map_or(std::ptr::null(), BorrowedPayload::as_raw);
        // SAFETY: the function is called once; the response lives for the call.
        unsafe { (self.0.reply)(self.0.user, code, response) };
    }
}

impl Argument for ServiceReply {
    type Raw = *const ServiceReply;
    type Given<'a> = Reply;
    type Lent<'a> = Reply;

    unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        at.pointer(raw)?;
        // SAFETY: the caller vouches for it.
        Ok(Reply(unsafe { *raw }))
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        given
    }

    fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
        &raw const lent.0
    }
}

/// Runs the closure that [`ServiceSinkRef::start`] has boxed.
pub(super) unsafe extern "C" fn hand_back(user: *mut c_void, code: Status, response: *const Buffer) {
    // SAFETY: the host replies once, with the closure and a response that lives for the call.
    let (answer, response) = unsafe {
        let response = (!response.is_null()).then(|| Payload::retain(response));
        (Box::from_raw(user.cast::<Answer>()), response)
    };
    answer(code, response);
}
