//! The transmit and receive loops of a bridge instance.

use std::marker::PhantomData;
use std::time::Duration;

use bridgehead_abi as abi;
use bridgehead_abi::bridge as raw;
use bridgehead_abi::status;

use super::Bridge;
use super::glue::Endpoint;
use crate::host::HostHandle;
use crate::objects::{RxRef, TxRef};
use crate::payload::Payload;

/// What a wait ended with.
#[derive(Debug, PartialEq, Eq)]
pub enum Wait<T> {
    /// Here it is.
    Ready(T),
    /// Nothing came before the deadline.
    TimedOut,
    /// The loop should end.
    Interrupted,
}

/// Nanoseconds for the ABI; `None` waits without limit.
fn nanos(timeout: Option<Duration>) -> i64 {
    timeout.map_or(-1, |time| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}

/// The transmit side of an instance.
///
/// The host frees a message when the next one is taken. [`Tx::next`] therefore takes `&mut self`: the compiler refuses a
/// loop that holds two items, and the usual loop stays as short as with an iterator. Counting the items at run time, or
/// copying each, would cost every message something; this costs nothing. What shall be kept is the
/// [`payload`](TxItem::payload), which has a reference of its own.
///
/// ```
/// # use bridgehead_plugin_api::bridge::{Bridge, Tx, Wait};
/// fn newest<B: Bridge>(tx: &mut Tx<'_, B>) -> Option<bridgehead_plugin_api::Payload> {
///     let mut newest = None;
///     while let Wait::Ready(item) = tx.next(None) {
///         newest = Some(item.payload());
///     }
///     newest
/// }
/// ```
///
/// Two items at a time are refused:
///
/// ```compile_fail,E0499
/// # use bridgehead_plugin_api::bridge::{Bridge, Tx, Wait};
/// fn newest<B: Bridge>(tx: &mut Tx<'_, B>) -> Option<bridgehead_plugin_api::Payload> {
///     let mut newest = None;
///     while let Wait::Ready(item) = tx.next(None) {
///         newest = Some(item);
///     }
///     newest.map(|item| item.payload())
/// }
/// ```
///
/// So is the transmit side on another thread; the host takes calls on it from the loop's own thread only:
///
/// ```compile_fail,E0277
/// # use bridgehead_plugin_api::bridge::{Bridge, Tx};
/// fn elsewhere<B: Bridge>(tx: &Tx<'_, B>) {
///     std::thread::scope(|scope| drop(scope.spawn(|| tx.pending())));
/// }
/// ```
///
/// ```
/// # use bridgehead_plugin_api::bridge::{Bridge, Tx};
/// fn here<B: Bridge>(tx: &Tx<'_, B>) {
///     let pending = tx.pending();
///     std::thread::scope(|scope| drop(scope.spawn(move || pending)));
/// }
/// ```
pub struct Tx<'a, B> {
    raw: TxRef<'a>,
    host: HostHandle,
    bridge: PhantomData<fn() -> B>,
}

impl<'a, B: Bridge> Tx<'a, B> {
    pub(crate) fn new(raw: TxRef<'a>, host: HostHandle) -> Self {
        Tx { raw, host, bridge: PhantomData }
    }

    /// Takes the next message, waiting at most `timeout` (`None`: without limit). `[tx]`
    ///
    /// Taking a message confirms the one before as delivered, unless that was rejected. The item borrows
    /// the queue, so it cannot be kept; [`TxItem::payload`] can.
    pub fn next(&mut self, timeout: Option<Duration>) -> Wait<TxItem<'_, B>> {
        // The message is valid until the next `next`, which the exclusive borrow rules out.
        match self.raw.next(nanos(timeout)) {
            Ok(raw) => Wait::Ready(TxItem { tx: self, raw }),
            Err(status::TIMEOUT) => Wait::TimedOut,
            Err(_) => Wait::Interrupted,
        }
    }

    /// Messages waiting now. `[tx]`
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.raw.pending()
    }

    /// Whether the loop should end. `[any]`
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.raw.interrupted() != 0
    }

    /// The instance's host.
    #[must_use]
    pub fn host(&self) -> HostHandle {
        self.host
    }
}

/// A message on its way to a peer.
pub struct TxItem<'a, B: Bridge> {
    tx: &'a Tx<'a, B>,
    raw: raw::TxMessage,
}

impl<B: Bridge> TxItem<'_, B> {
    /// What [`Bridge::publisher`] made for this topic.
    #[must_use]
    pub fn publisher(&self) -> &B::Publisher {
        // SAFETY: the host passes back the endpoint this library made, and destroys it only once no message of it is left.
        unsafe { &(*self.raw.endpoint.cast::<Endpoint<B::Publisher>>()).value }
    }

    /// Vehicle the topic belongs to; empty for the world.
    #[must_use]
    pub fn vehicle(&self) -> &str {
        // SAFETY: texts are valid until the next message is taken.
        unsafe { self.raw.message.vehicle.as_str() }.unwrap_or("")
    }

    /// Full topic name.
    #[must_use]
    pub fn topic(&self) -> &str {
        // SAFETY: as above.
        unsafe { self.raw.message.topic.as_str() }.unwrap_or("")
    }

    /// The host's number of the type.
    #[must_use]
    pub fn type_id(&self) -> u32 {
        self.raw.message.type_id
    }

    /// Simulated time stamp in nanoseconds.
    #[must_use]
    pub fn stamp_ns(&self) -> i64 {
        self.raw.message.stamp_ns
    }

    /// Number of the message on its topic.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.raw.message.sequence
    }

    /// The step in which it was published.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.raw.message.step
    }

    /// Resets before this message.
    #[must_use]
    pub fn reset_epoch(&self) -> u32 {
        self.raw.message.reset_epoch
    }

    /// The encoded message.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the payload is valid until the next message is taken.
        unsafe {
            abi::Bytes { ptr: (*self.raw.message.payload).data, len: (*self.raw.message.payload).len }
                .as_slice()
        }
    }

    /// The encoded message, to be kept; nothing is copied.
    #[must_use]
    pub fn payload(&self) -> Payload {
        // SAFETY: as above.
        unsafe { Payload::retain(self.raw.message.payload) }
    }

    /// Counts this message as dropped instead of delivered, and gives the reason, which the host reports once.
    pub fn reject_because(self, reason: &str) {
        self.tx.host.explain(reason);
        self.reject();
    }

    /// Counts this message as dropped instead of delivered.
    pub fn reject(self) {
        self.tx.raw.reject();
    }
}

/// The receive side of an instance.
pub struct Rx<'a> {
    raw: RxRef<'a>,
    host: HostHandle,
}

impl<'a> Rx<'a> {
    pub(crate) fn new(raw: RxRef<'a>, host: HostHandle) -> Self {
        Rx { raw, host }
    }

    /// Waits; false once the loop should end. `[rx]`
    #[must_use]
    pub fn wait(&self, time: Option<Duration>) -> bool {
        self.raw.wait(nanos(time)) >= 0
    }

    /// Whether the loop should end. `[any]`
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.raw.interrupted() != 0
    }

    /// The instance's host.
    #[must_use]
    pub fn host(&self) -> HostHandle {
        self.host
    }
}
