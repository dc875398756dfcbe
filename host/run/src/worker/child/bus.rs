//! `bridgehead.bus/1` and `bridgehead.services/1` in a worker. Payloads are written into memory of this process, and sent
//! to the host when they are published.

use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Mutex};

use bridgehead_abi::host::{Loan, ServiceRequest};
use bridgehead_abi::message::Message;
use bridgehead_abi::{Buffer, Status, status};
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::hosting::{
    At, Breach, BusHost, Checked, PublisherHandle, ServiceHandle, ServicesHost, SubscriptionHandle,
};
use bridgehead_plugin_api::objects::BorrowedPayload;
use bridgehead_plugin_api::{Payload, hosting};

use super::objects::kept_text;
use super::remote::Remote;
use super::tables::ask_number;
use super::{buffer, link};
use crate::api::check::{check_size, rule_of};
use crate::bus::{BufferPool, LoanedBuffer, kept, lent};
use crate::call;
use crate::call::Rule;
use crate::thread::lock;
use crate::worker::wire;
use crate::worker::wire::{Answer, ModelRequest, Request};

/// A publisher, a subscription or a service, to which the plugin's pointers lead. Never freed: a late call must not meet
/// other memory.
pub(super) struct Handle {
    number: u32,
    /// What was taken last: borrowed by the plugin until the next one.
    taken: Mutex<Option<Payload>>,
}

impl Handle {
    /// Keeps a received payload instead of the one before, and lends it.
    fn keep(&self, payload: Payload) -> *const Buffer {
        let raw = lent(&payload);
        *lock(&self.taken) = Some(payload);
        raw
    }
}

impl Checked for Handle {
    const IS_GUARDED: bool = call::IS_GUARDED;

    fn breach(&self, breach: Breach, text: &str) {
        call::breach(rule_of(breach), None, text);
    }
}

impl hosting::Handle for Handle {
    unsafe fn find<'a>(handle: *mut c_void, _: &'static str) -> Result<&'a Self, Status> {
        // SAFETY: the caller vouches for it.
        unsafe { handle.cast::<Handle>().as_ref() }.ok_or(status::INVALID_ARG)
    }
}

/// Makes a handle of the number that the host gives.
fn give(request: ModelRequest<'_>) -> Result<*mut c_void, Status> {
    let number = link().ask(Request::Model(request), |answer| match answer {
        Answer::Number(number) => u32::try_from(number).map_err(|_| status::INVALID_ARG),
        other => Err(other.status()),
    })?;
    Ok(std::ptr::from_mut(Box::leak(Box::new(Handle { number, taken: Mutex::default() }))).cast())
}

fn qos_of(qos: Qos) -> wire::Qos {
    let raw = qos.to_abi();
    wire::Qos { reliability: raw.reliability, durability: raw.durability, depth: raw.depth }
}

impl BusHost for Remote {
    type Publisher = Handle;
    type Subscription = Handle;

    fn advertise(&self, topic: &str, type_name: &str, qos: Qos) -> Result<*mut c_void, Status> {
        give(ModelRequest::Advertise { topic, type_name, qos: qos_of(qos) })
    }

    fn subscribe(&self, topic: &str, type_name: &str, qos: Qos) -> Result<*mut c_void, Status> {
        give(ModelRequest::Subscribe { topic, type_name, qos: qos_of(qos) })
    }
}

impl ServicesHost for Remote {
    type Service = Handle;

    fn offer(&self, name: &str, request: &str, response: &str) -> Result<*mut c_void, Status> {
        give(ModelRequest::Offer { name, request, response })
    }
}

/// The result of a call that returns nothing but a status.
fn done(answer: Answer<'_>) -> Result<(), Status> {
    match answer.status() {
        code if code < status::OK => Err(code),
        _ => Ok(()),
    }
}

/// Memory that is lent to the plugin.
static LOANS: LazyLock<Arc<BufferPool>> = LazyLock::new(Arc::default);

impl Handle {
    fn publish_bytes(&self, stamp_ns: i64, bytes: &[u8]) -> Result<(), Status> {
        let handle = self.number;
        link().ask_with(
            bytes,
            |payload| Request::Model(ModelRequest::Publish { handle, stamp_ns, payload }),
            done,
        )
    }

