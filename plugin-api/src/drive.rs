//! What plugins that drive vehicles on wheels have in common: speeds, limits, commands that expire, and odometry
//! messages.
//!
//! A drive takes a [`Speed`] from its peers, keeps it in a [`HeldCommand`], lets a [`Limiter`] make a speed of it
//! that the vehicle may have, drives its joints, and hands an [`OdometryReport`] what it made of their motion. The
//! parameters have the names and defaults of Gazebo's drives.

mod held;
mod limiter;
mod number;
mod params;
mod pid;
mod report;
mod speed;

pub use held::{HeldCommand, expired_text};
pub use limiter::{Limiter, Limits};
pub use number::NumberTopic;
pub use params::{above_zero, command_timeout, turning_joints};
pub use pid::{Gains, Pid};
pub use report::{OdometryReport, Planar};
pub use speed::{Speed, check_targets, check_twist};
