//! Poses of entities: logical camera, three-dimensional ground truth, the poses of a model, and of selected links.
//!
//! Each is one file and one plugin; [`frustum`] is the view volume of the logical camera. They run on the simulation
//! thread.

mod frustum;
mod ground_truth;
mod kinetic_energy;
mod link_transforms;
mod logical_camera;
mod model_pose;
mod odometry;
mod pose;

use bridgehead_plugin_api::export_plugin;

use crate::ground_truth::GroundTruth;
use crate::kinetic_energy::KineticEnergy;
use crate::link_transforms::LinkTransforms;
use crate::logical_camera::LogicalCamera;
use crate::model_pose::ModelPose;
use crate::odometry::OdometryPublisher;

export_plugin! {
    model KineticEnergy { id: "org.bridgehead.sensor.kinetic_energy", name: "kinetic_energy", vendor: "Bridgehead" }
    model LogicalCamera { id: "org.bridgehead.sensor.logical_camera", name: "logical_camera", vendor: "Bridgehead" }
    model GroundTruth { id: "org.bridgehead.sensor.ground_truth", name: "ground_truth", vendor: "Bridgehead" }
    model LinkTransforms { id: "org.bridgehead.sensor.link_transforms", name: "link_transforms", vendor: "Bridgehead" }
    model ModelPose { id: "org.bridgehead.sensor.model_pose", name: "model_pose", vendor: "Bridgehead" }
    model OdometryPublisher {
        id: "org.bridgehead.sensor.odometry_publisher", name: "odometry_publisher", vendor: "Bridgehead"
    }
}
