//! ROS 2 over DDS, from outside: the other side is Cyclone DDS, driven from Python, with types made from `.msg` texts.

mod domain;
mod peer;
mod peers;

pub(crate) use domain::Domain;
pub(crate) use peer::{Asked, Peer};
