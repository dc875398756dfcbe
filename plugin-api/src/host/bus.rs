//! Topics: publishers and subscriptions of an instance.

use std::ffi::c_void;
use std::marker::PhantomData;

use bridgehead_abi as abi;

use super::{Extension, extension_handle};
use crate::error::{Error, Result};
use crate::lease::Entered;
use crate::messages::Message;
use crate::payload::Payload;

/// Whether messages may be lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reliability {
    /// They may be dropped under load.
    BestEffort,
    /// They should arrive.
    #[default]
    Reliable,
}

/// What a late subscriber gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Nothing of the past.
    #[default]
    Volatile,
    /// The last message.
    Latched,
}

/// Quality of service of a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qos {
    /// Whether messages may be lost.
    pub reliability: Reliability,
    /// What a late subscriber gets.
    pub durability: Durability,
    /// How many messages a queue should hold at least; 0 leaves it to the host.
    pub depth: u32,
}

impl Qos {
    /// For streams of samples where the next one makes up for a lost one: best effort, volatile.
    #[must_use]
    pub fn sensor_data() -> Self {
        Qos { reliability: Reliability::BestEffort, durability: Durability::Volatile, depth: 5 }
    }

    /// For what is said once and stays true: reliable, latched.
    #[must_use]
    pub fn latched() -> Self {
        Qos { reliability: Reliability::Reliable, durability: Durability::Latched, depth: 1 }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn to_abi(self) -> abi::message::Qos {
        abi::message::Qos {
            struct_size: abi::message::Qos::SIZE,
            reliability: match self.reliability {
                Reliability::BestEffort => abi::message::RELIABILITY_BEST_EFFORT,
                Reliability::Reliable => abi::message::RELIABILITY_RELIABLE,
            },
            durability: match self.durability {
                Durability::Volatile => abi::message::DURABILITY_VOLATILE,
                Durability::Latched => abi::message::DURABILITY_LATCHED,
            },
            depth: self.depth,
            reserved: [0; 2],
        }
    }

    pub(crate) fn from_abi(raw: &abi::message::Qos) -> Self {
        Qos {
            reliability: match raw.reliability {
                abi::message::RELIABILITY_BEST_EFFORT => Reliability::BestEffort,
                _ => Reliability::Reliable,
            },
            durability: match raw.durability {
                abi::message::DURABILITY_LATCHED => Durability::Latched,
                _ => Durability::Volatile,
            },
            depth: raw.depth,
        }
    }
}

extension_handle! {
    /// Makes publishers and subscriptions. `[main]`
    Bus, abi::host::HostBus, abi::extension::BUS
}

impl Bus {
    /// Announces a topic of a typed message, registering the type first. `scan` becomes `/vehicle/scan`.
    ///
    /// # Errors
    /// Returns an error if the type is refused, or the name is malformed.
    pub fn advertise<T: Message>(self, topic: &str, qos: Qos) -> Result<Publisher<T>> {
        self.host().register::<T>()?;
        Ok(Publisher { raw: self.advertise_raw(topic, T::FULL_NAME, qos)?, message: PhantomData })
    }

    /// Announces a topic of any registered type, for payloads that are encoded already.
    ///
    /// # Errors
    /// As [`Bus::advertise`], and if the type is unknown.
    pub fn advertise_raw(self, topic: &str, type_name: &str, qos: Qos) -> Result<RawPublisher> {
        let mut publisher = std::ptr::null_mut();
        let qos = qos.to_abi();
        // SAFETY: texts and qos are borrowed for the call; `publisher` is writable.
        let code = self.call(|table, host| unsafe {
            (table.advertise)(
                host,
                abi::Str::new(topic),
                abi::Str::new(type_name),
                &raw const qos,
                &raw mut publisher,
            )
        })?;
        Error::check(code, format_args!("advertising `{topic}` ({type_name})"))?;
        Ok(RawPublisher { bus: self.extension, publisher })
    }

    /// Asks for the messages of a topic.
    ///
    /// # Errors
    /// Returns an error if the type is refused, or the name is malformed.
    pub fn subscribe<T: Message>(self, topic: &str, qos: Qos) -> Result<Subscription<T>> {
        self.host().register::<T>()?;
        Ok(Subscription { raw: self.subscribe_raw(topic, T::FULL_NAME, qos)?, message: PhantomData })
    }

