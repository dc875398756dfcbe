//! A shape at its current pose in the world.
//!
//! Made by the scene from a frame and a placement, read by the caster. Plain values, any thread.

use bridgehead_pose::{DMat3, DVec3, Pose};

use super::aabb::Aabb;
use super::primitive::{self, Line, Span, normal};
use super::scene::{FrameId, Placement};
use super::shape::Shape;

/// A placed shape.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    to_local: DMat3,
    position: DVec3,
    shape: Shape,
    pub(super) object: u64,
    pub(super) visibility: u32,
    pub(super) frame: FrameId,
}

/// A crossing of a ray with the surface of a shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    pub(super) distance: f64,
    /// The outward normal in the frame of the shape, if the shape computes it with the crossing.
    mesh_normal: Option<DVec3>,
}

impl Instance {
    pub(super) fn new(shape: Shape, placement: &Placement, frame: FrameId, frame_pose: &Pose) -> Self {
        let mut instance = Self {
            to_local: DMat3::IDENTITY,
            position: DVec3::ZERO,
            shape,
            object: placement.object,
            visibility: placement.visibility,
            frame,
        };
        instance.place(&(*frame_pose * placement.pose));
        instance
    }

    /// Sets the pose of the shape in the world.
    pub(super) fn place(&mut self, pose: &Pose) {
        self.to_local = DMat3::from_quat(pose.rotation).transpose();
        self.position = pose.position;
    }

    /// Returns true if the shape is unbounded.
    pub(super) fn is_endless(&self) -> bool {
        matches!(self.shape, Shape::Plane)
    }

    /// The box around the shape in the world; `None` for an unbounded plane.
    pub(super) fn bounds(&self, pose: &Pose) -> Option<Aabb> {
        self.shape.bounds().map(|bounds| bounds.transformed(pose))
    }

    /// The first surface of the shape at a distance in `from..=limit`; a ray from inside hits the inner side.
    pub(super) fn crossing(
        &self,
        origin: DVec3,
        direction: DVec3,
        from: f64,
        limit: f64,
    ) -> Option<Crossing> {
        let local_origin = self.to_local * (origin - self.position);
        let local_direction = self.to_local * direction;
        if let Shape::Mesh(mesh) = &self.shape {
            let (distance, normal) = mesh.cast(local_origin, local_direction, from, limit)?;
            return Some(Crossing { distance, mesh_normal: Some(normal) });
        }
        let (line, shift) = Line::near(local_origin, local_direction);
        let distance = self.span(&line)?.first_from(from - shift)? + shift;
        (distance <= limit).then_some(Crossing { distance, mesh_normal: None })
    }

    fn span(&self, line: &Line) -> Option<Span> {
        match &self.shape {
            Shape::Box { half } => primitive::cuboid(line, *half),
            Shape::Sphere { radius } => primitive::sphere(line, DVec3::ZERO, *radius),
            Shape::Cylinder { radius, half_length } => primitive::cylinder(line, *radius, *half_length),
            Shape::Capsule { radius, half_length } => primitive::capsule(line, *radius, *half_length),
            Shape::Cone { radius, half_length } => primitive::cone(line, *radius, *half_length),
            Shape::Ellipsoid { radii } => primitive::ellipsoid(line, *radii),
            Shape::Plane => primitive::plane(line),
            Shape::Rectangle { half_x, half_y } => primitive::rectangle(line, *half_x, *half_y),
            Shape::Mesh(_) => None,
        }
    }

    /// The normal in the world at a crossing, on the side from which the ray comes.
    pub(super) fn normal(&self, origin: DVec3, direction: DVec3, crossing: &Crossing) -> DVec3 {
        let point = self.to_local * (origin + direction * crossing.distance - self.position);
        let outward = crossing.mesh_normal.unwrap_or_else(|| self.local_normal(point));
        let normal = self.to_local.transpose() * outward;
        if normal.dot(direction) > 0.0 { -normal } else { normal }
    }

    fn local_normal(&self, point: DVec3) -> DVec3 {
        match &self.shape {
            Shape::Box { half } => normal::cuboid(point, *half),
            Shape::Sphere { .. } => point.normalize_or(DVec3::Z),
            Shape::Cylinder { radius, half_length } => normal::cylinder(point, *radius, *half_length),
            Shape::Capsule { half_length, .. } => normal::capsule(point, *half_length),
            Shape::Cone { radius, half_length } => normal::cone(point, *radius, *half_length),
            Shape::Ellipsoid { radii } => (point / (*radii * *radii)).normalize_or(DVec3::Z),
            Shape::Plane | Shape::Rectangle { .. } | Shape::Mesh(_) => DVec3::Z,
        }
    }
}
