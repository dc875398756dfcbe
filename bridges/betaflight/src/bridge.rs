//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` opens the port and holds the simulation; the `[tx]` loop exchanges states and outputs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_autopilot::commands::{Commanded, Sinks};
use bridgehead_autopilot::vehicle::{Chosen, Kind, Source};
use bridgehead_plugin_api::bridge::{ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, Sink, Tx};
use bridgehead_plugin_api::host::{HostHandle, Late};
use bridgehead_plugin_api::{Error, Request, Result};

use crate::codes::{SENSOR, SOCKET};
use crate::connection::Connection;
use crate::exchange::{Exchange, Ports};

/// How long a step may wait for the flight controller, unless the configuration says otherwise; then the run ends.
const LIMIT: Duration = Duration::from_secs(60);

/// One instance.
pub(crate) struct Betaflight {
    host: HostHandle,
    state: Mutex<State>,
    sinks: Arc<Sinks>,
}

#[derive(Default)]
struct State {
    status: BridgeStatus,
    /// Exists from connect until the loop takes it.
    ready: Option<(Connection, Ports)>,
    /// What the vehicle publishes.
    sources: Vec<Source>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an error if the vehicle lacks a sensor.
fn check_sensors(chosen: &Chosen) -> Result {
    let missing = match (chosen.has(Kind::Imu), chosen.has(Kind::Odometry)) {
        (true, true) => return Ok(()),
        (false, _) => {
            "`sensor_msgs/msg/Imu`; add a sensor of type `imu` to it, or name its topic with `imu=`"
        }
        (true, false) => {
            "`nav_msgs/msg/Odometry`; add the plugin `odometry_publisher` with `<dimensions>3</dimensions>` to it, or name its \
             topic with `odometry=`"
        }
    };
    Err(Error::invalid(format!("[{SENSOR}] the vehicle has no topic of {missing}")))
}

impl Bridge for Betaflight {
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
        Ok(Betaflight { host, state: Mutex::default(), sinks: Arc::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        let ports = Ports::open(&connection).map_err(|error| {
            let listen = connection.listen;
            Error::new(format!(
                "[{SOCKET}] no port for the outputs of Betaflight at {listen}: {error}; only one Betaflight runs on a machine"
            ))
        })?;
        self.host.stepping()?.hold(Some(LIMIT), Late::End)?;
        self.host
            .report()?
            .endpoint(&connection.listen.to_string(), "Betaflight sends the outputs of its motors here");
        log::info!("waits for Betaflight at {}", connection.controller);
        let mut state = lock(&self.state);
        state.ready = Some((connection, ports));
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
            return Err(Error::unsupported(format!("`{data_type}` is of no sensor")));
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
        let Some((connection, ports)) = ready else { return Ok(()) };
        let chosen = Chosen::among(&sources, &connection.named);
        let stepping = self.host.stepping()?;
        let ended = check_sensors(&chosen)
            .and_then(|()| Exchange::new(stepping, connection, ports, &self.sinks, chosen).run(tx));
        if let Err(error) = &ended {
            lock(&self.state).status = BridgeStatus::UnexpectedlyDisconnected;
            // Without the loop nobody would release a step; after another connection it would be the same.
            self.host.lifecycle()?.request(Request::Abort, error.text())?;
        }
        ended
    }
}
