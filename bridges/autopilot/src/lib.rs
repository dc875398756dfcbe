//! What bridges to autopilots have in common: what sensors of a [`vehicle`] measured last, in the [`axes`] of autopilots;
//! [`commands`] of rotors and servos; and the [`clock`] of an autopilot.

pub mod axes;
pub mod clock;
pub mod commands;
pub mod vehicle;
