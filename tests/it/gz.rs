//! Gazebo's own programs and libraries beside a run, through the bridge `gz`: `ign topic` and `ign service` of Debian,
//! unmodified, and a program with Debian's libraries.

mod messages;
mod peer;
mod peer_load;
mod scene;
mod services;
mod tools;
mod topics;
