//! The way of a call: from a plugin to a host, and from a worker to its host.

use bridgehead_abi::{Host, Status, status};

use super::argument::{Message, Plain, Posted, bytes_of, bytes_of_mut};
use super::{At, Bare, Checked, Function, Hosting, Sent};
use crate::Payload;
use crate::error::{Error, Result as SdkResult};

/// Most values of which some are answered to a worker at once: far more than bodies have contacts.
pub(super) const MAX_VALUES: usize = 1 << 16;

/// Runs the body of a C function.
///
/// # Safety
/// As for [`Hosting::entered`].
pub(super) unsafe fn answer<H: Hosting>(
    host: *const Host,
    function: &'static Function,
    body: impl FnOnce(&H) -> Result<(), Status>,
) -> Status {
    H::guarded(function.name, status::PANIC, || {
        // SAFETY: the caller vouches for it.
        match unsafe { H::entered(host, function) }.and_then(body) {
            Ok(()) => status::OK,
            Err(code) => code,
        }
    })
}

/// Runs the body of a C function without a status.
///
/// # Safety
/// As for [`Hosting::entered`].
pub(super) unsafe fn answer_bare<H: Hosting, T: Bare>(
    host: *const Host,
    function: &'static Function,
    body: impl FnOnce(&H) -> Result<T, Status>,
) -> T {
    H::guarded(function.name, T::NOTHING, || {
        // SAFETY: the caller vouches for it.
        unsafe { H::entered(host, function) }.and_then(body).unwrap_or(T::NOTHING)
    })
}

/// A host that asks another one: that of a worker process.
pub trait Asking {
    /// Sends the arguments of a call, waits for the answer, and returns what `read` makes of it.
    ///
    /// # Errors
    /// Returns the status that the other host has answered.
    fn ask<T>(
        &self,
        function: &'static Function,
        arguments: &[u8],
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, Status>;

    /// As [`Asking::ask`], for a function whose result is a payload.
    ///
    /// # Errors
    /// Returns the status that the other host has answered.
    fn ask_payload(&self, function: &'static Function, arguments: &[u8]) -> Result<Payload, Status>;

    /// Makes bytes of the other host last as long as the instance.
    fn keep(&self, bytes: &[u8]) -> &'static [u8];

    /// Whether a line of this level would be written: 1 or 0.
    fn log_enabled(&self, level: u32) -> u8;

    /// Nanoseconds of a monotonic clock, which is that of all processes.
    fn monotonic_ns(&self) -> i64;
}

/// What is answered to a worker.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a box would be memory for each call")]
pub enum Served {
    /// A result; empty for a function without one.
    Message(Message),
    /// A payload.
    Payload(Payload),
}

/// A call on its way to another host.
#[derive(Debug)]
pub struct Call {
    function: &'static Function,
    arguments: Message,
}

impl Call {
    pub(super) fn new(function: &'static Function) -> Self {
        Call { function, arguments: Message::default() }
    }

    pub(super) fn arguments(&mut self) -> &mut Message {
        &mut self.arguments
    }

    /// Asks for nothing but the status.
    pub(super) fn status(self, host: &impl Asking) -> Result<(), Status> {
        host.ask(self.function, self.arguments.bytes(), |_| Some(()))
    }

    /// Asks for a value.
    pub(super) fn value<T: Sent>(self, host: &impl Asking) -> Result<T, Status> {
        host.ask(self.function, self.arguments.bytes(), |bytes| {
            T::take(&mut Message::of(bytes).words(), &|bytes| host.keep(bytes))
        })
    }

    /// Asks for a payload.
    pub(super) fn payload(self, host: &impl Asking) -> Result<Payload, Status> {
        host.ask_payload(self.function, self.arguments.bytes())
    }

    /// Asks for values. Returns the number in front of them, which may be greater.
    pub(super) fn fill<T: Plain>(self, host: &impl Asking, out: &mut [T]) -> Result<u32, Status> {
        host.ask(self.function, self.arguments.bytes(), |bytes| {
            let (of, values) = bytes.split_first_chunk::<8>()?;
            bytes_of_mut(out).get_mut(..values.len())?.copy_from_slice(values);
            u32::try_from(u64::from_ne_bytes(*of)).ok()
        })
    }
}

/// The answer with a value.
pub(super) fn sent(value: &impl Sent) -> Served {
    let mut message = Message::default();
    value.put(&mut message);
    Served::Message(message)
}

/// The answer with these values, and a number in front of them.
pub(super) fn filled<T: Plain>(of: u32, values: &[T]) -> Served {
    let mut message = Message::default();
    message.put(&u64::from(of).to_ne_bytes());
    message.put(bytes_of(values));
    Served::Message(message)
}

/// Memory of a plugin for several values.
///
/// # Safety
/// `out` must be null, misaligned, or memory for `count` values that nothing else uses during the call.
pub(super) unsafe fn memory<'a, H: Checked, T: Plain>(
    out: *mut T,
    count: usize,
    at: At<'_, H>,
) -> Result<&'a mut [T], Status> {
    if count == 0 {
        return Ok(&mut []);
    }
    at.pointer(out.cast_const())?;
    // SAFETY: the caller vouches for it, and every pattern of bits is a value.
    Ok(unsafe { std::slice::from_raw_parts_mut(out, count) })
}

/// Takes an argument from a message.
pub(super) fn taken<'a, K: Posted>(rest: &mut &'a [u64]) -> Result<K::Given<'a>, Status> {
    K::take(rest).ok_or(status::INVALID_ARG)
}

/// Why a call of the SDK has no result.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The instance is destroyed.
    Gone(Error),
    /// The host has returned this status.
    Status(&'static Function, Status),
    /// The host has returned OK, and no result.
    Nothing(&'static Function),
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Gone(error) => error,
            Refused::Nothing(function) => Error::new(format!("{} returned nothing", function.name)),
            Refused::Status(function, code) => {
                Error::with_status(code, format!("{} returned {}", function.name, status::name(code)))
            }
        }
    }
}

/// Turns what a C function has returned into a result.
pub(super) fn returned(function: &'static Function, code: SdkResult<Status>) -> Result<(), Refused> {
    match code {
        Ok(code) if code >= status::OK => Ok(()),
        Ok(code) => Err(Refused::Status(function, code)),
        Err(error) => Err(Refused::Gone(error)),
    }
}

/// Returns `None` if the host has nothing of that kind.
pub(crate) fn found<T>(result: Result<T, Refused>) -> SdkResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Refused::Status(_, status::NOT_FOUND)) => Ok(None),
        Err(refused) => Err(refused.into()),
    }
}
