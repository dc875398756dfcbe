//! Shapes, and the collisions that have them.

use glam::DVec2;
use serde_json::{Value, json};

use super::value::{number, pose, uri, vector};
use crate::element::{Collision, Geometry, Heightmap, Mesh};
use crate::resolved::Placed;
use bridgehead_pose::Pose;

pub(super) fn collision(collision: &Placed<Collision>, link: &Pose) -> Value {
    let Collision { name, geometry, surface, .. } = &collision.element;
    let mut object = json!({
        "name": name,
        "pose_world": pose(&link.compose(&collision.pose)),
        "geometry": self::geometry(geometry),
    });
    let friction = &surface.friction;
    if friction.has_ode {
        let ode = [friction.mu, friction.mu2, friction.slip1, friction.slip2];
        object["ode"] = ode.map(number).into_iter().collect();
    }
    object
}

pub(super) fn geometry(geometry: &Geometry) -> Value {
    match geometry {
        Geometry::Empty => json!({ "type": "empty" }),
        Geometry::Box { size } => json!({ "type": "box", "size": vector(*size) }),
        Geometry::Sphere { radius } => json!({ "type": "sphere", "radius": number(*radius) }),
        Geometry::Cylinder { radius, length } => along_z("cylinder", *radius, *length),
        Geometry::Capsule { radius, length } => along_z("capsule", *radius, *length),
        Geometry::Cone { radius, length } => along_z("cone", *radius, *length),
        Geometry::Ellipsoid { radii } => json!({ "type": "ellipsoid", "radii": vector(*radii) }),
        Geometry::Plane { normal, size } => {
            let size = size.unwrap_or(DVec2::ONE);
            json!({ "type": "plane", "normal": vector(*normal), "size": [number(size.x), number(size.y)] })
        }
        Geometry::Mesh(mesh) => mesh_json(mesh),
        Geometry::Heightmap(map) => heightmap(map),
        Geometry::Polyline { outlines, height } => {
            json!({ "type": "polyline", "points": outlines, "height": number(*height) })
        }
        Geometry::Unsupported { kind } => json!({ "type": kind }),
    }
}

fn along_z(kind: &str, radius: f64, length: f64) -> Value {
    json!({ "type": kind, "radius": number(radius), "length": number(length) })
}

fn heightmap(map: &Heightmap) -> Value {
    let textures = map.textures.iter().map(|texture| {
        json!({
            "size": number(texture.size),
            "diffuse": uri(texture.diffuse.as_ref()),
            "normal": uri(texture.normal.as_ref()),
        })
    });
    let blends = map.blends.iter().map(
        |blend| json!({ "min_height": number(blend.min_height), "fade_dist": number(blend.fade_distance) }),
    );
    json!({
        "type": "heightmap",
        "uri": map.uri,
        "size": vector(map.size),
        "pos": vector(map.position),
        "textures": textures.collect::<Value>(),
        "blends": blends.collect::<Value>(),
    })
}

fn mesh_json(mesh: &Mesh) -> Value {
    json!({
        "type": "mesh",
        "uri": mesh.uri,
        "scale": vector(mesh.scale),
        "submesh": mesh.submesh.as_deref().unwrap_or_default(),
        "center": mesh.center_submesh,
    })
}
