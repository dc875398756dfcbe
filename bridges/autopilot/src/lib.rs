//! What bridges to autopilots have in common: [`axes`], and [`commands`] of rotors and servos.

pub mod axes;
pub mod commands;
