//! ROS 2 over DDS, from outside: the other side is Cyclone DDS, driven from Python, with types made from `.msg` texts; or
//! Fast DDS in C++.

mod crowd;
mod domain;
mod every_service;
mod fastdds;
mod peer;
mod peers;
mod services;
mod third_party;
mod topics;

pub(crate) use domain::Domain;
use fastdds::FastDds;
pub(crate) use peer::{Heard, Peer};
