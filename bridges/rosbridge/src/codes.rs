//! The error codes of this bridge; the README explains them.

/// An invalid connection string.
pub(crate) const CONNECTION: &str = "BH-RBR-001";
/// The server cannot listen.
pub(crate) const LISTEN: &str = "BH-RBR-002";
/// A client is refused or disconnected.
pub(crate) const CLIENT: &str = "BH-RBR-003";
/// A type that ROS cannot express.
pub(crate) const TYPE: &str = "BH-RBR-004";
/// A message of the run that cannot be encoded.
pub(crate) const ENCODING: &str = "BH-RBR-005";
/// A client lost messages.
pub(crate) const LOST: &str = "BH-RBR-006";
/// The rosbridge server cannot be reached, or reports an error.
pub(crate) const REMOTE: &str = "BH-RBR-007";
/// Two instances offer a service of the same name.
pub(crate) const TAKEN: &str = "BH-RBR-008";

/// A request that is not an operation of rosbridge.
pub(crate) const REQUEST: &str = "BH-RBR-101";
/// A topic, service or action that does not exist.
pub(crate) const UNKNOWN: &str = "BH-RBR-102";
/// A type that is not the type of the topic, service or action.
pub(crate) const CONFLICT: &str = "BH-RBR-103";
/// A message or request that is not of its type.
pub(crate) const MALFORMED: &str = "BH-RBR-104";
/// More than the bridge accepts from one client.
pub(crate) const LIMIT: &str = "BH-RBR-105";
/// The run ended a call without a response.
pub(crate) const UNANSWERED: &str = "BH-RBR-106";
/// An operation that this bridge does not support.
pub(crate) const UNSUPPORTED: &str = "BH-RBR-107";
