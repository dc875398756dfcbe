//! The session of one server: channels, services and clients, shared by all instances with equal connection strings.
//!
//! - [`channel`] is an outgoing topic, [`input`] an incoming one, [`service`] a service; [`offers`] announces them.
//! - [`callbacks`] are called for clients by the thread of the server; [`client`] is what is kept of each.
//! - [`subscriptions`], [`publications`], [`calls`], [`parameters`] and [`graph`] answer their requests; [`status`] reads
//!   the status of the host, and [`later`] has responses encoded on the thread of the server.
//! - [`ticks`] is what happens repeatedly: time, changes of parameters and of the connection graph.
//! - [`display`] has the channels of the scene and its frames, which [`show`] sends on a thread of its own.
//!
//! Locks are held for short times and taken in this order: the state, what [`display`] has, the flow of a channel.
//! Services are called without locks, since the reply may run within the call.

mod callbacks;
mod calls;
pub(crate) mod channel;
mod client;
mod display;
mod graph;
pub(crate) mod input;
mod later;
mod offers;
mod parameters;
mod publications;
pub(crate) mod service;
mod show;
mod statics;
mod status;
mod subscriptions;
mod ticks;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_websocket::{Frame, Server, SharedServers};

use self::callbacks::Callbacks;
use self::channel::Channel;
use self::client::Client;
use self::display::Display;
use self::input::Input;
use self::service::Service;
use self::status::{Readings, Told};
use self::ticks::Schedule;
use crate::assets::Assets;
use crate::codec::Encoding;
use crate::codes;
use crate::connection::Connection;
use crate::lock::lock;

/// The servers of this plugin.
static SERVERS: SharedServers<Callbacks> = SharedServers::new();

/// A server with its session.
pub(crate) type FoxgloveServer = Server<Callbacks>;

/// Returns the running server of a connection string, or starts it.
///
/// # Errors
/// Returns an error if the address cannot be used, or has a server with other options.
pub(crate) fn join(connection: &Connection) -> Result<Arc<FoxgloveServer>> {
    let failed = |reason: String| {
        let code = codes::SERVER;
        Error::new(format!("[{code}] {reason}"))
    };
    let server = SERVERS.join(&connection.server, || Callbacks(Session::new(connection.clone())));
    let server = server.map_err(|error| failed(error.to_string()))?;
    if server.protocol().session().connection == *connection {
        return Ok(server);
    }
    let address = connection.server.address;
    Err(failed(format!(
        "another instance listens on {address} with other options; instances of one address need equal connection \
         strings"
    )))
}

/// One session.
pub(crate) struct Session {
    /// Itself, for replies of services.
    weak: Weak<Session>,
    connection: Connection,
    /// Tells clients whether they are connected to the same session again.
    id: String,
    state: Mutex<State>,
    display: Display,
    assets: Assets,
    /// The instance whose transmit loop calls [`Session::tick`]; 0 for none.
    keeper: AtomicU64,
    schedule: Mutex<Schedule>,
    /// Simulated time and number of resets that clients have.
    time: Mutex<Option<(i64, u32)>>,
    /// The description of the world, by its revision.
    world: Mutex<(Option<u64>, Arc<WorldDescription>)>,
    /// Whether the connection graph may have changed.
    has_new_graph: AtomicBool,
    readings: Mutex<Readings>,
    /// A status for clients that get changes of parameters.
    told: Mutex<Option<Told>>,
    /// Losses of clients that were not reported to the host yet.
    lost: AtomicU64,
}

/// What clients see, and the clients.
#[derive(Default)]
struct State {
    last_id: u32,
    channels: BTreeMap<u32, Offered>,
    services: BTreeMap<u32, Arc<Service>>,
    inputs: Vec<Arc<Input>>,
    clients: BTreeMap<u64, Client>,
    /// The instances by their numbers.
    hosts: BTreeMap<u64, HostHandle>,
}

/// A channel with its publishers, by the vehicles that they belong to.
struct Offered {
    channel: Arc<Channel>,
    publishers: Vec<(u64, String)>,
}

impl State {
    /// Returns an id that no channel or service had before.
    fn next_id(&mut self) -> u32 {
        self.last_id = self.last_id.wrapping_add(1);
        self.last_id
    }

    /// Sends every client the same text.
    fn tell_all(&self, text: String) {
        let frame = Frame::text(text);
        self.clients.values().for_each(|client| client.link.reply(frame.clone()));
    }
}

impl Session {
    fn new(connection: Connection) -> Arc<Self> {
        let mut state = State::default();
        let display = Display::new(&mut state);
        let mut folders = connection.assets.clone();
        folders.extend(crate::assets::file::environment());
        Arc::new_cyclic(|weak| Session {
            weak: Weak::clone(weak),
            assets: Assets::new(folders),
            connection,
            id: unique(),
            state: Mutex::new(state),
            display,
            keeper: AtomicU64::new(0),
            schedule: Mutex::default(),
            time: Mutex::default(),
            world: Mutex::default(),
            has_new_graph: AtomicBool::new(true),
            readings: Mutex::default(),
            told: Mutex::default(),
            lost: AtomicU64::new(0),
        })
    }

    /// Returns the encoding of channels.
    pub(crate) fn encoding(&self) -> Encoding {
        self.connection.encoding
    }

    /// Registers an instance.
    pub(crate) fn enter(&self, instance: u64, host: HostHandle) {
        lock(&self.state).hosts.insert(instance, host);
    }

    /// Removes an instance.
    pub(crate) fn leave(&self, instance: u64) {
        lock(&self.state).hosts.remove(&instance);
        self.release(instance);
    }

    /// Returns the host of any instance.
    fn host(&self) -> Option<HostHandle> {
        lock(&self.state).hosts.values().next().copied()
    }

    /// Returns the description of the world as it is now.
    fn world(&self) -> Arc<WorldDescription> {
        let description = self.host().and_then(|host| host.description().ok());
        let mut world = lock(&self.world);
        if let Some(description) = description {
            let revision = Some(description.revision());
            if world.0 != revision
                && let Ok(read) = description.read()
            {
                *world = (revision, Arc::new(read));
                self.has_new_graph.store(true, Ordering::Release);
            }
        }
        Arc::clone(&world.1)
    }
}

/// Returns a text that no other session has.
fn unique() -> String {
    let random = std::fs::read_to_string("/proc/sys/kernel/random/uuid");
    random.map_or_else(|_| std::process::id().to_string(), |text| text.trim().to_owned())
}
