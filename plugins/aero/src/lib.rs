//! Forces of air: lift and drag of wings and aircraft, wind on links, rotors, and the control of a multicopter's velocity.
//!
//! They have the parameters of Gazebo's systems. Each is one file and one plugin, and [`air`] reads the wind. They run on
//! the simulation thread.

mod advanced_lift_drag;
mod air;
mod airframe;
mod allocation;
mod frame;
mod lift_drag;
mod multicopter;
mod rotor;
mod wind_effects;
mod wing;

use bridgehead_plugin_api::export_plugin;

use crate::advanced_lift_drag::AdvancedLiftDrag;
use crate::lift_drag::LiftDrag;
use crate::multicopter::MulticopterControl;
use crate::rotor::Rotor;
use crate::wind_effects::WindEffects;

export_plugin! {
    model LiftDrag { id: "org.bridgehead.physics.lift_drag", name: "lift_drag", vendor: "Bridgehead" }
    model AdvancedLiftDrag {
        id: "org.bridgehead.physics.advanced_lift_drag", name: "advanced_lift_drag", vendor: "Bridgehead"
    }
    model WindEffects { id: "org.bridgehead.physics.wind_effects", name: "wind_effects", vendor: "Bridgehead" }
    model Rotor { id: "org.bridgehead.actuator.multicopter_motor", name: "multicopter_motor", vendor: "Bridgehead" }
    model MulticopterControl {
        id: "org.bridgehead.controller.multicopter_control", name: "multicopter_control", vendor: "Bridgehead"
    }
}
