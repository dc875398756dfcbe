//! Shapes, materials and lights of a scene as messages of Gazebo.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::geometry_msgs;
use own::{SceneMaterial, SceneVisual};

use crate::msgs as gz;
use crate::msgs::geometry::Type;
use crate::msgs::material::Pbr;

/// Workflows of materials in Gazebo.
const METAL: i32 = 1;
const SPECULAR: i32 = 2;

/// Returns the geometry of a visual; `None` if it has none that a file or a few numbers describe.
pub(super) fn geometry(visual: &SceneVisual, files: &BTreeMap<&str, &str>) -> Option<gz::Geometry> {
    let size = visual.size.unwrap_or_default();
    let geometry_msgs::Vector3 { x, y, z } = size;
    let bare = |kind: Type| gz::Geometry { r#type: kind.into(), ..gz::Geometry::default() };
    let round = |length: f64| Some(gz::CylinderGeom { radius: x / 2.0, length });
    let geometry = match visual.r#type {
        SceneVisual::BOX => {
            gz::Geometry { r#box: Some(gz::BoxGeom { size: Some(size.into()) }), ..bare(Type::Box) }
        }
        SceneVisual::SPHERE => {
            gz::Geometry { sphere: Some(gz::SphereGeom { radius: x / 2.0 }), ..bare(Type::Sphere) }
        }
        SceneVisual::CYLINDER => gz::Geometry { cylinder: round(z), ..bare(Type::Cylinder) },
        SceneVisual::CONE => gz::Geometry { cone: round(z), ..bare(Type::Cone) },
        // The length of Gazebo is that between the caps.
        SceneVisual::CAPSULE => gz::Geometry { capsule: round(z - x), ..bare(Type::Capsule) },
        SceneVisual::ELLIPSOID => {
            let radii = gz::Vector3d { header: None, x: x / 2.0, y: y / 2.0, z: z / 2.0 };
            gz::Geometry {
                ellipsoid: Some(gz::EllipsoidGeom { radii: Some(radii) }),
                ..bare(Type::Ellipsoid)
            }
        }
        SceneVisual::PLANE => {
            // The pose of the visual turns it.
            let normal = Some(gz::Vector3d { header: None, x: 0.0, y: 0.0, z: 1.0 });
            let plane = gz::PlaneGeom { normal, size: Some(gz::Vector2d { x, y }) };
            gz::Geometry { plane: Some(plane), ..bare(Type::Plane) }
        }
        SceneVisual::MESH => {
            let filename = path(files.get(visual.name.as_str())?);
            let mesh = gz::MeshGeom { filename, scale: Some(size.into()) };
            gz::Geometry { mesh: Some(mesh), ..bare(Type::Mesh) }
        }
        _ => return None,
    };
    Some(geometry)
}

/// Returns the path of a file on this machine, which readers of all versions find. Other addresses stay.
pub(super) fn path(address: &str) -> String {
    let Some(escaped) = address.strip_prefix("file://") else { return address.to_owned() };
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let code = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = code.and_then(|_| after.get(2..)).unwrap_or(after);
    }
    String::from_utf8(bytes).unwrap_or_else(|_| address.to_owned())
}

