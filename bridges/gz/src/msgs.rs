//! The messages of Gazebo, from `proto/gz.proto`.

#![allow(clippy::pedantic, unreachable_pub, reason = "generated")]

include!(concat!(env!("OUT_DIR"), "/gz.rs"));
