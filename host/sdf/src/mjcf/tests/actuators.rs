//! Actuators as plugins, and the keyframe that a model begins with.

use super::{BALL, clean, found, read};
use crate::resolved::Model;
use crate::{Code, Loaded};

/// Joints `a`, `b` and the ball joint `c`, with these actuators and other sections.
fn driven(actuators: &str, rest: &str) -> Loaded {
    let body = |joint: &str| format!("<body pos=\"0 0 1\"><joint {joint}/>{BALL}</body>");
    read(&format!(
        "<compiler angle=\"radian\"/>{rest}<worldbody>{}{}{}</worldbody><actuator>{actuators}</actuator>",
        body("name=\"a\" range=\"-1 1\" ref=\"0.25\""),
        body("name=\"b\" type=\"slide\""),
        body("name=\"c\" type=\"ball\""),
    ))
}

/// The text of an element of the plugin `joint_command`.
fn command<'m>(model: &'m Model, path: &str) -> Option<&'m str> {
    let plugin = model.plugins.iter().find(|plugin| plugin.filename == "joint_command")?;
    plugin.params.get(path)
}

fn effort(model: &Model, joint: &str) -> f64 {
    model.joint(joint).expect("a joint").axis.as_ref().expect("an axis").limit.effort
}

#[test]
fn motors_positions_and_velocities_are_interfaces() {
    let loaded = driven(
        "<motor joint=\"a\" gear=\"10\" ctrlrange=\"-2 3\"/><position joint=\"b\" kp=\"9\" forcerange=\"-5 4\"/>\
         <velocity joint=\"b\"/>",
        "",
    );
    clean(&loaded);
    let model = &loaded.world.models[0];
    assert_eq!(command(model, "joint[0]/@name"), Some("a"));
    assert_eq!(command(model, "joint[0]/command_interface"), Some("effort"));
    assert_eq!(command(model, "joint[0]/initial_position"), None);
    assert_eq!(command(model, "joint[1]/command_interface[0]"), Some("position"));
    assert_eq!(command(model, "joint[1]/command_interface[1]"), Some("velocity"));
    assert_eq!(command(model, "joint[1]/initial_position"), Some("0"));
    assert_eq!((effort(model, "a"), effort(model, "b")), (30.0, f64::INFINITY));
    assert!(model.plugins.iter().any(|plugin| plugin.filename == "joint_state"));
    let note = found(&loaded, Code::MjcfControlled);
    assert!(
        note[0].contains("`<actuator>` with 2 driven joints: 1 by effort, 1 by position, 1 by velocity"),
        "{note:?}"
    );
    assert!(note[0].contains("on the topic `joint_command`"), "{note:?}");
}

#[test]
fn general_actuators_are_recognised_by_their_bias() {
    let kind = |attributes: &str| {
        let loaded = driven(&format!("<general joint=\"b\" {attributes}/>"), "");
        clean(&loaded);
        command(&loaded.world.models[0], "joint/command_interface").map(str::to_owned)
    };
    assert_eq!(kind("").as_deref(), Some("effort"));
    assert_eq!(kind("gainprm=\"9\" biastype=\"affine\" biasprm=\"0 -9 -1\"").as_deref(), Some("position"));
    assert_eq!(kind("gainprm=\"9\" biastype=\"affine\" biasprm=\"0 0 -9\"").as_deref(), Some("velocity"));
    assert_eq!(kind("gainprm=\"9\" biasprm=\"0 -9 0\"").as_deref(), Some("effort"));
}

#[test]
fn defaults_of_actuators_count() {
    let defaults = "<default><motor ctrlrange=\"-1 1\"/><default class=\"strong\"><general gear=\"7\"/></default></default>";
    let loaded = driven("<motor joint=\"b\" class=\"strong\"/>", defaults);
    clean(&loaded);
    assert_eq!(effort(&loaded.world.models[0], "b"), 7.0);
}

#[test]
fn what_cannot_be_driven_is_noted() {
    let loaded =
        driven("<motor joint=\"c\"/><motor tendon=\"t\"/><muscle joint=\"a\"/><motor joint=\"x\"/>", "");
    let notes = found(&loaded, Code::MjcfNotConverted);
    for kind in [
        "actuators of ball joints: `motor`",
        "actuators of something else than a joint: `motor`",
        "muscles and other actuators: `muscle`",
    ] {
        assert!(notes.iter().any(|note| note.contains(kind)), "{kind} in {notes:#?}");
    }
    assert!(found(&loaded, Code::MjcfReferenceUnknown)[0].contains("joint=\"x\""));
    assert!(loaded.world.models[0].plugins.is_empty());
}

#[test]
fn the_keyframe_home_is_where_position_actuators_go() {
    let key = |qpos: &str| {
        format!("<keyframe><key name=\"home\" qpos=\"{qpos}\"/><key name=\"other\"/></keyframe>")
    };
    let loaded = driven("<position joint=\"a\"/>", &key("0.5 2 1 0 0 0"));
    clean(&loaded);
    assert_eq!(command(&loaded.world.models[0], "joint/initial_position"), Some("0.25"));
    let notes = found(&loaded, Code::MjcfNotConverted);
    assert!(
        notes.iter().any(|note| note.contains("positions of 1 joints without a position actuator")),
        "{notes:?}"
    );
    assert!(notes.iter().any(|note| note.contains("keyframes other than `home`")), "{notes:?}");
    let short = driven("<position joint=\"a\"/>", &key("0.5 2"));
    assert!(found(&short, Code::ValueInvalid)[0].contains("2 positions"));
    // Without a keyframe, 0 of MJCF, which is -0.25 here.
    let plain = driven("<position joint=\"a\"/>", "");
    assert_eq!(command(&plain.world.models[0], "joint/initial_position"), Some("-0.25"));
}

#[test]
fn a_free_body_begins_at_the_keyframe() {
    let loaded = read(&format!(
        "<worldbody><body name=\"b\" pos=\"0 0 1\"><freejoint/>{BALL}</body></worldbody>\
         <keyframe><key name=\"home\" qpos=\"1 2 3 0 0 0 2\"/></keyframe>"
    ));
    clean(&loaded);
    let pose = loaded.world.models[0].link("b").expect("a link").pose;
    assert_eq!((pose.position.to_array(), pose.rotation.z.abs()), ([1.0, 2.0, 3.0], 1.0));
}
