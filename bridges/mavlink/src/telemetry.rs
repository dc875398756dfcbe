//! What a ground station gets of a vehicle.

use bridgehead_plugin_api::messages::sensor_msgs::BatteryState;

use crate::message::{Attitude, BatteryStatus, GlobalPositionInt, Heartbeat, LocalPositionNed, Message};
use crate::numbers::{float, floats, to_i16, to_i32, to_u16};
use crate::place::{Place, centimetres, hundredths};
use bridgehead_autopilot::vehicle::{Motion, Vehicle};

/// An autopilot of no known kind (`MAV_AUTOPILOT_GENERIC`): ground stations show vehicles without an autopilot not at all.
const AUTOPILOT: u8 = 0;
/// `MAV_STATE_ACTIVE`.
const ACTIVE: u8 = 4;
/// Version of the protocol in heartbeats.
const VERSION: u8 = 3;

/// Returns a heartbeat of a type of vehicle.
pub(crate) fn heartbeat(kind: u8) -> Message {
    Heartbeat {
        kind,
        autopilot: AUTOPILOT,
        system_status: ACTIVE,
        mavlink_version: VERSION,
        ..Heartbeat::default()
    }
    .into()
}

/// Returns where the vehicle is and how its battery is; nothing without an odometry.
pub(crate) fn messages(vehicle: &Vehicle, time_us: u64) -> Vec<Message> {
    let Some(motion) = vehicle.motion.last else { return Vec::new() };
    // It wraps after 49 days, as those of autopilots do.
    #[expect(clippy::cast_possible_truncation, reason = "wraps")]
    let time_boot_ms = (time_us / 1000) as u32;
    let [roll, pitch, yaw] = angles(motion.attitude);
    let [roll_speed, pitch_speed, yaw_speed] = floats(motion.rates);
    let attitude = Attitude {
        time_boot_ms,
        roll: float(roll),
        pitch: float(pitch),
        yaw: float(yaw),
        roll_speed,
        pitch_speed,
        yaw_speed,
    };
    let local = LocalPositionNed {
        time_boot_ms,
        position: floats(motion.position),
        velocity: floats(motion.velocity),
    };
    let place = vehicle.fix.last.as_ref().and_then(Place::of);
    let global = place.map(|place| global(place, &motion, yaw, time_boot_ms).into());
    let battery = vehicle.battery.last.as_ref().map(|battery| battery_status(battery).into());
    [attitude.into(), local.into()].into_iter().chain(global).chain(battery).collect()
}

fn global(place: Place, motion: &Motion, yaw: f64, time_boot_ms: u32) -> GlobalPositionInt {
    let [_, _, down] = motion.position;
    GlobalPositionInt {
        time_boot_ms,
        lat: place.lat,
        lon: place.lon,
        alt: place.alt,
        relative_alt: to_i32(-down * 1000.0),
        velocity: centimetres(motion.velocity),
        hdg: hundredths(yaw),
    }
}

/// Returns roll, pitch and yaw of a quaternion w, x, y, z.
fn angles([w, x, y, z]: [f64; 4]) -> [f64; 3] {
    [
        libm::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
        libm::asin((2.0 * (w * y - z * x)).clamp(-1.0, 1.0)),
        libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)),
    ]
}

/// Returns the state of a battery. What is not known has the value that says so.
fn battery_status(battery: &BatteryState) -> BatteryStatus {
    let number = |value: f32| f64::from(value);
    let known = |value: f32| value.is_finite().then_some(f64::from(value));
    let mut voltages = [u16::MAX; 10];
    voltages[0] = known(battery.voltage).map_or(u16::MAX, |volts| to_u16(volts * 1000.0));
    let percentage = known(battery.percentage).map_or(-1, |share| to_i16(share.clamp(0.0, 1.0) * 100.0));
    let used = number(battery.capacity) - number(battery.charge);
    BatteryStatus {
        current_consumed: if used.is_finite() { to_i32(used * 1000.0) } else { -1 },
        energy_consumed: -1,
        temperature: known(battery.temperature).map_or(i16::MAX, |celsius| to_i16(celsius * 100.0)),
        voltages,
        // Positive while it is discharged, in 0.01 A.
        current: known(battery.current).map_or(-1, |amperes| to_i16(-amperes * 100.0)),
        remaining: i8::try_from(percentage).unwrap_or(-1),
        ..BatteryStatus::default()
    }
}

#[cfg(test)]
mod tests;
