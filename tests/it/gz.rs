//! Gazebo's own programs beside a run: `ign topic` and `ign service` of Debian, unmodified, through the bridge `gz`.

mod services;
mod tools;
mod topics;
