//! The error codes of this bridge; the README explains them.

/// An invalid connection string.
pub(crate) const CONNECTION: &str = "BH-GZT-001";
/// A socket cannot be opened.
pub(crate) const SOCKET: &str = "BH-GZT-002";
/// A peer sends what is not of the protocol.
pub(crate) const FOREIGN: &str = "BH-GZT-003";
/// A message of a peer that is not of the type of its topic.
pub(crate) const MALFORMED: &str = "BH-GZT-004";
/// A topic or service whose name gz-transport cannot express.
pub(crate) const NAME: &str = "BH-GZT-005";
/// A peer exceeds a limit.
pub(crate) const LIMIT: &str = "BH-GZT-006";
/// Another process has a topic or a service of the same name.
pub(crate) const RIVAL: &str = "BH-GZT-007";
