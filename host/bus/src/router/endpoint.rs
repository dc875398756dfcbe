//! Outgoing endpoints of bridges, and what became of their messages.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_plugin_api::abi;
use bridgehead_plugin_api::objects::Callback;

use crate::Topic;

/// Counters of the messages of one outgoing endpoint. Every message that is handed over ends as delivered, dropped or
/// missed.
#[derive(Debug, Default)]
pub struct EndpointCounters {
    /// Taken by the bridge and not rejected.
    pub delivered: AtomicU64,
    /// Dropped by the queue, or rejected by the bridge.
    pub dropped: AtomicU64,
    /// Published while the bridge was not connected.
    pub missed: AtomicU64,
    /// Payload bytes of the delivered ones.
    pub bytes: AtomicU64,
    handed_over: AtomicU64,
}

impl EndpointCounters {
    /// Counts a message that is handed over. The simulation thread is the only writer, so this is no atomic addition.
    pub(crate) fn hand_over(&self) {
        self.handed_over.store(self.handed_over.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Messages that were handed over and are neither delivered nor lost yet. Call it on the simulation thread only.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        let finished = [&self.delivered, &self.dropped, &self.missed];
        let finished: u64 = finished.iter().map(|counter| counter.load(Ordering::Acquire)).sum();
        self.handed_over.load(Ordering::Relaxed).saturating_sub(finished)
    }
}

/// A converter of a plugin for the payloads of one type.
#[derive(Clone, Copy)]
pub struct Converter {
    /// The function; it belongs to a library that is never unloaded.
    pub raw: Callback<abi::bridge::Converter>,
    /// Host object of that library, through which it explains failures.
    pub host: *const abi::Host,
}

// SAFETY: the host object lives as long as the process, and may be used on any thread.
unsafe impl Send for Converter {}
// SAFETY: as above.
unsafe impl Sync for Converter {}

/// The outgoing endpoint of one topic in one bridge instance.
pub struct Endpoint {
    /// The topic.
    pub topic: Arc<Topic>,
    /// The bridge's own object.
    pub ctx: *mut c_void,
    /// Converts payloads into the bridge's own encoding.
    pub converter: Option<Converter>,
    /// Counters of its messages.
    pub counters: EndpointCounters,
}

// SAFETY: `ctx` and the converter's `user` belong to the plugin and are only passed back, to functions that
// the ABI allows on the threads they are called from.
unsafe impl Send for Endpoint {}
// SAFETY: as above; the counters are atomic.
unsafe impl Sync for Endpoint {}
