//! What vehicles have on the ground: wheels that slip with their load, tracks, and vehicles that steer with tracks.
//!
//! They have the parameters and topics of Gazebo's systems. Each is one file and one plugin. They run on the simulation
//! thread.

mod command;
mod track;
mod tracked_vehicle;
mod wheel_slip;

use bridgehead_plugin_api::export_plugin;

use crate::track::TrackController;
use crate::tracked_vehicle::TrackedVehicle;
use crate::wheel_slip::WheelSlip;

export_plugin! {
    model WheelSlip { id: "org.bridgehead.physics.wheel_slip", name: "wheel_slip", vendor: "Bridgehead" }
    model TrackController {
        id: "org.bridgehead.actuator.track_controller", name: "track_controller", vendor: "Bridgehead"
    }
    model TrackedVehicle {
        id: "org.bridgehead.controller.tracked_vehicle", name: "tracked_vehicle", vendor: "Bridgehead"
    }
}
