//! The node that instances share: one for equal options, of the world and all vehicles. It has a session of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::names::NodeName;
use zenoh::liveliness::LivelinessToken;
use zenoh::{Session, Wait as _};

use crate::codes::{ROUTER, TAKEN};
use crate::network::{Mode, Network};
use crate::ros2::connection::Connection;
use crate::ros2::graph::Graph;
use crate::ros2::ids::{Id, Ids};
use crate::ros2::wire::gid::Gid;
use crate::ros2::wire::key::TypePart;
use crate::ros2::wire::token::{Issuer, Kind};
use crate::session::{self, not_declared};

/// What instances must agree on to share a node.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Options {
    network: Network,
    domain: u16,
    name: NodeName,
}

/// One node, which exists as long as an instance is connected to it.
pub(crate) struct SharedNode {
    options: Options,
    issuer: Issuer,
    ids: Arc<Ids>,
    pub(crate) graph: Arc<Graph>,
    /// The services that are offered, by their names.
    offered: Mutex<HashMap<String, Weak<()>>>,
    #[expect(dead_code, reason = "the node leaves the graph when it is dropped")]
    token: LivelinessToken,
    /// Last: it outlasts everything that is declared in it.
    pub(crate) session: Session,
}

/// What makes an endpoint known.
pub(crate) struct Known {
    #[expect(dead_code, reason = "the endpoint leaves the graph when it is dropped")]
    token: LivelinessToken,
    pub(crate) gid: Gid,
    /// Last: it is free for another endpoint once the token is gone.
    pub(crate) id: Id,
}

static NODES: Mutex<Vec<Weak<SharedNode>>> = Mutex::new(Vec::new());

impl SharedNode {
    /// Opens a session with a node, or returns the open node with equal options.
    ///
    /// # Errors
    /// Returns an error if the session cannot be opened.
    pub(crate) fn join(connection: &Connection) -> Result<Arc<Self>> {
        let options = Options {
            network: connection.network.clone(),
            domain: connection.domain,
            name: connection.settings.node.clone(),
        };
        // Held while the session opens, so that instances that connect at the same time share it.
        let mut nodes = lock(&NODES);
        nodes.retain(|node| node.strong_count() > 0);
        if let Some(node) = nodes.iter().filter_map(Weak::upgrade).find(|node| node.options == options) {
            return Ok(node);
        }
        let node = Arc::new(SharedNode::open(options)?);
        nodes.push(Arc::downgrade(&node));
        Ok(node)
    }

    fn open(options: Options) -> Result<Self> {
        let session = session::open(&options.network)?;
        let zid = session.zid().to_string();
        let issuer = Issuer::new(options.domain, zid.clone(), options.name.clone());
        let node_token = issuer.node();
        let token = session.liveliness().declare_token(&node_token).wait();
        let token = token.map_err(|error| not_declared("the node", &node_token, &error))?;
        let graph = Graph::watch(&session, options.domain, zid)?;
        report_router(&session, &options.network);
        let (ids, offered) = (Arc::default(), Mutex::default());
        Ok(SharedNode { options, issuer, ids, graph, offered, token, session })
    }

    pub(crate) fn domain(&self) -> u16 {
        self.options.domain
    }

    /// Makes an endpoint known, which exists already. Dropping the result withdraws it.
    ///
    /// # Errors
    /// Returns an error if Zenoh does not declare its token.
    pub(crate) fn make_known(
        &self,
        kind: Kind,
        name: &str,
        type_part: &TypePart,
        qos: &str,
    ) -> Result<Known> {
        let id = self.ids.take(self.issuer.endpoint(0, kind, name, type_part, qos));
        let text = self.issuer.endpoint(id.number, kind, name, type_part, qos);
        let token = self.session.liveliness().declare_token(&text).wait();
        let token = token.map_err(|error| not_declared(name, &text, &error))?;
        Ok(Known { token, gid: Gid::of(&text), id })
    }

    /// Takes the name of a service, which is taken until the result is dropped.
    ///
    /// # Errors
    /// Returns an error if it is taken.
    pub(crate) fn take_name(&self, name: &str) -> Result<Arc<()>> {
        let mut offered = lock(&self.offered);
        offered.retain(|_, holder| holder.strong_count() > 0);
        if offered.contains_key(name) {
            let text = format!(
                "[{TAKEN}] the service {name} is already offered by this node, and clients would get two replies; attach one \
                 bridge to the world, or give the service another name"
            );
            return Err(Error::with_status(status::EXISTS, text));
        }
        let holder = Arc::new(());
        offered.insert(name.to_owned(), Arc::downgrade(&holder));
        Ok(holder)
    }
}

/// Says if no router is there: without one, nodes do not find each other.
fn report_router(session: &Session, network: &Network) {
    let is_alone = network.mode == Mode::Peer && session.info().routers_zid().wait().next().is_none();
    if is_alone && !network.connect.is_empty() {
        log::warn!(
            "[{ROUTER}] no router of Zenoh answers at {}: nodes do not find this one before it runs; start `ros2 run \
             rmw_zenoh_cpp rmw_zenohd`, or give `mode=router`",
            network.connect.join(",")
        );
    }
}
