//! `<gazebo>`: settings for Gazebo that URDF does not have, for the model, a link or a joint. Everything
//! except the old settings is SDF already and is copied unchanged, as in libsdformat.

use super::Reader;
use super::value::{Range, setting_text};
use crate::diagnostic::{Code, excerpt};
use crate::document::Element;
use crate::number::number;
use crate::urdf::robot::{JointExtension, LinkExtension, ModelExtension, Robot, Settings};
use std::collections::BTreeMap;

/// The type of a setting.
#[derive(Clone, Copy)]
enum Kind {
    Number(Range),
    Vector,
    Flag,
    /// A flag whose value in SDF is the opposite.
    Inverse,
}

/// A setting of a link: its name, its name in SDF, its type.
type Setting = (&'static str, &'static str, Kind);

const NOT_NEGATIVE: Kind = Kind::Number(Range::NotNegative);
const FINITE: Kind = Kind::Number(Range::Finite);

const LINK: &[Setting] = &[
    ("turnGravityOff", "gravity", Kind::Inverse),
    ("gravity", "gravity", Kind::Flag),
    ("selfCollide", "self_collide", Kind::Flag),
    ("self_collide", "self_collide", Kind::Flag),
];
const FRICTION: &[Setting] =
    &[("mu1", "mu", NOT_NEGATIVE), ("mu2", "mu2", NOT_NEGATIVE), ("fdir1", "fdir1", Kind::Vector)];
const CONTACT: &[Setting] = &[
    ("kp", "kp", NOT_NEGATIVE),
    ("kd", "kd", NOT_NEGATIVE),
    ("maxVel", "max_vel", NOT_NEGATIVE),
    ("minDepth", "min_depth", NOT_NEGATIVE),
];
const COLLISION: &[Setting] =
    &[("maxContacts", "max_contacts", NOT_NEGATIVE), ("laserRetro", "laser_retro", NOT_NEGATIVE)];
const DYNAMICS: &[Setting] =
    &[("springReference", "spring_reference", FINITE), ("springStiffness", "spring_stiffness", NOT_NEGATIVE)];
const PHYSICS: &[Setting] = &[("provideFeedback", "provide_feedback", Kind::Flag)];
const ODE: &[Setting] = &[
    ("fudgeFactor", "fudge_factor", FINITE),
    ("implicitSpringDamper", "implicit_spring_damper", Kind::Flag),
    ("cfmDamping", "implicit_spring_damper", Kind::Flag),
];
const ODE_LIMIT: &[Setting] = &[("stopCfm", "cfm", FINITE), ("stopErp", "erp", FINITE)];

/// Settings that only joints have, for names that a link and a joint share.
const OF_JOINTS: &[&[Setting]] = &[DYNAMICS, PHYSICS, ODE, ODE_LIMIT];

/// Settings without effect: fixed joints are always kept, and the first body needs no marking.
const SETTLED: &[&str] = &["preserveFixedJoint", "disableFixedJointLumping", "canonicalBody"];

/// Links and joints by their names.
struct Index {
    links: BTreeMap<String, usize>,
    joints: BTreeMap<String, usize>,
}

impl<'d> Reader<'d> {
    /// All `<gazebo>` elements of the robot.
    pub(super) fn extensions(&mut self, root: Element<'d>, robot: &mut Robot<'d>) {
        let index = Index {
            links: (0..).zip(&robot.links).map(|(index, link)| (link.name.clone(), index)).collect(),
            joints: (0..).zip(&robot.joints).map(|(index, joint)| (joint.name.clone(), index)).collect(),
        };
        for gazebo in root.children_named("gazebo") {
            match gazebo.attribute("reference").map(str::trim).filter(|name| !name.is_empty()) {
                None => self.model_extension(gazebo, &mut robot.extension),
                Some(name) => self.reference(gazebo, name, &index, robot),
            }
        }
    }

    fn reference(&mut self, gazebo: Element<'d>, name: &str, index: &Index, robot: &mut Robot<'d>) {
        let mut link = index.links.get(name).and_then(|link| robot.links.get_mut(*link));
        let mut joint = index.joints.get(name).and_then(|joint| robot.joints.get_mut(*joint));
        if link.is_none() && joint.is_none() {
            let found = format!("reference=\"{}\"", excerpt(name));
            self.warning(Code::UrdfReferenceUnknown, gazebo, found, "the name of a link or joint");
        }
        for child in gazebo.children() {
            // If a link and a joint have the same name, the link is meant, unless only joints have such a
            // setting.
            match (&mut link, &mut joint) {
                (Some(link), None) => self.link_extension(child, &mut link.extension),
                (Some(link), Some(_)) if !is_of_joints(child.name()) => {
                    self.link_extension(child, &mut link.extension);
                }
                (_, Some(joint)) => self.joint_extension(child, &mut joint.extension),
                (None, None) => {}
            }
        }
    }

    fn model_extension(&mut self, gazebo: Element<'d>, into: &mut ModelExtension<'d>) {
        for child in gazebo.children() {
            if child.name() == "static" {
                if let Some(flag) = self.setting_flag(child) {
                    into.model.set("static", flag.to_string());
                }
            } else if !SETTLED.contains(&child.name()) {
                into.rest.push(child);
            }
        }
    }

    fn link_extension(&mut self, child: Element<'d>, into: &mut LinkExtension<'d>) {
        if SETTLED.contains(&child.name()) {
            return;
        }
        if self.set(child, LINK, &mut into.link) {
            into.at = Some(child);
            return;
        }
        let is_setting = self.set(child, FRICTION, &mut into.friction)
            || self.set(child, CONTACT, &mut into.contact)
            || self.set(child, COLLISION, &mut into.collision);
        if is_setting {
            return;
        }
        match child.name() {
            "dampingFactor" => {
                into.decay = self.setting_number(child, Range::NotNegative).or(into.decay);
                into.at = Some(child);
            }
            "material" => into.material = Some(setting_text(child).to_owned()),
            "collision" => into.into_collisions.extend(child.children()),
            "visual" => into.into_visuals.extend(child.children()),
            _ => into.rest.push(child),
        }
    }

    fn joint_extension(&mut self, child: Element<'d>, into: &mut JointExtension<'d>) {
        if SETTLED.contains(&child.name()) {
            return;
        }
        into.at = Some(child);
        let is_setting = self.set(child, DYNAMICS, &mut into.dynamics)
            || self.set(child, PHYSICS, &mut into.physics)
            || self.set(child, ODE, &mut into.ode)
            || self.set(child, ODE_LIMIT, &mut into.ode_limit);
        if !is_setting {
            into.rest.push(child);
        }
    }

    /// Reads an element if it is one of `settings`; returns true even if its value is invalid, which is reported.
    fn set(&mut self, element: Element<'d>, settings: &[Setting], into: &mut Settings) -> bool {
        let Some((_, sdf_name, kind)) = settings.iter().find(|(name, _, _)| *name == element.name()) else {
            return false;
        };
        let value = match kind {
            Kind::Number(range) => self.setting_number(element, *range).map(number),
            Kind::Vector => self.setting_vector(element).map(|vector| vector.map(number).join(" ")),
            Kind::Flag => self.setting_flag(element).map(|flag| flag.to_string()),
            Kind::Inverse => self.setting_flag(element).map(|flag| (!flag).to_string()),
        };
        if let Some(value) = value {
            into.set(sdf_name, value);
        }
        true
    }
}

fn is_of_joints(name: &str) -> bool {
    OF_JOINTS.iter().any(|settings| settings.iter().any(|(found, _, _)| *found == name))
}
