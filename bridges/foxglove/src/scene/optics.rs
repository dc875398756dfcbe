//! The optical frames of cameras, in which their images and points are: x to the right, y down and z forward (REP 103).
//!
//! The element of a sensor is searched for its cameras as text: it is what the host has read before.

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ElementDescription;

/// Turns vectors of the optical frame to that of the camera, which looks along x.
const OPTICAL: [f64; 4] = [-0.5, 0.5, -0.5, 0.5];

/// Returns the optical frames of a sensor, each with its pose in the frame of the sensor; none for other sensors.
pub(super) fn frames(element: &ElementDescription) -> Vec<(String, Pose)> {
    let text = without_comments(&element.xml);
    let is_several = element.asked == "multicamera";
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(camera) = tag(rest, "camera") {
        rest = camera.after;
        let own = tag(camera.content, "optical_frame_id").map(|tag| tag.content.trim().to_owned());
        let own = own.or_else(|| if is_several { None } else { frame_of_messages(&text) });
        let usual = || match attribute(camera.attributes, "name") {
            Some(name) if is_several => format!("{}/{name}_optical_frame", element.frame_id),
            _ => format!("{}_optical_frame", element.frame_id),
        };
        let at = tag(camera.content, "pose").and_then(|tag| pose(tag.content, tag.attributes));
        let at = at.unwrap_or(Pose { position: [0.0; 3], orientation: [0.0, 0.0, 0.0, 1.0] });
        let optical = Pose { position: [0.0; 3], orientation: OPTICAL };
        found.push((own.filter(|name| !name.is_empty()).unwrap_or_else(usual), at.compose(optical)));
        if !is_several {
            break;
        }
    }
    found
}

/// Returns the frame that a sensor names for its messages.
fn frame_of_messages(sensor: &str) -> Option<String> {
    let named = |name: &&str| {
        let text = tag(sensor, name)?.content.trim();
        let is_placeholder = text.starts_with("__") && text.ends_with("__");
        (!text.is_empty() && !is_placeholder).then(|| text.to_owned())
    };
    ["frame_id", "gz_frame_id", "ignition_frame_id"].iter().find_map(named)
}

fn without_comments(xml: &str) -> String {
    let parts = xml.split("<!--").enumerate();
    parts
        .filter_map(|(index, part)| if index == 0 { Some(part) } else { Some(part.split_once("-->")?.1) })
        .collect()
}

/// An element with content.
struct Tag<'a> {
    attributes: &'a str,
    content: &'a str,
    after: &'a str,
}

/// Returns the first element of that name.
fn tag<'a>(text: &'a str, name: &str) -> Option<Tag<'a>> {
    let is_end = |letter: char| matches!(letter, '>' | '/') || letter.is_whitespace();
    let begin = format!("<{name}");
    let mut starts = text.match_indices(&begin).map(|(at, _)| at + begin.len());
    let start = starts.find(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(is_end)))?;
    let (attributes, inside) = text.get(start..)?.split_once('>')?;
    let (content, after) = match attributes.ends_with('/') {
        true => ("", inside),
        false => inside.split_once(&format!("</{name}>"))?,
    };
    Some(Tag { attributes, content, after })
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let at = attributes.split_once(&format!("{name}="))?.1;
    let quote = at.chars().next()?;
    at.get(1..)?.split_once(quote).map(|(value, _)| value)
}

/// Reads a pose as SDF has it; `None` for anything else than six numbers, or seven with a quaternion.
fn pose(text: &str, attributes: &str) -> Option<Pose> {
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(|number| number.parse().ok()).collect();
    match numbers?[..] {
        [x, y, z, roll, pitch, yaw] => {
            let is_degrees =
                attribute(attributes, "degrees").is_some_and(|value| matches!(value, "true" | "1"));
            let unit = if is_degrees { 1.0_f64.to_radians() } else { 1.0 };
            Some(Pose {
                position: [x, y, z],
                orientation: quaternion([roll, pitch, yaw].map(|angle| angle * unit)),
            })
        }
        [x, y, z, qx, qy, qz, qw] => Some(Pose { position: [x, y, z], orientation: [qx, qy, qz, qw] }),
        _ => None,
    }
}

