//! The shapes of visuals for rays. They are made when rays first need them: most worlds have no sensor that does.
//! Simulation thread, or the thread that builds the world.

use std::collections::BTreeMap;

use bridgehead_physics::rays::{FrameId, Placement, RayScene};
use bridgehead_sdf::element::Geometry;
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved::Link;
use bridgehead_sdf::{Budget, Origin};

use super::origin::place_of;
use super::solid::Meshes;

/// The visuals of a world for rays.
#[derive(Debug, Default)]
pub(super) struct DrawnShapes {
    scene: RayScene,
    /// Of links whose shapes are in the scene, by handle.
    frames: BTreeMap<u32, FrameId>,
    /// Without shapes, with which the frames of the links of a rigid body are united; by its first link.
    bodies: BTreeMap<u32, FrameId>,
    /// Links whose shapes are not made, by handle.
    unbuilt: BTreeMap<u32, Unbuilt>,
}

#[derive(Debug)]
struct Unbuilt {
    name: String,
    /// The first link of its rigid body.
    rigid: u32,
    /// In the world, when the link was added.
    pose: Pose,
    visuals: Vec<(Pose, Geometry, Origin)>,
}

impl DrawnShapes {
    /// Notes the visuals of a link; `rigid` is the first link of its rigid body.
    pub(super) fn add(&mut self, handle: u32, (name, rigid): (&str, u32), pose: Pose, link: &Link) {
        let visual = |placed: &bridgehead_sdf::resolved::Placed<bridgehead_sdf::element::Visual>| {
            (placed.pose, placed.element.geometry.clone(), placed.element.origin.clone())
        };
        let visuals: Vec<_> = link.visuals.iter().map(visual).collect();
        if !visuals.is_empty() {
            self.unbuilt.insert(handle, Unbuilt { name: name.to_owned(), rigid, pose, visuals });
        }
    }

    pub(super) fn remove(&mut self, handle: u32) {
        self.unbuilt.remove(&handle);
        if let Some(frame) = self.frames.remove(&handle) {
            self.scene.remove_frame(frame);
        }
        if let Some(body) = self.bodies.remove(&handle) {
            self.scene.remove_frame(body);
        }
    }

    pub(super) fn has_unbuilt(&self) -> bool {
        !self.unbuilt.is_empty()
    }

    /// Makes all shapes that are not there; returns a message for each visual that rays do not see.
    pub(super) fn build(&mut self, meshes: &mut Meshes, budget: &Budget) -> Vec<String> {
        let mut problems = Vec::new();
        for (handle, link) in std::mem::take(&mut self.unbuilt) {
            let frame = self.scene.add_frame(link.pose);
            self.frames.insert(handle, frame);
            let body = *self.bodies.entry(link.rigid).or_insert_with(|| self.scene.add_frame(Pose::IDENTITY));
            self.scene.unite(frame, body);
            for (pose, geometry, origin) in &link.visuals {
                let place = place_of(origin).map(|place| format!("{place}: ")).unwrap_or_default();
                let mut unseen = |why: &dyn std::fmt::Display| {
                    problems.push(format!(
                        "[BH-PHY-067] {place}a visual of `{}` is invisible to rays: {why}",
                        link.name
                    ));
                };
                match meshes.seen(geometry, budget.of(origin)) {
                    Ok(None) => {}
                    Err(error) => unseen(&error),
                    Ok(Some((shape, turned))) => {
                        // Ids of hit entities count from 1, because 0 means no hit.
                        let placement =
                            Placement { pose: *pose * turned, ..Placement::of_object(u64::from(handle) + 1) };
                        if let Err(error) = self.scene.add_shape(frame, shape, &placement) {
                            unseen(&error);
                        }
                    }
                }
            }
        }
        problems
    }

    pub(super) fn set_pose(&mut self, handle: u32, pose: Pose) {
        if let Some(frame) = self.frames.get(&handle) {
            self.scene.set_pose(*frame, pose);
        }
    }

    /// Returns the frame of the rigid body with this first link, if it has shapes.
    pub(super) fn body(&self, first_link: u32) -> Option<FrameId> {
        self.bodies.get(&first_link).copied()
    }

    pub(super) fn scene_mut(&mut self) -> &mut RayScene {
        &mut self.scene
    }
}
