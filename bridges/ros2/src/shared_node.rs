//! The node that instances share: one for equal options, of the world and all vehicles.
//!
//! The only state that instances share. Called from `[main]` only.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::lock::lock;

use crate::connection::Connection;
use crate::connection::network;
use crate::dds::{ParticipantOptions, ParticipantPool, guard};
use crate::service::{Mapping, Services, TakenNames};

/// One node, which exists as long as an instance is connected to it.
pub(crate) struct SharedNode {
    pub(crate) participants: Arc<ParticipantPool>,
    services: Mutex<Vec<(Mapping, Weak<Services>)>>,
    taken: Arc<TakenNames>,
}

static NODES: Mutex<Vec<Weak<SharedNode>>> = Mutex::new(Vec::new());

impl SharedNode {
    /// Joins the domain, or returns the open node with equal options.
    ///
    /// # Errors
    /// Returns an error if an interface does not exist or the domain cannot be joined.
    pub(crate) fn join(connection: &Connection) -> Result<Arc<Self>> {
        let options = ParticipantOptions {
            domain: connection.domain,
            network: network::resolve(&connection.interfaces)?,
            node: connection.settings.node.clone(),
            gid: connection.gid,
        };
        // Held while the node opens, so that instances that connect at the same time share it.
        let mut open_nodes = lock(&NODES);
        open_nodes.retain(|node| node.strong_count() > 0);
        let has_options = |node: &Arc<SharedNode>| *node.participants.options() == options;
        if let Some(open) = open_nodes.iter().filter_map(Weak::upgrade).find(has_options) {
            return Ok(open);
        }
        if !guard::is_in_effect() {
            return Err(unguarded());
        }
        let node = Arc::new(SharedNode {
            participants: Arc::new(ParticipantPool::open(options)?),
            services: Mutex::default(),
            taken: Arc::default(),
        });
        open_nodes.push(Arc::downgrade(&node));
        Ok(node)
    }

    /// Returns the services of this node that are offered to these clients.
    ///
    /// # Errors
    /// Returns an error if their thread cannot be started.
    pub(crate) fn services(&self, mapping: Mapping) -> Result<Arc<Services>> {
        let mut services = lock(&self.services);
        services.retain(|(_, services)| services.strong_count() > 0);
        let open = services.iter().filter(|(open, _)| *open == mapping).find_map(|(_, open)| open.upgrade());
        if let Some(open) = open {
            return Ok(open);
        }
        let new = Services::new(&self.participants, mapping, &self.taken)?;
        services.push((mapping, Arc::downgrade(&new)));
        Ok(new)
    }
}

fn unguarded() -> Error {
    Error::unsupported(
        "[BH-ROS-011] this library was linked without the guard of its sockets, so a datagram could end the host; build \
         it with the linker arguments of its `build.rs`, which a linker other than `ld` or `lld` may not support",
    )
}
