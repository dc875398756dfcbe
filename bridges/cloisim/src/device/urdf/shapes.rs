//! Visuals and collisions of a link as URDF.

use std::fmt::Write as _;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    LinkDescription, SceneVisual, ShapeDescription,
};
use quick_xml::escape::escape;

use crate::pose::{Pose, from_vector};

/// Returns the elements of all shapes of a link, whose frame has the same pose in URDF.
pub(super) fn of_link(link: &LinkDescription) -> String {
    let mut text = String::new();
    link.visuals.iter().for_each(|shape| element(&mut text, "visual", shape));
    link.collisions.iter().for_each(|shape| element(&mut text, "collision", shape));
    text
}

fn element(text: &mut String, kind: &str, shape: &ShapeDescription) {
    let name = escape(shape.name.rsplit("::").next().unwrap_or_default());
    let geometry = match geometry(shape) {
        Ok(geometry) => geometry,
        // A name may contain two hyphens, which end a comment.
        Err(missing) => {
            _ = write!(text, "<!-- {kind} \"{}\" is left out: {missing} -->", name.replace("--", "__"));
            return;
        }
    };
    let pose = Pose::from_ros(shape.pose.as_ref());
    let ([x, y, z], [roll, pitch, yaw]) = (pose.position, pose.euler());
    _ = write!(
        text,
        "<{kind} name=\"{name}\"><origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/>\
         <geometry>{geometry}</geometry>{}</{kind}>",
        material(shape)
    );
}

/// Returns the shape, or what URDF lacks.
fn geometry(shape: &ShapeDescription) -> Result<String, &'static str> {
    let size = from_vector(shape.size.as_ref());
    let (x, y, z) = (size.x, size.y, size.z);
    Ok(match shape.r#type {
        SceneVisual::BOX => format!("<box size=\"{x} {y} {z}\"/>"),
        SceneVisual::SPHERE => format!("<sphere radius=\"{}\"/>", x / 2.0),
        SceneVisual::CYLINDER => format!("<cylinder radius=\"{}\" length=\"{z}\"/>", x / 2.0),
        SceneVisual::MESH => {
            format!("<mesh filename=\"{}\" scale=\"{x} {y} {z}\"/>", escape(shape.mesh.as_str()))
        }
        SceneVisual::CAPSULE => return Err("URDF has no capsules"),
        SceneVisual::CONE => return Err("URDF has no cones"),
        SceneVisual::ELLIPSOID => return Err("URDF has no ellipsoids"),
        SceneVisual::PLANE => return Err("URDF has no planes"),
        _ => return Err("URDF has no such shape"),
    })
}

/// The name of a material stands for one colour in the whole file, so it is the scoped name of the visual.
fn material(shape: &ShapeDescription) -> String {
    let Some(color) = shape.color else { return String::new() };
    format!(
        "<material name=\"{}\"><color rgba=\"{} {} {} {}\"/></material>",
        escape(shape.name.as_str()),
        color.r,
        color.g,
        color.b,
        color.a
    )
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
    use bridgehead_plugin_api::messages::std_msgs::ColorRgba;

    use super::*;

    fn shape(name: &str, kind: u32, [x, y, z]: [f64; 3]) -> ShapeDescription {
        ShapeDescription {
            name: format!("cloi::base::{name}"),
            r#type: kind,
            pose: Some(Pose { position: [0.0, 0.0, 0.5], ..Pose::IDENTITY }.to_ros()),
            size: Some(Vector3 { x, y, z }),
            ..ShapeDescription::default()
        }
    }

    #[test]
    fn shapes_are_written_as_urdf_has_them_and_others_are_comments() {
        let red = Some(ColorRgba { r: 1.0, g: 0.0, b: 0.0, a: 0.5 });
        let mesh = "file:///a/b&c.dae".to_owned();
        let link = LinkDescription {
            visuals: vec![
                ShapeDescription { color: red, ..shape("shell", SceneVisual::BOX, [1.0, 2.0, 3.0]) },
                ShapeDescription { mesh, ..shape("logo", SceneVisual::MESH, [2.0, 2.0, 2.0]) },
                shape("a--b", SceneVisual::CAPSULE, [1.0, 1.0, 3.0]),
            ],
            collisions: vec![
                shape("ball", SceneVisual::SPHERE, [0.5; 3]),
                shape("wheel", SceneVisual::CYLINDER, [0.25, 0.25, 0.125]),
            ],
            ..LinkDescription::default()
        };
        let origin = "<origin xyz=\"0 0 0.5\" rpy=\"0 0 0\"/>";
        let expected = format!(
            "<visual name=\"shell\">{origin}<geometry><box size=\"1 2 3\"/></geometry>\
             <material name=\"cloi::base::shell\"><color rgba=\"1 0 0 0.5\"/></material></visual>\
             <visual name=\"logo\">{origin}<geometry><mesh filename=\"file:///a/b&amp;c.dae\" scale=\"2 2 2\"/>\
             </geometry></visual>\
             <!-- visual \"a__b\" is left out: URDF has no capsules -->\
             <collision name=\"ball\">{origin}<geometry><sphere radius=\"0.25\"/></geometry></collision>\
             <collision name=\"wheel\">{origin}<geometry><cylinder radius=\"0.125\" length=\"0.125\"/></geometry>\
             </collision>"
        );
        assert_eq!(of_link(&link), expected);
    }
}
