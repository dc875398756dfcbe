//! Commands of an autopilot: speeds of rotors, and positions of servos.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridgehead_plugin_api::bridge::{Channel, Registrar, Sink};
use bridgehead_plugin_api::host::Tick;
use bridgehead_plugin_api::messages::actuator_msgs::Actuators;
use bridgehead_plugin_api::messages::{
    Message, builtin_interfaces::Time, std_msgs::Float64, std_msgs::Header,
};
use bridgehead_plugin_api::{Payload, Result, bridge::Bridge};

/// Greatest number of a channel that a [`Servo`] may have.
pub const MAX_CHANNELS: usize = 32;

/// A channel that moves something by a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Servo {
    /// Place of the channel, from 0.
    pub channel: usize,
    /// Topic of `std_msgs/msg/Float64`.
    pub topic: String,
    ends: [f64; 2],
}

impl FromStr for Servo {
    type Err = ();

    /// Reads `CHANNEL:TOPIC:MIN:MAX`, with channels from 1.
    fn from_str(text: &str) -> Result<Self, ()> {
        let parts: Vec<&str> = text.split(':').collect();
        let [channel, topic, min, max] = parts[..] else { return Err(()) };
        let channel: usize = channel.parse().map_err(drop)?;
        let ends = [min, max].map(|end| end.parse::<f64>().ok().filter(|end| end.is_finite()));
        match (channel, topic.starts_with('/'), ends) {
            (1..=MAX_CHANNELS, true, [Some(min), Some(max)]) => {
                Ok(Servo { channel: channel - 1, topic: topic.to_owned(), ends: [min, max] })
            }
            _ => Err(()),
        }
    }
}

impl Servo {
    /// Reads a list of servos with commas; `None` if a part is none.
    #[must_use]
    pub fn list(text: &str) -> Option<Vec<Self>> {
        text.split(',').map(|one| one.trim().parse().ok()).collect()
    }

    /// Returns the position for a share of its range: 0 is `MIN`, 1 is `MAX`, and there may be less and more.
    #[must_use]
    pub fn position(&self, share: f64) -> f64 {
        let [min, max] = self.ends;
        min + (max - min) * share
    }
}

/// What a topic takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rotors,
    Servo,
}

/// Where commands go. Endpoints come and go on `[main]` while a loop delivers.
#[derive(Default)]
pub struct Sinks {
    next: AtomicU64,
    all: Mutex<BTreeMap<u64, (String, Kind, Sink)>>,
}

/// A topic that takes commands; its sink is used until this is dropped.
pub struct Commanded {
    sinks: Arc<Sinks>,
    id: u64,
}

impl Drop for Commanded {
    fn drop(&mut self) {
        lock(&self.sinks.all).remove(&self.id);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn payload(message: &impl Message) -> Payload {
    Payload::from_vec(message.encode_to_vec())
}

impl Sinks {
    /// Announces the types of commands.
    ///
    /// # Errors
    /// As [`Registrar::add_subscriber`].
    pub fn register<B: Bridge>(registrar: &mut Registrar<'_, B>) -> Result {
        registrar.add_subscriber(Actuators::FULL_NAME)?;
        registrar.add_subscriber(Float64::FULL_NAME)
    }

    /// Takes the sink of a topic of one of these types.
    #[must_use]
    pub fn add(self: &Arc<Self>, channel: &Channel<'_>, sink: Sink) -> Commanded {
        let is_rotors = channel.data_type().name == Actuators::FULL_NAME;
        let kind = if is_rotors { Kind::Rotors } else { Kind::Servo };
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        lock(&self.all).insert(id, (channel.topic().to_owned(), kind, sink));
        Commanded { sinks: Arc::clone(self), id }
    }

    /// Delivers commands for the step after a tick: speeds of rotors, rad/s, to every topic that takes them, unless there
    /// are none; and positions of servos to their topics.
    ///
    /// # Errors
    /// Returns an error if a topic does not take its command.
    pub fn deliver(&self, tick: Tick, speeds: Vec<f64>, servos: &[(&Servo, f64)]) -> Result {
        let is_without_rotors = speeds.is_empty();
        let header = Some(Header { stamp: Some(Time::from_nanos(tick.time_ns)), frame_id: String::new() });
        let rotors = payload(&Actuators { header, velocity: speeds, ..Actuators::default() });
        for (topic, kind, sink) in lock(&self.all).values() {
            match kind {
                Kind::Rotors if is_without_rotors => {}
                Kind::Rotors => sink.deliver_at(tick.step + 1, tick.time_ns, &rotors)?,
                Kind::Servo => {
                    for &(_, data) in servos.iter().filter(|(servo, _)| servo.topic == *topic) {
                        sink.deliver_at(tick.step + 1, tick.time_ns, &payload(&Float64 { data }))?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servo_has_a_range_of_its_own() {
        let servo: Servo = "2:/plane/aileron:-0.5:0.5".parse().expect("a servo");
        assert_eq!((servo.channel, servo.topic.as_str()), (1, "/plane/aileron"));
        assert_eq!([0.0, 0.5, 0.75, 1.5].map(|share| servo.position(share)), [-0.5, 0.0, 0.25, 1.0]);
        for wrong in
            ["", "1:/a:0", "0:/a:0:1", "33:/a:0:1", "1:a:0:1", "1:/a:x:1", "1:/a:0:inf", "1:/a:0:1:2"]
        {
            assert_eq!(wrong.parse::<Servo>(), Err(()), "{wrong}");
        }
        assert_eq!(
            Servo::list("1:/a:0:1, 2:/plane/aileron:-0.5:0.5").map(|list| list[1].clone()),
            Some(servo)
        );
        assert_eq!(Servo::list("1:/a:0:1,"), None);
    }
}
