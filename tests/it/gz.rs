//! Gazebo's own programs and libraries beside a run, through the bridge `gz`: `ign topic` and `ign service` of Debian,
//! unmodified, and a program with Debian's libraries.

mod loopback;
mod messages;
mod peer;
mod peer_load;
mod peers;
mod scene;
mod services;
mod tools;
mod topics;
