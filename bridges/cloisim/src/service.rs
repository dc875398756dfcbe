//! One service: what all instances with the same service address share.
//!
//! It keeps the devices of the world served: reads the description when that changes, opens and closes ports, and says
//! which topic goes where. [`registry`] says which services there are, [`threads`] is its threads, [`control`] what
//! clients may ask of it, [`report`] what the host is told.

mod control;
pub(crate) mod registry;
mod report;
mod threads;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::{Error, Result};

use crate::codes::CONVERSION_FAILED;
use crate::connection::Connection;
use crate::convert::ConversionError;
use crate::device::{Device, Devices, Slot, devices};
use crate::device_server::{DeviceServer, PortContext};
use crate::discovery::markers::Markers;
use crate::lock::lock;
use crate::member::{Member, Members};
use crate::ports::{Owner, Ports};
use crate::publish_port::PublishLoop;
use crate::repeat_counter::RepeatCounter;
use crate::reset::ResetNotifier;
use crate::socket::{Backend, backend};
use crate::wall;
use threads::Threads;

/// Where the messages of a topic go.
type Routes = HashMap<String, Vec<(Arc<DeviceServer>, Slot)>>;

/// A service.
pub(crate) struct CloisimService {
    connection: Connection,
    members: Arc<Members>,
    ports: Arc<Mutex<Ports>>,
    device_servers: RwLock<Vec<Arc<DeviceServer>>>,
    routes: RwLock<Routes>,
    known_world: Mutex<KnownWorld>,
    publish_loop: PublishLoop,
    reset_notifier: ResetNotifier,
    markers: Mutex<Markers>,
    resets: control::Resets,
    misunderstood: RepeatCounter,
    started: Instant,
    threads: Threads,
    /// Last, so that it outlives the sockets it made.
    backend: Box<dyn Backend>,
}

/// What was last seen of the world.
#[derive(Default)]
struct KnownWorld {
    revision: Option<u64>,
    description: WorldDescription,
    /// Instances came or went since.
    is_stale: bool,
    /// Reset epoch that was acted upon.
    epoch: Option<u32>,
    /// Unserved elements that were named, and devices whose ports cannot be had.
    logged_unsupported: BTreeSet<(String, String)>,
    failed_ports: BTreeSet<Owner>,
}

impl CloisimService {
    /// Opens the service, with the world's own device.
    fn start(connection: &Connection, ports: Arc<Mutex<Ports>>) -> Result<Arc<Self>> {
        let service = Arc::new(CloisimService {
            connection: connection.clone(),
            members: Arc::default(),
            ports,
            device_servers: RwLock::default(),
            routes: RwLock::default(),
            known_world: Mutex::default(),
            publish_loop: PublishLoop::default(),
            reset_notifier: ResetNotifier::default(),
            markers: Mutex::default(),
            resets: control::Resets::default(),
            misunderstood: RepeatCounter::default(),
            started: wall::now(),
            threads: Threads::default(),
            backend: backend(connection.backend, connection.bind)?,
        });
        lock(&service.known_world).is_stale = true;
        service.refresh();
        if let Err(error) = service.start_threads() {
            service.stop();
            return Err(error);
        }
        Ok(service)
    }

    /// Ends threads, then ports. Nothing of the service runs afterwards.
    fn stop(&self) {
        self.publish_loop.end();
        self.reset_notifier.end();
        self.threads.end();
        self.publish_loop.set(Vec::new());
        self.report_losses();
        self.set_routes(Routes::new());
        self.set_device_servers(Vec::new());
    }

    fn add(&self, member: Arc<Member>) {
        self.members.add(member);
        lock(&self.known_world).is_stale = true;
        self.refresh();
    }

    /// True when nobody is left.
    fn remove(&self, member: &Arc<Member>) -> bool {
        let is_empty = self.members.remove(member);
        lock(&self.known_world).is_stale = true;
        if !is_empty {
            self.refresh();
        }
        is_empty
    }

