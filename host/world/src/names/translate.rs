//! Translates the parameters of a foreign element to those of the plugin that serves it.
//!
//! Parameters without a counterpart stay, so that they are reported as unread. All parameters keep their place in the
//! file. Plain functions, any thread.

mod selector;

use bridgehead_sdf::params::Params;

use super::name::{Change, Parameter, Part, Translation};
use crate::attachment::{Attachment, JointFacts};
use crate::slot::{PluginSlot, SlotKind};
use selector::{find, take};

/// Returns the translated parameters of an element, without those for bridges and for plugins that serve parts.
pub(super) fn translate(translation: &Translation, source: &Params, at: ElementContext<'_>) -> Params {
    let mut tree = source.clone();
    for parameter in translation.parameters {
        if parameter.is_list || parameter.from == parameter.to || tree.count(parameter.to) == 0 {
            tree = rename(tree, parameter, at);
        }
    }
    for part in translation.parts.iter().filter(|part| is_given(part, source)) {
        let read = part.parameters.iter().map(|parameter| &parameter.from);
        for selector in read.chain(part.takes).filter(|selector| !selector.contains("/@")) {
            take(&mut tree, selector);
        }
    }
    for selector in translation.for_bridges.iter().chain(translation.needless) {
        take(&mut tree, selector);
    }
    with_defaults(with_whole_names(tree, translation.left_out), translation.defaults)
}

/// Gives parameters inside others that are not supported their whole path as a name: they are reported by it, and not by
/// the name of the element around them, of which other parameters are used.
fn with_whole_names(mut tree: Params, left_out: &[&str]) -> Params {
    for selector in left_out.iter().filter(|selector| selector.contains('/')) {
        for old in take(&mut tree, selector) {
            let named = Params::new(*selector);
            tree = tree.with_child(match old.place() {
                Some(place) => named.with_place(place.file.clone(), place.line),
                None => named,
            });
        }
    }
    tree
}

/// Returns the parameters of a plugin that serves a part of an element; `None` if the element does not have that part.
pub(super) fn part(part: &Part, source: &Params, at: ElementContext<'_>) -> Option<Params> {
    if !is_given(part, source) {
        return None;
    }
    let mut tree = Params::new(source.name());
    for parameter in part.parameters {
        if parameter.is_list || tree.count(parameter.to) == 0 {
            let wanted = if parameter.is_list { usize::MAX } else { 1 };
            let found = find(source, parameter.from).into_iter().take(wanted);
            tree = found.filter_map(|old| renamed(parameter, old, at).ok()).fold(tree, Params::with_child);
        }
    }
    Some(with_defaults(tree, part.defaults))
}

fn is_given(part: &Part, source: &Params) -> bool {
    part.takes.is_empty() || part.takes.iter().any(|selector| !find(source, selector).is_empty())
}

fn with_defaults(tree: Params, defaults: &[(&str, &str)]) -> Params {
    defaults.iter().fold(tree, |tree, (name, value)| {
        if tree.count(name) > 0 { tree } else { tree.with_child(Params::new(*name).with_text(*value)) }
    })
}

/// Parameters in which systems of Gazebo name topics of the world; `sub_topic` names one of the model.
const TOPICS: &[&str] = &[
    "topic",
    "odom_topic",
    "tf_topic",
    "cmd_topic",
    "state_topic",
    "attach_topic",
    "detach_topic",
    "output_topic",
    "velocity_topic",
    "center_of_rotation_topic",
    "steering_efficiency_topic",
    "power_draining_topic",
    "stop_power_draining_topic",
];

/// Adds a leading `/` to topics. In Gazebo a topic without it is the same for every model, but Bridgehead's plugins
/// would use a topic of their vehicle.
pub(super) fn make_topics_global(params: &mut Params) {
    params.retain_children(|child| {
        if TOPICS.contains(&child.name()) && !child.text().is_empty() && !child.text().starts_with('/') {
            let global = format!("/{}", child.text());
            child.set_text(global);
        }
        true
    });
}

/// Moves the elements that `parameter.from` selects to the end of the element; for a single parameter only the first
/// one.
fn rename(mut tree: Params, parameter: &Parameter, at: ElementContext<'_>) -> Params {
    let wanted = if parameter.is_list { usize::MAX } else { 1 };
    for old in take(&mut tree, parameter.from).into_iter().take(wanted) {
        // Parameters that cannot be translated stay at the end under their old names, and are reported as unread.
        tree = tree.with_child(renamed(parameter, old, at).unwrap_or_else(|old| old));
    }
    tree
}

/// Returns the parameter under its new name, or the old one if it cannot be translated at that place.
fn renamed(parameter: &Parameter, old: Params, at: ElementContext<'_>) -> Result<Params, Params> {
    let Some(text) = change(parameter.change, &old, at) else { return Err(old) };
    let mut new = Params::new(parameter.to).with_text(text);
    match parameter.change {
        Change::Whole => {
            new = old.attributes().fold(new, |new, (name, value)| new.with_attribute(name, value));
            new = old.children().iter().cloned().fold(new, Params::with_child);
        }
        Change::CarriedLink => {
            if let Some(parent) = seen_from(&old, at.at) {
                new = new.with_attribute("parent_frame_id", parent);
            }
        }
        Change::Keep
        | Change::Joint
        | Change::PartsName
        | Change::FrameId
        | Change::Topic(_)
        | Change::Voltage
        | Change::Half
        | Change::MessageName => {}
    }
    Ok(match old.place() {
        Some(place) => new.with_place(place.file.clone(), place.line),
        None => new,
    })
}

