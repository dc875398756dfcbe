//! Codes of errors that are reported in more than one place.

/// No port is left.
pub(crate) const NO_PORT: &str = "BH-CLO-004";
/// A message or the description of the world cannot be converted.
pub(crate) const CONVERSION_FAILED: &str = "BH-CLO-010";
/// A peer sent something that is not supported here.
pub(crate) const UNSUPPORTED_INPUT: &str = "BH-CLO-013";
/// A peer did more than a client does, and was disconnected.
pub(crate) const PEER_LIMITED: &str = "BH-CLO-018";
/// A socket or a thread failed.
pub(crate) const SOCKET_FAILED: &str = "BH-CLO-012";
