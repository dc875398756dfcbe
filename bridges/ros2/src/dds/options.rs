//! What a participant is made with.

use std::net::IpAddr;

use super::graph::GidSize;

/// The node that all endpoints of a participant belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// `/`, or an absolute name without a slash at its end.
    pub namespace: String,
    /// The name within it.
    pub name: String,
}

/// Which interfaces a participant speaks on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Network {
    /// All that there are.
    All,
    /// Those with one of these addresses.
    Only(Vec<IpAddr>),
}

/// What a participant is made with. Two that are equal can be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParticipantOptions {
    /// 0 to 232: participants of different domains do not hear of each other.
    pub domain: u16,
    /// Where it speaks.
    pub network: Network,
    /// What it calls itself in `ros_discovery_info`.
    pub node: Node,
    /// How `ros_discovery_info` writes addresses.
    pub gid: GidSize,
}
