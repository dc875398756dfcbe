//! Pulse widths as commands of rotors and servos.

use std::str::FromStr;

/// Pulse widths at the ends of a channel, microseconds: ArduPilot's defaults.
const ENDS: [f64; 2] = [1000.0, 2000.0];

/// A channel that moves something by a number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Servo {
    /// Counted from 0.
    channel: usize,
    pub(crate) topic: String,
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
            (1..=32, true, [Some(min), Some(max)]) => {
                Ok(Servo { channel: channel - 1, topic: topic.to_owned(), ends: [min, max] })
            }
            _ => Err(()),
        }
    }
}

impl Servo {
    /// Returns its position; `None` for a channel without output.
    pub(crate) fn position(&self, pulses: &[u16]) -> Option<f64> {
        let pulse = pulses.get(self.channel).copied().filter(|pulse| *pulse > 0)?;
        let [min, max] = self.ends;
        Some(min + (max - min) * share(pulse))
    }
}

/// Returns the speeds of rotors, rad/s; a rotor without output stands.
pub(crate) fn rotor_speeds(pulses: &[u16], rotors: usize, max_speed: f64) -> Vec<f64> {
    let speed = |pulse: &u16| if *pulse == 0 { 0.0 } else { max_speed * share(*pulse).clamp(0.0, 1.0) };
    pulses.iter().take(rotors).map(speed).collect()
}

/// Returns how far a pulse is between the ends, from 0 to 1; more or less beyond them.
fn share(pulse: u16) -> f64 {
    (f64::from(pulse) - ENDS[0]) / (ENDS[1] - ENDS[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotors_turn_between_standstill_and_their_greatest_speed() {
        assert_eq!(
            rotor_speeds(&[1000, 1500, 2000, 0, 2500, 900, 1500], 6, 800.0),
            [0.0, 400.0, 800.0, 0.0, 800.0, 0.0]
        );
    }

    #[test]
    fn a_servo_has_a_range_of_its_own() {
        let servo: Servo = "2:/plane/aileron:-0.5:0.5".parse().expect("a servo");
        assert_eq!(
            [1000, 1500, 1750].map(|pulse| servo.position(&[0, pulse])),
            [Some(-0.5), Some(0.0), Some(0.25)]
        );
        assert_eq!((servo.position(&[1500, 0]), servo.position(&[1500])), (None, None));
        for wrong in
            ["", "1:/a:0", "0:/a:0:1", "33:/a:0:1", "1:a:0:1", "1:/a:x:1", "1:/a:0:inf", "1:/a:0:1:2"]
        {
            assert_eq!(wrong.parse::<Servo>(), Err(()), "{wrong}");
        }
    }
}
