//! Sensors of the environment of a link: altimeter, magnetometer and air pressure.
//!
//! Each is one file and one plugin; they share a library because each is only a formula. They run on the simulation
//! thread.

mod air_pressure;
mod altimeter;
mod magnetometer;

use bridgehead_plugin_api::export_plugin;

use crate::air_pressure::AirPressure;
use crate::altimeter::Altimeter;
use crate::magnetometer::Magnetometer;

export_plugin! {
    model Altimeter { id: "org.bridgehead.sensor.altimeter", name: "altimeter", vendor: "Bridgehead" }
    model Magnetometer { id: "org.bridgehead.sensor.magnetometer", name: "magnetometer", vendor: "Bridgehead" }
    model AirPressure { id: "org.bridgehead.sensor.air_pressure", name: "air_pressure", vendor: "Bridgehead" }
}