    /// Asks for the messages of a topic of any registered type, as bytes.
    ///
    /// # Errors
    /// As [`Bus::subscribe`], and if the type is unknown.
    pub fn subscribe_raw(self, topic: &str, type_name: &str, qos: Qos) -> Result<RawSubscription> {
        let mut subscription = std::ptr::null_mut();
        let qos = qos.to_abi();
        // SAFETY: texts and qos are borrowed for the call; `subscription` is writable.
        let code = self.call(|table, host| unsafe {
            (table.subscribe)(
                host,
                abi::Str::new(topic),
                abi::Str::new(type_name),
                &raw const qos,
                &raw mut subscription,
            )
        })?;
        Error::check(code, format_args!("subscribing to `{topic}` ({type_name})"))?;
        Ok(RawSubscription { bus: self.extension, subscription })
    }
}

/// Publishes encoded payloads on one topic.
pub struct RawPublisher {
    bus: Extension<abi::host::HostBus>,
    publisher: *mut c_void,
}

// SAFETY: the host's publisher functions may be called from any thread.
unsafe impl Send for RawPublisher {}
// SAFETY: as above.
unsafe impl Sync for RawPublisher {}

impl RawPublisher {
    /// Whether anyone would get a message; without listeners a sensor need not compute one. `[any]`
    #[must_use]
    pub fn has_listeners(&self) -> bool {
        // SAFETY: the publisher lives as long as the instance.
        self.bus.with(|table, _| unsafe { (table.listeners)(self.publisher) > 0 }).unwrap_or(false)
    }

    /// Publishes a payload without copying it. `[any]`
    ///
    /// # Errors
    /// Returns an error if the instance is not started, or a queue set to `error` is full.
    pub fn publish(&self, stamp_ns: i64, payload: &Payload) -> Result {
        // SAFETY: the payload is alive for the call; the host takes its own reference.
        let publish = |table: &abi::host::HostBus, _| unsafe {
            (table.publish)(self.publisher, stamp_ns, payload.as_raw())
        };
        let code = self.bus.with(publish)?;
        Error::check(code, "publish")
    }

    /// Publishes `len` bytes that `fill` writes into memory of the host. `[any]`
    ///
    /// # Errors
    /// As [`RawPublisher::publish`], and if the host has no memory to lend.
    pub fn publish_with(&self, stamp_ns: i64, len: usize, fill: impl FnOnce(&mut [u8])) -> Result {
        let mut loan = abi::host::Loan {
            struct_size: abi::host::Loan::SIZE,
            reserved: 0,
            data: std::ptr::null_mut(),
            capacity: 0,
            ctx: std::ptr::null_mut(),
        };
        // The memory is the host's: the instance must not go before the loan has gone back.
        let entered = self.bus.host().enter()?;
        let lend = |table: &abi::host::HostBus, _| {
            // SAFETY: `loan` is writable.
            unsafe { (table.loan)(self.publisher, len, &raw mut loan) }
        };
        Error::check(self.bus.call_within(&entered, lend), "loan")?;
        let guard = LoanGuard { publisher: self, entered, loan: Some(loan) };
        if len > 0 {
            // SAFETY: the host lent at least `len` initialised bytes to this caller alone.
            fill(unsafe { std::slice::from_raw_parts_mut(loan.data, len) });
        } else {
            fill(&mut []);
        }
        guard.commit(stamp_ns, len)
    }
}

/// Gives a loan back when the code that fills it panics.
struct LoanGuard<'a> {
    publisher: &'a RawPublisher,
    entered: Entered,
    loan: Option<abi::host::Loan>,
}

impl LoanGuard<'_> {
    fn commit(mut self, stamp_ns: i64, len: usize) -> Result {
        let Some(mut loan) = self.loan.take() else {
            return Ok(());
        };
        let publisher = self.publisher.publisher;
        let commit = |table: &abi::host::HostBus, _| {
            // SAFETY: the loan came from this publisher and is used up by this call.
            unsafe { (table.commit)(publisher, stamp_ns, &raw mut loan, len) }
        };
        Error::check(self.publisher.bus.call_within(&self.entered, commit), "commit")
    }
}

