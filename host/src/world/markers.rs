//! The visuals of the world as markers, so that viewers show the scene of a log. Plain functions.
//!
//! Markers of static models are in the frame `world`. Markers of moving models are in the frames of their links
//! (`car1/chassis`), which transforms place.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::visualization_msgs::{Marker, MarkerArray};
use bridgehead_plugin_api::messages::{geometry_msgs, std_msgs};
use bridgehead_sdf::element::{Geometry, Mesh, Visual};
use bridgehead_sdf::pose::{DVec2, DVec3, Pose};
use bridgehead_sdf::resolved::{self, Link, Model};

use super::World;
use super::listing::scoped;

/// Marker types and actions of `visualization_msgs/msg/Marker`.
mod kind {
    pub(super) const CUBE: i32 = 1;
    pub(super) const SPHERE: i32 = 2;
    pub(super) const CYLINDER: i32 = 3;
    pub(super) const MESH_RESOURCE: i32 = 10;
    pub(super) const ADD: i32 = 0;
}

/// Thickness of the marker of a plane, metres.
const SHEET: f64 = 0.002;

/// Colour of visuals without a material.
const GREY: [f32; 4] = [0.7, 0.7, 0.7, 1.0];

/// Colour of materials without a diffuse colour (sdformat `sdf/1.12/material.sdf`).
const WHITE: [f32; 4] = [1.0; 4];

/// The markers of a world: one array for the world (key ""), and one for each vehicle.
pub type SceneMarkers = BTreeMap<String, MarkerArray>;

/// Collects the markers of all visuals.
pub(super) fn collect(source: &resolved::World, world: &World) -> SceneMarkers {
    let mut scene = SceneMarkers::new();
    let models = source.models.iter().chain(source.actors.iter().map(|actor| &actor.model));
    for (model, entity) in models.zip(world.models().values()) {
        let owner = if entity.is_vehicle { model.name.clone() } else { String::new() };
        let markers = of_model(model).markers;
        if !markers.is_empty() {
            scene.entry(owner).or_default().markers.extend(markers);
        }
    }
    scene
}

/// Returns the markers of one model.
pub(crate) fn of_model(model: &Model) -> MarkerArray {
    MarkerArray { markers: model.links.iter().flat_map(|link| link_markers(model, link)).collect() }
}

fn link_markers(model: &Model, link: &Link) -> Vec<Marker> {
    let is_fixed = model.is_static || link.is_static;
    let (frame, base) = if is_fixed {
        ("world".to_owned(), model.link_pose_world(link))
    } else {
        (format!("{}/{}", model.name, scoped(&link.name)), Pose::IDENTITY)
    };
    let namespace = format!("{}/{}", model.name, scoped(&link.name));
    let visuals = link.visuals.iter().enumerate();
    visuals
        .filter_map(|(index, placed)| {
            let mut marker = visual_marker(&placed.element, base * placed.pose)?;
            marker.header = Some(std_msgs::Header::new(0, frame.clone()));
            marker.ns.clone_from(&namespace);
            marker.id = i32::try_from(index).unwrap_or(i32::MAX);
            marker.frame_locked = !is_fixed;
            Some(marker)
        })
        .collect()
}

fn visual_marker(visual: &Visual, pose: Pose) -> Option<Marker> {
    let (r#type, scale, offset) = match &visual.geometry {
        Geometry::Box { size } => (kind::CUBE, *size, Pose::IDENTITY),
        Geometry::Sphere { radius } => (kind::SPHERE, DVec3::splat(2.0 * radius), Pose::IDENTITY),
        Geometry::Ellipsoid { radii } => (kind::SPHERE, 2.0 * *radii, Pose::IDENTITY),
        // Markers have neither capsules nor cones: both are shown as their enclosing cylinders.
        Geometry::Cylinder { radius, length }
        | Geometry::Capsule { radius, length }
        | Geometry::Cone { radius, length } => {
            (kind::CYLINDER, DVec3::new(2.0 * radius, 2.0 * radius, *length), Pose::IDENTITY)
        }
        Geometry::Plane { normal, size } => {
            let turn =
                bridgehead_sdf::pose::DQuat::from_rotation_arc(DVec3::Z, normal.normalize_or(DVec3::Z));
            let size = size.unwrap_or(DVec2::ONE);
            let sheet = Pose { position: -SHEET / 2.0 * *normal, rotation: turn };
            (kind::CUBE, DVec3::new(size.x, size.y, SHEET), sheet)
        }
        Geometry::Mesh(mesh) => (kind::MESH_RESOURCE, mesh.scale, Pose::IDENTITY),
        Geometry::Empty
        | Geometry::Polyline { .. }
        | Geometry::Heightmap(_)
        | Geometry::Unsupported { .. } => {
            return None;
        }
    };
    let mesh_resource = match &visual.geometry {
        Geometry::Mesh(mesh) => mesh_address(mesh),
        _ => String::new(),
    };
    Some(Marker {
        r#type,
        action: kind::ADD,
        pose: Some(pose_message(&(pose * offset))),
        scale: Some(vector_message(scale)),
        color: Some(colour(visual)),
        mesh_resource,
        ..Marker::default()
    })
}

/// Returns the address of a mesh as written, or that of its file if it is relative to the file of the world, whose folder
/// viewers do not know.
fn mesh_address(mesh: &Mesh) -> String {
    let file = || bridgehead_sdf::file_uri(&mesh.path.as_deref()?.canonicalize().ok()?);
    if mesh.uri.contains("://") { mesh.uri.clone() } else { file().unwrap_or_else(|| mesh.uri.clone()) }
}

#[expect(clippy::cast_possible_truncation, reason = "a transparency between 0 and 1")]
fn colour(visual: &Visual) -> std_msgs::ColorRgba {
    let material = visual.material.as_ref();
    let [r, g, b, a] = material.map_or(GREY, |material| material.diffuse.unwrap_or(WHITE));
    std_msgs::ColorRgba { r, g, b, a: a * (1.0 - visual.transparency as f32) }
}

fn pose_message(pose: &Pose) -> geometry_msgs::Pose {
    let (p, q) = (pose.position, pose.rotation);
    geometry_msgs::Pose {
        position: Some(geometry_msgs::Point { x: p.x, y: p.y, z: p.z }),
        orientation: Some(geometry_msgs::Quaternion { x: q.x, y: q.y, z: q.z, w: q.w }),
    }
}

fn vector_message(v: DVec3) -> geometry_msgs::Vector3 {
    geometry_msgs::Vector3 { x: v.x, y: v.y, z: v.z }
}
