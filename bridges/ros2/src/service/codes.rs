//! Codes of errors of services, each in this one place.

/// A name that ROS 2 does not know.
pub(crate) const NAME: &str = "BH-ROS-101";
/// Types that make no service of ROS 2.
pub(crate) const TYPES: &str = "BH-ROS-102";
/// A name that is served already.
pub(crate) const TAKEN: &str = "BH-ROS-103";
/// A request that cannot be understood.
pub(crate) const REQUEST: &str = "BH-ROS-104";
/// A reply that could not be sent.
pub(crate) const REPLY: &str = "BH-ROS-105";
/// A call that the host ended without a response.
pub(crate) const UNANSWERED: &str = "BH-ROS-106";
