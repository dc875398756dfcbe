//! Calls of all functions with arguments that are wrong, one at a time: all hosts must answer alike.

mod handles;

use bridgehead_abi::basic::Pose;
use bridgehead_abi::dynamics::SurfaceMotion;
use bridgehead_abi::{self as abi, Host, Status, Str, status};

use super::argument::{Argument, Encoded, Text, Vector, Words};
use super::outcome::Outcome;
use super::record::{LogRecord, RayBatch, SpawnSpec, TypeRecord};
use super::{Function, Place};
use crate::host::HostHandle;

pub use handles::FUNCTIONS as OTHER_FUNCTIONS;

/// Memory that is never freed, at an address that is no multiple of any alignment.
fn misaligned<T>() -> *mut T {
    leaked([0_u64; 64]).cast::<u8>().wrapping_add(1).cast()
}

fn leaked<T>(value: T) -> *mut T {
    Box::leak(Box::new(value))
}

/// A kind of argument, with one value that is right and others that are not.
pub(super) trait Misused: Argument {
    fn right() -> Self::Raw;

    fn wrong() -> Vec<(&'static str, Self::Raw)> {
        Vec::new()
    }
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl Misused for $type {
            fn right() -> $type {
                <$type>::default()
            }
        }
    )* };
}

numbers!(i32, u32, u64, i64, f64);

macro_rules! pointers {
    ($($type:ty = $right:expr, { $($what:literal: $wrong:expr),* });* $(;)?) => { $(
        impl Misused for $type {
            fn right() -> Self::Raw {
                leaked($right)
            }

            fn wrong() -> Vec<(&'static str, Self::Raw)> {
                vec![
                    ("null", std::ptr::null()),
                    ("misaligned", misaligned()),
                    $(($what, leaked($wrong))),*
                ]
            }
        }
    )* };
}

const BROKEN: Str = Str { ptr: std::ptr::null(), len: 5 };
const ENDLESS: Str = Str { ptr: b"x".as_ptr(), len: usize::MAX };
const NO_TEXT: Str = Str { ptr: b"\xff".as_ptr(), len: 1 };

fn ray(directions: *const Vector, count: usize, range_max: f64) -> abi::host::RayBatch {
    abi::host::RayBatch {
        struct_size: abi::host::RayBatch::SIZE,
        ignore_link: abi::host::NO_LINK,
        frame: Pose::IDENTITY,
        directions,
        origins: std::ptr::null(),
        count,
        range_min: 0.0,
        range_max,
    }
}

fn spawn(sdf: Str, name: Str) -> abi::surroundings::SpawnSpec {
    abi::surroundings::SpawnSpec {
        struct_size: abi::surroundings::SpawnSpec::SIZE,
        flags: 0,
        sdf,
        name,
        pose: Pose::IDENTITY,
    }
}

fn line(text: Str) -> abi::host::LogRecord {
    abi::host::LogRecord {
        struct_size: abi::host::LogRecord::SIZE,
        level: abi::host::LOG_TRACE,
        target: Str::EMPTY,
        text,
        file: Str::EMPTY,
        line: 0,
        reserved: 0,
    }
}

fn described(name: Str, descriptor_set: abi::Bytes) -> abi::message::TypeDesc {
    abi::message::TypeDesc {
        struct_size: abi::message::TypeDesc::SIZE,
        type_id: 0,
        name,
        descriptor_set,
        reserved: [0; 2],
    }
}

pointers! {
    Vector = [0.0; 3], {};
    Pose = Pose::IDENTITY, {};
    SurfaceMotion = SurfaceMotion {
        struct_size: SurfaceMotion::SIZE, flags: 0, axis: [1.0, 0.0, 0.0], speed: 0.0, center: [0.0; 3],
    }, {};
    SpawnSpec = spawn(Str::EMPTY, Str::EMPTY), {
        "without a text": spawn(BROKEN, Str::EMPTY), "of endless text": spawn(ENDLESS, Str::EMPTY),
        "with a name that is no text": spawn(Str::EMPTY, NO_TEXT)
    };
    RayBatch = ray(leaked([1.0, 0.0, 0.0]), 1, 1.0), {
        "without directions": ray(std::ptr::null(), 1, 1.0), "of endless rays": ray(leaked([0.0; 3]), usize::MAX, 1.0),
        "without a range": ray(leaked([1.0, 0.0, 0.0]), 1, f64::NAN)
    };
    LogRecord = line(Str::EMPTY), { "without a text": line(BROKEN), "of endless text": line(ENDLESS) };
    TypeRecord = described(Str::EMPTY, abi::Bytes::EMPTY), {
        "without a name": described(BROKEN, abi::Bytes::EMPTY),
        "of endless bytes": described(Str::new("x.Y"), abi::Bytes { ptr: b"x".as_ptr(), len: usize::MAX })
    };
}

