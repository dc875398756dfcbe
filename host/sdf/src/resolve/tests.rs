//! Frames: poses, attachments, and invalid references.

mod appearance;
mod joints;

use crate::diagnostic::Code;
use crate::resolved::{Body, Model, World};
use crate::{Diagnostic, Pose, parse_str};
use glam::DVec3;

fn world(content: &str) -> (World, Vec<Diagnostic>) {
    let text = format!("<sdf version='1.10'><world name='w'>{content}</world></sdf>");
    let loaded = parse_str("t.sdf", &text).unwrap();
    (loaded.world, loaded.diagnostics)
}

fn model(content: &str) -> (Model, Vec<Diagnostic>) {
    let (mut world, diagnostics) = world(&format!("<model name='m'>{content}</model>"));
    (world.models.remove(0), diagnostics)
}

fn clean(content: &str) -> Model {
    let (model, diagnostics) = model(content);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    model
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|finding| finding.code).collect()
}

#[track_caller]
fn assert_at(pose: &Pose, x: f64, y: f64, z: f64) {
    let expected = DVec3::new(x, y, z);
    assert!(pose.position.distance(expected) < 1e-12, "{} is not {expected}", pose.position);
}

/// A quarter turn about z.
const QUARTER: &str = "1.5707963267948966";

#[test]
fn poses_follow_relative_to_in_any_order() {
    let model = clean(&format!(
        "<pose>10 0 0 0 0 {QUARTER}</pose>
         <link name='tip'><pose relative_to='elbow'>1 0 0 0 0 0</pose></link>
         <frame name='elbow'><pose relative_to='base'>0 0 1 0 0 {QUARTER}</pose></frame>
         <link name='base'><pose>1 0 0 0 0 0</pose></link>"
    ));
    let tip = model.link("tip").unwrap();
    assert_at(&tip.pose, 1.0, 1.0, 1.0);
    assert_at(&model.link_pose_world(tip), 9.0, 1.0, 1.0);
    assert_eq!(model.canonical_link, Some(0));
}

