//! The pose of a device in its vehicle, and the optical parameters of its element.

use std::collections::BTreeSet;

use bridgehead_plugin_api::host::FromParam;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, JointDescription, LinkDescription, WorldDescription,
};

use super::names;
use crate::frame::PixelFormat;
use crate::info::Transform;
use crate::msgs;
use crate::pose::Pose;
use crate::xml::Element;

/// The base frame of clients.
pub(super) const BASE: &str = "base_link";

/// Returns the pose of a sensor: relative to the base if only fixed joints are in between, otherwise relative to its
/// own link.
pub(super) fn transform(world: &WorldDescription, element: &ElementDescription) -> Option<Transform> {
    let pose = Pose::from_ros(element.pose.as_ref());
    let name = names::own_frame(&element.vehicle, &element.frame_id);
    let Some(link) = world.links.iter().find(|link| link.name == element.link) else {
        return Some(Transform { name, pose, parent: BASE.to_owned() });
    };
    let (body, base) = base(world, &element.vehicle);
    if body.is_some_and(|body| is_rigid(world, body, link)) {
        let link = Pose::from_ros(link.pose.as_ref());
        return Some(Transform { name, pose: base.inverse() * link * pose, parent: BASE.to_owned() });
    }
    Some(Transform { name, pose, parent: names::own_frame(&element.vehicle, &link.name) })
}

/// Returns the link that carries a vehicle's base frame, and the pose of that frame: the link `base_link`, or
/// otherwise the frame of the model, which its first link carries.
pub(super) fn base<'a>(world: &'a WorldDescription, vehicle: &str) -> (Option<&'a LinkDescription>, Pose) {
    let mut links = links_of(world, vehicle);
    if let Some(link) = links.clone().find(|link| link.model == vehicle && names::local(&link.name) == BASE) {
        return (Some(link), Pose::from_ros(link.pose.as_ref()));
    }
    let model = world.models.iter().find(|model| names::is_named(model, vehicle));
    (links.next(), Pose::from_ros(model.and_then(|model| model.pose.as_ref())))
}

/// Returns the frames of a vehicle's links and its base.
pub(super) fn frames(world: &WorldDescription, vehicle: &str) -> Vec<String> {
    let links = links_of(world, vehicle).map(|link| names::own_frame(vehicle, &link.name));
    links.chain([BASE.to_owned()]).collect()
}

/// Returns the links of a vehicle, including those of nested models.
pub(super) fn links_of<'a>(
    world: &'a WorldDescription,
    vehicle: &str,
) -> impl Iterator<Item = &'a LinkDescription> + Clone {
    let (own, within) = (vehicle.to_owned(), format!("{vehicle}::"));
    world.links.iter().filter(move |link| link.model == own || link.model.starts_with(&within))
}

/// Returns true if two links are connected by fixed joints alone.
fn is_rigid(world: &WorldDescription, base: &LinkDescription, link: &LinkDescription) -> bool {
    let mut reached = BTreeSet::from([base.name.as_str()]);
    let mut fresh = vec![base.name.as_str()];
    let fixed = |joint: &&JointDescription| joint.r#type == "fixed";
    while let Some(name) = fresh.pop() {
        for joint in world.joints.iter().filter(fixed) {
            let other = match (joint.parent == name, joint.child == name) {
                (true, _) => joint.child.as_str(),
                (_, true) => joint.parent.as_str(),
                _ => continue,
            };
            if reached.insert(other) {
                fresh.push(other);
            }
        }
    }
    reached.contains(link.name.as_str())
}

/// Returns the static transforms that a board lists in `ros2/static_transforms/link`.
pub(super) fn static_transforms(
    world: &WorldDescription,
    element: &ElementDescription,
    plugin: &Element,
) -> Vec<Transform> {
    let find = |name: &str| {
        let mut links = links_of(world, &element.vehicle);
        let scoped = format!("{}::{name}", element.model);
        links
            .clone()
            .find(|link| link.name == scoped)
            .or_else(|| links.find(|link| names::local(&link.name) == names::local(name)))
    };
    let pose_of = |link: Option<&LinkDescription>| Pose::from_ros(link.and_then(|link| link.pose.as_ref()));
    let read = |link: &Element| {
        let found = find(&link.text)?;
        let parent = link.attribute("parent_frame_id").unwrap_or(BASE);
        let carrier = match find(parent) {
            Some(link) => pose_of(Some(link)),
            None => base(world, &element.vehicle).1,
        };
        let pose = carrier.inverse() * pose_of(Some(found));
        Some(Transform { name: names::frame(&link.text), pose, parent: names::frame(parent) })
    };
    plugin.all("ros2/static_transforms/link").into_iter().filter_map(read).collect()
}

