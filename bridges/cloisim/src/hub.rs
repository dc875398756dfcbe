//! One service: what all instances with the same service address share.
//!
//! It keeps the devices of the world served: reads the description when that changes, opens and closes ports, and says
//! which topic goes where. [`registry`] says which services there are, [`keeper`] is its threads, [`control`] what
//! clients may ask of it, [`account`] what the host is told.

mod account;
mod control;
mod keeper;
pub(crate) mod registry;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::{Error, Result};

use crate::codes::UNFIT;
use crate::connection::Connection;
use crate::convert::Unfit;
use crate::device::{Device, Devices, Slot, devices};
use crate::discovery::markers::Markers;
use crate::member::{Member, Members, lock};
use crate::outlet::Post;
use crate::ports::{Owner, Ports};
use crate::reset::Desk;
use crate::socket::{Backend, backend};
use crate::station::{Station, Workshop};
use crate::tally::Tally;
use crate::wall;
use keeper::Threads;

/// Where the messages of a topic go.
type Routes = HashMap<String, Vec<(Arc<Station>, Slot)>>;

/// A service.
pub(crate) struct Hub {
    connection: Connection,
    members: Arc<Members>,
    ports: Arc<Mutex<Ports>>,
    stations: RwLock<Vec<Arc<Station>>>,
    routes: RwLock<Routes>,
    survey: Mutex<Survey>,
    post: Post,
    desk: Desk,
    markers: Mutex<Markers>,
    resets: control::Resets,
    misunderstood: Tally,
    started: Instant,
    threads: Threads,
    /// Last, so that it outlives the sockets it made.
    backend: Box<dyn Backend>,
}

/// What was last seen of the world.
#[derive(Default)]
struct Survey {
    revision: Option<u64>,
    description: WorldDescription,
    /// Instances came or went since.
    is_stale: bool,
    /// Reset epoch that was acted upon.
    epoch: Option<u32>,
    /// Unserved elements that were named, and devices whose ports cannot be had.
    named: BTreeSet<(String, String)>,
    refused: BTreeSet<Owner>,
}

impl Hub {
    /// Opens the service, with the world's own device.
    fn start(connection: &Connection, ports: Arc<Mutex<Ports>>) -> Result<Arc<Self>> {
        let hub = Arc::new(Hub {
            connection: connection.clone(),
            members: Arc::default(),
            ports,
            stations: RwLock::default(),
            routes: RwLock::default(),
            survey: Mutex::default(),
            post: Post::default(),
            desk: Desk::default(),
            markers: Mutex::default(),
            resets: control::Resets::default(),
            misunderstood: Tally::default(),
            started: wall::now(),
            threads: Threads::default(),
            backend: backend(connection.backend, connection.bind)?,
        });
        lock(&hub.survey).is_stale = true;
        hub.refresh();
        if let Err(error) = hub.start_threads() {
            hub.stop();
            return Err(error);
        }
        Ok(hub)
    }

    /// Ends threads, then ports. Nothing of the service runs afterwards.
    fn stop(&self) {
        self.post.end();
        self.desk.end();
        self.threads.end();
        self.post.set(Vec::new());
        self.tell_losses();
        self.set_routes(Routes::new());
        self.set_stations(Vec::new());
    }

    fn add(&self, member: Arc<Member>) {
        self.members.add(member);
        lock(&self.survey).is_stale = true;
        self.refresh();
    }

    /// True when nobody is left.
    fn remove(&self, member: &Arc<Member>) -> bool {
        let is_empty = self.members.remove(member);
        lock(&self.survey).is_stale = true;
        if !is_empty {
            self.refresh();
        }
        is_empty
    }

