//! Kinds of results: the memory that a plugin gives for them, and how they come from the host of a worker.

use bridgehead_abi::bridges::BridgeState;
use bridgehead_abi::dynamics::{Body, Volume};
use bridgehead_abi::host::{Attachment, ClockReading, JointInfo, JointState, LinkInfo, LinkState, RayHit};
use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::stepping::Tick;
use bridgehead_abi::surroundings::{CollisionInfo, Contact, Entity, Environment, JointFrame, JointWrench};
use bridgehead_abi::{Buffer, Bytes, Status, Str};

use super::argument::{Message, Plain, Posted, Vector, Words, bytes_of, plain, take_plain};
use super::{At, Checked, Hosting};
use crate::Payload;

/// Makes bytes of another host last as long as the plugin may use them.
pub(super) type Keep<'a> = &'a dyn Fn(&[u8]) -> &'static [u8];

/// A kind of result.
pub trait Outcome: Sized {
    /// What the C function writes.
    type Raw: Copy;

    /// Returns memory for a result, which says its size if the type does.
    fn blank() -> Self::Raw;

    /// Checks memory for a result.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    ///
    /// # Safety
    /// `out` must be null, misaligned, or point at four readable bytes at least.
    unsafe fn check<H: Checked>(out: *const Self::Raw, at: At<'_, H>) -> Result<(), Status>;

    /// Gives it to a plugin.
    fn give<H: Hosting>(self) -> Self::Raw;

    /// Takes what a host has written; `None` if it has written nothing.
    ///
    /// # Safety
    /// The host must have returned OK.
    unsafe fn receive(raw: Self::Raw) -> Option<Self>;
}

/// A kind of result that is sent in a message.
pub trait Sent: Sized {
    /// Appends the value to a message.
    fn put(&self, message: &mut Message);

    /// Takes a value from a message.
    fn take(rest: &mut &[u64], keep: Keep<'_>) -> Option<Self>;
}

// The texts of structs are replaced by empty ones before their bytes are taken.
plain!(
    ClockReading,
    Tick,
    LinkState,
    JointState,
    RayHit,
    Volume,
    Contact,
    Environment,
    JointFrame,
    JointWrench
);
plain!(Attachment, Body, BridgeState, CollisionInfo, Entity, JointInfo, LinkInfo, Str, TypeDesc);

/// Structs that begin with their size, and the names of their texts.
macro_rules! sized {
    ($($type:ident $(: $($text:ident),+)?;)*) => {
        /// The names of the structs, and of those of their fields that follow them in a message, in its order.
        pub const SENT_STRUCTS: &[(&str, &[&str])] =
            &[$((stringify!($type), &[$($(stringify!($text)),+)?])),*];

        $(
        impl Outcome for $type {
            type Raw = Self;

            fn blank() -> Self {
                $type { struct_size: $type::SIZE, ..Plain::ZERO }
            }

            unsafe fn check<H: Checked>(out: *const Self, at: At<'_, H>) -> Result<(), Status> {
                // SAFETY: the caller vouches for it.
                unsafe { at.sized(out) }
            }

            fn give<H: Hosting>(self) -> Self {
                self
            }

            unsafe fn receive(raw: Self) -> Option<Self> {
                Some(raw)
            }
        }

        impl Sent for $type {
            fn put(&self, message: &mut Message) {
                let plain = $type { $($($text: Default::default(),)+)? ..*self };
                message.put(bytes_of(&[plain]));
                $($(self.$text.put(message);)+)?
            }

            fn take(rest: &mut &[u64], keep: Keep<'_>) -> Option<Self> {
                let plain = take_plain::<$type>(rest)?;
                let value = $type { $($($text: Sent::take(rest, keep)?,)+)? ..plain };
                let _ = keep;
                Some(value)
            }
        }
    )* };
}

sized! {
    ClockReading;
    Tick;
    LinkState;
    JointState;
    Volume;
    Environment;
    JointFrame;
    JointWrench;
    Entity: name;
    Body: name;
    CollisionInfo: name, scoped_name;
    Attachment: vehicle, model, element, path, frame_id, topic, xml;
    LinkInfo: name, frame_id;
    JointInfo: name;
    BridgeState: name, label;
    TypeDesc: name, descriptor_set;
}

/// Numbers, vectors and texts.
macro_rules! bare {
    ($($type:ty),*) => { $(
        impl Outcome for $type {
            type Raw = Self;

            fn blank() -> Self {
                Plain::ZERO
            }

            unsafe fn check<H: Checked>(out: *const Self, at: At<'_, H>) -> Result<(), Status> {
                at.pointer(out)
            }

            fn give<H: Hosting>(self) -> Self {
                self
            }

            unsafe fn receive(raw: Self) -> Option<Self> {
                Some(raw)
            }
        }
    )* };
}

bare!(u32, u64, Vector, Str);

impl Outcome for Payload {
    type Raw = *const Buffer;

