//! From commands of Apollo to those of the host.

use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::lgsvl_msgs::VehicleControlData;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::prelude::*;

use crate::schemas::apollo::control::ControlCommand;

/// The type of Apollo that drives a car.
pub(crate) const CONTROL: &str = "apollo.control.ControlCommand";

/// Converts a command. Its steering is in percent of a limit, which Apollo does not send.
pub(crate) fn control(bytes: &[u8], steering_limit: f64) -> Result<Vec<u8>> {
    let command = ControlCommand::decode(bytes).map_err(|error| Error::new(error.to_string()))?;
    let part = |percent: Option<f64>| percent.unwrap_or(0.0) / 100.0;
    let brake = if command.parking_brake.unwrap_or(false) { 1.0 } else { part(command.brake) };
    let header = command.header.map(|header| Header {
        stamp: header.timestamp_sec.map(time),
        frame_id: header.frame_id.unwrap_or_default(),
        ..Default::default()
    });
    let control = VehicleControlData {
        header,
        acceleration_pct: single(part(command.throttle)),
        braking_pct: single(brake),
        target_wheel_angle: single(part(command.steering_target) * steering_limit),
        target_wheel_angular_rate: single(part(command.steering_rate) * steering_limit),
        // The numbers of both are the same, up to the last gear of the host.
        target_gear: command
            .gear_location
            .and_then(|gear| u32::try_from(gear).ok())
            .filter(|gear| *gear <= 4)
            .unwrap_or(0),
        ..Default::default()
    };
    Ok(control.encode_to_vec())
}

#[expect(clippy::cast_possible_truncation, reason = "commands of the host are in single precision")]
fn single(number: f64) -> f32 {
    number as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "conversions saturate; the rest is below 1e9"
)]
fn time(seconds: f64) -> Time {
    let whole = seconds.floor();
    Time { sec: whole as i32, nanosec: ((seconds - whole) * 1e9) as u32 }
}
