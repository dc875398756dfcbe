//! The quality of service of topics, as far as ROS users choose it.

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
    /// The last samples, as many as the depth.
    TransientLocal,
}

/// The quality of service of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Qos {
    /// Whether lost samples are sent again.
    pub reliability: Reliability,
    /// What a late reader receives.
    pub durability: Durability,
    /// How many samples are kept.
    pub depth: u32,
}

impl Qos {
    /// The default of ROS for topics and services: reliable, volatile, the last 10.
    pub const DEFAULT: Qos =
        Qos { reliability: Reliability::Reliable, durability: Durability::Volatile, depth: 10 };

    /// For samples of sensors: best effort, volatile. The last 10 wait to be sent: subscribers of ROS keep 5, but a burst
    /// must not replace itself.
    pub const SENSOR: Qos = Qos { reliability: Reliability::BestEffort, ..Qos::DEFAULT };

    /// For data that is sent once and stays valid, and for the status of an action: reliable, transient local, the
    /// last one.
    pub const LATCHED: Qos =
        Qos { reliability: Reliability::Reliable, durability: Durability::TransientLocal, depth: 1 };
}
