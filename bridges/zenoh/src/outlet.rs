//! A publisher of Zenoh that knows whether anybody receives it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use zenoh::bytes::ZBytes;
use zenoh::matching::MatchingStatus;
use zenoh::qos::CongestionControl;
use zenoh::{Session, Wait as _};
use zenoh_ext::{
    AdvancedPublisher, AdvancedPublisherBuilderExt as _, AdvancedPublisherPutBuilder, CacheConfig,
    MissDetectionConfig,
};

/// Interval of heartbeats after new samples, by which late subscribers notice what they lack.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// What is kept for late subscribers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// The number of samples.
    pub(crate) depth: usize,
    /// Whether subscribers are told what they lack.
    pub(crate) is_reliable: bool,
}

/// A publisher. Samples are dropped if a subscriber does not keep up.
pub(crate) struct Outlet {
    is_matched: Arc<AtomicBool>,
    publisher: AdvancedPublisher<'static>,
}

impl Outlet {
    /// # Errors
    /// Returns an error if Zenoh does not declare it.
    pub(crate) fn declare(session: &Session, key: String, kept: Option<Kept>) -> zenoh::Result<Self> {
        // Without additions it is a plain publisher.
        let builder = session.declare_publisher(key);
        let mut builder = builder.congestion_control(CongestionControl::Drop).advanced();
        if let Some(Kept { depth, is_reliable }) = kept {
            builder = builder.cache(CacheConfig::default().max_samples(depth)).publisher_detection();
            if is_reliable {
                let detection = MissDetectionConfig::default().sporadic_heartbeat(HEARTBEAT);
                builder = builder.sample_miss_detection(detection);
            }
        }
        let publisher = builder.wait()?;
        let is_matched = Arc::new(AtomicBool::new(false));
        let matched = Arc::clone(&is_matched);
        let note = move |status: MatchingStatus| matched.store(status.matching(), Ordering::Release);
        publisher.matching_listener().callback(note).background().wait()?;
        // A subscriber that was there before.
        let status = publisher.matching_status().wait()?;
        is_matched.fetch_or(status.matching(), Ordering::AcqRel);
        Ok(Outlet { is_matched, publisher })
    }

    /// Returns true if anybody receives it.
    pub(crate) fn is_matched(&self) -> bool {
        self.is_matched.load(Ordering::Acquire)
    }

    /// Begins a sample with this payload.
    pub(crate) fn put(&self, payload: impl Into<ZBytes>) -> AdvancedPublisherPutBuilder<'_> {
        self.publisher.put(payload)
    }
}
