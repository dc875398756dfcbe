//! Masses, moments, and links without either.

use super::{MASS, convert, joint, link};
use crate::diagnostic::{Code, Severity};

#[test]
fn masses_and_moments_are_kept() {
    let converted = convert(
        "<link name=\"a\"><inertial><origin xyz=\"0.1 0 0\" rpy=\"0 0 1\"/><mass value=\"2.5\"/>\
         <inertia ixx=\"0.3\" ixy=\"0.01\" ixz=\"0.02\" iyy=\"0.4\" iyz=\"0.03\" izz=\"0.5\"/></inertial></link>",
    );
    converted.holds(
        "<inertial><pose>0.1 0 0 0 0 1</pose><mass>2.5</mass><inertia><ixx>0.3</ixx><ixy>0.01</ixy><ixz>0.02</ixz>\
         <iyy>0.4</iyy><iyz>0.03</iyz><izz>0.5</izz></inertia></inertial>",
    );
    assert_eq!(converted.findings, []);
}

#[test]
fn moments_that_no_body_has_are_replaced() {
    let cases = [
        ("ixx=\"1\" iyy=\"1\" izz=\"4\"", "<ixx>2</ixx>", Code::InertiaInvalid),
        ("ixx=\"0\" iyy=\"3\" izz=\"3\"", "<ixx>2</ixx>", Code::InertiaInvalid),
        ("ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\"", "<ixy>0</ixy>", Code::InertiaInvalid),
        ("ixx=\"0\" iyy=\"0\" izz=\"0\"", "<ixx>0.", Code::InertiaInvalid),
        ("ixx=\"-1\" iyy=\"1\" izz=\"1\"", "<ixx>0.", Code::InertiaInvalid),
        ("iyy=\"1\" izz=\"1\"", "<ixx>0.", Code::AttributeMissing),
        ("ixx=\"inf\" iyy=\"1\" izz=\"1\"", "<ixx>0.", Code::ValueInvalid),
    ];
    for (moments, sdf, code) in cases {
        let converted = convert(&format!(
            "<link name=\"a\"><inertial><mass value=\"2\"/><inertia {moments}/></inertial></link>"
        ));
        converted.holds("<mass>2</mass>");
        converted.holds(sdf);
        assert_eq!(converted.codes(), [code], "{moments}");
    }
}

#[test]
fn a_massless_child_of_a_fixed_joint_is_a_frame() {
    let converted = convert(&format!(
        "{}<link name=\"eye\"><collision><origin xyz=\"0 0 1\"/><geometry><sphere radius=\"1\"/></geometry></collision></link>{}{}{}",
        link("a"),
        link("tip"),
        joint("j", "fixed", "a", "eye", "<origin xyz=\"1 0 0\"/>"),
        joint("k", "fixed", "eye", "tip", "")
    ));
    converted.holds("<frame name=\"eye\" attached_to=\"a\"><pose relative_to=\"j\"/></frame>");
    converted.holds("<frame name=\"j\" attached_to=\"a\"><pose relative_to=\"a\">1 0 0 0 0 0</pose></frame>");
    converted.holds("<collision name=\"eye_collision\"><pose relative_to=\"eye\">0 0 1 0 0 0</pose>");
    // A link with mass stays a link on a fixed joint.
    converted.holds("<joint name=\"k\" type=\"fixed\"><pose relative_to=\"eye\">0 0 0 0 0 0</pose><parent>a</parent><child>tip</child>");
    assert_eq!(converted.codes(), [Code::UrdfFolded]);
}

#[test]
fn a_massless_root_is_a_frame_of_the_first_body() {
    let wheel = "<limit effort=\"1\" velocity=\"1\"/>";
    let converted = convert(&format!(
        "<link name=\"base_footprint\"/>{}{}{}{}",
        link("wheel"),
        link("base_link"),
        joint("w", "continuous", "base_footprint", "wheel", wheel),
        joint("b", "fixed", "base_footprint", "base_link", "<origin xyz=\"0 0 1\"/>")
    ));
    converted.holds("<model name=\"r\" canonical_link=\"base_link\">");
    converted.holds(
        "<frame name=\"base_footprint\" attached_to=\"base_link\"><pose relative_to=\"__model__\"/></frame>",
    );
    converted.holds(
        "<frame name=\"b\" attached_to=\"base_link\"><pose relative_to=\"base_footprint\">0 0 1 0 0 0</pose>",
    );
    converted.holds("<parent>base_link</parent><child>wheel</child>");
    assert_eq!(converted.codes(), [Code::UrdfFolded]);
}

#[test]
fn a_massless_link_between_a_moving_and_a_fixed_joint_moves_with_the_body_below() {
    let converted = convert(&format!(
        "{}<link name=\"hub\"/>{}{}{}",
        link("a"),
        link("tyre"),
        joint("turn", "continuous", "a", "hub", ""),
        joint("hold", "fixed", "hub", "tyre", "")
    ));
    converted.holds("<parent>a</parent><child>tyre</child>");
    converted.holds("<link name=\"tyre\"><pose relative_to=\"hold\"/>");
    converted.holds("<frame name=\"hub\" attached_to=\"tyre\"><pose relative_to=\"turn\"/></frame>");
}

#[test]
fn a_massless_link_that_moves_gets_a_small_mass() {
    for mass in ["", "<inertial><mass value=\"0\"/><inertia ixx=\"0\" iyy=\"0\" izz=\"0\"/></inertial>"] {
        let converted = convert(&format!(
            "{}<link name=\"b\">{mass}</link>{}{}{}",
            link("a"),
            link("c"),
            joint("j", "continuous", "a", "b", ""),
            joint("k", "continuous", "b", "c", "")
        ));
        converted.holds(
            "<link name=\"b\"><pose relative_to=\"j\"/><inertial><pose>0 0 0 0 0 0</pose><mass>0.01</mass>",
        );
        assert_eq!(converted.codes(), [Code::UrdfMassInvented]);
        assert_eq!(converted.findings[0].severity, Severity::Warning);
    }
}

#[test]
fn the_mass_of_static_links_does_not_matter() {
    let on_world =
        format!("<link name=\"world\"/><link name=\"a\"/>{}", joint("j", "fixed", "world", "a", ""));
    let held = "<link name=\"a\"/><gazebo><static>true</static></gazebo>".to_owned();
    for robot in [on_world, held] {
        let converted = convert(&robot);
        assert_eq!(converted.codes(), [Code::UrdfMassInvented]);
        assert_eq!(converted.findings[0].severity, Severity::Note);
    }
}

#[test]
fn a_negative_mass_is_none() {
    let converted = convert(&format!(
        "{}<link name=\"b\"><inertial><mass value=\"-1\"/></inertial></link>{}",
        link("a"),
        joint("j", "fixed", "a", "b", "")
    ));
    converted.holds("<frame name=\"b\"");
    assert_eq!(converted.codes(), [Code::UrdfFolded, Code::ValueInvalid]);
}

#[test]
fn a_body_on_the_link_world_is_named() {
    let converted = convert(&format!(
        "<link name=\"world\">{MASS}</link>{}{}",
        link("a"),
        joint("j", "fixed", "world", "a", "")
    ));
    assert_eq!(converted.codes(), [Code::UrdfNotConverted]);
}
