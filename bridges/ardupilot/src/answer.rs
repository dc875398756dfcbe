//! The answer to a packet: the state of the vehicle as one line of JSON.
//!
//! ArduPilot's reader looks for `"key":` with the value right behind it, and takes the first one in the text: there is no
//! space, and numbers are written without exponents.

use std::fmt::Write as _;

/// The state of a vehicle in the axes of an autopilot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// Simulated time, nanoseconds.
    pub(crate) time_ns: i64,
    /// Radians per second, body.
    pub(crate) gyro: [f64; 3],
    /// Specific force, m/s², body.
    pub(crate) acceleration: [f64; 3],
    /// Metres from the origin of the odometry, world.
    pub(crate) position: [f64; 3],
    /// Quaternion w, x, y, z.
    pub(crate) attitude: [f64; 4],
    /// m/s, world.
    pub(crate) velocity: [f64; 3],
    /// Metres.
    pub(crate) range: Option<f64>,
}

impl State {
    /// Returns the answer.
    pub(crate) fn text(&self) -> String {
        let (seconds, nanos) =
            (self.time_ns.div_euclid(1_000_000_000), self.time_ns.rem_euclid(1_000_000_000));
        let mut text = format!("\n{{\"timestamp\":{seconds}.{nanos:09},\"imu\":{{\"gyro\":");
        numbers(&mut text, &self.gyro);
        text.push_str(",\"accel_body\":");
        numbers(&mut text, &self.acceleration);
        text.push_str("},\"position\":");
        numbers(&mut text, &self.position);
        text.push_str(",\"quaternion\":");
        numbers(&mut text, &self.attitude);
        text.push_str(",\"velocity\":");
        numbers(&mut text, &self.velocity);
        if let Some(range) = self.range {
            text.push_str(",\"rng_1\":");
            number(&mut text, range);
        }
        text.push_str("}\n");
        text
    }
}

fn numbers(text: &mut String, numbers: &[f64]) {
    for (index, value) in numbers.iter().enumerate() {
        text.push(if index == 0 { '[' } else { ',' });
        number(text, *value);
    }
    text.push(']');
}

/// Writes a number; one that is not finite, which the reader does not know, as 0.
fn number(text: &mut String, value: f64) {
    let value = if value.is_finite() { value } else { 0.0 };
    // Writing to a text cannot fail.
    let _ = write!(text, "{value:.9}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_what_the_reader_of_the_autopilot_finds() {
        let state = State {
            time_ns: 2_500_000,
            gyro: [0.125, -0.5, 1e-12],
            acceleration: [0.0, 0.0, -9.80665],
            position: [1.0, -2.0, -30.5],
            attitude: [1.0, 0.0, 0.0, 0.0],
            velocity: [0.0, f64::NAN, 0.25],
            range: Some(1.5),
        };
        assert_eq!(
            state.text(),
            "\n{\"timestamp\":0.002500000,\"imu\":{\"gyro\":[0.125000000,-0.500000000,0.000000000],\
             \"accel_body\":[0.000000000,0.000000000,-9.806650000]},\
             \"position\":[1.000000000,-2.000000000,-30.500000000],\
             \"quaternion\":[1.000000000,0.000000000,0.000000000,0.000000000],\
             \"velocity\":[0.000000000,0.000000000,0.250000000],\"rng_1\":1.500000000}\n"
        );
        assert!(!State::default().text().contains("rng"));
    }
}
