//! The loop with a ground station: heartbeats, and where the vehicle is. It holds no step.

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::bridge::{Bridge, Tx, Wait};

use crate::message::{Message, Sender, frame};
use crate::telemetry;
use bridgehead_autopilot::clock::Clock;
use bridgehead_autopilot::vehicle::{Chosen, Kind, Source, Vehicle};

/// Heartbeats are sent in real time, also while the simulation is paused: without them a vehicle counts as lost.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long one wait for a message takes, so that heartbeats are on time.
const SLICE: Duration = Duration::from_millis(50);
/// Datagrams that one look at the socket takes, so that a flood does not keep the loop.
const MOST: usize = 64;

/// The vehicles that ground stations know, by their system ids.
static KNOWN: Mutex<BTreeSet<(SocketAddr, u8)>> = Mutex::new(BTreeSet::new());

fn known() -> MutexGuard<'static, BTreeSet<(SocketAddr, u8)>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A ground station, to which one vehicle has its system id.
pub(crate) struct Station {
    socket: UdpSocket,
    address: SocketAddr,
    system: u8,
    sequence: u8,
    /// Bytes that it has sent.
    received: u64,
}

impl Drop for Station {
    fn drop(&mut self) {
        known().remove(&(self.address, self.system));
    }
}

impl Station {
    /// Opens a port towards a ground station; one of the loopback if the station is there.
    ///
    /// # Errors
    /// Returns an error if there is no port, or another vehicle has this system id.
    pub(crate) fn open(address: SocketAddr, system: u8) -> io::Result<Self> {
        let own: SocketAddr = match (address, address.ip().is_loopback()) {
            (SocketAddr::V4(_), true) => (Ipv4Addr::LOCALHOST, 0).into(),
            (SocketAddr::V4(_), false) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            (SocketAddr::V6(_), true) => (Ipv6Addr::LOCALHOST, 0).into(),
            (SocketAddr::V6(_), false) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(own)?;
        socket.set_nonblocking(true)?;
        if !known().insert((address, system)) {
            return Err(io::Error::other(format!("another vehicle has the system id {system} there")));
        }
        Ok(Station { socket, address, system, sequence: 0, received: 0 })
    }

    /// Sends messages, each as a datagram. Those that the system refuses, because nobody listens now, are lost.
    fn send(&mut self, messages: &[Message]) {
        // An autopilot is component 1 of its system.
        let sender = Sender { system: self.system, component: 1 };
        for message in messages {
            let mut bytes = Vec::new();
            frame(&mut bytes, sender, self.sequence, message);
            self.sequence = self.sequence.wrapping_add(1);
            let _ = self.socket.send_to(&bytes, self.address);
        }
    }

    /// Takes what the station has sent, which has no effect.
    fn drain(&mut self) {
        let before = self.received;
        let mut bytes = [0; 2048];
        for _ in 0..MOST {
            match self.socket.recv_from(&mut bytes) {
                Ok((len, _)) => self.received += len as u64,
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {}
                Err(_) => break,
            }
        }
        if before == 0 && self.received > 0 {
            log::info!(
                "the ground station at {} sends requests; this bridge only shows the vehicle",
                self.address
            );
        }
    }
}

/// What is due when.
#[derive(Debug)]
pub(crate) struct Rates {
    heartbeat: Option<Duration>,
    interval_us: u64,
    next_us: u64,
}

impl Rates {
    pub(crate) fn new(rate: u32) -> Self {
        Rates { heartbeat: None, interval_us: 1_000_000 / u64::from(rate.max(1)), next_us: 0 }
    }

    /// Returns true if a heartbeat is due after a real time.
    fn is_heartbeat_due(&mut self, elapsed: Duration) -> bool {
        let is_due = self.heartbeat.is_none_or(|next| elapsed >= next);
        if is_due {
            self.heartbeat = Some(elapsed + HEARTBEAT);
        }
        is_due
    }

    /// Returns true if positions are due at a time.
    fn is_position_due(&mut self, time_us: u64) -> bool {
        let is_due = time_us >= self.next_us;
        if is_due {
            self.next_us = (self.next_us + self.interval_us).max(time_us + 1);
        }
        is_due
    }
}

/// Shows a vehicle to a ground station until the connection ends.
pub(crate) fn run(
    mut station: Station,
    chosen: &Chosen,
    vehicle: u8,
    mut rates: Rates,
    tx: &mut Tx<'_, impl Bridge<Publisher = Source>>,
) {
    let (mut last, mut clock, mut epoch) = (Vehicle::default(), Clock::default(), None);
    let began = now();
    loop {
        match tx.next(Some(SLICE)) {
            Wait::Ready(item) => {
                if epoch.replace(item.reset_epoch()) != Some(item.reset_epoch()) {
                    clock.restart();
                }
                let time_ns = item.stamp_ns();
                match last.update(chosen, item.publisher(), item.bytes()) {
                    Ok(Some(Kind::Odometry)) => {
                        let time_us = clock.at(time_ns);
                        if rates.is_position_due(time_us) {
                            station.send(&telemetry::messages(&last, time_us));
                        }
                    }
                    Ok(_) => {}
                    Err(error) => item.reject_because(&error.to_string()),
                }
            }
            Wait::TimedOut => {}
            Wait::Interrupted => break,
        }
        if rates.is_heartbeat_due(began.elapsed()) {
            station.send(&[telemetry::heartbeat(vehicle)]);
            station.drain();
        }
    }
    log::debug!("the ground station at {} has sent {} bytes", station.address, station.received);
}

#[expect(clippy::disallowed_methods, reason = "ground stations wait in real time")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heartbeats_follow_real_time_and_positions_simulated_time() {
        let mut rates = Rates::new(10);
        let beats =
            [0, 10, 990, 1000, 1999, 2001].map(|ms| rates.is_heartbeat_due(Duration::from_millis(ms)));
        assert_eq!(beats, [true, false, false, true, false, true]);
        let due: Vec<u64> = (1..=400).filter(|ms| rates.is_position_due(ms * 1000)).collect();
        assert_eq!(due, [1, 100, 200, 300, 400]);
    }

    #[test]
    fn two_vehicles_have_two_system_ids() {
        let address = "127.0.0.1:9".parse().expect("an address");
        let first = Station::open(address, 7).expect("a port");
        assert!(first.socket.local_addr().expect("an address").ip().is_loopback());
        let error = Station::open(address, 7).map(drop).expect_err("a refusal");
        assert!(error.to_string().contains("the system id 7"), "{error}");
        drop(Station::open(address, 8).expect("another one"));
        drop(first);
        drop(Station::open(address, 7).expect("it is free again"));
    }

    #[test]
    fn what_a_station_sends_is_counted_and_has_no_effect() {
        let peer = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let mut station = Station::open(peer.local_addr().expect("an address"), 1).expect("a port");
        station.send(&[telemetry::heartbeat(2)]);
        let mut bytes = [0; 300];
        let (len, from) = peer.recv_from(&mut bytes).expect("a heartbeat");
        assert_eq!((bytes[0], bytes[5], bytes[6], len), (0xfd, 1, 1, 21));
        peer.send_to(&[7; 100], from).expect("sent");
        while station.received == 0 {
            station.drain();
        }
        assert_eq!(station.received, 100);
    }
}
