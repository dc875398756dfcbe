//! The contexts of the transmit and receive loops in a worker: each function asks the thread of the host that waits for
//! the loop.

use std::cell::{Cell, RefCell};

use bridgehead_abi::bridge::{RxContext, TxContext, TxMessage};
use bridgehead_abi::message::Message;
use bridgehead_abi::{Buffer, Status, Str, status};

use super::super::wire::{Answer, Request};
use super::tables::ask_number;
use super::{buffer, endpoints, link, place};
use crate::guard::host_call;

/// The context of the transmit loop. There is one loop, so that it is static.
pub(super) struct Context<T>(pub(super) T);

// SAFETY: the contexts are immutable.
unsafe impl<T> Sync for Context<T> {}

pub(super) static TX: Context<TxContext> = Context(TxContext {
    struct_size: TxContext::SIZE,
    reserved: 0,
    ctx: std::ptr::null_mut(),
    next,
    reject,
    pending,
    interrupted: tx_interrupted,
});

pub(super) static RX: Context<RxContext> = Context(RxContext {
    struct_size: RxContext::SIZE,
    reserved: 0,
    ctx: std::ptr::null_mut(),
    wait,
    interrupted: rx_interrupted,
});

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

unsafe extern "C" fn next(_: *const TxContext, timeout_ns: i64, out: *mut TxMessage) -> Status {
    host_call("tx.next", status::PANIC, || {
        // SAFETY: plugins pass memory for a message.
        if let Err(code) = unsafe { place::check(out, "tx.next") } {
            return code;
        }
        CURRENT.with(|current| {
            current.settle();
            link().ask(Request::Next { timeout_ns }, |answer| match answer {
                Answer::Message(found) => {
                    let payload = buffer::received(found.payload);
                    current.payload.set(payload);
                    let message = Message {
                        struct_size: Message::SIZE,
                        type_id: found.type_id,
                        encoding: found.encoding,
                        reset_epoch: found.reset_epoch,
                        stamp_ns: found.stamp_ns,
                        sequence: found.sequence,
                        step: found.step,
                        vehicle: borrowed(&current.vehicle, found.vehicle),
                        topic: borrowed(&current.topic, found.topic),
                        payload,
                        reserved: [0; 2],
                    };
                    let endpoint = endpoints::context_of(found.endpoint);
                    // SAFETY: plugins pass memory for a message.
                    unsafe {
                        out.write(TxMessage { struct_size: TxMessage::SIZE, reserved: 0, endpoint, message })
                    };
                    status::OK
                }
                Answer::Status(code) => code,
                _ => status::INTERRUPTED,
            })
        })
    })
}

unsafe extern "C" fn reject(_: *const TxContext) {
    host_call("tx.reject", (), || link().tell(Request::Reject))
}

unsafe extern "C" fn pending(_: *const TxContext) -> u64 {
    host_call("tx.pending", 0, || ask_number(Request::Pending, 0))
}

unsafe extern "C" fn tx_interrupted(_: *const TxContext) -> u8 {
    host_call("tx.interrupted", 1, || u8::from(ask_number(Request::TxInterrupted, 1) != 0))
}

unsafe extern "C" fn wait(_: *const RxContext, timeout_ns: i64) -> Status {
    host_call("rx.wait", status::PANIC, || {
        link().ask(Request::Wait { timeout_ns }, |answer| match answer {
            Answer::Status(code) => code,
            _ => status::INTERRUPTED,
        })
    })
}

unsafe extern "C" fn rx_interrupted(_: *const RxContext) -> u8 {
    host_call("rx.interrupted", 1, || u8::from(ask_number(Request::RxInterrupted, 1) != 0))
}
