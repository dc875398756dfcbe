//! Incomplete and ambiguous files, which are read as the present release of libsdformat reads them.

use super::*;
use crate::element::JointKind;

/// The severities and codes of the findings.
fn findings(loaded: &Loaded) -> Vec<(Severity, Code)> {
    loaded.diagnostics.iter().map(|finding| (finding.severity, finding.code)).collect()
}

/// A file with this inside `<sdf>`.
fn file(content: &str) -> Loaded {
    parse_str("m.sdf", &format!("<sdf version='1.12'>{content}</sdf>")).unwrap()
}

/// A model `m` of two links and a joint.
fn with_joint(kind: &str, content: &str) -> Loaded {
    file(&format!(
        "<model name='m'><link name='a'/><link name='b'/><joint name='j' type='{kind}'>
         <parent>a</parent><child>b</child>{content}</joint></model>"
    ))
}

#[test]
fn a_revolute_joint_without_axis_is_valid_and_turns_about_z() {
    let loaded = with_joint("revolute", "");
    assert_eq!(findings(&loaded), [(Severity::Warning, Code::ElementMissing)]);
    assert_eq!(loaded.diagnostics[0].found, "a revolute joint without `<axis>`");
    let joint = loaded.world.models[0].joint("j").unwrap();
    assert_eq!(joint.kind, JointKind::Revolute);
    let axis = joint.axis.as_ref().unwrap();
    assert_eq!((axis.direction, axis.direction_in_model), (DVec3::Z, DVec3::Z));
    assert!(!axis.limit.is_limited() && joint.axis2.is_none());
}

#[test]
fn a_gearbox_without_reference_body_is_valid_and_couples_nothing() {
    let axes = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";
    let loaded = with_joint("gearbox", &format!("<gearbox_ratio>3</gearbox_ratio>{axes}"));
    assert_eq!(findings(&loaded), [(Severity::Warning, Code::GearboxInvalid)]);
    assert_eq!(loaded.diagnostics[0].found, "gearbox `j` without `<gearbox_reference_body>`");
    let joint = loaded.world.models[0].joint("j").unwrap();
    assert_eq!(joint.kind, JointKind::Gearbox { ratio: 3.0, reference_body: String::new() });
    assert_eq!(joint.gear_reference, None);
    let axes = [&joint.axis, &joint.axis2].map(|axis| axis.as_ref().unwrap().direction);
    assert_eq!(axes, [DVec3::X, DVec3::Y]);
}

#[test]
fn an_include_with_a_placement_frame_and_no_pose_is_an_error() {
    let loaded =
        world_with("<include><uri>model://car</uri><placement_frame>hitch</placement_frame></include>");
    assert_eq!(findings(&loaded), [(Severity::Error, Code::ElementMissing)]);
    assert_eq!(loaded.diagnostics[0].found, "`<placement_frame>` without `<pose>`");
    // The model's own pose, 9 9 9, is that of the hitch, which is 1 m behind the model.
    assert_eq!(loaded.world.models[0].pose.position, DVec3::new(10.0, 9.0, 9.0));
}

#[test]
fn the_attribute_placement_frame_needs_no_pose() {
    let loaded = file(
        "<model name='m' placement_frame='f'><link name='l'/><frame name='f'><pose>1 0 0 0 0 0</pose></frame></model>",
    );
    assert_eq!(findings(&loaded), []);
    assert_eq!(loaded.world.models[0].pose.position, DVec3::new(-1.0, 0.0, 0.0));
}

#[test]
fn a_second_model_at_the_root_is_an_error_and_the_first_is_used() {
    let loaded = file("<model name='a'><link name='l'/></model><model name='b'><link name='l'/></model>");
    assert_eq!(findings(&loaded), [(Severity::Error, Code::ValueInvalid)]);
    assert_eq!(loaded.diagnostics[0].found, "a further `<model>` beside the first `<model>`");
    let names: Vec<&str> = loaded.world.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn a_second_model_of_the_same_name_at_the_root_is_a_duplicate() {
    let loaded = file("<model name='a'><link name='l'/></model><model name='a'><link name='k'/></model>");
    assert_eq!(findings(&loaded), [(Severity::Error, Code::DuplicateName)]);
    assert_eq!(loaded.world.models[0].links[0].name, "l");
}

#[test]
fn a_model_beside_a_light_or_an_actor_at_the_root_is_an_error() {
    let model = "<model name='m'><link name='l'/></model>";
    let light = "<light name='s' type='directional'/>";
    for content in [format!("{light}{model}"), format!("{model}{light}")] {
        let loaded = file(&content);
        assert_eq!(findings(&loaded), [(Severity::Error, Code::ValueInvalid)]);
        assert_eq!(loaded.diagnostics[0].found, "a further `<light>` beside the first `<model>`");
        assert!(matches!(loaded.root, Root::Model(_)));
    }
}

#[test]
fn worlds_may_stand_beside_each_other_and_beside_one_model() {
    let model = |name: &str| format!("<model name='{name}'><link name='l'/></model>");
    let note = (Severity::Note, Code::NotSimulated);
    assert_eq!(findings(&file("<world name='a'/><world name='b'/>")), [note]);
    assert_eq!(findings(&file(&format!("{}<world name='a'/>", model("m")))), [note]);
    let two = findings(&file(&format!("<world name='a'/>{}{}", model("m"), model("n"))));
    assert_eq!(two, [note, (Severity::Error, Code::ValueInvalid)]);
    let twins = findings(&file("<world name='a'/><world name='b'/><world name='b'/>"));
    assert_eq!(twins, [note, (Severity::Error, Code::DuplicateName)]);
}
