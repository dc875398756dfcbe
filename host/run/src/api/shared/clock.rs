//! The simulated clock, for all threads.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};

use crate::bus::Moment;

/// The simulated clock, written by the simulation thread and read by any.
///
/// A version counter around the fields (a sequence lock) keeps readers from seeing half a step.
#[derive(Debug, Default)]
pub struct SimClock {
    version: AtomicU64,
    time_ns: AtomicI64,
    step: AtomicU64,
    reset_epoch: AtomicU32,
    width_ns: AtomicI64,
    factor_bits: AtomicU64,
    pub(crate) is_paused: AtomicBool,
}

impl SimClock {
    /// Sets the moment. Only the simulation thread writes.
    pub fn set(&self, now: Moment, width_ns: i64) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Release);
        std::sync::atomic::fence(Ordering::Release);
        self.time_ns.store(now.time_ns, Ordering::Relaxed);
        self.step.store(now.step, Ordering::Relaxed);
        self.reset_epoch.store(now.reset_epoch, Ordering::Relaxed);
        self.width_ns.store(width_ns, Ordering::Relaxed);
        self.version.store(version + 2, Ordering::Release);
    }

    /// Sets the achieved real-time factor.
    pub fn set_factor(&self, factor: f64) {
        self.factor_bits.store(factor.to_bits(), Ordering::Relaxed);
    }

    /// Says whether the simulation is held.
    pub fn set_paused(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// Achieved real-time factor.
    #[must_use]
    pub fn factor(&self) -> f64 {
        f64::from_bits(self.factor_bits.load(Ordering::Relaxed))
    }

    /// The moment, and the width of a step in nanoseconds.
    #[must_use]
    pub fn read(&self) -> (Moment, i64) {
        loop {
            let before = self.version.load(Ordering::Acquire);
            let now = Moment {
                step: self.step.load(Ordering::Relaxed),
                time_ns: self.time_ns.load(Ordering::Relaxed),
                reset_epoch: self.reset_epoch.load(Ordering::Relaxed),
            };
            let width_ns = self.width_ns.load(Ordering::Relaxed);
            std::sync::atomic::fence(Ordering::Acquire);
            if before.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == before {
                return (now, width_ns);
            }
            std::hint::spin_loop();
        }
    }
}
