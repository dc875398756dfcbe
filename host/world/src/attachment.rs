//! The entity that a plugin instance is attached to: names, frames, links and joints, as reported to the plugin.
//! Plain values, created when the world is built.

use std::borrow::Cow;

use bridgehead_sdf::element::Battery;
use bridgehead_sdf::pose::{DVec3, Pose};

use super::surroundings::Surroundings;

/// The entity of an instance.
#[derive(Clone, Debug, Default)]
pub struct Attachment {
    /// Vehicle; empty for the world.
    pub vehicle: String,
    /// Namespace of its topics and services, such as `fleet/robot1`; empty for none.
    pub namespace: String,
    /// Scoped model name; empty for the world.
    pub model: String,
    /// Name of the element.
    pub element: String,
    /// Unique path of the element.
    pub path: String,
    /// Frame of its messages.
    pub frame_id: String,
    /// `<topic>` of a sensor; empty without one.
    pub topic: String,
    /// The element as written.
    pub xml: String,
    /// Link that carries the sensor.
    pub parent_link: Option<u32>,
    /// Joint that carries the sensor.
    pub parent_joint: Option<u32>,
    /// Pose of the sensor in its link or joint frame, or of the model in the world.
    pub pose: Pose,
    /// Nanoseconds between samples; 0 for every step.
    pub update_period_ns: i64,
    /// Gravity, field, atmosphere and place on Earth.
    pub surroundings: Surroundings,
    /// Top-level model, for commands that move it.
    pub entity: Option<usize>,
    /// Links of the model.
    pub links: Vec<LinkFacts>,
    /// Joints of the model.
    pub joints: Vec<JointFacts>,
    /// Collisions of the model.
    pub collisions: Vec<CollisionFacts>,
    /// Batteries of its links.
    pub batteries: Vec<Battery>,
}

impl Attachment {
    /// Returns the name of a topic or service of the instance, within the namespace of its entity if there is one. This
    /// applies to absolute names too, because the namespace contains everything of the entity.
    #[must_use]
    pub fn public_name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        let Attachment { namespace, vehicle, .. } = self;
        match (namespace.as_str(), name.strip_prefix('/')) {
            ("", _) => Cow::Borrowed(name),
            (_, Some(absolute)) => Cow::Owned(format!("/{namespace}/{absolute}")),
            (_, None) => Cow::Owned(format!("/{namespace}/{vehicle}/{name}")),
        }
    }
}

/// A link of the instance's model.
#[derive(Clone, Debug)]
pub struct LinkFacts {
    /// Handle in the world.
    pub link: u32,
    /// Name relative to the vehicle.
    pub name: String,
    /// Frame id for messages.
    pub frame_id: String,
    /// Pose in the model frame as loaded.
    pub pose: Pose,
    /// Kilograms.
    pub mass: f64,
}

/// A joint of the instance's model.
#[derive(Clone, Debug)]
pub struct JointFacts {
    /// Handle in the world.
    pub joint: u32,
    /// One of the ABI's `JOINT_` constants.
    pub kind: u32,
    /// Name relative to the vehicle.
    pub name: String,
    /// Lower limit.
    pub lower: f64,
    /// Upper limit.
    pub upper: f64,
    /// Maximum effort.
    pub effort: f64,
    /// Maximum speed.
    pub velocity: f64,
    /// Parent link; `None` is the world.
    pub parent: Option<u32>,
    /// Child link.
    pub child: u32,
    /// Joint frame in the child link.
    pub pose: Pose,
    /// First axis in the joint frame; zero if there is none.
    pub axis: DVec3,
}

/// A collision of the instance's model.
#[derive(Clone, Debug)]
pub struct CollisionFacts {
    /// Handle in the world.
    pub collision: u32,
    /// Link that carries it.
    pub link: u32,
    /// Name in its link.
    pub name: String,
    /// Name in the world.
    pub scoped_name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_contains_every_topic_of_an_entity() {
        let at = |namespace: &str| Attachment {
            vehicle: "car1".into(),
            namespace: namespace.into(),
            ..Attachment::default()
        };
        assert_eq!((at("").public_name("scan"), at("").public_name("/tf")), ("scan".into(), "/tf".into()));
        let fleet = at("fleet/a");
        assert_eq!(fleet.public_name("scan"), "/fleet/a/car1/scan");
        assert_eq!(fleet.public_name("/tf"), "/fleet/a/tf");
    }
}
