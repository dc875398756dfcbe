//! The calls that are running, for the supervisor. A thread describes its calls in a slot of its own, which only the
//! supervisor reads, when there is no thread any more.

use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering};

use super::ledger;

/// Threads whose calls are known; more than a run has.
const SLOTS: usize = 512;
/// Names that are registered; more than the instances of a world with a thousand robots.
const NAMES: usize = 8192;
/// Bytes of the label of a plugin, or of the name of a thread; longer ones are cut.
const OWNER: usize = 100;
/// Bytes of the name of a call.
const NAME: usize = 24;

/// The calls of all threads; all zeros at first.
#[derive(Debug)]
pub(super) struct Calls {
    slots: [Slot; SLOTS],
    names: [Registered; NAMES],
}

/// A call that is made in every step. It is described by one number, together with a registered name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StepCall {
    /// `sample` of a model plugin.
    Sample = 1,
    /// `control` of a model plugin.
    Control,
    /// `status` of a bridge.
    Status,
}

impl StepCall {
    const ALL: [StepCall; 3] = [StepCall::Sample, StepCall::Control, StepCall::Status];

    /// Its name in the ABI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            StepCall::Sample => "sample",
            StepCall::Control => "control",
            StepCall::Status => "status",
        }
    }
}

/// A name that the supervisor knows by a number, until drop.
#[derive(Debug)]
pub struct Name(u32);

/// The text of a [`Name`].
#[derive(Debug)]
struct Registered {
    /// 0 if it is free.
    len: AtomicU8,
    text: UnsafeCell<[u8; OWNER]>,
}

// SAFETY: only the thread that has set the length writes to the text, before the number is known to anybody; only the
// supervisor reads it, when the process has ended.
#[expect(unsafe_code, reason = "atomic bytes would be written one by one")]
unsafe impl Sync for Registered {}

/// The call that a thread makes.
#[derive(Debug)]
struct Slot {
    is_taken: AtomicU8,
    /// Lengths of the texts; 0 outside of calls.
    owner_len: AtomicU8,
    name_len: AtomicU8,
    owner: UnsafeCell<[u8; OWNER]>,
    name: UnsafeCell<[u8; NAME]>,
    /// The number of a name and, in the lowest byte, a [`StepCall`]; 0 outside of steps.
    step_call: AtomicU32,
}

// SAFETY: only the thread that has taken a slot writes to its texts, and only the supervisor reads them, when the process
// with that thread has ended.
#[expect(unsafe_code, reason = "atomic bytes would be written one by one")]
unsafe impl Sync for Slot {}

impl Calls {
    /// No calls.
    pub(super) const fn none() -> Self {
        Calls {
            slots: [const {
                Slot {
                    is_taken: AtomicU8::new(0),
                    owner_len: AtomicU8::new(0),
                    name_len: AtomicU8::new(0),
                    owner: UnsafeCell::new([0; OWNER]),
                    name: UnsafeCell::new([0; NAME]),
                    step_call: AtomicU32::new(0),
                }
            }; SLOTS],
            names: [const { Registered { len: AtomicU8::new(0), text: UnsafeCell::new([0; OWNER]) } }; NAMES],
        }
    }

    /// Returns the calls to plugins that were running. Only after the process has ended.
    pub(super) fn running(&self) -> Vec<String> {
        self.slots.iter().filter_map(|slot| slot.call(&self.names)).collect()
    }
}

thread_local! {
    /// The slot of this thread. Without a destructor, because handlers of signals run while threads end.
    static SLOT: Cell<Option<&'static Slot>> = const { Cell::new(None) };
}

/// Describes the call that this thread makes now.
#[inline]
pub fn enter(owner: &str, name: &str) {
    if let Some(slot) = SLOT.get().or_else(take_slot) {
        slot.write(owner, name);
    }
}

/// Says that this thread makes no call.
#[inline]
pub fn leave() {
    if let Some(slot) = SLOT.get() {
        slot.owner_len.store(0, Ordering::Release);
    }
}

/// Describes the call that this thread makes now in a step, outside of any other call.
#[inline]
pub fn enter_step(name: &Name, call: StepCall) {
    if let Some(slot) = SLOT.get().or_else(take_slot) {
        slot.step_call.store(name.0 << 8 | call as u32, Ordering::Release);
    }
}

/// Says that this thread makes no call in a step.
#[inline]
pub fn leave_step() {
    if let Some(slot) = SLOT.get() {
        slot.step_call.store(0, Ordering::Release);
    }
}

impl Name {
    /// Registers a name; `None` if there is no room.
    #[must_use]
    pub fn register(text: &str) -> Option<Self> {
        // Behind the last one: those before it are rarely free.
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let place = Registered::take(&ledger().calls.names, NEXT.load(Ordering::Relaxed), text)?;
        NEXT.store(place + 1, Ordering::Relaxed);
        u32::try_from(place).ok().map(Name)
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        if let Some(name) = usize::try_from(self.0).ok().and_then(|place| ledger().calls.names.get(place)) {
            name.len.store(0, Ordering::Release);
        }
    }
}

