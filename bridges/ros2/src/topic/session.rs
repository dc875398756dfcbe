//! The connection that the topics of one instance use.

use std::sync::Arc;

use bridgehead_plugin_api::Result;

use super::clock;
use crate::connection::Connection;
use crate::dds::{Qos, Writer};
use crate::names::dds_topic;
use crate::service::Services;
use crate::shared_node::SharedNode;

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
        if name == clock::TOPIC {
            writer.warn_of_others(format!("publishes {ros}"));
        }
        Ok(Arc::new(writer))
    }

    /// Returns the ROS name of a topic of the host.
    pub(crate) fn ros_name(&self, name: &str) -> String {
        self.connection.names.resolve(name)
    }
}
