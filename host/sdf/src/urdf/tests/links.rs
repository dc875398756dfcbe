//! Shapes, names and poses of links.

use super::{MASS, convert, joint, link};
use crate::diagnostic::Code;

#[test]
fn every_shape_comes_out() {
    let shapes = [
        ("<box size=\"1 2 3\"/>", "<box><size>1 2 3</size></box>"),
        ("<sphere radius=\"0.5\"/>", "<sphere><radius>0.5</radius></sphere>"),
        (
            "<cylinder radius=\"0.5\" length=\"2\"/>",
            "<cylinder><radius>0.5</radius><length>2</length></cylinder>",
        ),
        (
            "<capsule radius=\"0.5\" length=\"2\"/>",
            "<capsule><radius>0.5</radius><length>2</length></capsule>",
        ),
        (
            "<mesh filename=\"package://p/a.dae\" scale=\"0.1 0.1 -0.1\"/>",
            "<mesh><uri>package://p/a.dae</uri><scale>0.1 0.1 -0.1</scale></mesh>",
        ),
        ("<mesh filename=\"../a &amp; b.stl\"/>", "<mesh><uri>../a &amp; b.stl</uri></mesh>"),
    ];
    for (urdf, sdf) in shapes {
        let shape = format!("<geometry>{urdf}</geometry>");
        let converted = convert(&format!(
            "<link name=\"a\">{MASS}<visual>{shape}</visual><collision>{shape}</collision></link>"
        ));
        converted
            .holds(&format!("<visual name=\"a_visual\"><pose>0 0 0 0 0 0</pose><geometry>{sdf}</geometry>"));
        converted.holds(&format!(
            "<collision name=\"a_collision\"><pose>0 0 0 0 0 0</pose><geometry>{sdf}</geometry>"
        ));
        assert_eq!(converted.findings, []);
    }
}

#[test]
fn shapes_without_size_are_left_out() {
    let bad = [
        "<box size=\"1 2\"/>",
        "<box size=\"0 1 1\"/>",
        "<box/>",
        "<sphere radius=\"-1\"/>",
        "<cylinder radius=\"1\"/>",
        "<capsule radius=\"nan\" length=\"1\"/>",
        "<mesh filename=\"\"/>",
        "",
    ];
    for shape in bad {
        let converted = convert(&format!(
            "<link name=\"a\">{MASS}<collision><geometry>{shape}</geometry></collision></link>"
        ));
        converted.lacks("<collision");
        assert!(converted.codes().contains(&Code::GeometryInvalid), "{shape}");
    }
}

#[test]
fn several_shapes_have_names_of_their_own() {
    let shape = "<geometry><sphere radius=\"1\"/></geometry>";
    let converted = convert(&format!(
        "<link name=\"a\">{MASS}<collision>{shape}</collision><collision>{shape}</collision>\
         <collision name=\"bumper\">{shape}</collision><collision name=\"bumper\">{shape}</collision></link>"
    ));
    for name in ["a_collision", "a_collision_1", "bumper", "bumper_collision"] {
        converted.holds(&format!("<collision name=\"{name}\">"));
    }
}

#[test]
fn poses_are_kept_as_rpy_or_quaternion() {
    let shape = "<geometry><sphere radius=\"1\"/></geometry>";
    let converted = convert(&format!(
        "<link name=\"a\">{MASS}\
         <collision><origin xyz=\"1 -2 1e-7\" rpy=\"0.1 0.2 0.3\"/>{shape}</collision>\
         <visual><origin quat_xyzw=\"0 0 1 1\"/>{shape}</visual></link>"
    ));
    converted.holds("<pose>1 -2 1e-7 0.1 0.2 0.3</pose>");
    converted.holds("<pose rotation_format=\"quat_xyzw\">0 0 0 0 0 1 1</pose>");
}

#[test]
fn links_and_joints_of_one_name_get_two() {
    let converted = convert(&format!(
        "{}{}{}{}",
        link("a"),
        link("arm"),
        joint("arm", "fixed", "a", "arm", ""),
        "<gazebo reference=\"arm\"><gravity>0</gravity><provideFeedback>true</provideFeedback></gazebo>"
    ));
    converted.holds("<link name=\"arm\"><pose relative_to=\"arm_joint\"/>");
    converted.holds("<joint name=\"arm_joint\" type=\"fixed\">");
    converted.holds("<gravity>false</gravity>");
    converted.holds("<provide_feedback>true</provide_feedback>");
    assert_eq!(converted.codes(), [Code::UrdfNameChanged]);
}

#[test]
fn names_that_sdf_reserves_are_changed() {
    let converted =
        convert(&format!("{}{}{}", link("__a__"), link("b::c"), joint("j", "fixed", "__a__", "b::c", "")));
    converted.holds("<link name=\"__a___link\">");
    converted.holds("<link name=\"b__c\">");
    converted.holds("<parent>__a___link</parent><child>b__c</child>");
    assert_eq!(converted.codes(), [Code::UrdfNameChanged; 2]);
}

#[test]
fn unknown_urdf_elements_are_reported_once() {
    let converted = convert(&format!(
        "{}<transmission name=\"t\"/><transmission name=\"u\"/><ros2_control/><arm/><arm/><my:own/>",
        "<link name=\"a\" colour=\"red\"><inertial><origin xzy=\"1 0 0\"/><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
    ));
    let found: Vec<_> = converted.findings.iter().map(|finding| finding.found.as_str()).collect();
    assert_eq!(
        found,
        [
            "attribute `colour` in `<link>`; left out",
            "attribute `xzy` in `<origin>`; left out",
            "`<transmission>` in `<robot>`, 2 times; left out",
            "`<arm>` in `<robot>`, 2 times; left out",
            "`<my:own>` in `<robot>`; left out",
        ]
    );
}
