//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` opens the port and holds the simulation; the `[tx]` loop exchanges frames.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_autopilot::commands::{Commanded, Sinks};
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::{HostHandle, Late, Stepping, Tick};
use bridgehead_plugin_api::{Error, Request, Result};

use crate::codes::{PACKET, SENSOR, SOCKET};
use crate::connection::Connection;
use crate::exchange::{News, Peer, steps_of_frame};
use crate::outputs::{positions, rotor_speeds};
use crate::packet::Packet;
use crate::vehicle::{Chosen, Kind, Source, Vehicle};

/// How long a step may wait for the autopilot, unless the configuration says otherwise; then the run ends.
const LIMIT: Duration = Duration::from_secs(60);
/// How long one wait for the end of a step takes, so that the loop notices the end of the connection.
const SLICE: Duration = Duration::from_millis(20);

/// One instance.
pub(crate) struct ArduPilot {
    host: HostHandle,
    state: Mutex<State>,
    sinks: Arc<Sinks>,
}

#[derive(Default)]
struct State {
    status: BridgeStatus,
    /// Exists from connect until the loop takes it.
    ready: Option<(Connection, Peer)>,
    /// What the vehicle publishes.
    sources: Vec<Source>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exchange of one connection.
struct Session<'a> {
    stepping: Stepping,
    connection: Connection,
    peer: Peer,
    sinks: &'a Sinks,
    chosen: Chosen,
    vehicle: Vehicle,
    /// The epoch of the exchange; `None` before the first one.
    epoch: Option<u32>,
    /// The last packet.
    last: Option<Packet>,
    /// Strange datagrams that were reported.
    reported: u64,
}

impl Session<'_> {
    /// Exchanges frames until the connection ends.
    fn run(&mut self, tx: &mut Tx<'_, ArduPilot>) -> Result {
        while !tx.is_interrupted() {
            let Ok(found) = self.stepping.wait(SLICE) else { break };
            let Some(tick) = found else { continue };
            if self.epoch != Some(tick.epoch) {
                self.begin(tx, tick)?;
                continue;
            }
            self.take_measurements(tx);
            self.peer.answer(self.vehicle.state(tick.time_ns).text());
            if let Some(packet) = self.await_frame(tx, tick)? {
                let Connection { rotors, max_speed, servos, .. } = &self.connection;
                let speeds = rotor_speeds(&packet.pulses, *rotors, *max_speed);
                self.sinks.deliver(tick, speeds, &positions(servos, &packet.pulses))?;
                self.release(tick, &packet);
            }
        }
        Ok(())
    }

    /// Begins the exchange of an epoch: nothing was measured yet that the autopilot could know. So the first steps run
    /// without its commands as soon as it is there; it sent them for another state.
    fn begin(&mut self, tx: &mut Tx<'_, ArduPilot>, tick: Tick) -> Result {
        self.vehicle = Vehicle::default();
        let packet = match self.last.take() {
            Some(last) => Some(last),
            None => self.await_frame(tx, tick)?,
        };
        if let Some(packet) = packet {
            self.epoch = Some(tick.epoch);
            self.take_measurements(tx);
            self.vehicle = Vehicle::default();
            self.release(tick, &packet);
            self.last = Some(packet);
        }
        Ok(())
    }

    /// Releases the steps of a frame. After a reset nothing is released, and the next tick begins a new epoch.
    fn release(&self, tick: Tick, packet: &Packet) {
        let _ = self.stepping.release(tick, steps_of_frame(packet.rate, tick.width_ns));
    }

    /// Waits for the next frame. Returns `None` if there was none before the connection ended, the run was reset, or steps
    /// ran without it.
    fn await_frame(&mut self, tx: &mut Tx<'_, ArduPilot>, tick: Tick) -> Result<Option<Packet>> {
        while !tx.is_interrupted() {
            let news = self.peer.receive().map_err(|error| Error::new(format!("[{SOCKET}] {error}")))?;
            self.report_strange();
            if let News::Frame { packet, is_restart } = news {
                if is_restart {
                    log::info!("ArduPilot has restarted: it counts frames from {}", packet.frame);
                }
                self.last = Some(packet.clone());
                return Ok(Some(packet));
            }
            if self.stepping.wait(Duration::ZERO).ok().flatten() != Some(tick) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    fn take_measurements(&mut self, tx: &mut Tx<'_, ArduPilot>) {
        while let Wait::Ready(item) = tx.next(Some(Duration::ZERO)) {
            if let Err(error) = self.vehicle.update(&self.chosen, item.publisher(), item.bytes()) {
                item.reject_because(&error.to_string());
            }
        }
    }

    /// Reports datagrams that are no packets: the first one, then each time they are ten times as many.
    fn report_strange(&mut self) {
        if self.peer.strange >= (self.reported * 10).max(1) {
            self.reported = self.peer.strange;
            log::warn!("[{PACKET}] {} datagrams were no packets of ArduPilot so far", self.peer.strange);
        }
    }
}

impl Bridge for ArduPilot {
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
        Ok(ArduPilot { host, state: Mutex::default(), sinks: Arc::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        let peer = Peer::listen(connection.listen).map_err(|error| {
            let listen = connection.listen;
            Error::new(format!("[{SOCKET}] no port for ArduPilot at {listen}: {error}; choose another one"))
        })?;
        let address = peer.address().map_or(connection.listen, |address| address);
        self.host.stepping()?.hold(Some(LIMIT), Late::End)?;
        self.host.report()?.endpoint(&address.to_string(), "ArduPilot SITL sends its packets here");
        log::info!("waits for ArduPilot at {address}: sim_vehicle.py --model JSON");
        let mut state = lock(&self.state);
        state.ready = Some((connection, peer));
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
        let name = channel.data_type().name;
        let kind = Kind::of_type(name).ok_or_else(|| Error::unsupported(format!("`{name}` is no sensor")))?;
        let source = Source { kind, topic: channel.topic().to_owned() };
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
        let Some((connection, peer)) = ready else { return Ok(()) };
        let chosen = Chosen::among(&sources, &connection);
        if let Some(missing) = chosen.missing() {
            let text = format!("[{SENSOR}] the vehicle has {missing}");
            // Without the loop nobody would release a step.
            self.host.lifecycle()?.request(Request::Abort, &text)?;
            return Err(Error::invalid(text));
        }
        let vehicle = Vehicle::default();
        let stepping = self.host.stepping()?;
        let (epoch, last, reported) = (None, None, 0);
        let mut session = Session {
            stepping,
            connection,
            peer,
            sinks: &self.sinks,
            chosen,
            vehicle,
            epoch,
            last,
            reported,
        };
        let ended = session.run(tx);
        if ended.is_err() {
            // The host ends the hold with the connection, and connects again.
            lock(&self.state).status = BridgeStatus::UnexpectedlyDisconnected;
        }
        ended
    }
}
