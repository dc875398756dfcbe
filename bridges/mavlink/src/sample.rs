//! What an autopilot gets after a number of steps: the GPS, the truth if it asks for it, and the sensors.

use crate::message::{HilGps, HilSensor, HilStateQuaternion};
use crate::numbers::{float, floats, to_i16, to_u16};
use crate::place::{Place, centimetres, course, has_fix, speed};
use bridgehead_autopilot::vehicle::Vehicle;

/// Bits of `fields_updated` (`HIL_SENSOR_UPDATED_FLAGS`): PX4 uses a group only if all of its bits are set.
const INERTIAL: u32 = 0x3f;
const MAGNETIC: u32 = 0x1c0;
const PRESSURE: u32 = 0x1a00;
const AIR_SPEED: u32 = 0x400;

/// Gauss of a tesla.
const GAUSS: f64 = 1e4;
/// Least error of a fix that is told, metres: PX4 does not trust a receiver without any.
const ERRORS: [f64; 2] = [0.3, 0.4];
/// Satellites of a fix.
const SATELLITES: u8 = 10;
/// Gravity of the standard atmosphere, m/s².
const GRAVITY: f64 = 9.806_65;

/// Returns the sensors. The bits of those are set that have measured since the last sample.
pub(crate) fn sensor(vehicle: &mut Vehicle, time_usec: u64) -> HilSensor {
    let mut fields_updated = 0;
    let mut note = |is_new: bool, bits: u32| fields_updated |= if is_new { bits } else { 0 };
    note(vehicle.inertial.take_new().is_some(), INERTIAL);
    note(vehicle.magnetic.take_new().is_some(), MAGNETIC);
    note(vehicle.pressure.take_new().is_some(), PRESSURE);
    note(vehicle.air_speed.take_new().is_some(), AIR_SPEED);
    let inertial = vehicle.inertial.last.unwrap_or_default();
    let pressure = vehicle.pressure.last.unwrap_or(0.0);
    let altitude = if pressure > 0.0 { pressure_altitude(pressure) } else { 0.0 };
    HilSensor {
        time_usec,
        acceleration: floats(inertial.acceleration),
        gyro: floats(inertial.gyro),
        magnetic: floats(vehicle.magnetic.last.unwrap_or_default().map(|part| part * GAUSS)),
        abs_pressure: float(pressure / 100.0),
        diff_pressure: float(vehicle.air_speed.last.unwrap_or(0.0) / 100.0),
        pressure_alt: float(altitude),
        temperature: float(temperature(altitude)),
        fields_updated,
        id: 0,
    }
}

/// Returns the height at which the standard atmosphere has a pressure, metres (ISO 2533, the troposphere).
fn pressure_altitude(pascals: f64) -> f64 {
    // The exponent is gas constant × lapse rate / gravity.
    let exponent = 287.052_87 * 0.0065 / GRAVITY;
    288.15 / 0.0065 * (1.0 - libm::pow(pascals / 101_325.0, exponent))
}

/// Returns the temperature of the standard atmosphere at a height, degrees Celsius.
fn temperature(altitude: f64) -> f64 {
    15.0 - 0.0065 * altitude
}

/// Returns the GPS if it has measured since the last sample.
pub(crate) fn gps(vehicle: &mut Vehicle, time_usec: u64) -> Option<HilGps> {
    let fix = vehicle.fix.take_new()?;
    let place = Place::of(&fix).unwrap_or_default();
    let velocity = vehicle.fix_velocity.last.unwrap_or_default();
    let is_known = has_fix(&fix);
    let variance = |index: usize| fix.position_covariance.get(index).copied().unwrap_or(0.0);
    let (across, up) = (f64::midpoint(variance(0), variance(4)).sqrt(), variance(8).sqrt());
    // PX4 takes these as centimetres.
    let [eph, epv] = [across.max(ERRORS[0]), up.max(ERRORS[1])].map(|error| to_u16(error * 100.0));
    let [north, east, _] = velocity;
    Some(HilGps {
        time_usec,
        lat: place.lat,
        lon: place.lon,
        alt: place.alt,
        eph,
        epv,
        vel: speed(&[north, east]),
        velocity: centimetres(velocity),
        cog: course(velocity),
        fix_type: if is_known { 3 } else { 0 },
        satellites_visible: if is_known { SATELLITES } else { 0 },
        id: 0,
        yaw: 0,
    })
}

/// Returns the truth; `None` without an odometry. Its place on Earth is that of the GPS.
pub(crate) fn truth(vehicle: &Vehicle, time_usec: u64) -> Option<HilStateQuaternion> {
    let motion = vehicle.motion.last?;
    let place = vehicle.fix.last.as_ref().and_then(Place::of).unwrap_or_default();
    let acceleration = vehicle.inertial.last.unwrap_or_default().acceleration;
    let speed = speed(&motion.velocity);
    Some(HilStateQuaternion {
        time_usec,
        attitude: floats(motion.attitude),
        rates: floats(motion.rates),
        lat: place.lat,
        lon: place.lon,
        alt: place.alt,
        velocity: centimetres(motion.velocity),
        ind_airspeed: speed,
        true_airspeed: speed,
        // In mm/s², as PX4 reads it; the definition of the message says mG.
        acceleration: acceleration.map(|part| to_i16(part * 1000.0)),
    })
}

#[cfg(test)]
mod tests;
