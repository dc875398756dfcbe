//! Error codes of services, each defined once.

/// A name that is not valid in ROS 2.
pub const NAME: &str = "BH-ROS-101";
/// Types that are not a ROS 2 service.
pub const TYPES: &str = "BH-ROS-102";
/// A name that is already offered.
pub const TAKEN: &str = "BH-ROS-103";
/// A malformed request.
pub const REQUEST: &str = "BH-ROS-104";
/// A reply that could not be sent.
pub const REPLY: &str = "BH-ROS-105";
/// A call that the host ended without a response.
pub const UNANSWERED: &str = "BH-ROS-106";
