//! Changes for the next time a world is saved that the simulation does not use.

use std::collections::BTreeMap;

use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::save::Change;

/// Changes for the next time a world is saved that the simulation does not use.
#[derive(Debug, Default)]
pub(in crate::sim) struct Edits {
    pub(super) camera: Option<Pose>,
    pub(super) roads: BTreeMap<String, Vec<DVec3>>,
}

impl Edits {
    pub(super) fn changes(&self) -> impl Iterator<Item = Change> {
        let camera = self.camera.iter().map(|pose| Change::PlaceCamera { pose: *pose });
        let road = |(road, points): (&String, &Vec<DVec3>)| Change::SetRoad {
            road: road.clone(),
            points: points.clone(),
        };
        camera.chain(self.roads.iter().map(road))
    }
}
