//! The connection that the topics of one instance use.

use std::sync::Arc;

use bridgehead_plugin_api::Result;

use crate::connection::Connection;
use crate::dds::{Qos, Writer};
use crate::names::dds_topic;
use crate::service::Services;
use crate::shared_node::SharedNode;

/// The topic of the time, which only one participant of a domain should publish.
pub(crate) const CLOCK: &str = "/clock";

/// Exists from connect to disconnect.
pub(crate) struct Session {
    pub(crate) node: Arc<SharedNode>,
    pub(crate) services: Arc<Services>,
    pub(crate) connection: Connection,
}

impl Session {
    /// Creates the writer of the ROS topic for a topic of the host.
    ///
    /// # Errors
    /// Like [`Writer::open`].
    pub(crate) fn writer(&self, name: &str, kind: &str, qos: Qos) -> Result<Arc<Writer>> {
        let ros = self.ros_name(name);
        let writer = Writer::open(&self.node.participants.participant(), &dds_topic(&ros), kind, qos)?;
        if name == CLOCK {
            writer.warn_of_others(format!("publishes {ros}"));
        }
        Ok(Arc::new(writer))
    }

    /// Returns the ROS name of a topic of the host.
    pub(crate) fn ros_name(&self, name: &str) -> String {
        self.connection.names.resolve(name)
    }
}
