//! The contexts of the transmit and receive loops in a worker: each function asks the thread of the host that waits for
//! the loop.

use std::cell::{Cell, RefCell};
use std::sync::LazyLock;

use bridgehead_abi::bridge::{RxContext, TxContext, TxMessage};
use bridgehead_abi::message::Message;
use bridgehead_abi::{Buffer, Status, Str, status};
use bridgehead_plugin_api::objects::{Offered, RxObject, TxObject};

use super::super::wire::{self, Answer, Request};
use super::tables::ask_number;
use super::{buffer, endpoints, link};
use crate::api::hosting::host_object;

/// The transmit side of the instance. There is one, which lives as long as the process: the plugin may call it late.
pub(super) static TX: LazyLock<Offered<TxContext, Transmit>> = LazyLock::new(|| Offered::new(Transmit));

/// The receive side, likewise.
pub(super) static RX: LazyLock<Offered<RxContext, Receive>> = LazyLock::new(|| Offered::new(Receive));

pub(super) struct Transmit;

pub(super) struct Receive;

host_object!(Transmit, |_| None);
host_object!(Receive, |_| None);

thread_local! {
    /// The message that the plugin has: texts and payload are borrowed until the next one. Only the thread of the loop has
    /// one.
    static CURRENT: Current = const {
        Current { payload: Cell::new(std::ptr::null()), vehicle: RefCell::new(String::new()), topic: RefCell::new(String::new()) }
    };
}

struct Current {
    payload: Cell<*const Buffer>,
    vehicle: RefCell<String>,
    topic: RefCell<String>,
}

impl Current {
    /// Gives the payload back.
    fn settle(&self) {
        let payload = self.payload.replace(std::ptr::null());
        // SAFETY: the reference is ours.
        if let Some(buffer) = unsafe { payload.as_ref() } {
            // SAFETY: as above; it is given back once.
            unsafe { (buffer.release)(payload) };
        }
    }
}

impl Current {
    /// Takes a message from the host. What it borrows lives until the next one.
    fn take(&self, found: &wire::Message<'_>) -> TxMessage {
        let payload = buffer::received(found.payload);
        self.payload.set(payload);
        let message = Message {
            struct_size: Message::SIZE,
            type_id: found.type_id,
            encoding: found.encoding,
            reset_epoch: found.reset_epoch,
            stamp_ns: found.stamp_ns,
            sequence: found.sequence,
            step: found.step,
            vehicle: borrowed(&self.vehicle, found.vehicle),
            topic: borrowed(&self.topic, found.topic),
            payload,
            reserved: [0; 2],
        };
        let endpoint = endpoints::context_of(found.endpoint);
        TxMessage { struct_size: TxMessage::SIZE, reserved: 0, endpoint, message }
    }
}

/// Gives the last message back, after the loop has returned.
pub(super) fn settle() {
    CURRENT.with(Current::settle);
}

/// Copies a text into a buffer that is used again.
fn borrowed(place: &RefCell<String>, text: &str) -> Str {
    let mut place = place.borrow_mut();
    place.clear();
    place.push_str(text);
    Str::new(&place)
}

impl TxObject for Transmit {
    fn next(&self, timeout_ns: i64) -> Result<TxMessage, Status> {
        CURRENT.with(|current| {
            current.settle();
            link().ask(Request::Next { timeout_ns }, |answer| match answer {
                Answer::Message(found) => Ok(current.take(&found)),
                Answer::Status(code) => Err(code),
                _ => Err(status::INTERRUPTED),
            })
        })
    }

    fn reject(&self) {
        link().tell(Request::Reject);
    }

    fn pending(&self) -> u64 {
        ask_number(Request::Pending, 0)
    }

    fn interrupted(&self) -> u8 {
        u8::from(ask_number(Request::TxInterrupted, 1) != 0)
    }
}

impl RxObject for Receive {
    fn wait(&self, timeout_ns: i64) -> Status {
        link().ask(Request::Wait { timeout_ns }, |answer| match answer {
            Answer::Status(code) => code,
            _ => status::INTERRUPTED,
        })
    }

    fn interrupted(&self) -> u8 {
        u8::from(ask_number(Request::RxInterrupted, 1) != 0)
    }
}
