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
