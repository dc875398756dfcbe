//! The codes of this bridge; `docs/errors.md` has them all.

pub(crate) const CONNECTION: &str = "BH-BFL-001";
/// A port cannot be opened, or its socket fails.
pub(crate) const SOCKET: &str = "BH-BFL-002";
/// A sensor that the flight controller needs is missing.
pub(crate) const SENSOR: &str = "BH-BFL-003";
/// The steps of the world do not fit to the rate of samples.
pub(crate) const RATE: &str = "BH-BFL-004";
/// The flight controller does not answer any more.
pub(crate) const GONE: &str = "BH-BFL-005";
