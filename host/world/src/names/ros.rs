//! The topics of ROS's plugins for Gazebo, after the namespace and the remappings of their elements. Plain functions, any
//! thread.

use std::sync::Arc;

use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Params;

use super::name::{RosTopic, Translation};
use crate::attachment::Attachment;

/// Elements that say how topics are called, and nothing else.
const NAMING: &[&str] = &["ros", "robotNamespace", "camera_name", "cameraName"];

/// Returns the parameters of an element with the names of its topics in place of what they are made of; `at` is that of
/// its slot, or of the sensor that contains it.
pub(super) fn with_topics(translation: &Translation, plugin: &Plugin, at: &Attachment) -> Arc<Params> {
    if translation.topics.is_empty() {
        return Arc::clone(&plugin.params);
    }
    let node = Node::new(plugin, at);
    let mut tree = Params::clone(&plugin.params);
    let named = |name: &str| NAMING.contains(&name) || translation.topics.iter().any(|row| row.ros1 == name);
    tree.retain_children(|child| !named(child.name()));
    let topics = translation.topics.iter().filter(|row| plugin.params.count(row.to) == 0);
    Arc::new(topics.filter_map(|row| node.topic(row)).fold(tree, Params::with_child))
}

/// What names the topics of a plugin.
struct Node<'a> {
    params: &'a Params,
    /// Without slashes at its ends; empty for none.
    namespace: &'a str,
    /// The name of the plugin, which is that of its node.
    name: &'a str,
    /// The name that a camera has unless it is given.
    camera: &'a str,
    /// The names before and after each remapping, absolute.
    remapped: Vec<(String, String)>,
}

impl<'a> Node<'a> {
    fn new(plugin: &'a Plugin, at: &'a Attachment) -> Self {
        let params = &*plugin.params;
        let given = params.get("ros/namespace").or_else(|| params.get("robotNamespace")).unwrap_or_default();
        let mut node = Node {
            params,
            namespace: given.trim().trim_matches('/'),
            name: &plugin.name,
            camera: &at.element,
            remapped: Vec::new(),
        };
        let rules = params.node("ros").into_iter().flat_map(|ros| ros.children_named("remapping"));
        let split = rules.filter_map(|rule| rule.text().split_once(":="));
        node.remapped = split.map(|(from, to)| (node.absolute(from), node.absolute(to))).collect();
        node
    }

    /// Returns the element that names a topic; `None` if the plugin keeps its own.
    fn topic(&self, row: &RosTopic) -> Option<Params> {
        let of_ros1 = Some(row.ros1).filter(|name| !name.is_empty()).and_then(|name| self.params.node(name));
        let of_ros1 = of_ros1.filter(|node| !node.text().is_empty());
        let own = match of_ros1 {
            Some(node) => self.absolute(node.text()),
            None => self.absolute(&row.from.replace("{camera_name}", self.camera_name())),
        };
        let rule = self.remapped.iter().find(|(from, _)| *from == own);
        if row.only_remapped && rule.is_none() {
            return None;
        }
        let topic = Params::new(row.to).with_text(rule.map_or(own.as_str(), |(_, to)| to));
        let place = of_ros1.or_else(|| self.params.node("ros")).and_then(Params::place);
        Some(match place {
            Some(place) => topic.with_place(place.file.clone(), place.line),
            None => topic,
        })
    }

    fn camera_name(&self) -> &str {
        self.params.get("camera_name").filter(|name| !name.is_empty()).unwrap_or(self.camera)
    }

    /// Returns a name from the root: relative to the namespace, and `~` is the name of the plugin in it.
    fn absolute(&self, name: &str) -> String {
        let name = name.trim();
        if name.starts_with('/') {
            return name.to_owned();
        }
        let inside = name.strip_prefix('~').map(|rest| format!("{}{rest}", self.name));
        let parts = [self.namespace, inside.as_deref().unwrap_or(name)];
        parts.iter().filter(|part| !part.is_empty()).map(|part| format!("/{part}")).collect()
    }
}
