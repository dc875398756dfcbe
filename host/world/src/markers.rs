//! The visuals of the world as markers, so that viewers show the scene of a log. Plain functions.
//!
//! Markers of static models are in the frame `world`. Markers of moving models are in the frames of their links
//! (`car1/chassis`), which transforms place. Shapes and colours are those of the scene, as far as no file must be read.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::SceneVisual;
use bridgehead_plugin_api::messages::std_msgs;
use bridgehead_plugin_api::messages::visualization_msgs::{Marker, MarkerArray};
use bridgehead_scene::{Shape, message};
use bridgehead_sdf::element::{Geometry, Mesh, Visual};
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved;
use bridgehead_sdf::resolved::{Link, Model};

use super::origin::scoped;
use super::world::World;

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
pub fn of_model(model: &Model) -> MarkerArray {
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
    let look = match mesh_of(&visual.geometry) {
        Some(mesh) => Look { kind: kind::MESH_RESOURCE, size: mesh.scale, pose: Pose::IDENTITY },
        None => look(&bridgehead_scene::shape(&visual.geometry)?)?,
    };
    Some(Marker {
        r#type: look.kind,
        action: kind::ADD,
        pose: Some(message::pose(&(pose * look.pose))),
        scale: Some(message::vector(look.size)),
        color: Some(colour(visual)),
        mesh_resource: mesh_of(&visual.geometry).map(mesh_address).unwrap_or_default(),
        ..Marker::default()
    })
}

/// The shape of a marker, with its pose in the visual.
struct Look {
    kind: i32,
    size: DVec3,
    pose: Pose,
}

/// Returns the marker of a shape. Markers have neither capsules nor cones, which are shown as their enclosing cylinders,
/// nor planes, which are thin boxes below their surface.
fn look(shape: &Shape) -> Option<Look> {
    let Shape { size, pose, .. } = *shape;
    Some(match shape.kind {
        SceneVisual::BOX => Look { kind: kind::CUBE, size, pose },
        SceneVisual::SPHERE | SceneVisual::ELLIPSOID => Look { kind: kind::SPHERE, size, pose },
        SceneVisual::CYLINDER | SceneVisual::CAPSULE | SceneVisual::CONE => {
            Look { kind: kind::CYLINDER, size, pose }
        }
        SceneVisual::PLANE => {
            let below = Pose { position: DVec3::new(0.0, 0.0, -SHEET / 2.0), ..Pose::IDENTITY };
            Look { kind: kind::CUBE, size: size.with_z(SHEET), pose: pose * below }
        }
        _ => return None,
    })
}

fn mesh_of(geometry: &Geometry) -> Option<&Mesh> {
    if let Geometry::Mesh(mesh) = geometry { Some(mesh) } else { None }
}

/// Returns the address of a mesh as written, or that of its file if it is relative to the file of the world, whose folder
/// viewers do not know.
fn mesh_address(mesh: &Mesh) -> String {
    let file = || bridgehead_sdf::file_uri(&mesh.path.as_deref()?.canonicalize().ok()?);
    if mesh.uri.contains("://") { mesh.uri.clone() } else { file().unwrap_or_else(|| mesh.uri.clone()) }
}

#[expect(clippy::cast_possible_truncation, reason = "a transparency between 0 and 1")]
fn colour(visual: &Visual) -> std_msgs::ColorRgba {
    let [r, g, b, a] = visual.material.as_ref().map_or(GREY, bridgehead_scene::diffuse);
    std_msgs::ColorRgba { r, g, b, a: a * (1.0 - visual.transparency as f32) }
}

#[cfg(test)]
mod tests {
    use bridgehead_sdf::parse_str;

    use super::*;

    /// Returns the marker of a visual of a static model at 1 m above the ground.
    fn marker(visual: &str) -> Marker {
        let text = format!(
            "<sdf version='1.9'><world name='w'><model name='m'><static>1</static><pose>0 0 1 0 0 0</pose><link name='l'>
             <visual name='v'>{visual}</visual></link></model></world></sdf>"
        );
        let world = parse_str("w.sdf", &text).expect("a world").world;
        of_model(&world.models[0]).markers.pop().expect("a marker")
    }

    #[test]
    fn shapes_without_a_marker_are_shown_as_what_encloses_them() {
        for (shape, kind, scale, z) in [
            ("<box><size>1 2 3</size></box>", kind::CUBE, [1.0, 2.0, 3.0], 1.0),
            ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", kind::SPHERE, [2.0, 4.0, 6.0], 1.0),
            ("<cone><radius>1</radius><length>2</length></cone>", kind::CYLINDER, [2.0, 2.0, 2.0], 1.0),
            ("<capsule><radius>1</radius><length>2</length></capsule>", kind::CYLINDER, [2.0, 2.0, 4.0], 1.0),
            ("<plane><size>4 5</size></plane>", kind::CUBE, [4.0, 5.0, SHEET], 1.0 - SHEET / 2.0),
        ] {
            let marker = marker(&format!("<geometry>{shape}</geometry>"));
            let size = marker.scale.map(|scale| [scale.x, scale.y, scale.z]);
            assert_eq!((marker.r#type, size), (kind, Some(scale)), "{shape}");
            let position = marker.pose.and_then(|pose| pose.position).expect("a position");
            assert!((position.z - z).abs() < 1e-12, "{shape}: {position:?}");
        }
    }

    #[test]
    fn colours_are_those_of_the_scene() {
        let look = |material: &str| {
            let color = marker(&format!("<geometry><box/></geometry>{material}")).color.expect("a colour");
            [color.r, color.g, color.b, color.a]
        };
        assert_eq!(look(""), GREY);
        assert_eq!(look("<material/><transparency>0.5</transparency>"), [1.0, 1.0, 1.0, 0.5]);
        assert_eq!(
            look("<material><script><name>Gazebo/Red</name></script></material>"),
            [1.0, 0.0, 0.0, 1.0]
        );
    }
}
