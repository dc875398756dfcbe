//! The form for ROS 2: the run is a node like those of `rmw_zenoh`.
//!
//! 1. The plugin is that of [`bridgehead_ros2_node`], which maps topics, services and actions of a run to those of a node of
//!    ROS 2; [`transport`] connects it by Zenoh. [`connection`] parses the connection string.
//! 2. [`shared_node`] is shared by all instances with equal options: one session, and one node in it; [`ids`] numbers
//!    its endpoints.
//! 3. [`publisher`], [`subscriber`] and [`server`] are the endpoints of the node, and [`graph`] those of other nodes.
//! 4. [`wire`] is the text and the bytes by which nodes of `rmw_zenoh` know each other; without Zenoh.

mod connection;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
mod graph;
mod ids;
mod publisher;
mod server;
mod shared_node;
mod subscriber;
pub(crate) mod transport;
mod wire;
