//! What the topics of one instance are connected to.

use std::sync::Arc;

use bridgehead_plugin_api::Result;

use crate::connection::Connection;
use crate::dds::{Qos, Writer};
use crate::names::dds_topic;
use crate::service::Services;
use crate::shared_participant::SharedParticipant;

/// From connect to disconnect.
pub(crate) struct Session {
    pub(crate) shared: Arc<SharedParticipant>,
    pub(crate) services: Arc<Services>,
    pub(crate) connection: Connection,
}

impl Session {
    /// A writer of the ROS topic that a topic of the host becomes.
    ///
    /// # Errors
    /// As [`crate::dds::Participant::writer`].
    pub(crate) fn writer(&self, name: &str, kind: &str, qos: Qos) -> Result<Arc<Writer>> {
        let ros = self.ros_name(name);
        self.shared.participant.writer(&dds_topic(&ros), kind, qos).map(Arc::new)
    }

    /// What a topic of the host is called in ROS.
    pub(crate) fn ros_name(&self, name: &str) -> String {
        self.connection.names.resolve(name)
    }
}
