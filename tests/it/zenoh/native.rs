//! A peer in Rust: a node of ROS 2 as `rmw_zenoh` makes it, with the library of Zenoh and nothing of the bridge.
//!
//! Keys, tokens and attachments are in `names`, sessions in `session`. Types, their hashes and CDR are those of the plugin API,
//! which other tests compare with other libraries.

mod endpoint;
mod names;
mod session;
mod stack;
mod types;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zenoh::liveliness::LivelinessToken;
use zenoh::sample::SampleKind;
use zenoh::{Session, Wait as _};

use crate::ros2::Domain;
use crate::support::eventually;
use endpoint::{Client, Kept};

pub(super) use names::{Quality, endpoint_token, gid, node_token};
pub(super) use types::{hash, message_type, service_hash};

/// A session with one node.
pub(super) struct Node {
    // Endpoints end before their session.
    kept: Mutex<Vec<Kept>>,
    clients: Mutex<HashMap<String, Arc<Client>>>,
    graph: Graph,
    _alive: LivelinessToken,
    domain: u16,
    name: String,
    /// The number of the next endpoint; the node has the first.
    next: AtomicU32,
    session: Session,
}

/// The tokens in a domain, kept up to date by a subscriber.
struct Graph {
    tokens: Arc<Mutex<BTreeSet<String>>>,
    _changes: Box<dyn Send + Sync>,
}

impl Node {
    /// Joins the domain of a run, which must be one over Zenoh.
    #[track_caller]
    pub(super) fn start(domain: &Domain, name: &str) -> Self {
        let session = session::open(domain.endpoint().expect("a domain of Zenoh"));
        let graph = Graph::of(&session, domain.number());
        let zid = session.zid().to_string();
        let text = node_token(domain.number(), &zid, name);
        let alive = session.liveliness().declare_token(text).wait().expect("a token");
        Node {
            kept: Mutex::default(),
            clients: Mutex::default(),
            graph,
            _alive: alive,
            domain: domain.number(),
            name: name.to_owned(),
            next: AtomicU32::new(1),
            session,
        }
    }

    /// The tokens of other sessions.
    pub(super) fn tokens(&self) -> BTreeSet<String> {
        let own = self.session.zid().to_string();
        let tokens = lock(&self.graph.tokens);
        tokens.iter().filter(|token| token.split('/').nth(2) != Some(&own)).cloned().collect()
    }

    /// The id of the only session that is connected besides routers.
    #[track_caller]
    pub(super) fn only_peer(&self) -> String {
        let mut ids = Vec::new();
        eventually("another session is connected", || {
            ids = self.session.info().peers_zid().wait().map(|zid| zid.to_string()).collect();
            ids.len() == 1
        });
        ids.remove(0)
    }

    /// Whether another session announces a server of this name and type.
    fn has_server(&self, service: &str, ros_type: &str) -> bool {
        let wanted = ["SS", &names::mangled(service), &names::dds_name(ros_type)].map(str::to_owned);
        self.tokens().iter().any(|token| {
            let fields: Vec<&str> = token.split('/').collect();
            fields.len() > 10 && [fields[5], fields[9], fields[10]] == wanted
        })
    }

    /// The text of the token of a new endpoint.
    fn token(&self, kind: &str, name: &str, ros_type: &str, hash: &str, quality: &Quality) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let node = (self.domain, &*self.session.zid().to_string(), number, &*self.name);
        endpoint_token(node, kind, (name, ros_type, hash), quality)
    }

    /// Keeps an endpoint until the node ends.
    fn keep(&self, endpoint: Kept) {
        lock(&self.kept).push(endpoint);
    }
}

impl Graph {
    /// Gets the tokens of a domain and subscribes to changes; most of them arrive twice.
    #[track_caller]
    fn of(session: &Session, domain: u16) -> Self {
        let key = format!("@ros2_lv/{domain}/**");
        let tokens: Arc<Mutex<BTreeSet<String>>> = Arc::default();
        let found = session.liveliness().get(&key).wait().expect("a query");
        for reply in found {
            if let Ok(sample) = reply.result() {
                lock(&tokens).insert(sample.key_expr().to_string());
            }
        }
        let changed = Arc::clone(&tokens);
        let changes = session.liveliness().declare_subscriber(key).history(true).callback(move |sample| {
            let (mut tokens, text) = (lock(&changed), sample.key_expr().to_string());
            let _ = match sample.kind() {
                SampleKind::Put => tokens.insert(text),
                SampleKind::Delete => tokens.remove(&text),
            };
        });
        Graph { tokens, _changes: Box::new(changes.wait().expect("a subscriber")) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
