//! The loop with the flight controller: the end of a step, the state to it, the outputs of its motors, the release of steps.
//!
//! Betaflight runs on the clock of the machine. It answers each state at once with the outputs that it has now, so the wait
//! for the answer keeps both sides together, and the pace of real time keeps its clock right.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use bridgehead_autopilot::clock::{Clock, steps_of_sample};
use bridgehead_autopilot::commands::Sinks;
use bridgehead_autopilot::vehicle::{Chosen, Source, Vehicle};
use bridgehead_plugin_api::bridge::{Bridge, Tx, Wait};
use bridgehead_plugin_api::host::{Stepping, Tick};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::{GONE, RATE, SOCKET};
use crate::connection::Connection;
use crate::packet::{self, ANSWER, MOTORS};

/// How long one wait takes, so that the loop notices the end of the connection and a reset.
const SLICE: Duration = Duration::from_millis(20);
/// An answer that takes longer is not waited for: datagrams may be lost.
const LATE: Duration = Duration::from_millis(20);
/// Answers in a row that may be missing. Then the flight controller is gone, and the step waits for another one.
const MOST_MISSED: u32 = 50;
/// If the simulation is later than this, it does not catch up.
const LAG: Duration = Duration::from_millis(100);

/// The ports.
pub(crate) struct Ports {
    socket: UdpSocket,
    controller: SocketAddr,
}

impl Ports {
    /// Listens for the outputs of motors.
    ///
    /// # Errors
    /// Returns an error if the port is taken or the address is none of this machine.
    pub(crate) fn open(connection: &Connection) -> io::Result<Self> {
        let socket = UdpSocket::bind(connection.listen)?;
        socket.set_read_timeout(Some(SLICE))?;
        Ok(Ports { socket, controller: connection.controller })
    }

    fn send(&self, state: &[u8]) {
        // A datagram that the system refuses, because nobody listens now, is sent again.
        let _ = self.socket.send_to(state, self.controller);
    }

    /// Takes what waits, so that the next answer is that to the next state.
    fn drain(&self) -> io::Result<()> {
        self.socket.set_nonblocking(true)?;
        while self.socket.recv_from(&mut [0; ANSWER]).is_ok() {}
        self.socket.set_nonblocking(false)
    }

