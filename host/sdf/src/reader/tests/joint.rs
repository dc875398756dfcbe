//! Joints: axes, limits, stops and dynamics, and what has no effect.

use super::*;
use crate::element::{Joint, JointKind, SoftStop};

fn joint(attributes: &str, content: &str) -> (Joint, Vec<Diagnostic>) {
    let (mut model, diagnostics) = model(&format!(
        "<link name='a'/><link name='b'/><joint name='j' {attributes}><parent>a</parent><child>b</child>{content}</joint>"
    ));
    (model.joints.remove(0), diagnostics)
}

#[test]
fn joints_read_axis_limits_and_dynamics() {
    let (joint, diagnostics) = joint(
        "type='revolute'",
        "<axis><xyz expressed_in='__model__'>0 2 0</xyz>
         <limit><lower>-1</lower><upper>1e16</upper><effort>5</effort><velocity>-1</velocity></limit>
         <dynamics><damping>0.1</damping><spring_stiffness>3</spring_stiffness></dynamics></axis>",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let axis = joint.axis.unwrap();
    assert_eq!((axis.xyz, axis.expressed_in.as_deref()), (DVec3::Y, Some("__model__")));
    assert_eq!((axis.limit.lower, axis.limit.upper), (-1.0, f64::INFINITY));
    assert_eq!((axis.limit.effort, axis.limit.velocity), (5.0, f64::INFINITY));
    assert_eq!((axis.dynamics.damping, axis.dynamics.spring_stiffness), (0.1, 3.0));
}

#[test]
fn both_spellings_of_a_screw_pitch_mean_metres_per_turn() {
    let pitch = |content: &str| match joint("type='screw'", &format!("<axis/>{content}")).0.kind {
        JointKind::Screw { pitch } => pitch,
        other => panic!("{other:?}"),
    };
    assert_eq!(pitch("<screw_thread_pitch>0.02</screw_thread_pitch>"), 0.02);
    let radians_per_metre = -std::f64::consts::TAU / 0.02;
    assert!((pitch(&format!("<thread_pitch>{radians_per_metre}</thread_pitch>")) - 0.02).abs() < 1e-15);
}

#[test]
fn bad_joints_are_reported_and_made_harmless() {
    let (unknown, diagnostics) = joint("type='hinge'", "");
    assert_eq!((unknown.kind, codes(&diagnostics)), (JointKind::Fixed, vec![Code::JointTypeInvalid]));
    let (no_axis, diagnostics) = joint("type='revolute'", "");
    assert_eq!((no_axis.axis.unwrap().xyz, codes(&diagnostics)), (DVec3::Z, vec![Code::ElementMissing]));
    let (zero, diagnostics) = joint("type='revolute'", "<axis><xyz>0 0 0</xyz></axis>");
    assert_eq!((zero.axis.unwrap().xyz, codes(&diagnostics)), (DVec3::Z, vec![Code::ValueInvalid]));
    let crossed = "<axis><limit><lower>2</lower><upper>1</upper></limit></axis>";
    let (crossed, diagnostics) = joint("type='revolute'", crossed);
    assert!(!crossed.axis.unwrap().limit.is_limited());
    assert_eq!(codes(&diagnostics), [Code::ValueInvalid]);
}

#[test]
fn one_element_of_a_stop_makes_it_soft_on_either_axis() {
    let read = |limit: &str| {
        let axis = |name: &str| format!("<{name}><limit>{limit}</limit></{name}>");
        let (joint, diagnostics) = joint("type='universal'", &format!("{}{}", axis("axis"), axis("axis2")));
        let [one, other] = [joint.axis, joint.axis2].map(|axis| axis.unwrap().limit.stop);
        assert_eq!(one, other, "{limit}");
        (one, codes(&diagnostics))
    };
    let stop = |stiffness, dissipation| Some(SoftStop { stiffness, dissipation });
    let (stiffness, dissipation) = ("<stiffness>50</stiffness>", "<dissipation>2</dissipation>");
    assert_eq!(read("<lower>-1</lower>"), (None, vec![]));
    assert_eq!(read(&format!("{stiffness}{dissipation}")), (stop(50.0, 2.0), vec![]));
    assert_eq!(read(stiffness), (stop(50.0, 1.0), vec![]));
    assert_eq!(read(dissipation), (stop(1e8, 2.0), vec![]));
    assert_eq!(read("<stiffness>0</stiffness>"), (stop(0.0, 1.0), vec![]));
    for bad in ["-1", "nan", "inf", "soft"] {
        let text = format!("<stiffness>{bad}</stiffness>");
        assert_eq!(read(&text), (None, vec![Code::ValueInvalid; 2]), "{bad}");
        let text = format!("{stiffness}<dissipation>{bad}</dissipation>");
        assert_eq!(read(&text), (stop(50.0, 1.0), vec![Code::ValueInvalid; 2]), "{bad}");
    }
}

#[test]
fn a_choice_of_how_joints_are_modelled_is_noted_once_with_its_place() {
    let choice = "<bridgehead:joints>multibody</bridgehead:joints>";
    let nested = format!("<model name='n'>{choice}<link name='l'/></model>");
    let (_, diagnostics) = model(&format!("\n{choice}<link name='l'/>{nested}"));
    assert_eq!(codes(&diagnostics), [Code::ModellingChosen]);
    let note = &diagnostics[0];
    assert_eq!((note.severity, note.location.as_ref().map(|place| place.line)), (Severity::Note, Some(2)));
    let text = "`<bridgehead:joints>` is kept, not simulated (reported once): every tree of joints is exact";
    assert_eq!((note.found.as_str(), note.hint.as_str()), (text, "remove the element"));
    // Any word: none of them has an effect.
    let (_, diagnostics) = model("<bridgehead:joints>featherstone</bridgehead:joints><link name='l'/>");
    assert_eq!(codes(&diagnostics), [Code::ModellingChosen]);
}
