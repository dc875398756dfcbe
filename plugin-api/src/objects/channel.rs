//! Arguments of objects that are structs of the ABI.

use std::marker::PhantomData;

use bridgehead_abi::bridge::{Incoming, Notice};
use bridgehead_abi::model::StepInfo;
use bridgehead_abi::{Buffer, Status};

use crate::hosting::{Argument, At, Breach, Checked};
use crate::payload::Payload;
use crate::rules;

/// Structs that are passed by a pointer, and given as they are.
macro_rules! by_reference {
    ($($type:ty),* $(,)?) => { $(
        impl Argument for $type {
            type Raw = *const $type;
            type Given<'a> = &'a $type;
            type Lent<'a> = &'a $type;

            unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
                at.pointer(raw)?;
                // SAFETY: the caller vouches for it.
                Ok(unsafe { &*raw })
            }

            fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
                given
            }

            fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
                *lent
            }
        }
    )* };
}

by_reference!(Notice, StepInfo);

/// A payload of the other side, for the time of a call.
#[derive(Clone, Copy)]
pub struct BorrowedPayload<'a> {
    raw: *const Buffer,
    lifetime: PhantomData<&'a Buffer>,
}

impl<'a> BorrowedPayload<'a> {
    /// Lends a buffer.
    ///
    /// # Safety
    /// The buffer must live for `'a`.
    #[must_use]
    pub unsafe fn of(raw: *const Buffer) -> Self {
        BorrowedPayload { raw, lifetime: PhantomData }
    }

    /// The buffer.
    #[must_use]
    pub fn as_raw(self) -> *const Buffer {
        self.raw
    }

    /// Refuses a size that makes no sense, and bytes without an address.
    ///
    /// # Errors
    /// Returns the status for the caller.
    #[inline]
    pub fn check<H: Checked>(self, at: At<'_, H>) -> Result<(), Status> {
        // SAFETY: the buffer lives.
        let (len, data) = unsafe { ((*self.raw).len, (*self.raw).data) };
        if H::IS_GUARDED && (len > rules::MAX_PAYLOAD || data.is_null()) {
            return refuse_payload(len, at);
        }
        Ok(())
    }

    /// Takes a reference.
    #[must_use]
    #[inline]
    pub fn retain(self) -> Payload {
        // SAFETY: the buffer lives.
        unsafe { Payload::retain(self.raw) }
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: the buffer lives for `'a`, and never changes.
        unsafe { bridgehead_abi::Bytes { ptr: (*self.raw).data, len: (*self.raw).len }.as_slice() }
    }
}

impl<'a> From<&'a Payload> for BorrowedPayload<'a> {
    fn from(payload: &'a Payload) -> Self {
        BorrowedPayload { raw: payload.as_raw(), lifetime: PhantomData }
    }
}

impl Argument for Buffer {
    type Raw = *const Buffer;
    type Given<'a> = BorrowedPayload<'a>;
    type Lent<'a> = BorrowedPayload<'a>;

    #[inline]
    unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        at.pointer(raw)?;
        let payload = BorrowedPayload { raw, lifetime: PhantomData };
        payload.check(at)?;
        Ok(payload)
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        given
    }

    fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
        lent.raw
    }
}

/// Reports what is wrong with a payload, if it is not just empty.
#[cold]
fn refuse_payload<H: Checked>(len: usize, at: At<'_, H>) -> Result<(), Status> {
    if len > rules::MAX_PAYLOAD {
        let most = rules::MAX_PAYLOAD >> 20;
        return at.refuse(Breach::Size, &format!("{len} bytes, of which at most {most} MiB are allowed,"));
    }
    if len == 0 { Ok(()) } else { at.refuse(Breach::Size, &format!("{len} bytes at address 0")) }
}

/// A message that came from a peer.
#[derive(Clone, Copy)]
pub struct IncomingMessage<'a> {
    /// The step that it is meant for, or [`NEXT_STEP`](bridgehead_abi::bridge::NEXT_STEP).
    pub at_step: u64,
    /// Its time stamp in nanoseconds, or [`STAMP_NOW`](bridgehead_abi::bridge::STAMP_NOW).
    pub stamp_ns: i64,
    /// Its bytes.
    pub payload: BorrowedPayload<'a>,
}

impl Argument for Incoming {
    type Raw = *const Incoming;
    type Given<'a> = IncomingMessage<'a>;
    type Lent<'a> = Incoming;

    unsafe fn read<'a, H: Checked>(raw: Self::Raw, at: At<'_, H>) -> Result<Self::Given<'a>, Status> {
        at.pointer(raw)?;
        // SAFETY: the caller vouches for it, and for its payload.
        unsafe {
            let payload = Buffer::read((*raw).payload, At { what: "payload", ..at })?;
            Ok(IncomingMessage { at_step: (*raw).at_step, stamp_ns: (*raw).stamp_ns, payload })
        }
    }

    fn lend(given: Self::Given<'_>) -> Self::Lent<'_> {
        Incoming {
            struct_size: Incoming::SIZE,
            reserved: 0,
            at_step: given.at_step,
            stamp_ns: given.stamp_ns,
            payload: given.payload.raw,
        }
    }

    fn raw(lent: &Self::Lent<'_>) -> Self::Raw {
        lent
    }
}