fn quaternion([roll, pitch, yaw]: [f64; 3]) -> [f64; 4] {
    let [(sr, cr), (sp, cp), (sy, cy)] = [roll, pitch, yaw].map(|angle| libm::sincos(angle / 2.0));
    [
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(asked: &str, xml: &str) -> Vec<(String, Pose)> {
        let (asked, xml) = (asked.to_owned(), xml.to_owned());
        frames(&ElementDescription {
            asked,
            xml,
            frame_id: "car/eye".to_owned(),
            ..ElementDescription::default()
        })
    }

    #[track_caller]
    fn assert_forward((name, pose): &(String, Pose), expected: &str, position: [f64; 3], forward: [f64; 3]) {
        assert_eq!((name.as_str(), pose.position), (expected, position));
        // The z axis of the optical frame.
        let ahead =
            pose.compose(Pose { position: [0.0, 0.0, 1.0], orientation: [0.0, 0.0, 0.0, 1.0] }).position;
        let is_near = (0..3).all(|axis| (ahead[axis] - position[axis] - forward[axis]).abs() < 1e-9);
        assert!(is_near, "{ahead:?}");
    }

    #[test]
    fn the_frame_that_a_camera_names_is_the_optical_one() {
        for name in ["frame_id", "gz_frame_id", "ignition_frame_id"] {
            let xml = format!("<sensor type='camera'><{name}>lens</{name}><camera/></sensor>");
            assert_forward(&of("camera", &xml)[0], "lens", [0.0; 3], [1.0, 0.0, 0.0]);
            let both = xml.replace("<camera/>", "<camera><optical_frame_id>eye</optical_frame_id></camera>");
            assert_forward(&of("camera", &both)[0], "eye", [0.0; 3], [1.0, 0.0, 0.0]);
        }
        let xml = "<sensor type='camera'><frame_id>__default__</frame_id><camera/></sensor>";
        assert_forward(&of("camera", xml)[0], "car/eye_optical_frame", [0.0; 3], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_camera_has_one_frame_that_looks_along_its_axis() {
        let xml = "<sensor name='eye' type='camera'><!-- <camera><pose>9 9 9 0 0 0</pose></camera> --><topic>camera</topic>\
                   <camera><image/></camera></sensor>";
        assert_forward(&of("camera", xml)[0], "car/eye_optical_frame", [0.0; 3], [1.0, 0.0, 0.0]);
        let xml = "<sensor><camera name='front'><camera_info_topic>i</camera_info_topic><pose degrees='true'>1 0 0 0 0 90</pose>\
                   <optical_frame_id>lens</optical_frame_id></camera></sensor>";
        let found = of("camera", xml);
        assert_eq!(found.len(), 1);
        assert_forward(&found[0], "lens", [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        assert!(of("lidar", "<sensor><lidar/><pose>1 2 3 0 0 0</pose></sensor>").is_empty());
    }

    #[test]
    fn each_camera_of_a_multicamera_has_its_frame() {
        let xml = "<sensor type='multicamera'><camera name=\"left\"><pose>0 1 0 0 0 0</pose></camera>\
                   <camera name='down'><pose>0 0 0 0 1.5707963267948966 0</pose></camera></sensor>";
        let found = of("multicamera", xml);
        assert_forward(&found[0], "car/eye/left_optical_frame", [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
        assert_forward(&found[1], "car/eye/down_optical_frame", [0.0; 3], [0.0, 0.0, -1.0]);
    }

    #[test]
    fn damaged_texts_have_no_frames_or_the_usual_ones() {
        for xml in ["", "<camera", "<camera>", "<camera><pose>1 2</pose>", "<!--"] {
            assert!(of("camera", xml).is_empty(), "{xml}");
        }
        let found = of("camera", "<camera><pose>1 2 x</pose></camera>");
        assert_forward(&found[0], "car/eye_optical_frame", [0.0; 3], [1.0, 0.0, 0.0]);
    }
}
