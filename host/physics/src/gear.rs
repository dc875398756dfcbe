//! Gearboxes: which two revolute joints one couples, and with which sign.
//!
//! SDF (`joint.sdf`, `gearbox_ratio` and `gearbox_reference_body`): with θ₁ the angle from the reference body to the
//! parent about `<axis>` and θ₂ that from the reference body to the child about `<axis2>`, θ₂ = -ratio · θ₁.

use bridgehead_pose::DVec3;

use super::error::PhysicsError;
use super::spec::{JointKind, JointSpec, ModelSpec};

/// How far the axis of a gear may deviate from that of its hinge: the cosine of 2.6°.
const ALIGNED: f64 = 0.999;

/// A gearbox and its parameters.
pub(super) struct Gears<'a> {
    pub(super) joint: &'a JointSpec,
    pub(super) ratio: f64,
    pub(super) reference: Option<usize>,
}

/// A revolute joint that carries a gear.
pub(super) struct Hinge {
    /// Its index in the joints that were searched.
    pub(super) index: usize,
    /// 1 if its position is the angle of the gear, -1 if it is the opposite.
    pub(super) sign: f64,
}

impl Gears<'_> {
    /// Returns the hinge of the parent and that of the child.
    pub(super) fn hinges(&self, spec: &ModelSpec, joints: &[JointSpec]) -> Result<[Hinge; 2], PhysicsError> {
        let bad = |problem: String| self.bad(spec, problem);
        if !(self.ratio.is_finite() && (1e-6..=1e6).contains(&self.ratio.abs())) {
            return Err(bad(format!(
                "the ratio is {}; its absolute value must be within 1e-6 and 1e6",
                self.ratio
            )));
        }
        let (Some(parent), Some(second)) = (self.joint.parent, &self.joint.second) else {
            return Err(bad("one side of it is the world; name two links as parent and child".into()));
        };
        let find = |link: usize, axis: DVec3, element: &str| {
            let name = |link: usize| spec.links.get(link).map_or("", |link| link.name.as_str());
            let reference = self.reference.map_or("world", name);
            self.hinge(link, axis, joints).ok_or_else(|| {
                let link = name(link);
                bad(format!(
                    "no revolute joint along `<{element}>` joins {link} to the reference body {reference}"
                ))
            })
        };
        let hinges =
            [find(parent, self.joint.axis, "axis")?, find(self.joint.child, second.direction, "axis2")?];
        if hinges[0].index == hinges[1].index {
            return Err(bad("parent and child are connected by one and the same joint".into()));
        }
        Ok(hinges)
    }

    pub(super) fn bad(&self, spec: &ModelSpec, problem: String) -> PhysicsError {
        let (model, joint) = (spec.name.clone(), self.joint.name.clone());
        PhysicsError::BadGearbox { model, joint, problem }
    }

    /// Returns the hinge between the reference body and a link, along an axis.
    fn hinge(&self, link: usize, axis: DVec3, joints: &[JointSpec]) -> Option<Hinge> {
        joints.iter().enumerate().find_map(|(index, joint)| {
            let way = match (joint.parent, joint.child) {
                (parent, child) if parent == self.reference && child == link => 1.0,
                (Some(parent), child) if parent == link && Some(child) == self.reference => -1.0,
                _ => return None,
            };
            let turns = matches!(joint.kind, JointKind::Revolute | JointKind::Continuous);
            let along = axis.normalize_or_zero().dot(joint.axis.normalize_or_zero());
            (turns && along.abs() > ALIGNED).then_some(Hinge { index, sign: way * along.signum() })
        })
    }
}
