//! Names of topics as in Gazebo, for runs that ask for them.
//!
//! [`GAZEBO_TOPICS`] is the only source, also for `docs/porting-from-gazebo.md`. A row applies to a `<plugin>` that has
//! the name of a system of Gazebo, and to a `<sensor>`; elements with names of this project or of CLOiSim keep their
//! topics. Plain functions, any thread.

use std::sync::Arc;

use bridgehead_sdf::params::Params;

use super::lookup::{class, file, sensor_type};
use super::name::{Family, Provider};
use crate::slot::{PluginSlot, SlotKind};

/// How topics are named that a world does not name, and how those are read that it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameStyle {
    /// `/robot/cmd_vel`; the `<topic>` of a sensor belongs to its vehicle.
    #[default]
    Bridgehead,
    /// `/model/robot/cmd_vel`; the `<topic>` of a sensor is the same for all models.
    Gazebo,
}

/// A topic that has another name in Gazebo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GazeboTopic {
    /// Kind of the element.
    pub kind: SlotKind,
    /// The plugin that serves the element here.
    pub plugin: &'static str,
    /// The parameter of a plugin that names the topic; empty for the `<topic>` of a sensor. For a sensor with several
    /// topics, what the plugin appends to that `<topic>`: `camera_info`.
    pub parameter: &'static str,
    /// The name in Gazebo, with `{world}`, `{model}`, `{sensor}` for the scoped name of a sensor, `{topic}` for its
    /// `<topic>`, `{beside}` for the namespace of that, and parameters of the element, such as `{joint_name}`.
    pub name: &'static str,
}

const fn system(plugin: &'static str, parameter: &'static str, name: &'static str) -> GazeboTopic {
    GazeboTopic { kind: SlotKind::Plugin, plugin, parameter, name }
}

const fn sensor(plugin: &'static str, name: &'static str) -> GazeboTopic {
    GazeboTopic { kind: SlotKind::Sensor, plugin, parameter: "", name }
}

const fn stream(plugin: &'static str, suffix: &'static str, name: &'static str) -> GazeboTopic {
    GazeboTopic { kind: SlotKind::Sensor, plugin, parameter: suffix, name }
}

