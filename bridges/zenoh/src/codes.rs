//! Error codes of this bridge, each defined once.

/// A wrong connection string.
pub(crate) const CONNECTION: &str = "BH-ZEN-001";
/// A session that cannot be opened.
pub(crate) const SESSION: &str = "BH-ZEN-002";
/// An endpoint that Zenoh does not declare.
pub(crate) const ENDPOINT: &str = "BH-ZEN-003";
/// No router is there.
pub(crate) const ROUTER: &str = "BH-ZEN-004";
/// Another node does what only one should do.
pub(crate) const NOT_ALONE: &str = "BH-ZEN-005";
/// A name that is already offered by this node.
pub(crate) const TAKEN: &str = "BH-ZEN-006";
/// Another run uses the same prefix.
pub(crate) const SAME_PREFIX: &str = "BH-ZEN-007";
/// A topic or service whose name Zenoh cannot express.
pub(crate) const NAME: &str = "BH-ZEN-008";
/// A message of a peer that is not of the type of its topic.
pub(crate) const IGNORED: &str = "BH-ZEN-009";
/// A message of the run that is not of the type of its topic.
pub(crate) const MALFORMED: &str = "BH-ZEN-010";
/// A call or a query that is refused.
pub(crate) const REFUSED: &str = "BH-ZEN-011";
