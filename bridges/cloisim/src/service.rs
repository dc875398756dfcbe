//! One service, shared by all instances with the same service address.
//!
//! It serves the devices of the world: it reads the description when that changes, opens and closes ports, and routes
//! topics to devices. [`registry`] lists the services of the process, [`threads`] runs their threads, [`control`]
//! carries out commands of clients, [`report`] reports ports and losses to the host.

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
use crate::wall_clock;
use threads::Threads;

/// Device servers of each topic.
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
    /// Last, so that it is dropped after the sockets it made.
    backend: Box<dyn Backend>,
}

/// The world as it was last read.
#[derive(Default)]
struct KnownWorld {
    revision: Option<u64>,
    description: WorldDescription,
    /// Instances were added or removed since.
    is_stale: bool,
    /// Reset epoch that was handled last.
    epoch: Option<u32>,
    /// Unsupported elements that were logged, and owners whose port could not be opened.
    logged_unsupported: BTreeSet<(String, String)>,
    failed_ports: BTreeSet<Owner>,
}

impl CloisimService {
    /// Opens the service with the device of the world.
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
            started: wall_clock::now(),
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

    /// Stops the threads, then closes the ports. Nothing of the service runs afterwards.
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

    /// Returns true if no instance is left.
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
        // Ports are closed outside the lock.
        drop(before);
    }

    fn set_routes(&self, routes: Routes) {
        *self.routes.write().unwrap_or_else(PoisonError::into_inner) = routes;
    }

    /// Updates the served devices to the current world. Cheap if nothing has changed.
    pub(crate) fn refresh(&self) {
        let mut known_world = lock(&self.known_world);
        let known = if known_world.is_stale { None } else { known_world.revision };
        match self.members.description(known) {
            Some((revision, Ok(description))) => {
                known_world.revision = Some(revision);
                known_world.description = description;
            }
            Some((_, Err(error))) => {
                log::warn!("[{CONVERSION_FAILED}] the description of the world cannot be read: {error}")
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

    /// Logs each unsupported element, and each missing sensor, camera and module, once.
    fn log_unsupported(&self, found: &Devices, known_world: &mut KnownWorld) {
        for (path, class) in &found.unsupported {
            if known_world.logged_unsupported.insert((path.clone(), class.clone())) {
                log::warn!("[BH-CLO-007] {path}: no plugin here serves {class}, so clients do not find it");
            }
        }
        for (path, sensor) in &found.missing {
            if known_world.logged_unsupported.insert((path.clone(), sensor.clone())) {
                log::warn!(
                    "[BH-CLO-016] {path}: its model has no sensor, link or model `{sensor}` with such data, so clients receive NaN; try: a name of its own model"
                );
            }
        }
        for (path, text) in &found.absent {
            if known_world.logged_unsupported.insert((path.clone(), text.clone())) {
                log::warn!("[BH-CLO-017] {path}: {text}; clients do not find it");
            }
        }
    }

    /// Assigns ports to every device in the order of the world file before anything starts, so that they do not
    /// depend on the order in which instances connect.
    fn assign_ports(&self, devices: &[Device]) {
        let mut ports = lock(&self.ports);
        for device in devices {
            for key in &device.keys {
                ports.assign(&Owner::of(device, *key), &self.connection.ports);
            }
        }
    }

    /// Returns true if an instance of this service carries the topics of the device.
    fn has_bridge(&self, device: &Device) -> bool {
        device.kind == crate::device::Kind::World || self.members.serve_vehicle(&device.vehicle)
    }

    fn update_device_servers(&self, wanted: &[Device], known_world: &mut KnownWorld) {
        let before = self
            .device_servers()
            .into_iter()
            .map(|device_server| (device_server.device().identity(), device_server));
        let mut before: HashMap<_, Arc<DeviceServer>> = before.collect();
        let mut keep = |device: &Device| {
            let known = before.remove(&device.identity());
            // Another number of modules needs other ports.
            known.filter(|known| known.device().keys == device.keys)
        };
        let kept: Vec<Option<Arc<DeviceServer>>> = wanted.iter().map(&mut keep).collect();
        // Removed devices release their ports first.
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

    /// Replaces the served devices.
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
        self.report_ports();
    }

    /// Returns true if a device converts the messages of a topic.
    pub(crate) fn has_route(&self, topic: &str) -> bool {
        self.routes.read().unwrap_or_else(PoisonError::into_inner).contains_key(topic)
    }

    /// Converts a message and sends the result. Topics without a device are ignored.
    ///
    /// # Errors
    /// Returns an error if the message cannot be converted.
    pub(crate) fn send(&self, topic: &str, message: &[u8]) -> Result<(), ConversionError> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let Some(route) = routes.get(topic) else { return Ok(()) };
        route.iter().try_for_each(|(device_server, slot)| {
            device_server.convert_and_send(*slot, message, &self.publish_loop)
        })
    }

    /// Handles a reset: discards pending messages of the time before and notifies the client. Every instance reports
    /// the reset; it is handled once per epoch.
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

/// A system error with the action that failed.
fn system(what: &str, error: std::io::Error) -> Error {
    Error::from(error).context(what)
}
