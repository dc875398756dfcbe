//! Zenoh as the transport of a node.

use std::sync::Arc;

use bridgehead_plugin_api::messages::CDR_ENCAPSULATION;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::qos::Qos;
use bridgehead_ros2_node::service::callee::Callee;
use bridgehead_ros2_node::service::codec::Codec;
use bridgehead_ros2_node::settings::Settings;
use bridgehead_ros2_node::topic_type::TopicType;
use bridgehead_ros2_node::transport::{Take, Transport};

use crate::replies::Replies;
use crate::ros2::connection::{Connection, Distro};
use crate::ros2::publisher::Publisher;
use crate::ros2::server::Server;
use crate::ros2::shared_node::SharedNode;
use crate::ros2::subscriber::Subscriber;
use crate::ros2::wire::key::TypePart;
use crate::session;

/// The connection of one instance.
pub(crate) struct Zenoh {
    node: Arc<SharedNode>,
    replies: Arc<Replies>,
    distro: Distro,
    settings: Settings,
}

impl Zenoh {
    fn part(&self, kind: &TopicType) -> Result<TypePart> {
        let hash = kind.hash.ok_or_else(|| {
            Error::unsupported(format!("the hash of the type {} is unknown", kind.dds_name))
        })?;
        Ok(TypePart::new(&kind.dds_name, hash, self.distro.has_hashes))
    }
}

impl Transport for Zenoh {
    type Connection = Connection;
    type Writer = Publisher;
    type Reader = Subscriber;
    type Server = Server;

    const ENCAPSULATION: &'static [u8] = &CDR_ENCAPSULATION;
    const NEEDS_HASHES: bool = true;

    fn prepare() {
        session::prepare();
    }

    fn join(connection: Connection) -> Result<Self> {
        let node = SharedNode::join(&connection)?;
        Ok(Zenoh {
            node,
            replies: Replies::start()?,
            distro: connection.distro,
            settings: connection.settings,
        })
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn writer(&self, name: &str, kind: &TopicType, qos: Qos) -> Result<Publisher> {
        Publisher::declare(&self.node, name, &self.part(kind)?, qos)
    }

    fn reader(&self, name: &str, kind: &TopicType, qos: Qos, take: Take) -> Result<Subscriber> {
        let has_bytes_key = self.distro.has_bytes_keys && kind.has_bytes;
        Subscriber::declare(&self.node, name, &self.part(kind)?, qos, has_bytes_key, take)
    }

    fn serve(&self, name: &str, codec: Codec, callee: Box<dyn Callee>) -> Result<Server> {
        let part = TypePart::new(
            &service_type(codec.types().ros_type())?,
            codec.type_hash(),
            self.distro.has_hashes,
        );
        Server::declare(&self.node, &self.replies, name, &part, codec, callee)
    }
}

/// Returns the name in DDS of a service's type: `std_srvs::srv::dds_::SetBool_` of `std_srvs/srv/SetBool`.
fn service_type(ros_type: &str) -> Result<String> {
    match ros_type.split('/').collect::<Vec<_>>()[..] {
        [package, kind, name] => Ok(format!("{package}::{kind}::dds_::{name}_")),
        _ => Err(Error::unsupported(format!("{ros_type} is no type of a service of ROS"))),
    }
}