impl Misused for Text {
    fn right() -> Str {
        Str::new("nothing of this name")
    }

    fn wrong() -> Vec<(&'static str, Str)> {
        vec![("at 0", BROKEN), ("endless", ENDLESS), ("no text", NO_TEXT)]
    }
}

impl Misused for Words {
    fn right() -> Str {
        Str::EMPTY
    }

    fn wrong() -> Vec<(&'static str, Str)> {
        vec![("at 0", BROKEN), ("endless", ENDLESS)]
    }
}

impl Misused for Encoded {
    fn right() -> abi::Bytes {
        abi::Bytes::EMPTY
    }

    fn wrong() -> Vec<(&'static str, abi::Bytes)> {
        [BROKEN, ENDLESS]
            .map(|text| abi::Bytes { ptr: text.ptr, len: text.len })
            .into_iter()
            .zip(["at 0", "endless"])
            .map(|(bytes, what)| (what, bytes))
            .collect()
    }
}

/// Chooses the arguments of one call: all are right but one.
pub(super) struct Chooser {
    left: usize,
    wrong: Option<String>,
    /// True if the call is refused in any case.
    is_refused: bool,
}

impl Chooser {
    fn new(variant: usize, is_refused: bool) -> Self {
        Chooser { left: variant, wrong: None, is_refused }
    }

    /// Whether the call with the chosen arguments is made: one that is right might have an effect.
    pub(super) fn is_made(&self) -> bool {
        self.is_refused || self.wrong.is_some()
    }

    /// Chooses among a value that is right and others that are not.
    pub(super) fn choose<T>(&mut self, what: &str, right: T, wrong: Vec<(&'static str, T)>) -> T {
        let count = wrong.len();
        if self.wrong.is_none() {
            if let Some((how, value)) = wrong.into_iter().nth(self.left) {
                self.wrong = Some(format!("{what} {how}"));
                return value;
            }
            self.left -= count;
        }
        right
    }

    pub(super) fn argument<K: Misused>(&mut self, what: &str) -> K::Raw {
        self.choose(what, K::right(), K::wrong())
    }

    pub(super) fn host(&mut self, host: *const Host) -> *const Host {
        self.choose("host", host, vec![("null", std::ptr::null()), ("misaligned", misaligned())])
    }

    /// Memory for `T`.
    pub(super) fn out<T: Outcome>(&mut self) -> *mut T::Raw {
        let mut wrong = vec![("null", std::ptr::null_mut()), ("misaligned", misaligned())];
        // Structs begin with their size, which is not 0.
        if size_of::<T::Raw>() >= 32 {
            wrong.push(("short", leaked([0_u64; 64]).cast()));
        }
        self.choose("result", leaked(T::blank()), wrong)
    }

    pub(super) fn memory<T>(&mut self, what: &str) -> *mut T {
        let wrong = vec![("null", std::ptr::null_mut()), ("misaligned", misaligned())];
        self.choose(what, leaked([0_u64; 64]).cast(), wrong)
    }
}

/// What a function has returned.
pub(super) trait Said {
    fn said(self) -> String;
}

impl Said for Status {
    fn said(self) -> String {
        status::name(self).to_owned()
    }
}

macro_rules! said {
    ($($type:ty),*) => { $(
        impl Said for $type {
            fn said(self) -> String {
                format!("{self:?}")
            }
        }
    )* };
}

said!((), u8, u64, i64);

impl Said for Str {
    fn said(self) -> String {
        // SAFETY: a text of the host.
        String::from_utf8_lossy(unsafe { self.as_bytes() }).into_owned()
    }
}

/// Calls a function with each wrong argument, and with none if it is refused here anyway.
pub(super) fn of<R: Said>(
    function: &Function,
    is_step: bool,
    answers: &mut Vec<String>,
    mut call: impl FnMut(&mut Chooser) -> Option<R>,
) {
    let is_refused = function.place == Place::Sim && !is_step;
    for variant in 0.. {
        let mut chooser = Chooser::new(variant, is_refused);
        let Some(returned) = call(&mut chooser) else { return };
        let is_last = chooser.wrong.is_none();
        let what = chooser.wrong.unwrap_or_else(|| "called here".to_owned());
        answers.push(format!("{}: {what}: {}", function.name, returned.said()));
        if is_last {
            return;
        }
    }
}

/// Calls all functions that are declared in [`hosting`](super) wrongly, and returns what the host has answered.
pub fn all(host: HostHandle, is_step: bool) -> Vec<String> {
    let mut answers = super::list::misuse(host, is_step);
    handles::all(host, is_step, &mut answers);
    answers
}
