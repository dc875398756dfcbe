//! Options of a participant.

use std::net::IpAddr;

/// The node that all endpoints of a participant belong to.
pub use bridgehead_ros2_node::names::NodeName as Node;

/// The interfaces that a participant uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Network {
    /// All interfaces.
    All,
    /// Interfaces with one of these addresses.
    Only(Vec<IpAddr>),
}

/// Size of an address in `ros_discovery_info`, which became smaller with Iron.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GidSize {
    /// 16 bytes: Iron, Jazzy and later.
    #[default]
    Short,
    /// 24 bytes: Humble and before.
    Long,
}

impl GidSize {
    /// Returns the number of bytes.
    pub(super) fn bytes(self) -> usize {
        match self {
            GidSize::Short => 16,
            GidSize::Long => 24,
        }
    }
}

/// Options of a participant. Instances with equal options can share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParticipantOptions {
    /// 0 to 232: participants of different domains do not discover each other.
    pub domain: u16,
    /// The interfaces to use.
    pub network: Network,
    /// Its node in `ros_discovery_info`.
    pub node: Node,
    /// Size of addresses in `ros_discovery_info`.
    pub gid: GidSize,
}
