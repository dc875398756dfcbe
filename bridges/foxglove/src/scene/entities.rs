//! Markers as entities: the markers of one name space and frame, such as those of a link, are one entity.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::visualization_msgs::{Marker, MarkerArray};
use bridgehead_plugin_api::messages::{builtin_interfaces, geometry_msgs, std_msgs};

use super::messages as fox;
use super::{orientation, quaternion, timestamp, vector};
use crate::assets::address::viewer_address;

/// Kinds and actions of `visualization_msgs/msg/Marker`.
mod kind {
    pub(super) const ARROW: i32 = 0;
    pub(super) const CUBE: i32 = 1;
    pub(super) const SPHERE: i32 = 2;
    pub(super) const CYLINDER: i32 = 3;
    pub(super) const LINE_STRIP: i32 = 4;
    pub(super) const LINE_LIST: i32 = 5;
    pub(super) const TEXT: i32 = 9;
    pub(super) const MESH: i32 = 10;
    pub(super) const TRIANGLES: i32 = 11;
    pub(super) const ADD: i32 = 0;
}

/// Returns the entities of an array by their ids. Kinds of markers that the host does not publish are left out.
pub(super) fn entities(array: &MarkerArray, time_ns: i64) -> BTreeMap<String, fox::SceneEntity> {
    let mut entities = BTreeMap::<String, fox::SceneEntity>::new();
    for marker in array.markers.iter().filter(|marker| marker.action == kind::ADD) {
        let frame = marker.header.as_ref().map(|header| header.frame_id.as_str()).unwrap_or_default();
        let id = id(&entities, &marker.ns, frame);
        let known = entities.entry(id).or_insert_with_key(|id| fox::SceneEntity {
            timestamp: Some(timestamp(time_ns)),
            frame_id: frame.to_owned(),
            id: id.clone(),
            lifetime: lifetime(marker.lifetime.as_ref()),
            frame_locked: true,
            ..fox::SceneEntity::default()
        });
        add(known, marker);
    }
    entities
}

/// Returns the name space; if its entity is in another frame, with the frame.
fn id(known: &BTreeMap<String, fox::SceneEntity>, namespace: &str, frame: &str) -> String {
    let is_other = known.get(namespace).is_some_and(|entity| entity.frame_id != frame);
    if is_other { format!("{namespace} in {frame}") } else { namespace.to_owned() }
}

fn add(entity: &mut fox::SceneEntity, marker: &Marker) {
    let (pose, size, color) = (pose_of(marker), size_of(marker), color_of(marker.color.as_ref()));
    match marker.r#type {
        kind::CUBE => entity.cubes.push(fox::CubePrimitive { pose, size, color }),
        kind::SPHERE => entity.spheres.push(fox::SpherePrimitive { pose, size, color }),
        kind::CYLINDER => entity.cylinders.push(fox::CylinderPrimitive {
            pose,
            size,
            bottom_scale: 1.0,
            top_scale: 1.0,
            color,
        }),
        kind::ARROW => entity.arrows.push(arrow(pose, marker, color)),
        kind::LINE_STRIP => entity.lines.push(lines(fox::line_primitive::Type::LineStrip, marker)),
        kind::LINE_LIST => entity.lines.push(lines(fox::line_primitive::Type::LineList, marker)),
        kind::TRIANGLES => entity.triangles.push(triangles(marker)),
        kind::TEXT => entity.texts.push(text(pose, marker, color)),
        kind::MESH => entity.models.push(model(pose, size, marker, color)),
        _ => {}
    }
}

fn model(
    pose: Option<fox::Pose>,
    scale: Option<fox::Vector3>,
    marker: &Marker,
    color: Option<fox::Color>,
) -> fox::ModelPrimitive {
    fox::ModelPrimitive {
        pose,
        scale,
        color,
        override_color: !marker.mesh_use_embedded_materials,
        url: viewer_address(&marker.mesh_resource),
        media_type: String::new(),
        data: Vec::new(),
    }
}

/// An arrow from its pose along x: its length and the diameters of shaft and head, as in the marker. The head takes up a
/// quarter of the length.
fn arrow(pose: Option<fox::Pose>, marker: &Marker, color: Option<fox::Color>) -> fox::ArrowPrimitive {
    let scale = scale_of(marker);
    fox::ArrowPrimitive {
        pose,
        shaft_length: 0.75 * scale.x,
        shaft_diameter: scale.y,
        head_length: 0.25 * scale.x,
        head_diameter: scale.z,
        color,
    }
}

fn lines(of: fox::line_primitive::Type, marker: &Marker) -> fox::LinePrimitive {
    fox::LinePrimitive {
        r#type: of.into(),
        pose: pose_of(marker),
        thickness: scale_of(marker).x,
        scale_invariant: false,
        points: points(marker),
        color: color_of(marker.color.as_ref()),
        colors: colors(marker),
        indices: Vec::new(),
    }
}

fn triangles(marker: &Marker) -> fox::TriangleListPrimitive {
    fox::TriangleListPrimitive {
        pose: pose_of(marker),
        points: points(marker),
        color: color_of(marker.color.as_ref()),
        colors: colors(marker),
        indices: Vec::new(),
    }
}

fn text(pose: Option<fox::Pose>, marker: &Marker, color: Option<fox::Color>) -> fox::TextPrimitive {
    fox::TextPrimitive {
        pose,
        billboard: true,
        font_size: scale_of(marker).z,
        scale_invariant: false,
        color,
        text: marker.text.clone(),
    }
}

fn points(marker: &Marker) -> Vec<fox::Point3> {
    marker.points.iter().map(|point| fox::Point3 { x: point.x, y: point.y, z: point.z }).collect()
}

/// Colours for each point count only if there is one for each.
fn colors(marker: &Marker) -> Vec<fox::Color> {
    if marker.colors.len() != marker.points.len() {
        return Vec::new();
    }
    marker.colors.iter().filter_map(|color| color_of(Some(color))).collect()
}

fn pose_of(marker: &Marker) -> Option<fox::Pose> {
    let pose = marker.pose.unwrap_or_default();
    let at = pose.position.unwrap_or_default();
    Some(fox::Pose {
        position: vector([at.x, at.y, at.z]),
        orientation: quaternion(orientation(pose.orientation.as_ref())),
    })
}

fn scale_of(marker: &Marker) -> geometry_msgs::Vector3 {
    marker.scale.unwrap_or_default()
}

fn size_of(marker: &Marker) -> Option<fox::Vector3> {
    let scale = scale_of(marker);
    vector([scale.x, scale.y, scale.z])
}

fn color_of(from: Option<&std_msgs::ColorRgba>) -> Option<fox::Color> {
    let from = from.cloned().unwrap_or_default();
    Some(fox::Color { r: from.r.into(), g: from.g.into(), b: from.b.into(), a: from.a.into() })
}

/// A lifetime of zero has no end. It is always present, because some viewers read it without a check.
fn lifetime(from: Option<&builtin_interfaces::Duration>) -> Option<prost_types::Duration> {
    let from = from.cloned().unwrap_or_default();
    Some(prost_types::Duration { seconds: from.sec.into(), nanos: i32::try_from(from.nanosec).unwrap_or(0) })
}
