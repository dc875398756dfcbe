//! Pulse widths as commands of rotors and servos.

use bridgehead_autopilot::commands::Servo;

/// Pulse widths at the ends of a channel, microseconds: ArduPilot's defaults.
const ENDS: [f64; 2] = [1000.0, 2000.0];

/// Returns the positions of the servos that have an output.
pub(crate) fn positions<'a>(servos: &'a [Servo], pulses: &[u16]) -> Vec<(&'a Servo, f64)> {
    let position = |servo: &'a Servo| {
        let pulse = pulses.get(servo.channel).copied().filter(|pulse| *pulse > 0)?;
        Some((servo, servo.position(share(pulse))))
    };
    servos.iter().filter_map(position).collect()
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
    fn servos_without_output_stay() {
        let servos = Servo::list("2:/plane/aileron:-0.5:0.5,4:/plane/flap:0:1").expect("servos");
        let found = |pulses: &[u16]| {
            positions(&servos, pulses).iter().map(|(servo, at)| (servo.channel, *at)).collect::<Vec<_>>()
        };
        assert_eq!(found(&[0, 1750, 0, 1000]), [(1, 0.25), (3, 0.0)]);
        assert_eq!(found(&[1500, 0, 1500, 0]), []);
        assert_eq!(found(&[1500]), []);
    }
}
