//! Puts the parameters of a foreign element under the names that the plugin which serves it reads.
//!
//! What has no counterpart stays where it was, so that it is reported as unread like any other parameter, and
//! everything keeps its place in its file. Plain functions, any thread.

mod selector;

use crate::params::Params;
use crate::world::Attachment;

use super::{Change, Parameter, Translation};
use selector::take;

/// The parameters of an element, translated.
pub(super) fn translate(translation: &Translation, source: &Params, at: &Attachment) -> Params {
    let mut tree = source.clone();
    for parameter in translation.parameters {
        if parameter.is_list || tree.count(parameter.to) == 0 {
            tree = rename(tree, parameter, at);
        }
    }
    for (name, value) in translation.defaults {
        if tree.count(name) == 0 {
            tree = tree.with_child(Params::new(*name).with_text(*value));
        }
    }
    tree
}

/// The parameters by which systems of Gazebo name topics of the world; `sub_topic` is one of the model.
const TOPICS: &[&str] = &[
    "topic",
    "odom_topic",
    "tf_topic",
    "attach_topic",
    "detach_topic",
    "output_topic",
    "power_draining_topic",
    "stop_power_draining_topic",
];

/// In Gazebo a topic that is given without a leading `/` is the same for every model; a plugin of ours would take it for
/// one of its vehicle.
pub(super) fn make_topics_global(params: &mut Params) {
    params.retain_children(|child| {
        if TOPICS.contains(&child.name()) && !child.text().is_empty() && !child.text().starts_with('/') {
            let global = format!("/{}", child.text());
            child.set_text(global);
        }
        true
    });
}

/// Moves what `parameter.from` selects to the end of the element; of a single parameter the first one counts.
fn rename(mut tree: Params, parameter: &Parameter, at: &Attachment) -> Params {
    let wanted = if parameter.is_list { usize::MAX } else { 1 };
    for old in take(&mut tree, parameter.from).into_iter().take(wanted) {
        let new = Params::new(parameter.to).with_text(change(parameter.change, &old, at));
        let new = match old.place() {
            Some(place) => new.with_place(place.file.clone(), place.line),
            None => new,
        };
        tree = tree.with_child(new);
    }
    tree
}

fn change(change: Change, old: &Params, at: &Attachment) -> String {
    let text = old.text().trim();
    match change {
        Change::Keep => text.to_owned(),
        Change::Joint => joint_of(text, at).unwrap_or(text).to_owned(),
        Change::PartsName => {
            let parts = parts_name(at);
            let is_prefixed =
                old.attribute("add_parts_name_prefix").is_some_and(|text| text.trim() == "true");
            let text = text.replace("{parts_name}", &parts);
            if is_prefixed { format!("{parts}/{text}") } else { text }
        }
        Change::FrameId => {
            let text = text.replace("{parts_name}", &parts_name(at));
            text.trim_start_matches('/').replace("::", "_")
        }
    }
}

/// The joint of that name, or else the one that carries the link, or the nested model, of that name.
fn joint_of<'a>(name: &str, at: &'a Attachment) -> Option<&'a str> {
    let nested = format!("{name}::");
    let child = |joint: u32| at.links.iter().find(|link| link.link == joint).map_or("", |link| &link.name);
    let mut joints = at.joints.iter();
    let found = joints
        .clone()
        .find(|joint| joint.name == name)
        .or_else(|| joints.clone().find(|joint| child(joint.child) == name))
        .or_else(|| joints.find(|joint| child(joint.child).starts_with(&nested)))?;
    Some(&found.name)
}

/// What CLOiSim calls the part that a sensor is: its link, or its nested model, and its own name.
fn parts_name(at: &Attachment) -> String {
    let inside = at.path.strip_prefix(&format!("{}/", at.vehicle)).unwrap_or(&at.path);
    let mut steps = inside.rsplit('/');
    let (sensor, link, model) = (steps.next(), steps.next(), steps.next());
    let carrier = model.or(link).map(|carrier| format!("{carrier}_")).unwrap_or_default();
    format!("{carrier}{}", sensor.unwrap_or_default())
}
