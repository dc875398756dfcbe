//! ROS 2 over DDS and over Zenoh, with external peers.
//!
//! Scenarios that hold for every transport are functions of a [`Wire`], whose peer is a process in Python: over DDS with Cyclone
//! DDS and types made from `.msg` texts, over Zenoh with its library. Other tests are about DDS: two of its libraries at once
//! (the older Cyclone in C, Fast DDS in C++ with types made at run time), its discovery and participants (`joining`,
//! `renewal`), its datagrams (`hostile`), and its names. Those about Zenoh are in `zenoh`.

mod action;
mod bytes;
mod compiled;
mod crowd;
mod cyclone010;
mod domain;
mod every_service;
mod every_type;
mod fastdds;
mod garbled;
mod graph;
mod hostile;
mod images;
mod joining;
mod late_reader;
mod names;
mod parameters;
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

pub(crate) use action::{run_all as run_all_goals, run_goals_at_once};
pub(crate) use bytes::{with_base64, with_lists};
pub(crate) use domain::Domain;
pub(crate) use every_service::{make_all as make_all_calls, make_all_at_once};
use fastdds::FastDds;
pub(crate) use garbled::{expect_logged, send_other_encodings};
use graph::Seen;
pub(crate) use late_reader::late_reader;
pub(crate) use names::{SERVICES, snake};
pub(crate) use peer::Peer;
pub(crate) use stack::{Messages, PATIENCE, Pending, Stack};
pub(crate) use stage::Stage;
pub(crate) use wire::{Router, Wire};
