//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` opens the port and, for an autopilot, holds the simulation; the `[tx]` loop exchanges messages.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_autopilot::commands::{Commanded, Sinks};
use bridgehead_plugin_api::bridge::{ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, Sink, Tx};
use bridgehead_plugin_api::host::{HostHandle, Late};
use bridgehead_plugin_api::{Error, Request, Result};

use crate::codes::{SENSOR, SOCKET};
use crate::connection::{Connection, PeerKind};
use crate::hil::Exchange;
use crate::message::Sender;
use crate::server::Server;
use crate::station::{self, Rates, Station};
use bridgehead_autopilot::vehicle::{Chosen, Kind, Source};

/// How long a step may wait for the autopilot, unless the configuration says otherwise; then the run ends.
const LIMIT: Duration = Duration::from_secs(60);
/// Who sends samples, as the simulators of PX4 do.
const SIMULATOR: Sender = Sender { system: 1, component: 200 };
/// What an autopilot should have, with its sensors.
const SENSORS: [(Kind, &str); 3] = [
    (Kind::Magnetic, "compass (a sensor of type `magnetometer`)"),
    (Kind::Pressure, "barometer (a sensor of type `air_pressure`)"),
    (Kind::Fix, "GPS (a sensor of type `navsat`)"),
];

/// One instance.
pub(crate) struct MavLink {
    host: HostHandle,
    state: Mutex<State>,
    sinks: Arc<Sinks>,
}

#[derive(Default)]
struct State {
    status: BridgeStatus,
    /// Exists from connect until the loop takes it.
    ready: Option<(Connection, Open)>,
    /// What the vehicle publishes.
    sources: Vec<Source>,
}

/// A port that is open.
enum Open {
    Autopilot(Server),
    Station(Station),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MavLink {
    /// Waits for an autopilot, and holds the simulation for it.
    fn listen(&self, address: SocketAddr) -> Result<Server> {
        let server = Server::listen(address, SIMULATOR).map_err(|error| {
            Error::new(format!(
                "[{SOCKET}] no port for an autopilot at {address}: {error}; each vehicle needs another one, such as by \
                 `instance=1`"
            ))
        })?;
        let bound = server.address().unwrap_or(address);
        self.host.stepping()?.hold(Some(LIMIT), Late::End)?;
        self.host.report()?.endpoint(&bound.to_string(), "PX4 connects here for simulation");
        log::info!("waits for PX4 at {bound}");
        Ok(server)
    }

    fn show(address: SocketAddr, system: u8) -> Result<Station> {
        let station = Station::open(address, system).map_err(|error| {
            Error::new(format!(
                "[{SOCKET}] no port towards the ground station at {address}: {error}; choose another one, or another `instance=`"
            ))
        })?;
        log::info!("shows the vehicle as system {system} to the ground station at {address}");
        Ok(station)
    }
}

/// Returns an error if a sensor is missing without which nothing can be sent, and logs those without which an autopilot does
/// not fly.
fn check_sensors(chosen: &Chosen, peer: PeerKind) -> Result {
    let (needed, name, what) = match peer {
        PeerKind::Autopilot(_) => {
            (Kind::Imu, "`sensor_msgs/msg/Imu`; add a sensor of type `imu` to it", "imu")
        }
        PeerKind::Station(_) => (
            Kind::Odometry,
            "`nav_msgs/msg/Odometry`; add the plugin `odometry_publisher` with `<dimensions>3</dimensions>` to it",
            "odometry",
        ),
    };
    if !chosen.has(needed) {
        return Err(Error::invalid(format!(
            "[{SENSOR}] the vehicle has no topic of {name}, or name its topic with `{what}=`"
        )));
    }
    if let PeerKind::Autopilot(_) = peer {
        for (_, missing) in SENSORS.iter().filter(|(kind, _)| !chosen.has(*kind)) {
            log::warn!("[{SENSOR}] the vehicle has no {missing}: PX4 may refuse to arm");
        }
    }
    Ok(())
}

impl Bridge for MavLink {
    type Connection = Connection;
    type Publisher = Source;
    type Subscriber = Commanded;

    const LOOPS: Loops = Loops::TRANSMIT;
    const IS_LOSSLESS: bool = false;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        // Of other types, `publisher` leaves the topics out, which is no problem that the host reports.
        registrar.add_publisher(ANY_TYPE)?;
        Sinks::register(registrar)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(MavLink { host, state: Mutex::default(), sinks: Arc::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        let open = match connection.peer {
            PeerKind::Autopilot(address) => Open::Autopilot(self.listen(address)?),
            PeerKind::Station(address) => Open::Station(Self::show(address, connection.system)?),
        };
        let mut state = lock(&self.state);
        state.ready = Some((connection, open));
        state.status = BridgeStatus::Connected;
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let mut state = lock(&self.state);
        state.ready = None;
        state.status = BridgeStatus::Disconnected;
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        lock(&self.state).status
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Source> {
        let data_type = channel.data_type().name;
        if !Kind::has_type(data_type) {
            return Err(Error::unsupported(format!(
                "`{data_type}` is of no sensor that MAVLink carries here"
            )));
        }
        let source = Source { data_type: data_type.to_owned(), topic: channel.topic().to_owned() };
        lock(&self.state).sources.push(source.clone());
        Ok(source)
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Commanded> {
        Ok(self.sinks.add(channel, sink))
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let (ready, sources) = {
            let mut state = lock(&self.state);
            (state.ready.take(), state.sources.clone())
        };
        let Some((connection, open)) = ready else { return Ok(()) };
        let chosen = Chosen::among(&sources, &connection.named);
        let checked = check_sensors(&chosen, connection.peer);
        let is_held = matches!(open, Open::Autopilot(_));
        let ended = checked.and_then(|()| match open {
            Open::Autopilot(server) => {
                let stepping = self.host.stepping()?;
                Exchange::new(stepping, connection, server, &self.sinks, chosen).run(tx)
            }
            Open::Station(station) => {
                station::run(station, &chosen, connection.vehicle, Rates::new(connection.rate), tx);
                Ok(())
            }
        });
        if let Err(error) = &ended {
            lock(&self.state).status = BridgeStatus::UnexpectedlyDisconnected;
            if is_held && error.text().starts_with("[BH-MAV-") {
                // It would be the same after another connection, and without the loop nobody would release a step.
                self.host.lifecycle()?.request(Request::Abort, error.text())?;
            }
        }
        ended
    }
}
