//! The codes of this bridge; `docs/errors.md` has them all.

pub(crate) const CONNECTION: &str = "BH-MAV-001";
/// A port cannot be opened, or its socket fails.
pub(crate) const SOCKET: &str = "BH-MAV-002";
/// A sensor is missing that the peer needs.
pub(crate) const SENSOR: &str = "BH-MAV-003";
/// The steps of the world do not fit to the rate of samples.
pub(crate) const RATE: &str = "BH-MAV-004";
/// The autopilot has ended its connection.
pub(crate) const GONE: &str = "BH-MAV-005";
/// Bytes that are no message.
pub(crate) const BYTES: &str = "BH-MAV-006";
/// The autopilot has left out answers.
pub(crate) const SKIPPED: &str = "BH-MAV-007";
/// Another program wants to be the autopilot.
pub(crate) const SECOND: &str = "BH-MAV-008";
