//! Codes of errors that arise at more than one place.

/// No port is left.
pub(crate) const NO_PORT: &str = "BH-CLO-004";
/// A message or a description cannot be used.
pub(crate) const CONVERSION_FAILED: &str = "BH-CLO-010";
/// A peer says what nobody here understands.
pub(crate) const UNSUPPORTED_INPUT: &str = "BH-CLO-013";
/// A socket or a thread failed.
pub(crate) const SOCKET_FAILED: &str = "BH-CLO-012";
