//! Forces of water: buoyancy of everything in the world, the drag and added mass of a link, and thrusters.
//!
//! They have the parameters of Gazebo's systems. Each is one file and one plugin, and [`matrix`] solves the equations of
//! added mass. They run on the simulation thread.

mod buoyancy;
mod buoyancy_engine;
mod fluid;
mod hydrodynamics;
mod matrix;
mod propeller;
mod thruster;

use bridgehead_plugin_api::export_plugin;

use crate::buoyancy::Buoyancy;
use crate::buoyancy_engine::BuoyancyEngine;
use crate::hydrodynamics::Hydrodynamics;
use crate::thruster::Thruster;

export_plugin! {
    model BuoyancyEngine { id: "org.bridgehead.actuator.buoyancy_engine", name: "buoyancy_engine", vendor: "Bridgehead" }
    model Buoyancy { id: "org.bridgehead.physics.buoyancy", name: "buoyancy", vendor: "Bridgehead" }
    model Hydrodynamics { id: "org.bridgehead.physics.hydrodynamics", name: "hydrodynamics", vendor: "Bridgehead" }
    model Thruster { id: "org.bridgehead.actuator.thruster", name: "thruster", vendor: "Bridgehead" }
}
