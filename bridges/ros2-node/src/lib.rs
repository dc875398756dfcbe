//! A node of ROS 2 without ROS: the topics, services and actions of a run under the names, types and qualities of service
//! that ROS users expect. How it reaches other nodes is up to a [`transport`]; a bridge is a transport and
//! [`NodeBridge`](bridge::NodeBridge).
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread. [`settings`] are the parts of a connection string
//!    that all transports share, [`environment`] the variables of ROS.
//! 2. [`topic`] sends and receives topics, under the names that [`names`] gives them.
//! 3. [`service`] offers the services of the run; [`action`] adds the topics that actions need, and [`parameter`] the
//!    services of the parameters of the node.

pub mod action;
pub mod bridge;
pub mod environment;
pub mod lock;
pub mod log_limiter;
pub mod names;
mod parameter;
pub mod qos;
pub mod service;
pub mod settings;
pub mod topic;
pub mod topic_type;
pub mod transport;
pub mod wall_clock;