/// Gazebo's names of topics that a world does not name. Of several rows for a parameter, the first one counts whose
/// parameters the element has.
pub const GAZEBO_TOPICS: &[GazeboTopic] = &[
    system("ackermann", "topic", "/model/{model}/{sub_topic}"),
    system("ackermann", "topic", "/model/{model}/cmd_vel"),
    system("ackermann", "odom_topic", "/model/{model}/odometry"),
    system("ackermann", "tf_topic", "/model/{model}/tf"),
    system("apply_joint_force", "topic", "/model/{model}/joint/{joint_name}/cmd_force"),
    system("battery", "topic", "/model/{model}/battery/{battery_name}/state"),
    system("detachable_joint", "attach_topic", "/model/{model}/detachable_joint/attach"),
    system("detachable_joint", "detach_topic", "/model/{model}/detachable_joint/detach"),
    system("detachable_joint", "output_topic", "/model/{model}/detachable_joint/state"),
    system("diff_drive", "topic", "/model/{model}/cmd_vel"),
    system("diff_drive", "odom_topic", "/model/{model}/odometry"),
    system("diff_drive", "tf_topic", "/model/{model}/tf"),
    system("elevator", "cmd_topic", "/model/{model}/cmd"),
    system("elevator", "joint_topic", "/model/{model}/joint"),
    system("elevator", "state_topic", "/model/{model}/state"),
    system("joint_position", "topic", "/model/{model}/{sub_topic}"),
    system("joint_position", "topic", "/model/{model}/joint/{joint_name}/{joint_index=0}/cmd_pos"),
    system("joint_state", "topic", "/world/{world}/model/{model}/joint_state"),
    system("joint_trajectory", "topic", "/model/{model}/joint_trajectory"),
    system("joint_velocity", "topic", "/model/{model}/{sub_topic}"),
    system("joint_velocity", "topic", "/model/{model}/joint/{joint_name}/cmd_vel"),
    system("kinetic_energy", "topic", "/model/{model}/kinetic_energy"),
    system("mecanum_drive", "topic", "/model/{model}/cmd_vel"),
    system("mecanum_drive", "odom_topic", "/model/{model}/odometry"),
    system("mecanum_drive", "tf_topic", "/model/{model}/tf"),
    system("model_pose", "static_topic", "/model/{model}/pose_static"),
    system("model_pose", "topic", "/model/{model}/pose"),
    system("odometry_publisher", "odom_topic", "/model/{model}/odometry"),
    system("thruster", "namespace", "{model}"),
    system("track_controller", "link_topics", "/model/{model}/link"),
    system("tracked_vehicle", "topic", "/model/{model}/cmd_vel"),
    system("tracked_vehicle", "odom_topic", "/model/{model}/odometry"),
    system("tracked_vehicle", "tf_topic", "/model/{model}/tf"),
    system("tracked_vehicle", "steering_efficiency_topic", "/model/{model}/steering_efficiency"),
    system("tracked_vehicle", "link_topics", "/model/{model}/link"),
    system("trajectory_follower", "topic", "/model/{model}/trajectory_follower/pause"),
    system("velocity_control", "topic", "/model/{model}/cmd_vel"),
    system("wheel_slip", "topic", "/model/{model}/wheel_slip"),
    system("wind_effects", "topic", "/world/{world}/wind"),
    sensor("air_pressure", "{sensor}/air_pressure"),
    sensor("air_speed", "{sensor}/air_speed"),
    sensor("altimeter", "{sensor}/altimeter"),
    sensor("boundingbox_camera", "{sensor}/boundingbox"),
    stream("boundingbox_camera", "camera_info", "{beside}/camera_info"),
    stream("boundingbox_camera", "detections", "{topic}"),
    stream("boundingbox_camera", "detections_3d", "{topic}"),
    stream("boundingbox_camera", "image_raw", "{topic}_image"),
    stream("boundingbox_camera", "image_raw/compressed", "{topic}_image/compressed"),
    sensor("camera", "{sensor}/image"),
    stream("camera", "camera_info", "{camera/camera_info_topic}"),
    stream("camera", "camera_info", "{beside}/camera_info"),
    stream("camera", "image_raw", "{topic}"),
    stream("camera", "image_raw/compressed", "{topic}/compressed"),
    sensor("contact", "{sensor}/contact"),
    sensor("depth_camera", "{sensor}/depth_image"),
    stream("depth_camera", "camera_info", "{camera/camera_info_topic}"),
    stream("depth_camera", "camera_info", "{beside}/camera_info"),
    stream("depth_camera", "image_raw", "{topic}"),
    stream("depth_camera", "points", "{topic}/points"),
    sensor("dvl", "{sensor}/dvl/velocity"),
    sensor("force_torque", "{sensor}/forcetorque"),
    sensor("imu", "{sensor}/imu"),
    sensor("lidar", "{sensor}/scan"),
    sensor("logical_camera", "{sensor}/logical_camera"),
    sensor("magnetometer", "{sensor}/magnetometer"),
    sensor("navsat", "{sensor}/navsat"),
    sensor("rgbd_camera", "{sensor}"),
    stream("rgbd_camera", "depth_registered/image_raw", "{topic}/depth_image"),
    stream("rgbd_camera", "depth_registered/points", "{topic}/points"),
    stream("rgbd_camera", "rgb/camera_info", "{topic}/camera_info"),
    stream("rgbd_camera", "rgb/image_raw", "{topic}/image"),
    stream("rgbd_camera", "rgb/image_raw/compressed", "{topic}/image/compressed"),
    sensor("segmentation_camera", "{sensor}/segmentation"),
    stream("segmentation_camera", "camera_info", "{topic}/camera_info"),
    stream("segmentation_camera", "colored_map", "{topic}/colored_map"),
    stream("segmentation_camera", "labels_map", "{topic}/labels_map"),
    sensor("thermal_camera", "{sensor}/image"),
    stream("thermal_camera", "camera_info", "{camera/camera_info_topic}"),
    stream("thermal_camera", "camera_info", "{beside}/camera_info"),
    stream("thermal_camera", "image_raw", "{topic}"),
    sensor("wide_angle_camera", "{sensor}/image"),
    stream("wide_angle_camera", "camera_info", "{camera/camera_info_topic}"),
    stream("wide_angle_camera", "camera_info", "{beside}/camera_info"),
    stream("wide_angle_camera", "image_raw", "{topic}"),
    stream("wide_angle_camera", "image_raw/compressed", "{topic}/compressed"),
];

