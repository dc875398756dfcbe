//! Error codes of this bridge; `README.md` explains each.

/// The connection string.
pub(crate) const CONNECTION: &str = "BH-FOX-001";
/// The server.
pub(crate) const SERVER: &str = "BH-FOX-002";
/// A topic or service that cannot be offered.
pub(crate) const NOT_OFFERED: &str = "BH-FOX-003";
/// A message that cannot be encoded.
pub(crate) const ENCODING_FAILED: &str = "BH-FOX-004";
/// A message of a client that is not of the protocol.
pub(crate) const MALFORMED: &str = "BH-FOX-005";
/// An id that does not exist, or that is in use.
pub(crate) const ID: &str = "BH-FOX-006";
/// A topic that no plugin subscribes to.
pub(crate) const NO_TOPIC: &str = "BH-FOX-007";
/// A type or an encoding that differs from that of the topic.
pub(crate) const WRONG_TYPE: &str = "BH-FOX-008";
/// A published message that cannot be used.
pub(crate) const UNUSABLE: &str = "BH-FOX-009";
/// A call of a service that failed.
pub(crate) const CALL: &str = "BH-FOX-010";
/// An asset that is not served.
pub(crate) const ASSET: &str = "BH-FOX-011";
/// A parameter that does not exist or cannot be set.
pub(crate) const PARAMETER: &str = "BH-FOX-012";
/// Messages that a slow client lost.
pub(crate) const LOSS: &str = "BH-FOX-013";
/// A limit that a client exceeds.
pub(crate) const LIMIT: &str = "BH-FOX-014";
