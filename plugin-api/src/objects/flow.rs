//! Where the messages of a bridge come from and go to, and where a plugin writes its state.

use std::cell::RefCell;
use std::marker::PhantomData;

use bridgehead_abi::bridge::{Incoming, RxContext, ServiceReply, ServiceSink, Sink, TxContext, TxMessage};
use bridgehead_abi::model::StateWriter;
use bridgehead_abi::{Buffer, Status, status};

use super::callback::{Reply, hand_back};
use super::{NOTHING, Nothing, Object, Offered, Place, Table};
use crate::boundary;
use crate::hosting::{Argument, At, Breach, Checked, Encoded};
use crate::payload::Payload;

object! {
    /// The transmit side of an instance.
    tx: TxContext by this, TxObject, TxRef;

    /// Takes the next message, and waits for it for `timeout_ns` at most, or without limit if that is negative.
    required fn next(timeout_ns: i64) -> TxMessage;
    /// Counts the message taken last as dropped.
    required fn reject() => Nothing, NOTHING;
    /// Returns how many messages are waiting.
    required fn pending() => u64, 0;
    /// Returns 1 if the loop should end.
    required fn interrupted() => u8, 1;
}

object! {
    /// The receive side of an instance.
    rx: RxContext by this, RxObject, RxRef;

    /// Waits for `timeout_ns`, or without limit if that is negative. Returns INTERRUPTED if the loop should end.
    required fn wait(timeout_ns: i64);
    /// Returns 1 if the loop should end.
    required fn interrupted() => u8, 1;
}

object! {
    /// Where an endpoint delivers what it receives.
    sink: Sink by this, SinkObject, SinkRef;

    /// Takes a message.
    required fn deliver(incoming: Incoming);
}

object! {
    /// Where an endpoint passes calls of a service.
    service_sink: ServiceSink by this, ServiceSinkObject, ServiceSinkRef;

    /// Starts a call.
    required fn call(request: Buffer, reply: ServiceReply);
}

// SAFETY: a sink takes calls from any thread, unlike the other objects here.
unsafe impl Send for SinkRef<'_> {}
// SAFETY: as above.
unsafe impl Sync for SinkRef<'_> {}
// SAFETY: as above.
unsafe impl Send for ServiceSinkRef<'_> {}
// SAFETY: as above.
unsafe impl Sync for ServiceSinkRef<'_> {}

object! {
    /// Where a plugin writes its state, or elements for a saved world.
    state_writer: StateWriter by this, WriterObject, WriterRef;

    /// Takes bytes, which follow those of the last call.
    required fn write(bytes: Encoded);
}

/// A writer that collects what it gets, for one call.
#[derive(Default)]
pub struct Collector {
    written: RefCell<Option<Vec<u8>>>,
    breach: RefCell<Option<String>>,
}

impl Collector {
    /// Offers a writer.
    #[must_use]
    pub fn offer() -> Offered<StateWriter, Self> {
        Offered::new(Collector::default())
    }

    /// What was written; `None` if the writer was never called, which differs from zero bytes.
    ///
    /// # Errors
    /// Returns what the plugin has passed if that could not be read.
    pub fn finish(self) -> Result<Option<Vec<u8>>, String> {
        self.breach.into_inner().map_or(Ok(self.written.into_inner()), Err)
    }
}

impl Checked for Collector {
    fn breach(&self, _: Breach, text: &str) {
        self.breach.replace(Some(format!("the plugin {text}")));
    }
}

impl Object for Collector {
    fn guarded<R>(&self, _: &'static str, otherwise: R, body: impl FnOnce() -> R) -> R {
        boundary::catch(body).unwrap_or(otherwise)
    }
}

impl WriterObject for Collector {
    fn write(&self, bytes: &[u8]) -> Status {
        self.written.borrow_mut().get_or_insert_default().extend_from_slice(bytes);
        status::OK
    }
}

/// What is done with the answer of a call: its status, and the response if there is one.
pub(super) type Answer = Box<dyn FnOnce(Status, Option<Payload>) + Send>;

impl ServiceSinkRef<'_> {
    /// Starts a call. `answer` runs exactly once, on any thread; it is dropped if the call is refused. A panic of it ends the
    /// process.
    #[must_use]
    pub fn start(
        &self,
        request: &Payload,
        answer: impl FnOnce(Status, Option<Payload>) + Send + 'static,
    ) -> Status {
        let boxed: Box<Answer> = Box::new(Box::new(answer));
        let user = Box::into_raw(boxed);
        let reply = ServiceReply { user: user.cast(), reply: hand_back };
        let code = self.call(request.into(), Reply(reply));
        if code < status::OK {
            // SAFETY: a call that was refused is never answered, so the closure is still ours.
            drop(unsafe { Box::from_raw(user) });
        }
        code
    }
}

/// A result that an object fills in.
pub(super) trait Filled: Copy {
    /// Memory for it.
    fn blank() -> Self;

    /// Checks memory for it.
    ///
    /// # Safety
    /// `out` must be null, misaligned, or point at four readable bytes.
    unsafe fn check<H: Checked>(out: *const Self, at: At<'_, H>) -> Result<(), Status>;
}

impl Filled for TxMessage {
    fn blank() -> Self {
        let (struct_size, endpoint) = (TxMessage::SIZE, std::ptr::null_mut());
        TxMessage { struct_size, reserved: 0, endpoint, message: crate::host::empty_message() }
    }

    unsafe fn check<H: Checked>(out: *const Self, at: At<'_, H>) -> Result<(), Status> {
        // SAFETY: the caller vouches for it.
        unsafe { at.sized(out) }
    }
}