impl NameStyle {
    /// Gives the topics of slots the names of this style. `world` is the name of the world.
    pub(crate) fn apply(self, slots: &mut [PluginSlot], world: &str) {
        match self {
            NameStyle::Bridgehead => {}
            NameStyle::Gazebo => slots.iter_mut().for_each(|slot| name_topics(slot, world)),
        }
    }
}

fn name_topics(slot: &mut PluginSlot, world: &str) {
    match slot.kind {
        SlotKind::Sensor => name_sensor(slot, world),
        SlotKind::Plugin => name_plugin(slot, world),
    }
}

/// Names the topic of a sensor: as written, or by its place in the world. Contact sensors have their topic inside.
fn name_sensor(slot: &mut PluginSlot, world: &str) {
    let inside = slot.params.get("contact/topic").filter(|text| !text.is_empty()).map(str::to_owned);
    let written = Some(slot.attachment.topic.clone()).filter(|topic| !topic.is_empty()).or(inside);
    let Some(Provider::Plugin(plugin)) = sensor_type(&slot.asked).map(|row| row.provider) else { return };
    let own = |row: &&GazeboTopic| row.parameter.is_empty();
    let topic = match written {
        Some(topic) => Some(global(&topic)),
        None => rows(SlotKind::Sensor, plugin).filter(own).find_map(|row| filled(row.name, slot, world)),
    };
    if let Some(topic) = topic {
        slot.attachment.topic = topic;
        name_streams(slot, plugin, world);
    }
}

/// Names the topics of a sensor that has several: the plugin reads them by the suffixes that it appends otherwise.
fn name_streams(slot: &mut PluginSlot, plugin: &str, world: &str) {
    let mut topics = Params::new("bridgehead:topics");
    let mut last = "";
    for row in rows(SlotKind::Sensor, plugin).filter(|row| !row.parameter.is_empty()) {
        if row.parameter != last
            && let Some(name) = filled(row.name, slot, world)
        {
            let topic = Params::new("topic").with_attribute("for", row.parameter).with_text(global(&name));
            topics = topics.with_child(topic);
            last = row.parameter;
        }
    }
    if !topics.is_empty() {
        slot.params = Arc::new(Params::clone(&slot.params).with_child(topics));
    }
}

/// The parameter that names a topic below that of the model.
const SUB_TOPIC: &str = "sub_topic";

fn name_plugin(slot: &mut PluginSlot, world: &str) {
    let row = file(&slot.asked).or_else(|| class(&slot.attachment.element));
    let Some(row) = row.filter(|row| row.family == Family::GazeboSystem) else { return };
    let Provider::Plugin(plugin) = row.provider else { return };
    let mut params = Params::clone(&slot.params);
    if plugin == "model_pose" && params.count(PUBLISH_TF) == 0 {
        params = params.with_child(Params::new(PUBLISH_TF).with_text("false"));
    }
    if uses_shared_message(&params) {
        params = params.with_child(Params::new("topic").with_text(ACTUATORS));
    }
    for row in rows(SlotKind::Plugin, plugin) {
        // `topic` of a detachable joint is an older name of `detach_topic`.
        let is_old = row.parameter == "detach_topic" && params.count("topic") > 0;
        if params.count(row.parameter) == 0
            && !is_old
            && let Some(topic) = filled(row.name, slot, world)
        {
            params = params.with_child(Params::new(row.parameter).with_text(topic));
            // It has had its effect, so the plugin, which does not read it any more, must not be said to ignore it.
            params.retain_children(|child| child.name() != SUB_TOPIC || !row.name.contains(SUB_TOPIC));
        }
    }
    slot.params = Arc::new(params);
}

