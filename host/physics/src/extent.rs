//! The extent of models: boxes, hulls and distances of their shapes at the current poses.

use bridgehead_pose::{DVec3, Pose};
use rapier3d_f64::geometry::TypedShape;
use rapier3d_f64::math::Pose as RapierPose;
use rapier3d_f64::parry::shape::Shape;
use rapier3d_f64::parry::transformation::try_convex_hull;

use super::id::ModelId;
use super::link::to_core;
use super::simple_shape::{SimpleShape, for_each_simple_shape};
use super::world::Physics;

/// Points around a round shape, and half as many from pole to pole: at most 0.5 % of the radius off.
const ROUND: u32 = 32;

impl Physics {
    /// Returns the lowest and highest corner of the box around all shapes of a model, in the axes of `frame`.
    /// `None` if the model has no bounded shape.
    pub fn extent(&self, model: ModelId, frame: &Pose) -> Option<[DVec3; 2]> {
        let mut found: Option<[DVec3; 2]> = None;
        let mut take = |[low, high]: [DVec3; 2]| {
            found = Some(found.map_or([low, high], |[a, b]| [a.min(low), b.max(high)]));
        };
        self.simple_shapes_of(model, frame, &mut |part, pose| match part {
            SimpleShape::Convex(_, ends) => {
                let axes = [DVec3::X, DVec3::Y, DVec3::Z];
                let end = |axis: DVec3| ends.support_point(pose, axis).dot(axis);
                let [high, low] =
                    [1.0, -1.0].map(|sign| DVec3::from_array(axes.map(|axis| sign * end(axis * sign))));
                take([low, high]);
            }
            SimpleShape::Surface(points) => {
                for point in points.into_iter().map(|point| pose.transform_point(point)) {
                    take([point, point]);
                }
            }
            SimpleShape::HalfSpace => {}
        });
        found
    }

    /// Returns the corners of the convex hull of all shapes of a model, in the axes of `frame`. Round shapes
    /// are approximated by points on them. Empty if the model has no bounded shape or its points span no
    /// volume.
    pub fn hull_of(&self, model: ModelId, frame: &Pose) -> Vec<DVec3> {
        let mut points = Vec::new();
        self.simple_shapes_of(model, frame, &mut |part, pose| {
            let corners = match part {
                SimpleShape::Convex(shape, _) => corners(shape),
                SimpleShape::Surface(points) => points,
                SimpleShape::HalfSpace => Vec::new(),
            };
            points.extend(corners.into_iter().map(|point| pose.transform_point(point)));
        });
        // parry panics on some sets of points that lie in a plane or on a line.
        let hull = std::panic::catch_unwind(|| try_convex_hull(&points));
        hull.ok().and_then(Result::ok).map(|(corners, _)| corners).unwrap_or_default()
    }

    /// Returns the greatest distance of the shapes of a model from a point, which is given in the axes of
    /// `frame`.
    pub fn reach(&self, model: ModelId, frame: &Pose, centre: DVec3) -> f64 {
        let mut farthest = 0.0_f64;
        self.simple_shapes_of(model, frame, &mut |part, pose| {
            let reach = match part {
                SimpleShape::Convex(shape, _) => reach(shape, pose.inverse_transform_point(centre)),
                SimpleShape::Surface(points) => farthest_of(&points, pose.inverse_transform_point(centre)),
                SimpleShape::HalfSpace => 0.0,
            };
            farthest = farthest.max(reach);
        });
        farthest
    }

    fn simple_shapes_of(
        &self,
        model: ModelId,
        frame: &Pose,
        see: &mut dyn FnMut(SimpleShape<'_>, &RapierPose),
    ) {
        let into = to_core(&frame.inverse());
        self.shapes_of(model, |shape, pose| for_each_simple_shape(shape, &(into * *pose), see));
    }
}

/// The corners of a convex shape, or points all over it if it is round.
fn corners(shape: &dyn Shape) -> Vec<DVec3> {
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => ball.to_trimesh(ROUND, ROUND / 2).0,
        TypedShape::Capsule(capsule) => capsule.to_trimesh(ROUND, ROUND / 2).0,
        TypedShape::Cylinder(cylinder) => cylinder.to_trimesh(ROUND).0,
        TypedShape::Cone(cone) => cone.to_trimesh(ROUND).0,
        TypedShape::Cuboid(cuboid) => cuboid.to_trimesh().0,
        TypedShape::ConvexPolyhedron(hull) => hull.points().to_vec(),
        _ => Vec::new(),
    }
}

/// The greatest distance of a convex shape from a point in its own frame.
fn reach(shape: &dyn Shape, from: DVec3) -> f64 {
    // The farthest point of a circle about the y axis.
    let circle = |height: f64, radius: f64| {
        let off = from - DVec3::Y * height;
        libm::hypot(libm::hypot(off.x, off.z) + radius, off.y)
    };
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => from.length() + ball.radius,
        TypedShape::Capsule(capsule) => {
            let ends = [capsule.segment.a, capsule.segment.b];
            farthest_of(&ends, from) + capsule.radius
        }
        TypedShape::Cylinder(cylinder) => {
            let [low, high] = [-1.0, 1.0].map(|end| circle(end * cylinder.half_height, cylinder.radius));
            low.max(high)
        }
        TypedShape::Cone(cone) => {
            let tip = DVec3::Y * cone.half_height;
            circle(-cone.half_height, cone.radius).max(from.distance(tip))
        }
        _ => farthest_of(&corners(shape), from),
    }
}

fn farthest_of(points: &[DVec3], from: DVec3) -> f64 {
    points.iter().map(|point| point.distance(from)).fold(0.0, f64::max)
}
