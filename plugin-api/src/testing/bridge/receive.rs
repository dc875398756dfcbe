//! The receive side of a test: waits that end with the time or the interrupt.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use bridgehead_abi::bridge::RxContext;
use bridgehead_abi::{Status, status};

use crate::objects::{Offered, RxObject};
use crate::testing::host::{TestHost, lock, of_test};

/// Behind the context that a receive loop gets. The context comes first; never given back.
pub(super) struct ReceiveSide {
    host: TestHost,
    is_interrupted: Mutex<bool>,
    changed: Condvar,
}

of_test!(ReceiveSide);

impl ReceiveSide {
    pub(super) fn leak(host: TestHost) -> &'static Offered<RxContext, Self> {
        let side = ReceiveSide { host, is_interrupted: Mutex::new(false), changed: Condvar::new() };
        Box::leak(Box::new(Offered::new(side)))
    }

    pub(super) fn open(&self) {
        *lock(&self.is_interrupted) = false;
    }

    pub(super) fn interrupt(&self) {
        *lock(&self.is_interrupted) = true;
        self.changed.notify_all();
    }
}

impl RxObject for ReceiveSide {
    fn wait(&self, timeout_ns: i64) -> Status {
        let is_interrupted = lock(&self.is_interrupted);
        let ended = match u64::try_from(timeout_ns) {
            Ok(nanos) => {
                let time = Duration::from_nanos(nanos);
                let waited = self.changed.wait_timeout_while(is_interrupted, time, |ended| !*ended);
                *waited.unwrap_or_else(PoisonError::into_inner).0
            }
            Err(_) => {
                let waited = self.changed.wait_while(is_interrupted, |ended| !*ended);
                *waited.unwrap_or_else(PoisonError::into_inner)
            }
        };
        if ended { status::INTERRUPTED } else { status::OK }
    }

    fn interrupted(&self) -> u8 {
        u8::from(*lock(&self.is_interrupted))
    }
}
