//! The ray scene against closed forms, against itself without the tree, and far from the origin.

mod changes;
mod closed_form;
mod mesh;
mod random;

use bridgehead_pose::{DQuat, DVec3, Pose};

use super::{Hit, Placement, Query, Ray, RayScene, Shape};

/// A scene with one shape at a pose, known as object 1.
fn scene_of(shape: Shape, pose: Pose) -> RayScene {
    let mut scene = RayScene::new();
    let frame = scene.add_frame(pose);
    scene.add_shape(frame, shape, &Placement::of_object(1)).unwrap();
    scene
}

/// One ray with normals, seen from 0 to 10 km.
fn shoot(scene: &mut RayScene, origin: [f64; 3], direction: [f64; 3]) -> Hit {
    let query = Query { normals: true, ..Query::up_to(10_000.0) };
    shoot_with(scene, origin, direction, &query)
}

fn shoot_with(scene: &mut RayScene, origin: [f64; 3], direction: [f64; 3], query: &Query) -> Hit {
    let ray = Ray { origin: origin.into(), direction: DVec3::from(direction).normalize() };
    let mut hit = [Hit::NONE];
    scene.caster().cast(&[ray], query, &mut hit);
    hit[0]
}

#[track_caller]
fn assert_hit(hit: &Hit, distance: f64, normal: [f64; 3], tolerance: f64) {
    assert!((hit.distance - distance).abs() <= tolerance, "distance {} instead of {distance}", hit.distance);
    assert!(
        (hit.normal - DVec3::from(normal)).length() < 1e-6,
        "normal {} instead of {normal:?}",
        hit.normal
    );
    assert_eq!(hit.object, 1);
}

/// Numbers that look random and are the same in every run (SplitMix64).
struct Random(u64);

impl Random {
    /// In -1..1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// In low..high.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.signed() + 1.0)
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed()) * size
    }

    fn direction(&mut self) -> DVec3 {
        self.vector(1.0).normalize_or(DVec3::X)
    }

    fn pose(&mut self, spread: f64) -> Pose {
        let axis = self.direction();
        Pose::new(self.vector(spread), DQuat::from_axis_angle(axis, self.between(-3.0, 3.0)))
    }

    fn solid(&mut self) -> Shape {
        let (radius, half_length) = (self.between(0.1, 1.0), self.between(0.1, 1.0));
        let half = DVec3::new(self.between(0.1, 1.0), self.between(0.1, 1.0), self.between(0.1, 1.0));
        match self.between(0.0, 7.0).floor() {
            0.0 => Shape::Box { half },
            1.0 => Shape::Sphere { radius },
            2.0 => Shape::Cylinder { radius, half_length },
            3.0 => Shape::Capsule { radius, half_length },
            4.0 => Shape::Cone { radius, half_length },
            5.0 => Shape::Ellipsoid { radii: half },
            _ => Shape::Rectangle { half_x: half.x, half_y: half.y },
        }
    }
}
