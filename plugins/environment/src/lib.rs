//! Sensors of the environment of a link: altimeter, magnetometer, air pressure and air speed.
//!
//! Each is one file and one plugin; they share a library because each is only a formula. They run on the simulation
//! thread.

mod air_pressure;
mod air_speed;
mod altimeter;
mod magnetometer;

use bridgehead_plugin_api::export_plugin;

use crate::air_pressure::AirPressure;
use crate::air_speed::AirSpeed;
use crate::altimeter::Altimeter;
use crate::magnetometer::Magnetometer;

export_plugin! {
    model Altimeter { id: "org.bridgehead.sensor.altimeter", name: "altimeter", vendor: "Bridgehead" }
    model Magnetometer { id: "org.bridgehead.sensor.magnetometer", name: "magnetometer", vendor: "Bridgehead" }
    model AirPressure { id: "org.bridgehead.sensor.air_pressure", name: "air_pressure", vendor: "Bridgehead" }
    model AirSpeed { id: "org.bridgehead.sensor.air_speed", name: "air_speed", vendor: "Bridgehead" }
}
