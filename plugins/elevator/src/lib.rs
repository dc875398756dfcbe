//! Elevators: buildings like those of CLOiSim's elevator system, and single ones like those of Gazebo's elevator plugin.
//!
//! [`lift`] decides for both what an elevator does next. Each kind is one file and one plugin. They run on the simulation
//! thread.

mod building;
mod cabin;
mod elevator;
mod elevator_system;
mod lift;
mod settings;
mod travel;

use bridgehead_plugin_api::export_plugin;

use crate::elevator::Elevator;
use crate::elevator_system::ElevatorSystem;

export_plugin! {
    model Elevator { id: "org.bridgehead.controller.elevator", name: "elevator", vendor: "Bridgehead" }
    model ElevatorSystem {
        id: "org.bridgehead.controller.elevator_system", name: "elevator_system", vendor: "Bridgehead"
    }
}