/// Whether a plugin publishes on the topic of transforms that all models share. In Gazebo there is none.
const PUBLISH_TF: &str = "publish_tf";

/// The topic of messages for several actuators, which is the same for all models.
const ACTUATORS: &str = "/actuators";

/// Returns true if a controller takes its command from a message for several actuators, on a topic that it does not name.
fn uses_shared_message(params: &Params) -> bool {
    let is_used = params.get("use_actuator_msg").is_some_and(|text| ["true", "1"].contains(&text));
    is_used && params.count("topic") == 0 && params.count(SUB_TOPIC) == 0
}

fn rows(kind: SlotKind, plugin: &str) -> impl Iterator<Item = &'static GazeboTopic> {
    GAZEBO_TOPICS.iter().filter(move |row| row.kind == kind && row.plugin == plugin)
}

fn global(topic: &str) -> String {
    if topic.starts_with('/') { topic.to_owned() } else { format!("/{topic}") }
}

/// Fills in a name; `None` if the element lacks one of its parameters.
fn filled(name: &str, slot: &PluginSlot, world: &str) -> Option<String> {
    let mut result = String::new();
    let mut rest = name;
    while let Some((before, inside)) = rest.split_once('{') {
        let (place, after) = inside.split_once('}')?;
        result.push_str(before);
        result.push_str(&value(place, slot, world)?);
        rest = after;
    }
    result.push_str(rest);
    Some(result)
}

fn value(place: &str, slot: &PluginSlot, world: &str) -> Option<String> {
    match place {
        "world" => Some(world.to_owned()),
        "model" => Some(slot.attachment.model.rsplit("::").next().unwrap_or_default().to_owned()),
        "sensor" => scoped_sensor(slot, world),
        "topic" => Some(slot.attachment.topic.clone()).filter(|topic| !topic.is_empty()),
        "beside" => slot.attachment.topic.rsplit_once('/').map(|(namespace, _)| namespace.to_owned()),
        parameter => {
            let (parameter, default) =
                parameter.split_once('=').map_or((parameter, None), |(name, default)| (name, Some(default)));
            let given = slot.params.get(parameter).filter(|text| !text.is_empty());
            given.or(default).map(str::to_owned)
        }
    }
}

/// Returns `/world/w/model/m/link/l/sensor/s`, with nested models between the model and the link.
fn scoped_sensor(slot: &PluginSlot, world: &str) -> Option<String> {
    let steps: Vec<&str> = slot.attachment.path.split('/').collect();
    let [models @ .., carrier, sensor] = steps.as_slice() else { return None };
    let models: String = models.iter().map(|model| format!("/model/{model}")).collect();
    let kind = if slot.attachment.parent_joint.is_some() { "joint" } else { "link" };
    Some(format!("/world/{world}{models}/{kind}/{carrier}/sensor/{sensor}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::names;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_names_a_plugin_of_the_table_of_names() {
        let served = |row: &GazeboTopic| {
            names().any(|name| {
                let kind = match name.family {
                    Family::Sensor => SlotKind::Sensor,
                    Family::GazeboSystem => SlotKind::Plugin,
                    Family::CloisimPlugin | Family::RosPlugin => return false,
                };
                name.provider == Provider::Plugin(row.plugin) && kind == row.kind
            })
        };
        let unknown: Vec<&str> =
            GAZEBO_TOPICS.iter().filter(|row| !served(row)).map(|row| row.plugin).collect();
        assert_eq!(unknown, [""; 0]);
    }

    #[test]
    fn rows_are_sorted_and_differ() {
        let names: BTreeSet<_> =
            GAZEBO_TOPICS.iter().map(|row| (row.kind, row.plugin, row.parameter, row.name)).collect();
        assert_eq!(names.len(), GAZEBO_TOPICS.len());
        let of = |kind| GAZEBO_TOPICS.iter().filter(move |row| row.kind == kind).map(|row| row.plugin);
        assert!(of(SlotKind::Plugin).is_sorted() && of(SlotKind::Sensor).is_sorted());
    }
}