fn change(change: Change, old: &Params, site: ElementContext<'_>) -> Option<String> {
    let (text, at) = (old.text().trim(), site.at);
    Some(match change {
        Change::Keep | Change::Whole => text.to_owned(),
        // What is no number is refused by the plugin, with its place.
        Change::Half => text.parse().map_or_else(|_| text.to_owned(), |value: f64| (value / 2.0).to_string()),
        Change::MessageName => text.rsplit('/').next().unwrap_or(text).to_owned(),
        Change::Joint => joint_of(text, at).map_or(text, |joint| &joint.name).to_owned(),
        Change::CarriedLink => {
            let carried = joint_of(text, at).and_then(|joint| link_name(joint.child, at));
            carried.unwrap_or(text).to_owned()
        }
        Change::Topic(default) => sensor_topic(text, default, site)?,
        Change::Voltage => at.batteries.iter().find(|battery| battery.name == text)?.voltage.to_string(),
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
    })
}

/// Returns the topic of the sensor that a plugin names: see [`rank`].
fn sensor_topic(name: &str, default: &str, site: ElementContext<'_>) -> Option<String> {
    let own = format!("{}/", site.at.model.replace("::", "/"));
    let sensors =
        site.before.iter().filter(|slot| slot.kind == SlotKind::Sensor).map(|slot| &slot.attachment);
    let ranked = sensors.filter_map(|at| Some((rank(name, at.path.strip_prefix(&own)?, at)?, at)));
    let (_, found) = ranked.min_by_key(|(rank, _)| *rank)?;
    Some(if found.topic.is_empty() { default.to_owned() } else { found.topic.clone() })
}

/// Returns how well a name fits a sensor, best first: its own name, also scoped; the name of the CLOiSim part; the name
/// of its link; the name of a model between the plugin's own one and the link. `inside` is the path of the sensor below
/// the plugin's model.
fn rank(name: &str, inside: &str, at: &Attachment) -> Option<usize> {
    let path = name.replace("::", "/");
    let steps: Vec<&str> = inside.rsplit('/').collect();
    if inside == path || inside.ends_with(&format!("/{path}")) {
        return Some(0);
    }
    if parts_name(at) == name {
        return Some(1);
    }
    // The first step is the sensor, the second one its link.
    steps.iter().position(|step| *step == name).filter(|at| *at > 0).map(|at| at + 1)
}

/// Returns the frame in which the link of a joint is reported.
fn seen_from<'a>(joint: &'a Params, at: &'a Attachment) -> Option<&'a str> {
    let given = joint.attribute("parent_frame_id").map(str::trim).filter(|name| !name.is_empty());
    given.or_else(|| link_name(joint_of(joint.text().trim(), at)?.parent?, at))
}

fn link_name(handle: u32, at: &Attachment) -> Option<&str> {
    at.links.iter().find(|link| link.link == handle).map(|link| link.name.as_str())
}

/// Returns the joint of that name, else the joint that carries the link or the nested model of that name. Names are those
/// of the plugin's own model first, then those of the models nested in it, then those of the whole vehicle.
fn joint_of<'a>(name: &str, at: &'a Attachment) -> Option<&'a JointFacts> {
    let scope = at.model.strip_prefix(&at.vehicle).and_then(|inside| inside.strip_prefix("::"));
    let own = scope.map(|scope| format!("{scope}::")).unwrap_or_default();
    let child = |joint: &JointFacts| link_name(joint.child, at).unwrap_or_default().to_owned();
    let found = |is_it: &dyn Fn(&JointFacts) -> bool| at.joints.iter().find(|joint| is_it(joint));
    let exact = |prefix: &str| {
        let (whole, nested) = (format!("{prefix}{name}"), format!("{prefix}{name}::"));
        found(&|joint| joint.name == whole)
            .or_else(|| found(&|joint| child(joint) == whole))
            .or_else(|| found(&|joint| child(joint).starts_with(&nested)))
    };
    let deeper = || {
        let (ending, between) = (format!("::{name}"), format!("::{name}::"));
        let inside = |text: &str| text.starts_with(&own);
        found(&|joint| inside(&joint.name) && joint.name.ends_with(&ending))
            .or_else(|| found(&|joint| inside(&child(joint)) && child(joint).ends_with(&ending)))
            .or_else(|| found(&|joint| inside(&child(joint)) && child(joint).contains(&between)))
    };
    exact(&own).or_else(deeper).or_else(|| exact(""))
}

/// Returns CLOiSim's part name of a sensor: its link or nested model, and its own name.
fn parts_name(at: &Attachment) -> String {
    let inside = at.path.strip_prefix(&format!("{}/", at.vehicle)).unwrap_or(&at.path);
    let mut steps = inside.rsplit('/');
    let (sensor, link, model) = (steps.next(), steps.next(), steps.next());
    let carrier = model.or(link).map(|carrier| format!("{carrier}_")).unwrap_or_default();
    format!("{carrier}{}", sensor.unwrap_or_default())
}

/// The context of an element.
#[derive(Clone, Copy, Debug)]
pub struct ElementContext<'a> {
    /// The attachment of its plugin.
    pub at: &'a Attachment,
    /// The slots of its model listed before it, at least those of the sensors.
    pub before: &'a [PluginSlot],
}
