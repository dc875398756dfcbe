//! The yard with the bridge: each test has its own host on its own ports.

use std::net::TcpListener;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::atomic::{AtomicU16, Ordering};

use serde_json::{Value, json};

use super::discovery::{self, Discovery};
use super::wire::{Publisher, Requester, Subscriber};
use crate::support::{CLOISIM_YARD, Finished, Served, Setup, eventually, worlds};

/// Number of ports of a test; the first one is for the service.
const PORTS: u16 = 100;

/// The ports and options of a host; a host that is started later can use them again.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) service: u16,
    options: String,
}

impl Place {
    /// Finds free ports.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU16 = AtomicU16::new(24_000);
        loop {
            let service = NEXT.fetch_add(PORTS, Ordering::Relaxed);
            assert!(service < 31_900, "no ports are left");
            let is_free = |port| TcpListener::bind(("127.0.0.1", port)).is_ok();
            if (service..service + PORTS).all(is_free) {
                return Place { service, options: String::new() };
            }
        }
    }

    pub(super) fn with(mut self, options: &str) -> Self {
        self.options.push_str(options);
        self
    }

    fn attachment(&self) -> String {
        let (service, options) = (self.service, &self.options);
        let (first, last) = (service + 1, service + PORTS - 1);
        format!("*=cloisim:127.0.0.1:{service};ports={first}-{last}{options}")
    }
}

/// A host with the bridge.
pub(super) struct Yard {
    host: Served,
    place: Place,
}

impl Deref for Yard {
    type Target = Served;

    fn deref(&self) -> &Served {
        &self.host
    }
}

impl DerefMut for Yard {
    fn deref_mut(&mut self) -> &mut Served {
        &mut self.host
    }
}

impl Yard {
    /// Starts the yard in real time.
    #[track_caller]
    pub(super) fn start() -> Self {
        Yard::start_at(&Place::new())
    }

    #[track_caller]
    pub(super) fn start_at(place: &Place) -> Self {
        Yard::prepare(place, Setup::new().in_real_time(), &worlds().join("cloisim_yard.sdf"))
    }

    /// Starts the yard unthrottled.
    #[track_caller]
    pub(super) fn unthrottled() -> Self {
        Yard::prepare(&Place::new(), Setup::new(), &worlds().join("cloisim_yard.sdf"))
    }

    /// Starts another world in real time, and waits for a robot of it.
    #[track_caller]
    pub(super) fn with_world(world: &Path, robot: &str) -> Self {
        Yard::prepared(&Place::new(), Setup::new().in_real_time(), world, robot)
    }

    /// Starts a world given as text in real time, and waits for a robot of it.
    #[track_caller]
    pub(super) fn with_text(sdf: &str, robot: &str) -> Self {
        let setup = Setup::new().in_real_time();
        let world = setup.file("world.sdf", sdf);
        Yard::prepared(&Place::new(), setup, &world, robot)
    }

    /// Starts another world unthrottled with these plugins, with the options of this yard and on other ports.
    #[track_caller]
    pub(super) fn beside(&self, world: &str, plugins: &[&str]) -> Self {
        let setup = Setup::new().plugins(plugins);
        let file = setup.file("world.sdf", world);
        Yard::prepared(&Place::new().with(&self.place.options), setup, &file, "World")
    }

    #[track_caller]
    fn prepare(place: &Place, setup: Setup, world: &Path) -> Self {
        Yard::prepared(place, setup, world, "robot2")
    }

    #[track_caller]
    fn prepared(place: &Place, setup: Setup, world: &Path, robot: &str) -> Self {
        let setup = setup.plugins(CLOISIM_YARD).plugins(&["cloisim"]).run(world).bridge(place.attachment());
        let yard = Yard { host: Served::start(setup), place: place.clone() };
        eventually("time advances", || yard.status("time_ns") > 0);
        eventually("the robots are listed", || yard.listed().get(robot).is_some());
        yard
    }

    /// The port of the service.
    pub(super) fn service(&self) -> u16 {
        self.place.service
    }

    /// Returns the list of devices without the checks of a client.
    fn listed(&self) -> Value {
        let found = Discovery::connect(self.service(), "/control");
        found.map_or(Value::Null, |mut discovery| discovery.ask(discovery::DEVICE_LIST)["result"].take())
    }

    /// Returns the devices as a client finds them.
    #[track_caller]
    pub(super) fn devices(&self) -> Value {
        discovery::devices(self.service())
    }

    /// Returns the answer of `/control` to a request in standard JSON, which programs other than `cloisim_ros` send.
    #[track_caller]
    pub(super) fn control(&self, request: &Value) -> Value {
        Discovery::connect(self.service(), "/control").expect("a connection").ask(&request.to_string())
    }

    /// Returns the only device of a type in a model.
    #[track_caller]
    pub(super) fn device(&self, model: &str, kind: &str) -> Device {
        let devices = self.devices();
        let parts = devices[model][kind].as_object().filter(|parts| parts.len() == 1);
        let parts = parts.unwrap_or_else(|| panic!("expected exactly one {kind} of {model} in {devices:#}"));
        let (name, ports) = parts.iter().next().expect("one");
        Device { ports: ports.clone(), prefix: format!("{model}{name}") }
    }

    /// Returns the device of a type in a model whose name contains a text.
    #[track_caller]
    pub(super) fn part(&self, model: &str, kind: &str, part: &str) -> Device {
        let devices = self.devices();
        let parts = devices[model][kind].as_object().unwrap_or_else(|| panic!("no {kind} in {devices:#}"));
        let found = parts.iter().find(|(name, _)| name.contains(part));
        let (name, ports) = found.unwrap_or_else(|| panic!("no {part} in {devices:#}"));
        Device { ports: ports.clone(), prefix: format!("{model}{name}") }
    }

    /// Pauses or resumes the simulation.
    #[track_caller]
    pub(super) fn set_state(&self, state: u64) {
        self.ok("set_simulation_state", json!({ "state": { "state": state } }));
    }

    /// Kills the host without a clean shutdown; returns its ports and options.
    #[track_caller]
    pub(super) fn kill(self) -> Place {
        self.host.signal(libc::SIGKILL);
        assert_eq!(self.host.finish().signal(), Some(libc::SIGKILL));
        self.place
    }

    #[track_caller]
    pub(super) fn finish(self) -> Finished {
        self.host.signal(libc::SIGINT);
        self.host.finish()
    }
}

/// A device in the list that a client received.
pub(super) struct Device {
    ports: Value,
    prefix: String,
}

impl Device {
    #[track_caller]
    pub(super) fn port(&self, key: &str) -> u16 {
        let port = self.ports[key].as_u64().and_then(|port| u16::try_from(port).ok());
        port.unwrap_or_else(|| panic!("no {key} in {}", self.ports))
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    #[track_caller]
    pub(super) fn subscriber(&self, key: &str) -> Subscriber {
        Subscriber::on(self.port(key), &self.key(key))
    }

    #[track_caller]
    pub(super) fn publisher(&self, key: &str) -> Publisher {
        Publisher::on(self.port(key), &self.key(key))
    }

    #[track_caller]
    pub(super) fn requester(&self) -> Requester {
        self.requester_on("Info")
    }

    #[track_caller]
    pub(super) fn requester_on(&self, key: &str) -> Requester {
        Requester::on(self.port(key), &self.key(key))
    }
}
