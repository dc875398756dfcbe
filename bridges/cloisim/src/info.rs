//! Replies on a device's Info port. They are prepared in advance, so they do not depend on the state of the run.

use prost::Message as _;

use crate::msgs::{Any, CameraSensor, LogicalCameraSensor, Param, any};
use crate::pose::Pose;

#[cfg(test)]
mod tests;

/// ROS names.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ros2 {
    pub(crate) topic_name: String,
    pub(crate) frames: Vec<String>,
}

/// A frame relative to its parent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Transform {
    pub(crate) name: String,
    pub(crate) pose: Pose,
    pub(crate) parent: String,
}

/// Everything that clients can request about a device.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Info {
    pub(crate) ros2: Option<Ros2>,
    pub(crate) transform: Option<Transform>,
    pub(crate) static_transforms: Vec<Transform>,
    /// How clients read a lidar's data; empty for other devices.
    pub(crate) output_type: String,
    pub(crate) camera: Option<CameraSensor>,
    /// Cameras by their names, for devices with several.
    pub(crate) cameras: Vec<(String, CameraSensor)>,
    /// Frames of cameras and modules, by their names.
    pub(crate) transforms: Vec<Transform>,
    /// Names and types of the modules of a device.
    pub(crate) modules: Vec<(String, &'static str)>,
    pub(crate) logical_camera: Option<LogicalCameraSensor>,
    /// URDF of the vehicle; empty if there is none.
    pub(crate) description: String,
}

/// What a request requires besides its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InfoOutcome {
    Answered,
    /// Set the origin of the odometry to the vehicle's present pose.
    ResetOdometry,
    /// The request was not understood, which is logged.
    NotUnderstood,
}

impl Info {
    /// Returns the reply to a request, never empty, and what the request requires.
    pub(crate) fn answer(&self, request: &[u8]) -> (Vec<u8>, InfoOutcome) {
        let Ok(request) = Param::decode(request) else {
            return (error_reply("the request is not a Param"), InfoOutcome::NotUnderstood);
        };
        let Some((name, value)) = requested_name(&request) else {
            return (error_reply("the request has no parameter"), InfoOutcome::NotUnderstood);
        };
        if name == "reset_odometry" {
            return (Param::named(name, Any::truth(true)).encode_to_vec(), InfoOutcome::ResetOdometry);
        }
        let answer = self.lookup(name, value);
        answer.map_or_else(
            || (error_reply(&format!("`{name}` is not supported here")), InfoOutcome::NotUnderstood),
            |answer| (answer, InfoOutcome::Answered),
        )
    }

    fn lookup(&self, name: &str, value: &str) -> Option<Vec<u8>> {
        Some(match name {
            "request_ros2" => ros2(self.ros2.as_ref()?).encode_to_vec(),
            "request_transform" => transform(self.transform_of(value), value).encode_to_vec(),
            "request_module_list" if !self.modules.is_empty() => module_list(&self.modules).encode_to_vec(),
            "request_static_transforms" => static_transforms(&self.static_transforms).encode_to_vec(),
            "request_output_type" if !self.output_type.is_empty() => {
                Param::named("output_type", Any::text(&*self.output_type)).encode_to_vec()
            }
            "request_camera_info" => self.camera_of(value)?.encode_to_vec(),
            "request_logical_camera" => self.logical_camera.as_ref()?.encode_to_vec(),
            "robot_description" => Param::named("description", Any::text(&*self.description)).encode_to_vec(),
            _ => return None,
        })
    }
}

impl Info {
    /// Returns the frame of that name; that of the device for other names.
    fn transform_of(&self, name: &str) -> Option<&Transform> {
        self.transforms.iter().find(|transform| transform.name == name).or(self.transform.as_ref())
    }

    /// Returns the camera of that name; that of the device for other names.
    fn camera_of(&self, name: &str) -> Option<&CameraSensor> {
        let named = self.cameras.iter().find(|(own, _)| own == name).map(|(_, camera)| camera);
        named.or(self.camera.as_ref())
    }
}

/// Returns the requested name and its argument.
fn requested_name(request: &Param) -> Option<(&str, &str)> {
    let (name, value) = request.params.iter().next()?;
    let about = match &value.value {
        Some(any::Value::StringValue(text)) => text.as_str(),
        _ => "",
    };
    Some((name, about))
}

/// Returns the reply to a request that is not understood.
pub(crate) fn error_reply(text: &str) -> Vec<u8> {
    Param::named("error", Any::text(text)).encode_to_vec()
}

fn ros2(names: &Ros2) -> Param {
    let topic = Param::named("topic_name", Any::text(&*names.topic_name));
    let frames = names.frames.iter().map(|frame| Param::named("frame_id", Any::text(&**frame)));
    Param::named("ros2", Any::default()).with([topic]).with(frames)
}

/// A device without a transform is at the base.
fn transform(transform: Option<&Transform>, name: &str) -> Param {
    let (own, pose, parent) = match transform {
        Some(Transform { name, pose, parent }) => (name.as_str(), *pose, parent.as_str()),
        None => ("", Pose::IDENTITY, ""),
    };
    let name = if name.is_empty() { own } else { name };
    let answer = Param::named("transform", Any::pose(pose.to_msg(name)));
    if parent.is_empty() {
        return answer;
    }
    answer.with([Param::named("parent_frame_id", Any::text(parent))])
}

fn static_transforms(transforms: &[Transform]) -> Param {
    let links = transforms.iter().map(|transform| {
        let pose = Any::pose(transform.pose.to_msg(&transform.name));
        let parent = Param::named("parent_frame_id", Any::text(&*transform.parent));
        parent.with([Param::named("pose", pose)])
    });
    Param::named("static_transforms", Any::default()).with(links)
}

fn module_list(modules: &[(String, &'static str)]) -> Param {
    let modules = modules.iter().map(|(name, kind)| {
        let about = [Param::named("type", Any::text(*kind)), Param::named("name", Any::text(&**name))];
        Param::named("module", Any::default()).with(about)
    });
    Param::named("activated_modules", Any::default()).with(modules)
}