impl Drop for LoanGuard<'_> {
    fn drop(&mut self) {
        if let Some(mut loan) = self.loan.take() {
            let publisher = self.publisher.publisher;
            let abandon = |table: &abi::host::HostBus, _| {
                // SAFETY: the loan came from this publisher and was not committed.
                unsafe { (table.abandon)(publisher, &raw mut loan) }
            };
            self.publisher.bus.call_within(&self.entered, abandon);
        }
    }
}

/// Publishes messages of one type on one topic.
pub struct Publisher<T> {
    raw: RawPublisher,
    message: PhantomData<fn(&T)>,
}

impl<T: Message> Publisher<T> {
    /// Whether anyone would get a message; without listeners a sensor need not compute one. `[any]`
    #[must_use]
    pub fn has_listeners(&self) -> bool {
        self.raw.has_listeners()
    }

    /// Encodes a message straight into memory of the host and publishes it. `[any]`
    ///
    /// # Errors
    /// As [`RawPublisher::publish_with`].
    pub fn publish(&self, stamp_ns: i64, message: &T) -> Result {
        self.raw.publish_with(stamp_ns, message.encoded_len(), |mut memory| message.encode_raw(&mut memory))
    }
}

/// Takes the messages of one topic as bytes.
pub struct RawSubscription {
    bus: Extension<abi::host::HostBus>,
    subscription: *mut c_void,
}

// SAFETY: a subscription may move between threads; `take` needs `&mut` and checks its thread.
unsafe impl Send for RawSubscription {}

/// A message that was taken, with its payload.
pub struct Received<P> {
    /// Simulated time stamp in nanoseconds.
    pub stamp_ns: i64,
    /// The step it was latched in or published.
    pub step: u64,
    /// Its number on the topic.
    pub sequence: u64,
    /// The message.
    pub message: P,
}

impl RawSubscription {
    /// Takes the next waiting message. `[sim]`
    pub fn take(&mut self) -> Option<Received<Payload>> {
        let mut raw = empty_message();
        let _entered = self.bus.host().enter().ok()?;
        // SAFETY: `raw` is writable; the message stays valid until the next take.
        let code = self.bus.with(|table, _| unsafe { (table.take)(self.subscription, &raw mut raw) }).ok()?;
        if code < 0 || raw.payload.is_null() {
            return None;
        }
        // SAFETY: the host keeps the payload alive until the next take; this takes a reference of our own.
        let message = unsafe { Payload::retain(raw.payload) };
        Some(Received { stamp_ns: raw.stamp_ns, step: raw.step, sequence: raw.sequence, message })
    }
}

/// A message struct to be filled by the host.
pub(crate) fn empty_message() -> abi::Message {
    abi::Message {
        struct_size: abi::Message::SIZE,
        type_id: 0,
        encoding: 0,
        reset_epoch: 0,
        stamp_ns: 0,
        sequence: 0,
        step: 0,
        vehicle: abi::Str::EMPTY,
        topic: abi::Str::EMPTY,
        payload: std::ptr::null(),
        reserved: [0; 2],
    }
}

/// Takes the messages of one type on one topic.
pub struct Subscription<T> {
    raw: RawSubscription,
    message: PhantomData<fn() -> T>,
}

impl<T: Message> Subscription<T> {
    /// Takes the next waiting message. A payload that is not of the type is logged and passed over. `[sim]`
    pub fn take(&mut self) -> Option<Received<T>> {
        loop {
            let received = self.raw.take()?;
            match T::decode(&*received.message) {
                Ok(message) => {
                    return Some(Received {
                        stamp_ns: received.stamp_ns,
                        step: received.step,
                        sequence: received.sequence,
                        message,
                    });
                }
                Err(error) => self.report(&error),
            }
        }
    }

    /// Takes all waiting messages and gives the last one: for commands where only the newest counts. `[sim]`
    pub fn take_latest(&mut self) -> Option<Received<T>> {
        let mut latest = None;
        while let Some(received) = self.take() {
            latest = Some(received);
        }
        latest
    }

    fn report(&self, error: &dyn std::fmt::Display) {
        if let Ok(log) = self.raw.bus.host().log() {
            let text = format!("a received message is not a {}: {error}", T::FULL_NAME);
            log.write(super::Level::Warn, "bus", &text, "", 0);
        }
    }
}
