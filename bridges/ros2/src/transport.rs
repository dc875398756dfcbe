//! DDS as the transport of a node: the names and types that rmw implementations give to topics and services of ROS.

use std::sync::Arc;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::quieten;
use bridgehead_ros2_node::qos::{self, Qos};
use bridgehead_ros2_node::service::callee::Callee;
use bridgehead_ros2_node::service::codec::Codec;
use bridgehead_ros2_node::settings::Settings;
use bridgehead_ros2_node::topic_type::TopicType;
use bridgehead_ros2_node::transport::{self, Take, Transport};

use crate::connection::Connection;
use crate::dds::{self, Durability, History, Reader, Reliability, WriteOptions, Writer};
use crate::service::{Offered, Services};
use crate::shared_node::SharedNode;

#[cfg(test)]
mod tests;

/// The connection of one instance.
pub(crate) struct Dds {
    node: Arc<SharedNode>,
    services: Arc<Services>,
    settings: Settings,
}

impl Transport for Dds {
    type Connection = Connection;
    type Writer = Writer;
    type Reader = Reader;
    type Server = Offered;

    /// DDS writes it itself.
    const ENCAPSULATION: &'static [u8] = &[];
    const NEEDS_HASHES: bool = false;

    fn prepare() {
        // RustDDS warns about normal conditions several times a second during discovery; its failures are returned as
        // errors. The debug level shows its warnings too.
        if log::max_level() < log::LevelFilter::Debug {
            quieten("rustdds", None);
        }
    }

    fn join(connection: Connection) -> Result<Self> {
        let node = SharedNode::join(&connection)?;
        let services = node.services(connection.mapping)?;
        Ok(Dds { node, services, settings: connection.settings })
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn writer(&self, name: &str, kind: &TopicType, qos: Qos) -> Result<Writer> {
        Writer::open(&self.node.participants.participant(), &dds_topic(name), &kind.dds_name, policies(qos))
    }

    fn reader(&self, name: &str, kind: &TopicType, qos: Qos, mut take: Take) -> Result<Reader> {
        let participant = self.node.participants.participant();
        Reader::open(&participant, &dds_topic(name), &kind.dds_name, policies(qos), move |sample| {
            take(sample.encoding.check().map(|()| &*sample.body));
        })
    }

    fn serve(&self, name: &str, codec: Codec, callee: Box<dyn Callee>) -> Result<Offered> {
        self.services.offer(name, codec, callee)
    }
}

impl transport::Writer for Writer {
    fn has_readers(&self) -> bool {
        Writer::has_readers(self)
    }

    fn write(&self, message: Vec<u8>) -> Result {
        Writer::write(self, message, WriteOptions::default()).map(|_| ())
    }

    fn warn_of_others(&self, what: String) {
        Writer::warn_of_others(self, what);
    }
}

/// Returns the DDS topic of a ROS topic.
fn dds_topic(name: &str) -> String {
    format!("rt{name}")
}

fn policies(qos: Qos) -> dds::Qos {
    dds::Qos {
        reliability: match qos.reliability {
            qos::Reliability::BestEffort => Reliability::BestEffort,
            qos::Reliability::Reliable => Reliability::Reliable,
        },
        durability: match qos.durability {
            qos::Durability::Volatile => Durability::Volatile,
            qos::Durability::TransientLocal => Durability::TransientLocal,
        },
        history: History::KeepLast(qos.depth),
    }
}
