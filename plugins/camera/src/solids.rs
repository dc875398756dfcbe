//! Boxes in space around objects. They have the axes of the object's first visual, and contain all of its visuals.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{Scene, SceneVisual};
use bridgehead_render::{Placement, placement};
use glam::{DQuat, DVec3};

use crate::boxes::Extent;
use crate::classes::Classes;

/// Turns vectors of the optical frame to the frame of the camera: REP 103.
const OPTICAL: DQuat = DQuat::from_xyzw(-0.5, 0.5, -0.5, 0.5);

/// A box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    /// Pose of its centre in the optical frame of the camera.
    pub(crate) pose: Placement,
    /// Lengths along its axes.
    pub(crate) size: DVec3,
}

/// Corners of the meshes of a scene in their own frames, by index; the scene itself has only their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeshCorners(Vec<Option<[DVec3; 2]>>);

impl MeshCorners {
    /// Reads them from the content of the meshes.
    pub(crate) fn read(scene: &Scene, mut content: impl FnMut(&str) -> Option<Vec<u8>>) -> Self {
        let corners = scene.meshes.iter().map(|mesh| corners_of(&content(&mesh.hash)?));
        MeshCorners(corners.collect())
    }

    /// Returns the lowest and the highest corner of a visual in its frame.
    fn of(&self, visual: &SceneVisual) -> Option<[DVec3; 2]> {
        let size = visual.size.as_ref()?;
        let size = DVec3::new(size.x, size.y, size.z);
        match usize::try_from(visual.mesh) {
            // Meshes have factors instead of lengths.
            Ok(mesh) => {
                self.0.get(mesh).copied().flatten().map(|corners| corners.map(|corner| corner * size))
            }
            Err(_) => Some([-size / 2.0, size / 2.0]),
        }
    }
}

/// Returns the lowest and the highest corner of a file of binary glTF.
fn corners_of(file: &[u8]) -> Option<[DVec3; 2]> {
    let file = gltf::Gltf::from_slice(file).ok()?;
    let vector = |corner: [f32; 3]| DVec3::from_array(corner.map(f64::from));
    let boxes =
        file.meshes().flat_map(|mesh| mesh.primitives().map(|part| part.bounding_box()).collect::<Vec<_>>());
    let corners = boxes.map(|part| [vector(part.min), vector(part.max)]);
    corners.reduce(|[low, high], [next_low, next_high]| [low.min(next_low), high.max(next_high)])
}

/// The box of an object while it grows, in the frame of its first visual.
struct Growing {
    frame: Placement,
    low: DVec3,
    high: DVec3,
}

/// Returns the box around each object that is seen.
pub(crate) fn around(
    (classes, scene, meshes): (&Classes, &Scene, &MeshCorners),
    camera: &Placement,
    nodes: &[Placement],
    visible: &[Option<Extent>],
) -> Vec<Option<Solid>> {
    let mut growing: Vec<Option<Growing>> = visible.iter().map(|_| None).collect();
    for (number, visual) in (1_u32..).zip(&scene.visuals) {
        let object = classes.object(number);
        let index = object.index as usize;
        let is_seen = object.number > 0 && visible.get(index).is_some_and(Option::is_some);
        let node = usize::try_from(visual.node).ok().and_then(|node| nodes.get(node));
        let (Some(node), Some(corners), true) = (node, meshes.of(visual), is_seen) else { continue };
        let placed = node.compose(&placement(visual.pose.as_ref()));
        if let Some(slot) = growing.get_mut(index) {
            grow(slot, &placed, corners);
        }
    }
    growing.into_iter().map(|object| object.map(|object| object.seen_from(camera))).collect()
}

/// Lets a box contain the corners of a visual.
fn grow(object: &mut Option<Growing>, placed: &Placement, [low, high]: [DVec3; 2]) {
    let object = object.get_or_insert_with(|| Growing {
        frame: *placed,
        low: DVec3::INFINITY,
        high: DVec3::NEG_INFINITY,
    });
    for corner in 0..8 {
        let of = |bit: u32, axis: usize| if corner & (1 << bit) == 0 { low[axis] } else { high[axis] };
        let point = placed.position + placed.orientation * DVec3::new(of(0, 0), of(1, 1), of(2, 2));
        let inside = object.frame.orientation.inverse() * (point - object.frame.position);
        (object.low, object.high) = (object.low.min(inside), object.high.max(inside));
    }
}

impl Growing {
    fn seen_from(&self, camera: &Placement) -> Solid {
        let center = self.frame.position + self.frame.orientation * ((self.low + self.high) / 2.0);
        let to_optical = (camera.orientation * OPTICAL).inverse();
        Solid {
            pose: Placement {
                position: to_optical * (center - camera.position),
                orientation: to_optical * self.frame.orientation,
            },
            size: self.high - self.low,
        }
    }
}