    fn device_servers(&self) -> Vec<Arc<DeviceServer>> {
        self.device_servers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_device_servers(&self, device_servers: Vec<Arc<DeviceServer>>) {
        let before = std::mem::replace(
            &mut *self.device_servers.write().unwrap_or_else(PoisonError::into_inner),
            device_servers,
        );
        // Ports are closed outside of the lock.
        drop(before);
    }

    fn set_routes(&self, routes: Routes) {
        *self.routes.write().unwrap_or_else(PoisonError::into_inner) = routes;
    }

    /// Serves what the world consists of now. Cheap where nothing has changed.
    pub(crate) fn refresh(&self) {
        let mut known_world = lock(&self.known_world);
        let known = if known_world.is_stale { None } else { known_world.revision };
        match self.members.description(known) {
            Some((revision, Ok(description))) => {
                known_world.revision = Some(revision);
                known_world.description = description;
            }
            Some((_, Err(error))) => {
                log::warn!("the world cannot be described: {error} [{CONVERSION_FAILED}]")
            }
            None if !known_world.is_stale => return,
            None => {}
        }
        known_world.is_stale = false;
        let found = devices(&known_world.description);
        self.log_unsupported(&found, &mut known_world);
        self.assign_ports(&found.served);
        let wanted: Vec<Device> = found.served.into_iter().filter(|device| self.has_bridge(device)).collect();
        self.update_device_servers(&wanted, &mut known_world);
    }

    /// Names what clients will not find, once.
    fn log_unsupported(&self, found: &Devices, known_world: &mut KnownWorld) {
        for (path, class) in &found.unsupported {
            if known_world.logged_unsupported.insert((path.clone(), class.clone())) {
                log::warn!(
                    "{path}: {class} is served by nobody here, so clients do not find it [BH-CLO-007]"
                );
            }
        }
    }

    /// Gives every device its ports, in the order of the world file and before anything starts: which instance comes
    /// first makes no difference.
    fn assign_ports(&self, devices: &[Device]) {
        let mut ports = lock(&self.ports);
        for device in devices {
            for key in device.keys {
                ports.assign(&Owner::of(device, *key), &self.connection.ports);
            }
        }
    }

    /// Whether an instance of ours brings the device its messages.
    fn has_bridge(&self, device: &Device) -> bool {
        device.kind == crate::device::Kind::World || self.members.serve_vehicle(&device.vehicle)
    }

    fn update_device_servers(&self, wanted: &[Device], known_world: &mut KnownWorld) {
        let before = self
            .device_servers()
            .into_iter()
            .map(|device_server| (device_server.device().identity(), device_server));
        let mut before: HashMap<_, Arc<DeviceServer>> = before.collect();
        let kept: Vec<Option<Arc<DeviceServer>>> =
            wanted.iter().map(|device| before.remove(&device.identity())).collect();
        // Those that go give their ports back first.
        self.apply(kept.iter().flatten().cloned().collect());
        drop(before);
        let context = PortContext {
            backend: self.backend.as_ref(),
            ports: &self.ports,
            range: &self.connection.ports,
            members: &self.members,
        };
        let mut device_servers = Vec::new();
        for (device, kept) in wanted.iter().zip(kept) {
            match kept {
                Some(device_server) => {
                    device_server.update(device);
                    device_servers.push(device_server);
                }
                None => {
                    let owner = device.keys.first().map(|key| Owner::of(device, *key));
                    if owner.as_ref().is_some_and(|owner| known_world.failed_ports.contains(owner)) {
                        continue;
                    }
                    let opened = DeviceServer::open(device, &context);
                    if opened.is_none() {
                        known_world.failed_ports.extend(owner);
                    }
                    device_servers.extend(opened);
                }
            }
        }
        self.apply(device_servers);
    }

    /// These are the devices from now on.
    fn apply(&self, device_servers: Vec<Arc<DeviceServer>>) {
        let mut routes = Routes::new();
        for device_server in &device_servers {
            for source in device_server.device().sources {
                routes.entry(source.topic).or_default().push((Arc::clone(device_server), source.slot));
            }
        }
        self.publish_loop.set(
            device_servers.iter().flat_map(|device_server| device_server.publish_ports().cloned()).collect(),
        );
        self.set_routes(routes);
        self.set_device_servers(device_servers);
        self.publish_port_states();
    }

    /// Whether a device takes the messages of a topic.
    pub(crate) fn has_route(&self, topic: &str) -> bool {
        self.routes.read().unwrap_or_else(PoisonError::into_inner).contains_key(topic)
    }

    /// Takes a message and sends what comes of it. Nothing comes of topics that no device has.
    ///
    /// # Errors
    /// Why it cannot be converted.
    pub(crate) fn send(&self, topic: &str, message: &[u8]) -> Result<(), ConversionError> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let Some(route) = routes.get(topic) else { return Ok(()) };
        route.iter().try_for_each(|(device_server, slot)| {
            device_server.convert_and_send(*slot, message, &self.publish_loop)
        })
    }

    /// The simulation is reset: what waits is from before, and the client is told. Every instance tells of it, and it
    /// counts once.
    pub(crate) fn reset(&self, epoch: u32) {
        {
            let mut known_world = lock(&self.known_world);
            if known_world.epoch == Some(epoch) {
                return;
            }
            known_world.epoch = Some(epoch);
        }
        self.device_servers().iter().for_each(|device_server| device_server.clear());
        self.publish_loop.clear();
        lock(&self.markers).clear();
        self.reset_notifier.request();
    }
}

/// An error of the system, with what was being done.
fn system(what: &str, error: std::io::Error) -> Error {
    Error::from(error).context(what)
}
