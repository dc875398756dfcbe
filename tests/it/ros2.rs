//! ROS 2 over DDS, from outside: the other side is Cyclone DDS, driven from Python, with types made from `.msg` texts;
//! the older Cyclone in C; or Fast DDS in C++.

mod compiled;
mod crowd;
mod cyclone010;
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
