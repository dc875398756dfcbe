//! The outgoing endpoint of a topic.

use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::qos::{Durability, Qos, Reliability};
use bridgehead_ros2_node::transport::Writer;
use bridgehead_ros2_node::wall_clock::unix_nanos;
use zenoh::Wait as _;

use crate::codes::ENDPOINT;
use crate::outlet::{Kept, Outlet};
use crate::ros2::graph::Sole;
use crate::ros2::shared_node::{Known, SharedNode};
use crate::ros2::wire::attachment::Attachment;
use crate::ros2::wire::key::{TypePart, key};
use crate::ros2::wire::qos;
use crate::ros2::wire::token::Kind;
use crate::session::not_declared;

/// The outgoing endpoint of a topic. The order of its parts is that in which it ends.
pub(crate) struct Publisher {
    name: String,
    sole: Mutex<Option<Sole>>,
    known: Known,
    outlet: Outlet,
    node: Arc<SharedNode>,
}

impl Publisher {
    /// # Errors
    /// Returns an error if Zenoh does not declare it.
    pub(crate) fn declare(node: &Arc<SharedNode>, name: &str, part: &TypePart, profile: Qos) -> Result<Self> {
        let key = key(node.domain(), name, part);
        let kept = (profile.durability == Durability::TransientLocal).then(|| Kept {
            depth: usize::try_from(profile.depth).unwrap_or(usize::MAX),
            is_reliable: profile.reliability == Reliability::Reliable,
        });
        let outlet = Outlet::declare(&node.session, key.clone(), kept)
            .map_err(|error| not_declared(name, &key, &error))?;
        let known = node.make_known(Kind::Publisher, name, part, &qos::text(profile))?;
        Ok(Publisher { name: name.to_owned(), sole: Mutex::default(), known, outlet, node: Arc::clone(node) })
    }
}

impl Writer for Publisher {
    fn has_readers(&self) -> bool {
        self.outlet.is_matched()
    }

    fn write(&self, message: Vec<u8>) -> Result {
        // Held while a sample is put, so that numbers arrive in their order.
        let mut last = lock(&self.known.id.last_message);
        *last += 1;
        let attachment = Attachment { sequence: *last, time_ns: unix_nanos(), gid: self.known.gid };
        self.outlet.put(message).attachment(attachment.encode()).wait().map_err(|error| {
            let text = format!("[{ENDPOINT}] a message on {} cannot be sent by Zenoh: {error}", self.name);
            Error::with_status(status::IO, text)
        })
    }

    fn warn_of_others(&self, what: String) {
        *lock(&self.sole) = Some(self.node.graph.expect_alone(Kind::Publisher, &self.name, what));
    }
}