    /// Waits shortly for an answer.
    ///
    /// # Errors
    /// Returns an error if the socket fails.
    fn receive(&self) -> io::Result<Option<[f64; MOTORS]>> {
        let mut bytes = [0; ANSWER + 1];
        match self.socket.recv_from(&mut bytes) {
            Ok((len, _)) => Ok(packet::motors(bytes.get(..len).unwrap_or_default())),
            Err(error) if is_passing(error.kind()) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Returns true if the socket can be used further. A datagram to a port without a listener is reported by the next call.
fn is_passing(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{ConnectionRefused, ConnectionReset, Interrupted, TimedOut, WouldBlock};
    matches!(kind, WouldBlock | TimedOut | Interrupted | ConnectionRefused | ConnectionReset)
}

/// When steps are due in real time: simulated time and real time that were equal.
#[derive(Debug, Default)]
struct Pace(Option<(u64, Duration)>);

impl Pace {
    /// Returns how long a time must wait, µs of simulated time, after real time has elapsed.
    fn rest(&mut self, time_us: u64, elapsed: Duration) -> Duration {
        let (time, real) = *self.0.get_or_insert((time_us, elapsed));
        let due = real + Duration::from_micros(time_us.saturating_sub(time));
        if elapsed > due + LAG {
            self.0 = Some((time_us, elapsed));
        }
        due.saturating_sub(elapsed)
    }
}

/// The exchange of one connection.
pub(crate) struct Exchange<'a> {
    stepping: Stepping,
    connection: Connection,
    ports: Ports,
    sinks: &'a Sinks,
    chosen: Chosen,
    vehicle: Vehicle,
    clock: Clock,
    pace: Pace,
    began: Instant,
    epoch: Option<u32>,
    /// Answers in a row that are missing; `None` if there is no flight controller.
    missed: Option<u32>,
    motors: [f64; MOTORS],
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(
        stepping: Stepping,
        connection: Connection,
        ports: Ports,
        sinks: &'a Sinks,
        chosen: Chosen,
    ) -> Self {
        Exchange {
            stepping,
            connection,
            ports,
            sinks,
            chosen,
            vehicle: Vehicle::default(),
            clock: Clock::default(),
            pace: Pace::default(),
            began: now(),
            epoch: None,
            missed: None,
            motors: [0.0; MOTORS],
        }
    }

    /// Exchanges states and outputs until the connection ends.
    ///
    /// # Errors
    /// Returns an error if the steps do not fit to the rate, a socket fails, or a command cannot be delivered.
    pub(crate) fn run(&mut self, tx: &mut Tx<'_, impl Bridge<Publisher = Source>>) -> Result {
        let rate = self.connection.rate;
        while !tx.is_interrupted() {
            let Ok(found) = self.stepping.wait(SLICE) else { break };
            let Some(tick) = found else { continue };
            let steps = steps_of_sample(rate, tick.width_ns).ok_or_else(|| {
                Error::invalid(format!(
                    "[{RATE}] {rate} states per second do not begin with steps of {} ns; choose another `rate=` or step",
                    tick.width_ns
                ))
            })?;
            self.take_measurements(tx);
            if self.epoch.replace(tick.epoch) != Some(tick.epoch) {
                self.clock.restart();
                self.motors = [0.0; MOTORS];
            }
            if self.exchange(tx, tick)? {
                let speeds = packet::speeds(self.motors, self.connection.speeds);
                self.sinks.deliver(tick, speeds, &[])?;
                // After a reset nothing is released, and the next tick begins a new epoch.
                let _ = self.stepping.release(tick, steps);
            }
        }
        Ok(())
    }

    /// Sends the state when it is due, and takes the answer. Returns false if the wait has no use any more.
    fn exchange(&mut self, tx: &Tx<'_, impl Bridge>, tick: Tick) -> Result<bool> {
        let failed = |error: io::Error| Error::new(format!("[{SOCKET}] {error}"));
        let time_us = self.clock.at(tick.time_ns);
        let rest = self.pace.rest(time_us, self.began.elapsed());
        if rest > Duration::ZERO {
            std::thread::sleep(rest.min(SLICE));
        }
        let state = packet::state(&self.vehicle, time_us);
        self.ports.drain().map_err(failed)?;
        self.ports.send(&state);
        let sent = now();
        loop {
            if let Some(motors) = self.ports.receive().map_err(failed)? {
                self.motors = motors;
                if self.missed.replace(0).is_none() {
                    log::info!("Betaflight answers");
                }
                return Ok(true);
            }
            if tx.is_interrupted() || self.stepping.wait(Duration::ZERO).ok().flatten() != Some(tick) {
                return Ok(false);
            }
            if sent.elapsed() < LATE {
                continue;
            }
            match &mut self.missed {
                Some(missed) if *missed < MOST_MISSED => {
                    *missed += 1;
                    return Ok(true);
                }
                Some(_) => {
                    log::warn!(
                        "[{GONE}] Betaflight has not answered {MOST_MISSED} states; the step waits for it"
                    );
                    self.missed = None;
                }
                None => self.ports.send(&state),
            }
        }
    }

    fn take_measurements(&mut self, tx: &mut Tx<'_, impl Bridge<Publisher = Source>>) {
        while let Wait::Ready(item) = tx.next(Some(Duration::ZERO)) {
            if let Err(error) = self.vehicle.update(&self.chosen, item.publisher(), item.bytes()) {
                item.reject_because(&error.to_string());
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the flight controller runs in real time")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_sent_in_real_time_and_a_late_simulation_does_not_catch_up() {
        let ms = Duration::from_millis;
        let mut pace = Pace::default();
        assert_eq!(pace.rest(5000, ms(100)), ms(0), "the first one");
        assert_eq!(pace.rest(6000, ms(100)), ms(1));
        assert_eq!(pace.rest(7000, ms(105)), ms(0));
        assert_eq!(pace.rest(8000, ms(300)), ms(0), "it is late");
        assert_eq!(pace.rest(9000, ms(300)), ms(1));
    }

    #[test]
    fn only_answers_are_taken() {
        let connection: Connection = "127.0.0.1:0".parse().expect("a connection");
        let ports = Ports::open(&connection).expect("a port");
        let controller = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        controller.connect(ports.socket.local_addr().expect("an address")).expect("connected");
        assert_eq!(ports.receive().expect("silence"), None);
        let answer: Vec<u8> = [0.25_f32; 4].iter().flat_map(|part| part.to_le_bytes()).collect();
        for wrong in [&answer[1..], &[0; 68], b""] {
            controller.send(wrong).expect("sent");
            assert_eq!(ports.receive().expect("no answer"), None);
        }
        controller.send(&answer).expect("sent");
        assert_eq!(ports.receive().expect("an answer"), Some([0.25; 4]));
        controller.send(&answer).expect("sent");
        // Loopback delivers at once.
        ports.drain().expect("drained");
        assert_eq!(ports.receive().expect("silence"), None);
    }
}
