//! Boxes around models: what logical cameras and ground truth show of them.

use crate::pose::{DVec3, Pose};
use crate::sdf::element::Geometry;
use crate::sdf::resolved::Model;

/// The box around a model's collisions as loaded, in the axes of the model frame; a point at its origin where it has
/// none that end somewhere.
pub(super) fn of_model(model: &Model) -> [DVec3; 2] {
    let placed = model.links.iter().flat_map(|link| {
        link.collisions.iter().filter_map(|collision| {
            let half = half_size(&collision.element.geometry)?;
            Some(around(link.pose * collision.pose, half))
        })
    });
    placed.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([DVec3::ZERO; 2])
}

/// Half of the extent of a shape along its own axes; `None` for one that has no end or no shape.
fn half_size(geometry: &Geometry) -> Option<DVec3> {
    let round = |radius, half: f64| DVec3::new(radius, radius, half);
    Some(match *geometry {
        Geometry::Box { size } => size / 2.0,
        Geometry::Sphere { radius } => DVec3::splat(radius),
        Geometry::Cylinder { radius, length } | Geometry::Cone { radius, length } => {
            round(radius, length / 2.0)
        }
        Geometry::Capsule { radius, length } => round(radius, length / 2.0 + radius),
        Geometry::Ellipsoid { radii } => radii,
        Geometry::Plane { .. }
        | Geometry::Empty
        | Geometry::Mesh(_)
        | Geometry::Heightmap(_)
        | Geometry::Unsupported { .. } => {
            return None;
        }
    })
}

/// The box in outer axes around a box of `half` extents at `pose`.
fn around(pose: Pose, half: DVec3) -> [DVec3; 2] {
    let reach = [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .map(|axis| (pose.rotation * (axis * half)).abs())
        .fold(DVec3::ZERO, |sum, part| sum + part);
    [pose.position - reach, pose.position + reach]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdf::parse_str;

    #[test]
    fn a_box_on_its_side_reaches_as_far_as_its_corners() {
        let text = "<sdf version='1.9'><model name='m'><link name='l'><pose>1 0 0 0 0 0.785398163397448</pose>
            <collision name='c'><geometry><box><size>2 2 4</size></box></geometry></collision></link></model></sdf>";
        let world = parse_str("m.sdf", text).expect("a model").world;
        let [low, high] = of_model(&world.models[0]);
        let root = std::f64::consts::SQRT_2;
        assert!(low.abs_diff_eq(DVec3::new(1.0 - root, -root, -2.0), 1e-9), "{low}");
        assert!(high.abs_diff_eq(DVec3::new(1.0 + root, root, 2.0), 1e-9), "{high}");
    }

    #[test]
    fn a_plane_has_no_box() {
        let text =
            "<sdf version='1.9'><model name='m'><static>true</static><link name='l'><collision name='c'>
            <geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model></sdf>";
        let world = parse_str("m.sdf", text).expect("a model").world;
        assert_eq!(of_model(&world.models[0]), [DVec3::ZERO; 2]);
    }
}
