//! The codes of this bridge; `docs/errors.md` has them all.

pub(crate) const CONNECTION: &str = "BH-APM-001";
/// The port cannot be opened.
pub(crate) const SOCKET: &str = "BH-APM-002";
/// A sensor that the autopilot needs is missing.
pub(crate) const SENSOR: &str = "BH-APM-003";
/// Something that is no packet of an autopilot.
pub(crate) const PACKET: &str = "BH-APM-004";