    /// Takes the memory of a loan back; a status for one that was committed or abandoned before.
    fn returned(&self, loan: &Loan, function: &'static str) -> Result<LoanedBuffer, Status> {
        // SAFETY: plugins pass back loans, and the pool is never dropped.
        let Some(lent) = (unsafe { LOANS.take_back(loan.ctx) }) else {
            let text = format!(
                "passed a loan to `{function}` that was not given, or was committed or abandoned before"
            );
            call::breach(Rule::Loan, None, &text);
            return Err(status::INVALID_ARG);
        };
        if !lent.is_within_bounds() {
            let text = format!("wrote before or behind the {} bytes of a loan", lent.capacity());
            call::breach(Rule::Loan, None, &text);
        }
        Ok(lent)
    }
}

impl PublisherHandle for Handle {
    fn listeners(&self) -> u32 {
        let count = ask_number(Request::Model(ModelRequest::Listeners { handle: self.number }), 0);
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn publish<const CHECKED: bool>(
        &self,
        stamp_ns: i64,
        payload: BorrowedPayload<'_>,
    ) -> Result<(), Status> {
        payload.check(At { host: self, what: "payload", function: "bus.publish" })?;
        self.publish_bytes(stamp_ns, payload.bytes())
    }

    fn loan(&self, capacity: usize) -> Result<Loan, Status> {
        check_size("", capacity, "bus.loan")?;
        let mut lent = LOANS.lend(capacity);
        let bytes = lent.bytes_mut();
        let (data, capacity) = (bytes.as_mut_ptr(), bytes.len());
        Ok(Loan { struct_size: Loan::SIZE, reserved: 0, data, capacity, ctx: lent.into_raw() })
    }

    fn commit<const CHECKED: bool>(&self, stamp_ns: i64, loan: &mut Loan, len: usize) -> Result<(), Status> {
        let mut lent = self.returned(loan, "bus.commit")?;
        let bytes = lent.bytes_mut();
        let capacity = bytes.len();
        let Some(used) = bytes.get(..len) else {
            call::breach(Rule::Size, None, &format!("committed {len} bytes of a loan of {capacity}"));
            return Err(status::INVALID_ARG);
        };
        self.publish_bytes(stamp_ns, used)
    }

    fn abandon(&self, loan: &mut Loan) -> Result<(), Status> {
        self.returned(loan, "bus.abandon").map(drop)
    }
}

impl SubscriptionHandle for Handle {
    fn take(&self) -> Result<Message, Status> {
        // Before the request: its place in the shared memory may be needed.
        *lock(&self.taken) = None;
        link().ask(Request::Model(ModelRequest::Take { handle: self.number }), |answer| match answer {
            Answer::Message(found) => Ok(Message {
                struct_size: Message::SIZE,
                type_id: found.type_id,
                encoding: found.encoding,
                reset_epoch: found.reset_epoch,
                stamp_ns: found.stamp_ns,
                sequence: found.sequence,
                step: found.step,
                vehicle: kept_text(found.vehicle),
                topic: kept_text(found.topic),
                payload: self.keep(kept(buffer::payload(found.payload))),
                reserved: [0; 2],
            }),
            other => Err(refusal(other)),
        })
    }
}

impl ServiceHandle for Handle {
    fn take(&self) -> Result<ServiceRequest, Status> {
        *lock(&self.taken) = None;
        link().ask(Request::Model(ModelRequest::TakeCall { handle: self.number }), |answer| match answer {
            Answer::ServiceCall { call, payload } => {
                let payload = self.keep(kept(buffer::payload(payload)));
                Ok(ServiceRequest { struct_size: ServiceRequest::SIZE, reserved: 0, id: call, payload })
            }
            other => Err(refusal(other)),
        })
    }

    fn reply(&self, call: u64, code: Status, payload: &[u8]) -> Result<(), Status> {
        let handle = self.number;
        link().ask_with(
            payload,
            |payload| Request::Model(ModelRequest::Reply { handle, call, status: code, payload }),
            done,
        )
    }
}

/// The status of an answer without the value that was asked for.
fn refusal(answer: Answer<'_>) -> Status {
    match answer.status() {
        status::OK => status::INVALID_ARG,
        code => code,
    }
}
