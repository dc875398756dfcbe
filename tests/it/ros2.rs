//! ROS 2 over DDS, with external peers: Cyclone DDS, driven from Python, with types made from `.msg` texts; the older
//! Cyclone in C; and Fast DDS in C++, with types made at run time. What holds over every transport is tested over Zenoh too
//! ([`Wire`]).

mod action;
mod compiled;
mod crowd;
mod cyclone010;
mod domain;
mod every_service;
mod fastdds;
mod garbled;
mod hostile;
mod images;
mod joining;
mod names;
mod peer;
mod peers;
mod renewal;
mod services;
mod stack;
mod stage;
mod starts;
mod third_party;
mod topics;
mod trajectory;
mod two_hosts;
mod wire;

pub(crate) use domain::Domain;
use fastdds::FastDds;
pub(crate) use peer::Peer;
pub(crate) use stack::Messages;
use stack::{Pending, Stack};
use stage::Stage;
pub(crate) use wire::{Router, Wire};
