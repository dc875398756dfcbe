//! What an instance is attached to, and what its model consists of.

use std::time::Duration;

use bridgehead_abi as abi;

use super::world::Pose;
use super::{extension_handle, text_of};
use crate::error::{Error, Result};
use crate::rules;

/// A link of the world, as [`super::World`] and [`super::Command`] know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkId(pub u32);

/// A joint of the world, as [`super::World`] and [`super::Command`] know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JointId(pub u32);

/// What an instance is attached to.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Name of the vehicle; empty for the world.
    pub vehicle: String,
    /// Scoped name of the model; empty for the world.
    pub model: String,
    /// Name of the `<sensor>` or `<plugin>` element.
    pub element: String,
    /// Unique path of the element, the key of its random numbers.
    pub path: String,
    /// Frame id for messages.
    pub frame_id: String,
    /// The sensor element's `<topic>`, if it has one.
    pub topic: Option<String>,
    /// The element as it stands in the world file; empty if it comes from elsewhere.
    pub xml: String,
    /// Link that carries the sensor.
    pub parent_link: Option<LinkId>,
    /// Pose of the sensor in its link; of the model in the world for other plugins.
    pub pose: Pose,
    /// Time between samples; zero means every step.
    pub update_period: Duration,
    /// Seed of the run.
    pub seed: u64,
}

/// A link of the instance's model.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its handle.
    pub id: LinkId,
    /// Name relative to the vehicle.
    pub name: String,
    /// Frame id for messages.
    pub frame_id: String,
    /// Pose in the model frame as loaded.
    pub pose: Pose,
    /// Kilograms.
    pub mass: f64,
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// Rotation within limits.
    Revolute,
    /// Rotation without limits.
    Continuous,
    /// Translation.
    Prismatic,
    /// More than one axis, or coupled ones.
    Other,
}

/// A joint of the instance's model. Radians and N·m, or metres and N.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its handle.
    pub id: JointId,
    /// Name relative to the vehicle.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// Lower limit.
    pub lower: f64,
    /// Upper limit.
    pub upper: f64,
    /// Largest effort.
    pub effort: f64,
    /// Largest speed.
    pub velocity: f64,
}

extension_handle! {
    /// Describes the instance's attachment and model. `[any]`
    Model, abi::host::HostModel, abi::extension::MODEL
}

impl Model {
    /// What the instance is attached to.
    ///
    /// # Errors
    /// Returns an error if the host cannot say.
    pub fn attachment(self) -> Result<Attachment> {
        let _entered = self.host().enter()?;
        let raw = self.extension.attachment()?;
        let topic = text_of(raw.topic);
        Ok(Attachment {
            vehicle: text_of(raw.vehicle),
            model: text_of(raw.model),
            element: text_of(raw.element),
            path: text_of(raw.path),
            frame_id: text_of(raw.frame_id),
            topic: (!topic.is_empty()).then_some(topic),
            xml: text_of(raw.xml),
            parent_link: (raw.parent_link != abi::host::NO_LINK).then_some(LinkId(raw.parent_link)),
            pose: Pose::from_abi(raw.pose),
            update_period: Duration::from_nanos(u64::try_from(raw.update_period_ns).unwrap_or(0)),
            seed: raw.seed,
        })
    }

    /// The model's links, in document order.
    #[must_use]
    pub fn links(self) -> Vec<Link> {
        (0..).map_while(|index| self.link_at(index)).collect()
    }

    /// The link of that name. A plugin of a nested model finds the links of that model first, by their names in it.
    ///
    /// # Errors
    /// Returns an error if the model has none: the error lists those it has.
    pub fn link(self, name: &str) -> Result<Link> {
        let links = self.links();
        let known: Vec<_> = links.iter().map(|link| link.name.clone()).collect();
        let found = self.find(name, &known)?.and_then(|index| links.into_iter().nth(index));
        found.ok_or_else(|| unknown("link", name, &known))
    }

    /// The model's joints, in document order.
    #[must_use]
    pub fn joints(self) -> Vec<Joint> {
        (0..).map_while(|index| self.joint_at(index)).collect()
    }

    /// The joint of that name. A plugin of a nested model finds the joints of that model first, by their names in it.
    ///
    /// # Errors
    /// Returns an error if the model has none: the error lists those it has.
    pub fn joint(self, name: &str) -> Result<Joint> {
        let joints = self.joints();
        let known: Vec<_> = joints.iter().map(|joint| joint.name.clone()).collect();
        let found = self.find(name, &known)?.and_then(|index| joints.into_iter().nth(index));
        found.ok_or_else(|| unknown("joint", name, &known))
    }

    /// Returns the index of the element with a name, seen from the model of this instance.
    fn find(self, name: &str, known: &[String]) -> Result<Option<usize>> {
        let attachment = self.attachment()?;
        Ok(rules::scoped_name(&attachment.vehicle, &attachment.model, name, known))
    }

    fn link_at(self, index: u32) -> Option<Link> {
        let _entered = self.host().enter().ok()?;
        let raw = self.extension.link(index).ok()?;
        Some(Link {
            id: LinkId(raw.link),
            name: text_of(raw.name),
            frame_id: text_of(raw.frame_id),
            pose: Pose::from_abi(raw.pose),
            mass: raw.mass,
        })
    }

    fn joint_at(self, index: u32) -> Option<Joint> {
        let _entered = self.host().enter().ok()?;
        let raw = self.extension.joint(index).ok()?;
        Some(Joint {
            id: JointId(raw.joint),
            name: text_of(raw.name),
            kind: joint_kind(raw.kind),
            lower: raw.lower,
            upper: raw.upper,
            effort: raw.effort,
            velocity: raw.velocity,
        })
    }
}

fn joint_kind(number: u32) -> JointKind {
    match number {
        abi::host::JOINT_FIXED => JointKind::Fixed,
        abi::host::JOINT_REVOLUTE => JointKind::Revolute,
        abi::host::JOINT_CONTINUOUS => JointKind::Continuous,
        abi::host::JOINT_PRISMATIC => JointKind::Prismatic,
        _ => JointKind::Other,
    }
}

fn unknown(kind: &str, name: &str, known: &[String]) -> Error {
    let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Error::with_status(abi::status::NOT_FOUND, format!("the model has no {kind} `{name}`; it has: {list}"))
}