/// Returns a material.
pub(super) fn material(material: &SceneMaterial, textures: &[own::SceneTexture]) -> gz::Material {
    let map = |index: i32| {
        let texture = usize::try_from(index).ok().and_then(|index| textures.get(index));
        texture.map(|texture| path(&texture.uri)).unwrap_or_default()
    };
    let workflow = match material.r#type {
        SceneMaterial::METAL => Some(METAL),
        SceneMaterial::SPECULAR => Some(SPECULAR),
        // A texture of a Phong material has no field of its own.
        _ if material.color_map >= 0 => Some(METAL),
        _ => None,
    };
    let is_phong = ![SceneMaterial::METAL, SceneMaterial::SPECULAR].contains(&material.r#type);
    let pbr = |workflow| Pbr {
        r#type: workflow,
        albedo_map: map(material.color_map),
        normal_map: map(material.normal_map),
        metalness: if is_phong { 0.0 } else { material.metalness },
        metalness_map: map(material.metalness_map),
        roughness: if is_phong { 1.0 } else { material.roughness },
        roughness_map: map(material.roughness_map),
        glossiness: material.glossiness,
        glossiness_map: map(material.glossiness_map),
        specular_map: map(material.specular_map),
        environment_map: map(material.environment_map),
        ambient_occlusion_map: map(material.occlusion_map),
        emissive_map: map(material.emissive_map),
        light_map: map(material.light_map),
    };
    gz::Material {
        ambient: material.ambient.map(Into::into),
        diffuse: material.diffuse.map(Into::into),
        specular: material.specular.map(Into::into),
        emissive: material.emissive.map(Into::into),
        lighting: !material.unlit,
        pbr: workflow.map(pbr),
        render_order: material.render_order,
        double_sided: material.double_sided,
        shininess: material.shininess,
    }
}

/// Returns a light. It has the name that it has in its link or world.
pub(super) fn light(light: &own::SceneLight, name: &str, id: u32, parent_id: u32) -> gz::Light {
    gz::Light {
        name: name.to_owned(),
        r#type: light.r#type,
        pose: light.pose.map(Into::into),
        diffuse: light.diffuse.map(Into::into),
        specular: light.specular.map(Into::into),
        attenuation_constant: single(light.attenuation_constant),
        attenuation_linear: single(light.attenuation_linear),
        attenuation_quadratic: single(light.attenuation_quadratic),
        direction: light.direction.map(Into::into),
        range: single(light.attenuation_range),
        cast_shadows: light.cast_shadows,
        spot_inner_angle: single(light.inner_angle),
        spot_outer_angle: single(light.outer_angle),
        spot_falloff: single(light.falloff),
        id,
        parent_id,
        intensity: single(light.intensity),
        is_light_off: !light.is_on,
        visualize_visual: light.visualize,
    }
}

/// Returns the surroundings of a scene without content.
pub(super) fn surroundings(surroundings: &own::SceneSurroundings) -> gz::Scene {
    let own::SceneSurroundings { time, sunrise, sunset, .. } = *surroundings;
    gz::Scene {
        ambient: surroundings.ambient.map(Into::into),
        background: surroundings.background.map(Into::into),
        sky: surroundings.sky.then_some(gz::Sky { time, sunrise, sunset }),
        shadows: surroundings.shadows,
        grid: surroundings.grid,
        ..gz::Scene::default()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "Gazebo's lights are of single precision")]
fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(kind: u32, [x, y, z]: [f64; 3]) -> Option<gz::Geometry> {
        let visual = SceneVisual {
            name: "m::l::v".to_owned(),
            r#type: kind,
            size: Some(geometry_msgs::Vector3 { x, y, z }),
            ..SceneVisual::default()
        };
        geometry(&visual, &BTreeMap::from([("m::l::v", "file:///a%20b/c.stl")]))
    }

    #[test]
    fn every_shape_has_the_dimensions_of_gazebo() {
        let vector = |x, y, z| Some(gz::Vector3d { header: None, x, y, z });
        let cylinder = |radius, length| Some(gz::CylinderGeom { radius, length });
        let found = |kind, size| shape(kind, size).expect("a geometry");
        let cube = found(SceneVisual::BOX, [1.0, 2.0, 3.0]);
        assert_eq!((cube.r#type(), cube.r#box.expect("a box").size), (Type::Box, vector(1.0, 2.0, 3.0)));
        let ball = found(SceneVisual::SPHERE, [3.0, 3.0, 3.0]);
        assert_eq!((ball.r#type(), ball.sphere.expect("a sphere").radius), (Type::Sphere, 1.5));
        let rod = found(SceneVisual::CYLINDER, [2.0, 2.0, 5.0]);
        assert_eq!((rod.r#type(), rod.cylinder), (Type::Cylinder, cylinder(1.0, 5.0)));
        let cone = found(SceneVisual::CONE, [2.0, 2.0, 5.0]);
        assert_eq!((cone.r#type(), cone.cone), (Type::Cone, cylinder(1.0, 5.0)));
        let capsule = found(SceneVisual::CAPSULE, [2.0, 2.0, 5.0]);
        assert_eq!((capsule.r#type(), capsule.capsule), (Type::Capsule, cylinder(1.0, 3.0)));
        let egg = found(SceneVisual::ELLIPSOID, [2.0, 4.0, 6.0]);
        let radii = egg.ellipsoid.clone().expect("an ellipsoid").radii;
        assert_eq!((egg.r#type(), radii), (Type::Ellipsoid, vector(1.0, 2.0, 3.0)));
        let plane = found(SceneVisual::PLANE, [20.0, 10.0, 0.0]);
        let of_plane = plane.plane.clone().expect("a plane");
        assert_eq!((plane.r#type(), of_plane.normal), (Type::Plane, vector(0.0, 0.0, 1.0)));
        assert_eq!(of_plane.size, Some(gz::Vector2d { x: 20.0, y: 10.0 }));
        let mesh = found(SceneVisual::MESH, [1.0, 1.0, 2.0]);
        let of_mesh = mesh.mesh.clone().expect("a mesh");
        assert_eq!((mesh.r#type(), of_mesh.filename.as_str()), (Type::Mesh, "/a b/c.stl"));
        assert_eq!(of_mesh.scale, vector(1.0, 1.0, 2.0));
        assert_eq!(shape(SceneVisual::NONE, [1.0; 3]), None);
    }

    #[test]
    fn only_addresses_of_files_become_paths() {
        for (address, expected) in [
            ("file:///a/b.stl", "/a/b.stl"),
            ("file:///a%2", "/a%2"),
            ("file:///%e4%c3%b6", "file:///%e4%c3%b6"),
            ("file:///%C3%B6%zz", "/ö%zz"),
            ("package://robot/a%20b.stl", "package://robot/a%20b.stl"),
            ("", ""),
        ] {
            assert_eq!(path(address), expected);
        }
    }

    #[test]
    fn textures_are_those_of_a_physically_based_material() {
        let textures = ["a.png", "file:///n.png"]
            .map(|uri| own::SceneTexture { uri: uri.to_owned(), ..own::SceneTexture::default() });
        let red =
            Some(bridgehead_plugin_api::messages::std_msgs::ColorRgba { r: 1.0, g: 0.0, b: 0.0, a: 0.5 });
        let none = SceneMaterial {
            color_map: -1,
            normal_map: -1,
            metalness_map: -1,
            roughness_map: -1,
            glossiness_map: -1,
            specular_map: -1,
            environment_map: -1,
            occlusion_map: -1,
            emissive_map: -1,
            light_map: -1,
            diffuse: red,
            ..SceneMaterial::default()
        };
        let plain = material(&none, &textures);
        assert_eq!((plain.diffuse, plain.lighting, plain.pbr), (red.map(Into::into), true, None));
        let mapped = material(&SceneMaterial { color_map: 0, normal_map: 1, ..none.clone() }, &textures);
        let pbr = mapped.pbr.expect("maps");
        assert_eq!(
            (pbr.r#type, pbr.albedo_map.as_str(), pbr.normal_map.as_str()),
            (METAL, "a.png", "/n.png")
        );
        assert_eq!((pbr.metalness, pbr.roughness), (0.0, 1.0));
        let metal = SceneMaterial { r#type: SceneMaterial::METAL, metalness: 0.7, roughness: 0.2, ..none };
        let pbr = material(&metal, &textures).pbr.expect("values");
        assert_eq!((pbr.metalness, pbr.roughness, pbr.albedo_map.as_str()), (0.7, 0.2, ""));
    }
}