/// Returns the scan parameters of a lidar's element, with NaN for each ray.
pub(super) fn sweep(sensor: &Element) -> msgs::LaserScan {
    let lidar = ["lidar", "ray"].into_iter().find_map(|name| sensor.at(name));
    let empty = Element::default();
    let lidar = lidar.unwrap_or(&empty);
    let number = |path: &str| lidar.number_at(path).unwrap_or(0.0);
    let count = number("scan/horizontal/samples").clamp(0.0, 100_000.0).round();
    let (min, max) = (number("scan/horizontal/min_angle"), number("scan/horizontal/max_angle"));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped and rounded above")]
    let rays = count as u32;
    msgs::LaserScan {
        angle_min: min,
        angle_max: max,
        angle_step: if count > 1.0 { (max - min) / (count - 1.0) } else { 0.0 },
        range_min: number("range/min"),
        range_max: number("range/max"),
        count: rays,
        vertical_count: 1,
        ranges: vec![f64::NAN; rays as usize],
        intensities: vec![0.0; rays as usize],
        ..msgs::LaserScan::default()
    }
}

/// Returns a `<pose>`: metres, then radians or degrees about the fixed axes x, y, z, or a quaternion. Invalid ones, which
/// the plugin of the sensor refuses, are the identity.
pub(super) fn pose(element: &Element) -> Pose {
    let numbers: Vec<f64> = element.text.split_whitespace().filter_map(|text| text.parse().ok()).collect();
    let is_in_degrees = element.attribute("degrees").is_some_and(|text| text == "true" || text == "1");
    let angle = |angle: f64| if is_in_degrees { angle.to_radians() } else { angle };
    match numbers[..] {
        [x, y, z, roll, pitch, yaw] => Pose::from_euler([x, y, z], [roll, pitch, yaw].map(angle)),
        [x, y, z, qx, qy, qz, qw] => Pose { position: [x, y, z], orientation: unit([qx, qy, qz, qw]) },
        _ => Pose::IDENTITY,
    }
}

/// Returns a quaternion of length 1.
fn unit(quaternion: [f64; 4]) -> [f64; 4] {
    let length = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 0.0 { quaternion.map(|part| part / length) } else { Pose::IDENTITY.orientation }
}

/// Returns the columns and rows of the image of a `<camera>`.
pub(super) fn size(camera: &Element) -> (u32, u32) {
    let number = |name: &str| camera.text_at(name).and_then(u32::from_param);
    let (width, height) = (number("image/width"), number("image/height"));
    (width.unwrap_or(320), height.unwrap_or(240))
}

/// Returns the info of a `<camera>`.
pub(super) fn camera(camera: &Element) -> msgs::CameraSensor {
    let number = |path: &str, default: f64| camera.number_at(path).unwrap_or(default);
    let (width, height) = size(camera);
    let format = camera.text_at("image/format").and_then(PixelFormat::of_sdf);
    let format = format.filter(|format| matches!(format, PixelFormat::L16 | PixelFormat::Float32));
    let distortion = camera.at("distortion").map(|of| {
        let number = |path: &str| of.number_at(path).unwrap_or(0.0);
        let center = of.text_at("center").unwrap_or("0.5 0.5");
        let mut center = center.split_whitespace().map(|number| number.parse().unwrap_or(0.5));
        msgs::Distortion {
            header: None,
            center: Some(msgs::Vector2d {
                header: None,
                x: center.next().unwrap_or(0.5),
                y: center.next().unwrap_or(0.5),
            }),
            k1: number("k1"),
            k2: number("k2"),
            k3: number("k3"),
            p1: number("p1"),
            p2: number("p2"),
        }
    });
    msgs::CameraSensor {
        horizontal_fov: number("horizontal_fov", 1.047),
        image_size: Some(msgs::Vector2d { header: None, x: f64::from(width), y: f64::from(height) }),
        near_clip: number("clip/near", 0.1),
        far_clip: number("clip/far", 100.0),
        distortion,
        pixel_format: format.unwrap_or(PixelFormat::Float32) as i32,
        ..msgs::CameraSensor::default()
    }
}

/// Returns the info of a logical camera.
pub(super) fn logical_camera(sensor: &Element) -> msgs::LogicalCameraSensor {
    let number = |name: &str| sensor.number_at(&format!("logical_camera/{name}")).unwrap_or(0.0);
    msgs::LogicalCameraSensor {
        header: None,
        near_clip: number("near"),
        far_clip: number("far"),
        horizontal_fov: number("horizontal_fov"),
        aspect_ratio: number("aspect_ratio"),
    }
}
