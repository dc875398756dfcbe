//! Visuals and collisions of links, without the content of files. Plain functions.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{SceneVisual, ShapeDescription};
use bridgehead_plugin_api::messages::std_msgs::ColorRgba;
use bridgehead_scene::message::{pose, vector};
use bridgehead_sdf::element::{Collision, Geometry, Mesh, Visual};
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::Placed;

/// Describes a visual of the link with that scoped name.
pub(super) fn of_visual(link: &str, placed: &Placed<Visual>) -> ShapeDescription {
    let visual = &placed.element;
    let shape = of_geometry(&visual.geometry, placed.pose);
    ShapeDescription { name: format!("{link}::{}", visual.name), color: color(visual), ..shape }
}

/// Describes a collision of the link with that scoped name.
pub(super) fn of_collision(link: &str, placed: &Placed<Collision>) -> ShapeDescription {
    let shape = of_geometry(&placed.element.geometry, placed.pose);
    ShapeDescription { name: format!("{link}::{}", placed.element.name), ..shape }
}

fn of_geometry(geometry: &Geometry, at: Pose) -> ShapeDescription {
    let (kind, size, inner, mesh) = match geometry {
        Geometry::Mesh(mesh) => (SceneVisual::MESH, mesh.scale, Pose::IDENTITY, address(mesh)),
        _ => match bridgehead_scene::shape(geometry) {
            Some(shape) => (shape.kind, shape.size, shape.pose, String::new()),
            None => (SceneVisual::NONE, DVec3::ONE, Pose::IDENTITY, String::new()),
        },
    };
    let pose = Some(pose(&at.compose(&inner)));
    ShapeDescription { r#type: kind, pose, size: Some(vector(size)), mesh, ..ShapeDescription::default() }
}

/// Returns an address that programs on this machine can open. They find packages of ROS themselves.
fn address(mesh: &Mesh) -> String {
    let file = || bridgehead_sdf::file_uri(&mesh.path.as_deref()?.canonicalize().ok()?);
    let is_of_package = mesh.uri.starts_with("package://");
    if is_of_package { None } else { file() }.unwrap_or_else(|| mesh.uri.clone())
}

#[expect(clippy::cast_possible_truncation, reason = "a transparency between 0 and 1")]
fn color(visual: &Visual) -> Option<ColorRgba> {
    let [r, g, b, a] = bridgehead_scene::diffuse(visual.material.as_ref()?);
    Some(ColorRgba { r, g, b, a: a * (1.0 - visual.transparency as f32) })
}
