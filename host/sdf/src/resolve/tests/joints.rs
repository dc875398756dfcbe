//! Joints that follow others, and gears.

use super::*;
use crate::resolved::{Body, Leader};

/// A model of three links and joints of these kinds, with these texts in their axes.
fn chain(joints: [(&str, &str); 2]) -> String {
    let joint = |index: usize, (kind, axis): (&str, &str)| {
        let (parent, child) = (["a", "b"][index], ["b", "c"][index]);
        format!(
            "<joint name='j{index}' type='{kind}'><parent>{parent}</parent><child>{child}</child>
             <axis>{axis}</axis></joint>"
        )
    };
    let joints: String = joints.into_iter().enumerate().map(|(index, text)| joint(index, text)).collect();
    format!("<link name='a'/><link name='b'/><link name='c'/>{joints}")
}

fn follow(joint: &str, more: &str) -> String {
    format!("<mimic joint='{joint}' {more}><multiplier>2</multiplier><offset>1</offset></mimic>")
}

fn leader(model: &Model, joint: usize) -> Option<Leader> {
    model.joints[joint].axis.as_ref()?.leader
}

#[test]
fn an_axis_finds_its_leader_before_and_after_it() {
    let model = clean(&chain([("revolute", &follow("j1", "")), ("prismatic", "")]));
    assert_eq!(leader(&model, 0), Some(Leader { joint: 1, axis2: false }));
    let model = clean(&chain([("universal", ""), ("prismatic", &follow("j0", "axis='axis2'"))]));
    assert_eq!(leader(&model, 1), Some(Leader { joint: 0, axis2: true }));
}

#[test]
fn a_nested_model_names_its_own_joints() {
    let inner = chain([("revolute", ""), ("revolute", &follow("j0", ""))]);
    let model = clean(&format!("{inner}<model name='hand'>{inner}</model>"));
    assert_eq!(leader(&model, 3), Some(Leader { joint: 2, axis2: false }));
    let outer = chain([("revolute", ""), ("revolute", &follow("hand::j0", ""))]);
    let model = clean(&format!("{outer}<model name='hand'>{inner}</model>"));
    assert_eq!(leader(&model, 1), Some(Leader { joint: 2, axis2: false }));
}

#[test]
fn invalid_mimics_are_reported_and_move_independently() {
    let revolute = ("revolute", "");
    let huge = "<mimic joint='j0'><multiplier>1e300</multiplier><offset>1e300</offset></mimic>";
    let cases = [
        (chain([revolute, ("revolute", &follow("none", ""))]), "its model has no such joint"),
        (chain([revolute, ("revolute", &follow("", ""))]), "its model has no such joint"),
        (chain([revolute, ("revolute", &follow("j1", ""))]), "its leaders lead back to it"),
        (chain([revolute, ("revolute", &follow("j0", "axis='axis2'"))]), "no position there"),
        (chain([revolute, ("revolute", &follow("j0", "axis='axis3'"))]), "`axis` or `axis2`"),
        (chain([("fixed", ""), ("revolute", &follow("j0", ""))]), "a fixed joint has no position there"),
        (chain([("ball", ""), ("revolute", &follow("j0", ""))]), "a ball joint has no position there"),
        (chain([revolute, ("revolute", huge)]), "must be within"),
    ];
    for (text, problem) in cases {
        let (model, diagnostics) = model(&text);
        assert_eq!(codes(&diagnostics), [Code::MimicInvalid], "{text}");
        assert!(diagnostics[0].found.contains(problem), "{}", diagnostics[0].found);
        assert_eq!(leader(&model, 1), None);
    }
}

#[test]
fn a_circle_is_broken_where_it_closes() {
    let (model, diagnostics) =
        model(&chain([("revolute", &follow("j1", "")), ("revolute", &follow("j0", ""))]));
    assert_eq!(codes(&diagnostics), [Code::MimicInvalid]);
    assert_eq!(leader(&model, 0), Some(Leader { joint: 1, axis2: false }));
    assert_eq!(leader(&model, 1), None);
}

#[test]
fn joints_of_the_world_follow_none() {
    let (_, diagnostics) = world(&format!(
        "<model name='m'><link name='l'/></model>
         <joint name='j' type='revolute'><parent>world</parent><child>m::l</child><axis>{}</axis></joint>",
        follow("k", "")
    ));
    assert_eq!(codes(&diagnostics), [Code::MimicInvalid]);
}

#[test]
fn gears_have_a_reference_body() {
    let gearbox = |reference: &str| {
        format!(
            "<link name='a'/><link name='b'/><link name='c'/><joint name='g' type='gearbox'>
             <parent>a</parent><child>b</child>{reference}</joint>"
        )
    };
    let named = |name: &str| format!("<gearbox_reference_body>{name}</gearbox_reference_body>");
    let of = |text: &str| {
        let (model, diagnostics) = model(&gearbox(text));
        let codes: Vec<Code> =
            codes(&diagnostics).into_iter().filter(|code| *code != Code::ElementMissing).collect();
        (model.joints[0].gear_reference, codes)
    };
    assert_eq!(of(&named("c")), (Some(Body::Link(2)), vec![]));
    assert_eq!(of(&named("world")), (Some(Body::World), vec![]));
    assert_eq!(of(&named("none")), (None, vec![Code::GearboxInvalid]));
    assert_eq!(of(""), (None, vec![Code::GearboxInvalid]));
}