impl Registered {
    /// Writes a text to a free place, searched from `first` on. Returns the place.
    fn take(names: &[Registered], first: usize, text: &str) -> Option<usize> {
        // 0 would be free.
        let len = u8::try_from(text.len().clamp(1, OWNER)).ok()?;
        let (before, behind) = names.split_at(first.min(names.len()));
        let places = behind.iter().zip(first..).chain(before.iter().zip(0..));
        let is_free = |name: &Registered| {
            name.len.compare_exchange(0, len, Ordering::Acquire, Ordering::Relaxed).is_ok()
        };
        let (name, place) = places.into_iter().find(|(name, _)| is_free(name))?;
        copy(text, &name.text);
        Some(place)
    }

    #[expect(unsafe_code, reason = "the text is in shared memory")]
    fn text(&self) -> Option<String> {
        // SAFETY: the writer has ended.
        let text = unsafe { &*self.text.get() };
        let text = text.get(..self.len.load(Ordering::Acquire).into())?;
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

/// Gives the slot of this thread back, which is about to end.
pub fn end_thread() {
    if let Some(slot) = SLOT.take() {
        slot.owner_len.store(0, Ordering::Release);
        slot.step_call.store(0, Ordering::Release);
        slot.is_taken.store(0, Ordering::Release);
    }
}

#[cold]
fn take_slot() -> Option<&'static Slot> {
    let free = |slot: &&Slot| slot.is_taken.swap(1, Ordering::AcqRel) == 0;
    let slot = ledger().calls.slots.iter().find(free);
    SLOT.set(slot);
    slot
}

impl Slot {
    #[inline]
    fn write(&self, owner: &str, name: &str) {
        self.owner_len.store(0, Ordering::Release);
        self.name_len.store(copy(name, &self.name), Ordering::Relaxed);
        self.owner_len.store(copy(owner, &self.owner), Ordering::Release);
    }

    /// `sample` of plugin `car1/imu`; `None` outside of calls to plugins.
    fn call(&self, names: &[Registered]) -> Option<String> {
        self.call_by_text().or_else(|| self.call_by_number(names))
    }

    fn call_by_number(&self, names: &[Registered]) -> Option<String> {
        let number = self.step_call.load(Ordering::Acquire);
        let call = StepCall::ALL.into_iter().find(|call| *call as u32 == number & 0xff)?;
        let owner = names.get(usize::try_from(number >> 8).ok()?)?.text()?;
        (!owner.is_empty()).then(|| format!("`{}` of plugin `{owner}`", call.name()))
    }

    #[expect(unsafe_code, reason = "the texts are in shared memory")]
    fn call_by_text(&self) -> Option<String> {
        let (owner, name) = (self.owner_len.load(Ordering::Acquire), self.name_len.load(Ordering::Relaxed));
        // SAFETY: the writer has ended.
        let (owners, names) = unsafe { (&*self.owner.get(), &*self.name.get()) };
        let owner = String::from_utf8_lossy(owners.get(..owner.into())?);
        let name = String::from_utf8_lossy(names.get(..name.into())?);
        (!owner.is_empty() && !name.is_empty()).then(|| format!("`{name}` of plugin `{owner}`"))
    }
}

/// Copies as much of a text as there is room for; returns the number of bytes.
#[inline]
#[expect(unsafe_code, reason = "the texts are in shared memory")]
fn copy<const N: usize>(from: &str, to: &UnsafeCell<[u8; N]>) -> u8 {
    let len = from.len().min(N);
    // SAFETY: only this thread writes to its slot, `len` bytes are in both texts.
    unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.get().cast(), len) };
    u8::try_from(len).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::Ledger;
    use super::*;

    #[test]
    fn long_names_are_cut() {
        let slot = &Ledger::shared().expect("memory").calls.slots[0];
        slot.write(&"x".repeat(300), "sample");
        assert_eq!(slot.call(&[]), Some(format!("`sample` of plugin `{}`", "x".repeat(OWNER))));
    }

    #[test]
    fn lengths_that_were_overwritten_are_harmless() {
        let slot = &Ledger::shared().expect("memory").calls.slots[0];
        slot.owner_len.store(u8::MAX, Ordering::Relaxed);
        slot.name_len.store(u8::MAX, Ordering::Relaxed);
        slot.step_call.store(u32::MAX, Ordering::Relaxed);
        assert_eq!(slot.call(&[]), None);
    }

    #[test]
    fn a_call_of_a_step_is_known_by_numbers() {
        let name = Name::register("numbers/imu").expect("room");
        enter_step(&name, StepCall::Control);
        assert!(ledger().calls.running().contains(&"`control` of plugin `numbers/imu`".to_owned()));
        enter("numbers/lidar", "start");
        assert!(
            ledger().calls.running().contains(&"`start` of plugin `numbers/lidar`".to_owned()),
            "the inner call"
        );
        leave();
        leave_step();
        assert!(!ledger().calls.running().iter().any(|call| call.contains("numbers/imu")));
    }

    #[test]
    fn names_take_every_place_once() {
        let names = &Ledger::shared().expect("memory").calls.names[..3];
        let taken = [(); 4].map(|()| Registered::take(names, 2, "car1/imu"));
        assert_eq!(taken, [Some(2), Some(0), Some(1), None]);
        names[1].len.store(0, Ordering::Relaxed);
        assert_eq!(Registered::take(names, 2, "car1/lidar"), Some(1));
        assert_eq!(names[1].text().as_deref(), Some("car1/lidar"));
    }
}