    fn blank() -> Self::Raw {
        std::ptr::null()
    }

    unsafe fn check<H: Checked>(out: *const Self::Raw, at: At<'_, H>) -> Result<(), Status> {
        at.pointer(out)
    }

    fn give<H: Hosting>(self) -> Self::Raw {
        H::give(self)
    }

    unsafe fn receive(raw: Self::Raw) -> Option<Self> {
        // SAFETY: the host has given a reference to a buffer that is alive.
        (!raw.is_null()).then(|| unsafe { Payload::from_raw(raw) })
    }
}

macro_rules! sent {
    ($($type:ty),*) => { $(
        impl Sent for $type {
            fn put(&self, message: &mut Message) {
                message.put(bytes_of(&[*self]));
            }

            fn take(rest: &mut &[u64], _: Keep<'_>) -> Option<Self> {
                take_plain(rest)
            }
        }
    )* };
}

sent!(u8, u32, u64, i64, Vector);

impl Sent for () {
    fn put(&self, _: &mut Message) {}

    fn take(_: &mut &[u64], _: Keep<'_>) -> Option<Self> {
        Some(())
    }
}

impl Sent for Str {
    fn put(&self, message: &mut Message) {
        // SAFETY: the host that has made the value vouches for its text.
        Words::put(unsafe { self.as_bytes() }, message);
    }

    fn take(rest: &mut &[u64], keep: Keep<'_>) -> Option<Self> {
        let bytes = keep(Words::take(rest)?);
        Some(Str { ptr: bytes.as_ptr(), len: bytes.len() })
    }
}

impl Sent for Bytes {
    fn put(&self, message: &mut Message) {
        // SAFETY: as above.
        Words::put(unsafe { self.as_slice() }, message);
    }

    fn take(rest: &mut &[u64], keep: Keep<'_>) -> Option<Self> {
        Words::take(rest).map(|bytes| Bytes::new(keep(bytes)))
    }
}

/// What a function without a status returns.
pub trait Bare: Sent {
    /// What it returns if the host has nothing to say.
    const NOTHING: Self;
}

impl Bare for () {
    const NOTHING: Self = ();
}

impl Bare for u8 {
    const NOTHING: Self = 0;
}

impl Bare for u64 {
    const NOTHING: Self = 0;
}

impl Bare for i64 {
    const NOTHING: Self = 0;
}

impl Bare for Str {
    const NOTHING: Self = Str::EMPTY;
}

#[cfg(test)]
mod tests {
    use bridgehead_abi::LayoutRow;
    use bridgehead_abi::basic::Pose;
    use bridgehead_abi::dynamics::SurfaceMotion;

    use super::*;

    fn assert_plain<T: Plain>(name: &str, rows: &[LayoutRow]) {
        let fields: u32 = rows.iter().skip(1).map(|row| row.size).sum();
        assert_eq!(fields as usize, size_of::<T>(), "{name} has padding");
        assert!(align_of::<T>() <= align_of::<u64>(), "{name} needs more than the words of a message");
    }

    #[test]
    fn plain_structs_have_no_padding() {
        macro_rules! check {
            ($($type:ident),*) => { $( assert_plain::<$type>(stringify!($type), $type::ROWS); )* };
        }
        check!(
            ClockReading,
            Tick,
            LinkState,
            JointState,
            RayHit,
            Volume,
            Contact,
            Environment,
            JointFrame,
            JointWrench
        );
        check!(Attachment, Body, BridgeState, CollisionInfo, Entity, JointInfo, LinkInfo, Str, TypeDesc);
        check!(Pose, SurfaceMotion);
    }

    #[test]
    fn values_come_back_from_messages_of_any_length() {
        let texts: Vec<String> = [0, 1, 7, 8, 9, 200, 300, 5000].iter().map(|len| "x".repeat(*len)).collect();
        let mut message = Message::default();
        for text in &texts {
            Str::new(text).put(&mut message);
            Sent::put(&7_u32, &mut message);
        }
        let mut rest = message.words();
        let keep = |bytes: &[u8]| -> &'static [u8] { bytes.to_vec().leak() };
        for text in &texts {
            let read = Str::take(&mut rest, &keep).expect("a text");
            // SAFETY: the text was leaked.
            assert_eq!(unsafe { read.as_str() }, Some(text.as_str()));
            assert_eq!(<u32 as Sent>::take(&mut rest, &keep), Some(7));
        }
        assert!(rest.is_empty() && <u32 as Sent>::take(&mut rest, &keep).is_none());
    }
}
