//! The packets of Betaflight's SITL: the state of the vehicle to it, and the outputs of its motors. Little-endian, without
//! padding.

use bridgehead_autopilot::vehicle::{Motion, Vehicle};

/// Motors of an answer.
pub(crate) const MOTORS: usize = 4;
/// Bytes of an answer.
pub(crate) const ANSWER: usize = 4 * MOTORS;

/// Returns the state of the vehicle as Betaflight's `fdm_packet`: 18 numbers of 8 bytes.
pub(crate) fn state(vehicle: &Vehicle, time_us: u64) -> Vec<u8> {
    let inertial = vehicle.inertial.last.unwrap_or_default();
    let resting =
        Motion { position: [0.0; 3], velocity: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0], rates: [0.0; 3] };
    let motion = vehicle.motion.last.unwrap_or(resting);
    let fix = vehicle.fix.last.as_ref();
    let place = fix.map_or([0.0; 3], |fix| [fix.longitude, fix.latitude, fix.altitude]);
    let [north, east, down] = motion.velocity;
    #[expect(clippy::cast_precision_loss, reason = "exact for centuries")]
    let seconds = time_us as f64 / 1e6;
    let mut numbers = vec![seconds];
    numbers.extend(inertial.gyro);
    numbers.extend(inertial.acceleration);
    numbers.extend(left_up(motion.attitude));
    numbers.extend([east, north, -down]);
    numbers.extend(place);
    numbers.push(vehicle.pressure.last.unwrap_or(101_325.0));
    // A number that is none would spread in the flight controller.
    numbers.iter().flat_map(|number| if number.is_finite() { *number } else { 0.0 }.to_le_bytes()).collect()
}

/// Converts an attitude w, x, y, z from forward, right, down in north, east, down to forward, left, up in north, west, up.
fn left_up([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [w, x, -y, -z]
}

/// Reads an answer: how far each motor is open, mostly from 0 to 1. Returns `None` if it is none.
pub(crate) fn motors(bytes: &[u8]) -> Option<[f64; MOTORS]> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    let numbers: [[u8; 4]; MOTORS] = numbers.try_into().ok().filter(|_| rest.is_empty())?;
    Some(numbers.map(|number| f64::from(f32::from_le_bytes(number))))
}

/// Returns the speeds of rotors, rad/s: 0 for a motor that stands, and those of `ends` at 0 and at 1.
pub(crate) fn speeds(motors: [f64; MOTORS], [min, max]: [f64; 2]) -> Vec<f64> {
    let speed = |share: f64| if share > 0.0 { min + (max - min) * share.min(1.0) } else { 0.0 };
    motors.map(speed).to_vec()
}

#[cfg(test)]
mod tests {
    use bridgehead_autopilot::vehicle::{Inertial, Measured};

    use super::*;

    fn measured<T>(value: T) -> Measured<T> {
        Measured { last: Some(value), is_new: true }
    }

    #[test]
    fn a_state_has_the_order_and_axes_of_the_flight_controller() {
        let motion = Motion {
            position: [1.0, 2.0, -3.0],
            velocity: [4.0, 5.0, -6.0],
            attitude: [0.5, 0.1, 0.2, 0.3],
            rates: [0.0; 3],
        };
        let vehicle = Vehicle {
            inertial: measured(Inertial { gyro: [0.1, 0.2, 0.3], acceleration: [0.0, f64::NAN, -9.8] }),
            motion: measured(motion),
            pressure: measured(95_000.0),
            ..Vehicle::default()
        };
        let bytes = state(&vehicle, 1_500_000);
        assert_eq!(bytes.len(), 144);
        let numbers: Vec<f64> =
            bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        let expected = [
            1.5, 0.1, 0.2, 0.3, 0.0, 0.0, -9.8, 0.5, 0.1, -0.2, -0.3, 5.0, 4.0, 6.0, 0.0, 0.0, 0.0, 95_000.0,
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn motors_turn_between_standstill_and_their_greatest_speed() {
        let bytes: Vec<u8> = [0.0_f32, 0.5, 1.0, 2.0].iter().flat_map(|part| part.to_le_bytes()).collect();
        let read = motors(&bytes).expect("an answer");
        assert_eq!(speeds(read, [100.0, 1100.0]), [0.0, 600.0, 1100.0, 1100.0]);
        assert_eq!(speeds([-1.0, f64::NAN, 0.25, 0.0], [0.0, 1000.0]), [0.0, 0.0, 250.0, 0.0]);
        assert_eq!((motors(&bytes[1..]), motors(&[0; 17]), motors(&[])), (None, None, None));
    }
}
