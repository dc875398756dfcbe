//! Bounding boxes of models, as reported by logical cameras and ground truth. Plain functions.

use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::Model;

use super::convert::Solids;

/// Returns the bounding box of a model's collisions as loaded, in the model frame; a point at its origin if it has no
/// bounded collision.
pub(super) fn of_model(model: &Model, solids: &Solids) -> [DVec3; 2] {
    let placed = model.links.iter().zip(solids).flat_map(|(link, solids)| {
        link.collisions.iter().zip(solids).filter_map(|(collision, solid)| {
            let [low, high] = solid.as_ref()?.bounds?;
            let middle = Pose::from_position(low.midpoint(high));
            Some(around(link.pose * collision.pose * middle, (high - low) / 2.0))
        })
    });
    placed.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([DVec3::ZERO; 2])
}

/// Returns the box in outer axes around a box of `half` extents at `pose`.
pub(super) fn around(pose: Pose, half: DVec3) -> [DVec3; 2] {
    let reach = [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .map(|axis| (pose.rotation * (axis * half)).abs())
        .fold(DVec3::ZERO, |sum, part| sum + part);
    [pose.position - reach, pose.position + reach]
}

#[cfg(test)]
mod tests {
    use super::super::solid::Meshes;
    use super::*;
    use bridgehead_sdf::{Budget, Origin, parse_str};

    fn bounds(collision: &str) -> [DVec3; 2] {
        let text =
            format!("<sdf version='1.9'><model name='m'><link name='l'>{collision}</link></model></sdf>");
        let world = parse_str("m.sdf", &text).expect("a model").world;
        let model = &world.models[0];
        let collisions = model.links[0].collisions.iter();
        let (budget, origin) = (Budget::default(), Origin::default());
        let solid = |geometry| Meshes::default().solid(geometry, true, budget.of(&origin)).expect("sound");
        let solids = collisions.map(|placed| solid(&placed.element.geometry));
        of_model(model, &vec![solids.collect()])
    }

    #[test]
    fn a_turned_box_reaches_as_far_as_its_corners() {
        let [low, high] = bounds(
            "<pose>1 0 0 0 0 0.785398163397448</pose>
            <collision name='c'><geometry><box><size>2 2 4</size></box></geometry></collision>",
        );
        let root = std::f64::consts::SQRT_2;
        assert!(low.abs_diff_eq(DVec3::new(1.0 - root, -root, -2.0), 1e-9), "{low}");
        assert!(high.abs_diff_eq(DVec3::new(1.0 + root, root, 2.0), 1e-9), "{high}");
    }

    #[test]
    fn a_plane_has_no_box() {
        let plane =
            "<collision name='c'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision>";
        assert_eq!(bounds(plane), [DVec3::ZERO; 2]);
    }

    #[test]
    fn a_shape_beside_its_origin_has_its_box_there() {
        let [low, high] = bounds(
            "<collision name='c'><geometry><polyline><point>1 1</point><point>3 1</point><point>1 2</point>
            <height>5</height></polyline></geometry></collision>",
        );
        assert_eq!((low, high), (DVec3::new(1.0, 1.0, 0.0), DVec3::new(3.0, 2.0, 5.0)));
    }
}