#[test]
fn a_model_may_stand_on_a_frame_of_the_world_or_on_another_models_link() {
    let (world, diagnostics) = world(
        "<frame name='dock'><pose>0 5 0 0 0 0</pose></frame>
         <frame name='roof' attached_to='a::l'><pose>0 0 2 0 0 0</pose></frame>
         <model name='b'><pose relative_to='a::l'>0 0 1 0 0 0</pose><link name='l'/></model>
         <model name='a'><pose relative_to='dock'>1 0 0 0 0 0</pose><link name='l'><pose>0 1 0 0 0 0</pose></link></model>
         <light name='lamp'><pose relative_to='roof'>0 0 1 0 0 0</pose></light>",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_at(&world.models[0].pose, 1.0, 6.0, 1.0);
    assert_at(&world.models[1].pose, 1.0, 5.0, 0.0);
    assert_at(&world.frames[1].pose, 1.0, 6.0, 2.0);
    assert_at(&world.lights[0].pose, 1.0, 6.0, 3.0);
}

#[test]
fn a_placement_frame_stands_where_the_pose_says() {
    let text = format!(
        "<model name='m' placement_frame='grip'><pose>5 0 0 0 0 0</pose><link name='l'/>
         <frame name='grip'><pose>1 0 0 0 0 {QUARTER}</pose></frame></model>"
    );
    let (world, diagnostics) = world(&text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let grip = world.models[0].pose.compose(&world.models[0].frames[0].pose);
    assert_at(&grip, 5.0, 0.0, 0.0);
    assert_at(&world.models[0].pose, 5.0, 1.0, 0.0);
}

#[test]
fn nested_models_are_flattened_under_scoped_names() {
    let model = clean(
        "<static>true</static>
         <model name='arm'><pose>1 0 0 0 0 0</pose><link name='l'/>
           <model name='hand' canonical_link='palm'><pose>0 1 0 0 0 0</pose><link name='finger'/><link name='palm'>
             <pose>0 0 1 0 0 0</pose></link><plugin name='p' filename='grip.so'/></model>
         </model>
         <link name='base'><pose relative_to='arm::hand::palm'>0 0 1 0 0 0</pose></link>",
    );
    let names: Vec<_> = model.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["base", "arm::l", "arm::hand::finger", "arm::hand::palm"]);
    assert!(model.links.iter().all(|link| link.is_static), "static holds for all inside");
    assert_at(&model.link("base").unwrap().pose, 1.0, 1.0, 2.0);
    assert_at(&model.link("arm::hand::palm").unwrap().pose, 1.0, 1.0, 1.0);
    let submodels: Vec<_> =
        model.submodels.iter().map(|sub| (sub.name.as_str(), sub.canonical_link)).collect();
    assert_eq!(submodels, [("arm", Some(1)), ("arm::hand", Some(3))]);
    assert_eq!(model.submodels[1].plugins[0].filename, "grip.so");
}

#[test]
fn a_joint_stands_at_its_child_and_knows_both_sides() {
    let model = clean(&format!(
        "<link name='a'><pose>0 0 1 0 0 0</pose></link>
         <link name='b'><pose>2 0 1 0 0 {QUARTER}</pose></link>
         <joint name='j' type='revolute'><parent>a</parent><child>b</child><pose>0 0.5 0 0 0 0</pose>
           <axis><xyz>1 0 0</xyz></axis></joint>
         <joint name='k' type='fixed'><parent>world</parent><child>a</child></joint>"
    ));
    let joint = model.joint("j").unwrap();
    assert_eq!((joint.parent, joint.child), (Body::Link(0), Body::Link(1)));
    assert_at(&joint.pose, 1.5, 0.0, 1.0);
    assert_at(&joint.pose_in_parent, 1.5, 0.0, 0.0);
    assert_at(&joint.pose_in_child, 0.0, 0.5, 0.0);
    let axis = joint.axis.as_ref().unwrap();
    assert_eq!(axis.direction, DVec3::X);
    assert!(axis.direction_in_model.distance(DVec3::Y) < 1e-12);
    let fixed = model.joint("k").unwrap();
    assert_eq!(fixed.parent, Body::World);
    assert_at(&fixed.pose_in_parent, 0.0, 0.0, 1.0);
}

#[test]
fn a_joint_to_the_world_is_anchored_where_the_model_stands() {
    let model = clean(
        "<pose>3 0 0 0 0 0</pose><link name='a'/>
         <joint name='k' type='fixed'><parent>world</parent><child>a</child></joint>",
    );
    assert_at(&model.joints[0].pose_in_parent, 3.0, 0.0, 0.0);
    assert_at(&model.joints[0].pose, 0.0, 0.0, 0.0);
    let mut elsewhere = model;
    elsewhere.place_at(Pose::from_position(DVec3::new(0.0, 7.0, 0.0)));
    assert_at(&elsewhere.joints[0].pose_in_parent, 0.0, 7.0, 0.0);
    assert_at(&elsewhere.link_pose_world(&elsewhere.links[0]), 0.0, 7.0, 0.0);
}

#[test]
fn an_axis_may_be_expressed_in_another_frame() {
    let model = clean(&format!(
        "<link name='a'/><link name='b'><pose>0 0 0 0 0 {QUARTER}</pose></link>
         <joint name='j' type='prismatic'><parent>a</parent><child>b</child>
           <axis><xyz expressed_in='__model__'>1 0 0</xyz></axis></joint>"
    ));
    let axis = model.joints[0].axis.as_ref().unwrap();
    assert!(axis.direction.distance(-DVec3::Y) < 1e-12, "{}", axis.direction);
    assert!(axis.direction_in_model.distance(DVec3::X) < 1e-12);
}

#[test]
fn joint_sides_may_be_frames_and_nested_models() {
    let model = clean(
        "<link name='a'/><frame name='f' attached_to='g'/><frame name='g' attached_to='j'/>
         <model name='n'><link name='x'/><link name='y'/></model><link name='c'/>
         <joint name='j' type='fixed'><parent>n</parent><child>a</child></joint>
         <joint name='k' type='fixed'><parent>f</parent><child>n::y</child></joint>",
    );
    assert_eq!((model.joints[0].parent, model.joints[0].child), (Body::Link(2), Body::Link(0)));
    assert_eq!((model.joints[1].parent, model.joints[1].child), (Body::Link(0), Body::Link(3)));
    assert_eq!(model.frames[0].link, Some(0));
}

#[test]
fn shapes_and_sensors_are_posed_in_their_link() {
    let model = clean(
        "<link name='l'><pose>1 0 0 0 0 0</pose>
           <collision name='c'><pose>0 0 2 0 0 0</pose><geometry><empty/></geometry></collision>
           <visual name='v'><pose relative_to='f'/><geometry><empty/></geometry></visual>
           <sensor name='s' type='imu'><pose relative_to='__model__'>0 0 0 0 0 0</pose></sensor></link>
         <frame name='f'><pose>0 3 0 0 0 0</pose></frame>",
    );
    let link = &model.links[0];
    assert_at(&link.collisions[0].pose, 0.0, 0.0, 2.0);
    assert_at(&link.visuals[0].pose, -1.0, 3.0, 0.0);
    assert_at(&link.sensors[0].pose, -1.0, 0.0, 0.0);
}

#[test]
fn self_collision_is_the_links_word_then_the_models() {
    let model = clean(
        "<self_collide>1</self_collide><link name='a'/><link name='b'><self_collide>0</self_collide></link>",
    );
    assert!(model.links[0].self_collide && !model.links[1].self_collide);
}

#[test]
fn world_joints_tie_models() {
    let (world, diagnostics) = world(
        "<model name='a'><link name='l'/></model><model name='b'><pose>0 0 2 0 0 0</pose><link name='k'/><link name='l'/></model>
         <joint name='j' type='fixed'><parent>a</parent><child>b::l</child></joint>
         <joint name='w' type='fixed'><parent>world</parent><child>b</child></joint>",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let joint = &world.joints[0];
    assert_eq!((joint.parent_model, joint.child_model, joint.joint.child), (Some(0), Some(1), Body::Link(1)));
    assert_at(&joint.joint.pose_in_parent, 0.0, 0.0, 2.0);
    assert_eq!((world.joints[1].parent_model, world.joints[1].joint.parent), (None, Body::World));
}

#[test]
fn circles_of_poses_end_with_one_finding() {
    let (model, diagnostics) = model(
        "<link name='a'><pose relative_to='b'>1 0 0 0 0 0</pose></link>
         <link name='b'><pose relative_to='a'>1 0 0 0 0 0</pose></link><link name='c'><pose relative_to='b'/></link>",
    );
    assert_eq!(codes(&diagnostics), [Code::RelativeToCycle]);
    assert!(diagnostics[0].found.contains("depends on itself"), "{}", diagnostics[0]);
    assert!(model.links.iter().all(|link| link.pose.is_finite()));
}

#[test]
fn a_frame_relative_to_itself_is_a_circle() {
    let (_, diagnostics) = model("<link name='a'><pose relative_to='a'/></link>");
    assert_eq!(codes(&diagnostics), [Code::RelativeToCycle]);
}

#[test]
fn a_chain_of_ten_thousand_frames_does_not_exhaust_the_stack() {
    let frames: String = (1..10_000)
        .map(|i| format!("<frame name='f{i}' attached_to='f{}'><pose>0 0 1 0 0 0</pose></frame>", i - 1))
        .collect();
    let model =
        clean(&format!("{frames}<frame name='f0'/><link name='l'><pose relative_to='f9999'/></link>"));
    assert_at(&model.links[0].pose, 0.0, 0.0, 9999.0);
}

#[test]
fn attachments_in_a_circle_or_to_nothing_are_reported() {
    let (model_read, diagnostics) =
        model("<link name='l'/><frame name='a' attached_to='b'/><frame name='b' attached_to='a'/>");
    assert!(codes(&diagnostics).contains(&Code::AttachedToCycle), "{diagnostics:?}");
    assert_eq!(model_read.frames[0].link, None);
    let (_, diagnostics) = model("<link name='l'/><frame name='a' attached_to='ghost'/>");
    assert_eq!(codes(&diagnostics), [Code::AttachedToInvalid]);
    let (_, diagnostics) = world("<frame name='a' attached_to='ghost'/>");
    assert_eq!(codes(&diagnostics), [Code::AttachedToInvalid]);
}

#[test]
fn references_to_nothing_fall_back_to_the_default() {
    let (model, diagnostics) = model(
        "<link name='a'><pose relative_to='ghost'>1 0 0 0 0 0</pose>
           <collision name='c'><pose relative_to='ghost'>0 1 0 0 0 0</pose><geometry><empty/></geometry></collision></link>
         <link name='b'/>
         <joint name='j' type='revolute'><parent>a</parent><child>b</child>
           <axis><xyz expressed_in='ghost'>0 1 0</xyz></axis></joint>",
    );
    assert_eq!(
        codes(&diagnostics),
        [Code::RelativeToInvalid, Code::RelativeToInvalid, Code::AxisFrameInvalid]
    );
    assert_at(&model.links[0].pose, 1.0, 0.0, 0.0);
    assert_at(&model.links[0].collisions[0].pose, 0.0, 1.0, 0.0);
    assert_eq!(model.joints[0].axis.as_ref().unwrap().direction, DVec3::Y);
    let (world, diagnostics) = world(
        "<model name='m' canonical_link='ghost' placement_frame='ghost'><pose>1 0 0 0 0 0</pose><link name='l'/></model>",
    );
    assert_eq!(codes(&diagnostics), [Code::CanonicalLinkInvalid, Code::PlacementFrameInvalid]);
    assert_eq!(world.models[0].canonical_link, Some(0));
    assert_at(&world.models[0].pose, 1.0, 0.0, 0.0);
}

#[test]
fn joints_that_tie_nothing_are_left_out() {
    let joint = |parent: &str, child: &str| {
        let sides = format!("<parent>{parent}</parent><child>{child}</child>");
        let (model, diagnostics) = model(&format!(
            "<link name='a'/><link name='b'/><frame name='f' attached_to='a'/>
             <joint name='j' type='fixed'>{sides}</joint>"
        ));
        assert!(model.joints.is_empty(), "{parent} {child}");
        codes(&diagnostics)
    };
    assert_eq!(joint("ghost", "b"), [Code::JointParentInvalid]);
    assert_eq!(joint("a", "ghost"), [Code::JointChildInvalid]);
    assert_eq!(joint("a", "world"), [Code::JointChildInvalid]);
    assert_eq!(joint("a", "a"), [Code::JointParentSameAsChild]);
    assert_eq!(joint("f", "a"), [Code::JointParentSameAsChild]);
    assert_eq!(joint("ghost", "nobody"), [Code::JointParentInvalid, Code::JointChildInvalid]);
    assert_eq!(joint("", "b"), [Code::JointParentInvalid]);
}

/// Up to SDF 1.5 gravity is part of the profile; later it belongs to the world, for all profiles.
#[test]
fn a_profile_is_used_by_its_name_with_its_step_and_its_gravity() {
    let profiles = "<physics name='slow' default='true'><max_step_size>0.004</max_step_size><gravity>0 0 -1</gravity></physics>
        <physics name='fast'><max_step_size>0.02</max_step_size></physics>
        <physics name='moon'><gravity>0 0 -1.6</gravity></physics>";
    let mut world =
        parse_str("w.sdf", &format!("<sdf version='1.5'><world name='w'>{profiles}</world></sdf>"))
            .unwrap()
            .world;
    assert_eq!((world.physics.max_step_size, world.gravity.z), (0.004, -1.0));
    for (name, step, gravity) in [("fast", 0.02, -9.8), ("moon", 0.001, -1.6), ("slow", 0.004, -1.0)] {
        world.use_profile(name).unwrap();
        assert_eq!((world.physics.max_step_size, world.gravity.z), (step, gravity), "{name}");
    }
    let unknown = world.use_profile("mars").unwrap_err();
    assert_eq!(
        (unknown.requested.as_str(), unknown.has),
        ("mars", vec!["slow".into(), "fast".into(), "moon".into()])
    );
    assert_eq!(world.gravity.z, -1.0);
    let text =
        format!("<sdf version='1.9'><world name='w'><gravity>0 0 -3</gravity>{profiles}</world></sdf>");
    let mut world = parse_str("w.sdf", &text).unwrap().world;
    world.use_profile("moon").unwrap();
    assert_eq!((world.physics.max_step_size, world.gravity.z), (0.001, -3.0));
}
