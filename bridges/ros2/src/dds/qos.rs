//! Quality of service, as much of it as ROS 2 uses.

use rustdds::{Duration, QosPolicies, QosPolicyBuilder, policy};

/// How long a reliable write waits for readers that are behind before it is given up.
const MAX_BLOCKING: Duration = Duration::from_millis(100);

/// Whether lost samples are sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reliability {
    /// They are not.
    BestEffort,
    /// They are.
    Reliable,
}

/// What a reader gets that comes late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Nothing of the past.
    Volatile,
    /// What the history of the writer holds.
    TransientLocal,
}

/// How many samples are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// The newest ones.
    KeepLast(u32),
    /// All, until every reader has them.
    KeepAll,
    /// The newest ones, and what readers do not have yet, however far they are behind: for replies, of which each is for
    /// one reader while the others have to be told in time that there is nothing for them, and which a reader that died
    /// must not hold up.
    Replies(u32),
}

/// What endpoints must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Qos {
    /// A writer that does not send again serves no reader that asks for it.
    pub reliability: Reliability,
    /// A writer that keeps nothing serves no reader that asks for the past.
    pub durability: Durability,
    /// Each side's own business.
    pub history: History,
}

impl Qos {
    /// What ROS calls the default for topics, and for services too: reliable, volatile, the last 10.
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

    /// What is said once and stays true; the status of an action too: reliable, transient local, the last one.
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
                History::KeepAll => policy::History::KeepAll,
            });
        match self.reliability {
            Reliability::BestEffort => builder.best_effort(),
            Reliability::Reliable => builder.reliable(MAX_BLOCKING).resource_limits(window(self)),
        }
        .build()
    }
}

/// How many samples may wait for a reader that is behind: without a limit of ours it would be 8192, and a reader that is
/// stopped would cost gigabytes of images.
fn window(qos: Qos) -> policy::ResourceLimits {
    let max_samples = match qos.history {
        // What stays true is said seldom and not said again: a reader that is gone must not cost the others any of it
        // until its participant counts as gone, 10 to 20 seconds later.
        History::KeepLast(depth) if qos.durability == Durability::TransientLocal => {
            depth_of(depth).saturating_mul(16).clamp(1024, 8192)
        }
        History::KeepLast(depth) => depth_of(depth).saturating_mul(16).clamp(64, 8192),
        History::KeepAll => 8192,
        // What a program that is gone has missed until its participant counts as gone, 10 to 20 seconds later.
        History::Replies(_) => 1 << 17,
    };
    policy::ResourceLimits { max_samples, max_instances: 1, max_samples_per_instance: max_samples }
}

/// At least one sample is kept, and no more than DDS can say.
fn depth_of(depth: u32) -> i32 {
    i32::try_from(depth.max(1)).unwrap_or(i32::MAX)
}
