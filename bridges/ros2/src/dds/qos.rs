//! The part of DDS quality of service that ROS 2 uses.

use rustdds::{Duration, QosPolicies, QosPolicyBuilder, policy};

/// How long a reliable write waits for slow readers before it fails.
const MAX_BLOCKING: Duration = Duration::from_millis(100);

/// Samples of [`History::Newest`] that wait for a slow reader: more than are written until a dead one counts as gone.
/// `rustdds` keeps as many if there is no reader at all, so more would cost megabytes.
pub(super) const NEWEST_WINDOW: i32 = 256;

/// Whether lost samples are sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reliability {
    /// Lost samples are not sent again.
    BestEffort,
    /// Lost samples are sent again.
    Reliable,
}

/// What a late reader receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// No earlier samples.
    Volatile,
    /// The samples in the writer's history.
    TransientLocal,
}

/// How many samples are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// The newest ones.
    KeepLast(u32),
    /// All, until every reader has them.
    KeepAll,
    /// The newest ones and all that readers do not have yet, however far they are behind. For replies: each is for
    /// one reader, while the others must learn in time that there is nothing for them, and a dead reader must not
    /// block the writer.
    Replies(u32),
    /// The newest one, which contains all that those before contained. At most ten are written in a second.
    Newest,
}

/// The QoS that endpoints must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Qos {
    /// A best-effort writer does not match a reliable reader.
    pub reliability: Reliability,
    /// A volatile writer does not match a transient-local reader.
    pub durability: Durability,
    /// Not part of matching.
    pub history: History,
}

impl Qos {
    /// The default of ROS for topics and services: reliable, volatile, the last 10.
    pub const DEFAULT: Qos = Qos {
        reliability: Reliability::Reliable,
        durability: Durability::Volatile,
        history: History::KeepLast(10),
    };

    /// For sensor data: best effort, volatile, the last 5.
    pub const SENSOR_DATA: Qos = Qos {
        reliability: Reliability::BestEffort,
        durability: Durability::Volatile,
        history: History::KeepLast(5),
    };

    /// For data that is sent once and stays valid, and for the status of an action: reliable, transient local, the
    /// last one.
    pub const LATCHED: Qos = Qos {
        reliability: Reliability::Reliable,
        durability: Durability::TransientLocal,
        history: History::KeepLast(1),
    };

    pub(super) fn policies(self) -> QosPolicies {
        let builder = QosPolicyBuilder::new()
            .durability(match self.durability {
                Durability::Volatile => policy::Durability::Volatile,
                Durability::TransientLocal => policy::Durability::TransientLocal,
            })
            .history(match self.history {
                History::KeepLast(depth) | History::Replies(depth) => {
                    policy::History::KeepLast { depth: depth_of(depth) }
                }
                History::Newest => policy::History::KeepLast { depth: 1 },
                History::KeepAll => policy::History::KeepAll,
            });
        match self.reliability {
            Reliability::BestEffort => builder.best_effort(),
            Reliability::Reliable => builder.reliable(MAX_BLOCKING).resource_limits(window(self)),
        }
        .build()
    }
}

/// Limits the samples that wait for a slow reader: the default of 8192 would cost gigabytes for images if a reader is
/// stopped.
fn window(qos: Qos) -> policy::ResourceLimits {
    let max_samples = match qos.history {
        // Latched samples are rare and not repeated: other readers must not lose any because of a dead reader, which
        // counts as alive for 10 to 20 seconds.
        History::KeepLast(depth) if qos.durability == Durability::TransientLocal => {
            depth_of(depth).saturating_mul(16).clamp(1024, 8192)
        }
        History::KeepLast(depth) => depth_of(depth).saturating_mul(16).clamp(64, 8192),
        History::KeepAll => 8192,
        History::Newest => NEWEST_WINDOW,
        // Replies that a dead program misses until its participant counts as gone, 10 to 20 seconds later.
        History::Replies(_) => 1 << 17,
    };
    policy::ResourceLimits { max_samples, max_instances: 1, max_samples_per_instance: max_samples }
}

/// Clamps a depth to at least one sample and the range of DDS.
fn depth_of(depth: u32) -> i32 {
    i32::try_from(depth.max(1)).unwrap_or(i32::MAX)
}