    fn stations(&self) -> Vec<Arc<Station>> {
        self.stations.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_stations(&self, stations: Vec<Arc<Station>>) {
        let before =
            std::mem::replace(&mut *self.stations.write().unwrap_or_else(PoisonError::into_inner), stations);
        // Ports are closed outside of the lock.
        drop(before);
    }

    fn set_routes(&self, routes: Routes) {
        *self.routes.write().unwrap_or_else(PoisonError::into_inner) = routes;
    }

    /// Serves what the world consists of now. Cheap where nothing has changed.
    pub(crate) fn refresh(&self) {
        let mut survey = lock(&self.survey);
        let known = if survey.is_stale { None } else { survey.revision };
        match self.members.description(known) {
            Some((revision, Ok(description))) => {
                survey.revision = Some(revision);
                survey.description = description;
            }
            Some((_, Err(error))) => log::warn!("the world cannot be described: {error} [{UNFIT}]"),
            None if !survey.is_stale => return,
            None => {}
        }
        survey.is_stale = false;
        let found = devices(&survey.description);
        self.name_unserved(&found, &mut survey);
        self.reserve(&found.served);
        let wanted: Vec<Device> = found.served.into_iter().filter(|device| self.is_wanted(device)).collect();
        self.serve(&wanted, &mut survey);
    }

    /// Names what clients will not find, once.
    fn name_unserved(&self, found: &Devices, survey: &mut Survey) {
        for (path, class) in &found.unserved {
            if survey.named.insert((path.clone(), class.clone())) {
                log::warn!(
                    "{path}: {class} is served by nobody here, so clients do not find it [BH-CLO-007]"
                );
            }
        }
    }

    /// Gives every device its ports, in the order of the world file and before anything starts: which instance comes
    /// first makes no difference.
    fn reserve(&self, devices: &[Device]) {
        let mut ports = lock(&self.ports);
        for device in devices {
            for key in device.keys {
                ports.give(&Owner::of(device, *key), &self.connection.ports);
            }
        }
    }

    /// Whether an instance of ours brings the device its messages.
    fn is_wanted(&self, device: &Device) -> bool {
        device.kind == crate::device::Kind::World || self.members.carry(&device.vehicle)
    }

    fn serve(&self, wanted: &[Device], survey: &mut Survey) {
        let before = self.stations().into_iter().map(|station| (station.device().identity(), station));
        let mut before: HashMap<_, Arc<Station>> = before.collect();
        let kept: Vec<Option<Arc<Station>>> =
            wanted.iter().map(|device| before.remove(&device.identity())).collect();
        // Those that go give their ports back first.
        self.publish(kept.iter().flatten().cloned().collect());
        drop(before);
        let workshop = Workshop {
            backend: self.backend.as_ref(),
            ports: &self.ports,
            range: &self.connection.ports,
            members: &self.members,
        };
        let mut stations = Vec::new();
        for (device, kept) in wanted.iter().zip(kept) {
            match kept {
                Some(station) => {
                    station.update(device);
                    stations.push(station);
                }
                None => {
                    let owner = device.keys.first().map(|key| Owner::of(device, *key));
                    if owner.as_ref().is_some_and(|owner| survey.refused.contains(owner)) {
                        continue;
                    }
                    let opened = Station::open(device, &workshop);
                    if opened.is_none() {
                        survey.refused.extend(owner);
                    }
                    stations.extend(opened);
                }
            }
        }
        self.publish(stations);
    }

    /// These are the devices from now on.
    fn publish(&self, stations: Vec<Arc<Station>>) {
        let mut routes = Routes::new();
        for station in &stations {
            for source in station.device().sources {
                routes.entry(source.topic).or_default().push((Arc::clone(station), source.slot));
            }
        }
        self.post.set(stations.iter().flat_map(|station| station.outlets().cloned()).collect());
        self.set_routes(routes);
        self.set_stations(stations);
        self.tell_ports();
    }

    /// Whether a device takes the messages of a topic.
    pub(crate) fn carries(&self, topic: &str) -> bool {
        self.routes.read().unwrap_or_else(PoisonError::into_inner).contains_key(topic)
    }

    /// Takes a message and sends what comes of it. Nothing comes of topics that no device has.
    ///
    /// # Errors
    /// Why it cannot be converted.
    pub(crate) fn take(&self, topic: &str, message: &[u8]) -> Result<(), Unfit> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let Some(ends) = routes.get(topic) else { return Ok(()) };
        ends.iter().try_for_each(|(station, slot)| station.take(*slot, message, &self.post))
    }

    /// The simulation is reset: what waits is from before, and the client is told. Every instance tells of it, and it
    /// counts once.
    pub(crate) fn reset(&self, epoch: u32) {
        {
            let mut survey = lock(&self.survey);
            if survey.epoch == Some(epoch) {
                return;
            }
            survey.epoch = Some(epoch);
        }
        self.stations().iter().for_each(|station| station.forget());
        self.post.forget();
        lock(&self.markers).clear();
        self.desk.request();
    }
}

/// An error of the system, with what was being done.
fn system(what: &str, error: std::io::Error) -> Error {
    Error::from(error).context(what)
}
