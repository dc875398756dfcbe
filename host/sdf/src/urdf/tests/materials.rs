//! Materials: colours, textures and names of Gazebo's materials.

use super::{Converted, MASS, convert};
use crate::diagnostic::Code;
use crate::element::Workflow;
use crate::{Budget, InMemory, SearchPath, load_with};

const SHAPE: &str = "<geometry><sphere radius=\"1\"/></geometry>";

/// A link with a visual for each of these materials, after `global`.
fn with(global: &str, materials: &[&str]) -> Converted {
    let visuals: String =
        materials.iter().map(|material| format!("<visual>{SHAPE}{material}</visual>")).collect();
    convert(&format!("{global}<link name=\"a\">{MASS}{visuals}</link>"))
}

#[test]
fn colours_are_found_by_name() {
    let shape = "<geometry><sphere radius=\"1\"/></geometry>";
    let visual = |material: &str| format!("<visual>{shape}{material}</visual>");
    let converted = convert(&format!(
        "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material><link name=\"a\">{MASS}{}{}{}{}</link>",
        visual("<material name=\"red\"/>"),
        visual("<material name=\"own\"><color rgba=\"0 1 0 0.5\"/></material>"),
        visual("<material name=\"own\"/>"),
        visual("<material name=\"none\"/>"),
    ));
    converted.holds("<material><ambient>1 0 0 1</ambient><diffuse>1 0 0 1</diffuse></material>");
    assert_eq!(converted.sdf.matches("<diffuse>0 1 0 0.5</diffuse>").count(), 2);
    assert_eq!(converted.codes(), [Code::UrdfMaterialUnknown]);
}

#[test]
fn a_texture_becomes_an_albedo_map() {
    let converted =
        with("", &["<material name=\"m\"><texture filename=\" package://p/a &amp; b.png \"/></material>"]);
    converted.holds(
        "<material><pbr><metal><albedo_map>package://p/a &amp; b.png</albedo_map></metal></pbr></material>",
    );
    assert_eq!(converted.findings, []);
}

#[test]
fn a_texture_stands_beside_a_colour_and_is_found_by_name() {
    let global = "<material name=\"wood\"><color rgba=\"1 0 0 1\"/><texture filename=\"w.png\"/></material>";
    let converted = with(global, &["<material name=\"wood\"/>", "<material name=\"wood\"/>"]);
    let sdf = "<ambient>1 0 0 1</ambient><diffuse>1 0 0 1</diffuse>\
               <pbr><metal><albedo_map>w.png</albedo_map></metal></pbr></material>";
    converted.holds(sdf);
    assert_eq!(converted.sdf.matches("<albedo_map>w.png").count(), 2);
    assert_eq!(converted.findings, []);
}

#[test]
fn a_material_of_a_visual_replaces_that_of_the_robot_as_a_whole() {
    let global = "<material name=\"m\"><color rgba=\"1 0 0 1\"/><texture filename=\"w.png\"/></material>";
    let converted = with(global, &["<material name=\"m\"><color rgba=\"0 1 0 1\"/></material>"]);
    converted.holds("<material><ambient>0 1 0 1</ambient><diffuse>0 1 0 1</diffuse></material>");
    converted.lacks("albedo_map");
}

#[test]
fn an_empty_texture_is_none_and_one_without_a_file_is_reported() {
    let global = "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>";
    let converted = with(global, &["<material name=\"red\"><texture filename=\"\"/></material>"]);
    converted.holds("<diffuse>1 0 0 1</diffuse></material>");
    converted.lacks("albedo_map");
    assert_eq!(converted.findings, []);
    let converted = with("", &["<material name=\"\"><texture filename=\" \"/></material>"]);
    converted.lacks("<material");
    assert_eq!(converted.findings, []);
    let converted = with("", &["<material name=\"m\"><texture file=\"w.png\"/></material>"]);
    converted.lacks("<material");
    assert_eq!(converted.codes(), [Code::AttributeMissing, Code::UrdfUnknown]);
}

#[test]
fn a_material_of_gazebo_stands_beside_colour_and_texture() {
    let material = "<material name=\"m\"><color rgba=\"1 0 0 1\"/><texture filename=\"w.png\"/></material>";
    let converted =
        with("<gazebo reference=\"a\"><material>Gazebo/Blue</material></gazebo>", &[material, ""]);
    let script =
        "<script><uri>file://media/materials/scripts/gazebo.material</uri><name>Gazebo/Blue</name></script>";
    converted.holds(&format!(
        "<diffuse>1 0 0 1</diffuse>{script}<pbr><metal><albedo_map>w.png</albedo_map></metal></pbr></material>"
    ));
    converted.holds(&format!("<material>{script}</material>"));
    assert_eq!(converted.findings, []);
}

#[test]
fn the_materials_of_a_robot_are_read_as_those_of_its_visuals() {
    let visual = |material: &str| format!("<visual>{SHAPE}{material}</visual>");
    let urdf = format!(
        "<robot name='r'><material name='wood'><texture filename='package://pkg/wood.png'/></material>
         <link name='a'>{MASS}{}{}</link><link name='b'>{MASS}{}</link>
         <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>
         <gazebo reference='b'><material>Gazebo/Red</material></gazebo></robot>",
        visual("<material name='wood'/>"),
        visual("<material name='lost'><texture filename='lost.png'/></material>"),
        visual("")
    );
    let files = InMemory::new().with("/ws/pkg/urdf/r.urdf", urdf).with("/ws/pkg/wood.png", "");
    let path = "/ws/pkg/urdf/r.urdf".as_ref();
    let loaded = load_with(&files, path, &SearchPath::default(), &Budget::default()).expect("a robot");
    let model = &loaded.world.models[0];
    let material = |link: &str, visual: usize| {
        let link = model.link(link).expect("a link");
        link.visuals[visual].element.material.clone().expect("a material")
    };
    let wood = material("a", 0).pbr.expect("a texture");
    assert_eq!(wood.albedo.and_then(|albedo| albedo.path), Some("/ws/pkg/wood.png".into()));
    assert!(matches!(wood.workflow, Workflow::Metal { roughness: 0.5, metalness: 0.5, .. }));
    let red = material("b", 0);
    assert_eq!(red.script.expect("a script").name, "Gazebo/Red");
    assert_eq!((red.diffuse, red.pbr), (None, None));
    let codes: Vec<_> = loaded.diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::TextureNotFound]);
    let place = loaded.diagnostics[0].location.as_ref().expect("a place").to_string();
    assert!(place.starts_with("/ws/pkg/urdf/r.urdf as SDF:"), "{place}");
}
