//! Joints that follow others.

use super::*;

const LEADER: f64 = 0.05;
const FOLLOWER: f64 = 0.2;

fn follow(leader: usize, multiplier: f64, offset: f64) -> MimicSpec {
    MimicSpec { leader, second_axis: false, multiplier, offset }
}

/// Two bodies on joints of the world along y; the second follows the first.
fn hand(kinds: [JointKind; 2], mimic: MimicSpec) -> ModelSpec {
    let links = vec![
        rotor("first", at(0.0, 0.0, 0.0), 1.0, DVec3::splat(LEADER)),
        rotor("second", at(1.0, 0.0, 0.0), 1.0, DVec3::splat(FOLLOWER)),
    ];
    let mut joints: Vec<JointSpec> = Vec::new();
    for (index, kind) in kinds.into_iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "0 or 1")]
        let place = at(index as f64, 0.0, 0.0);
        joints.push(JointSpec::new(&format!("joint_{index}"), kind, None, index, place, DVec3::Y));
    }
    joints[1].mimic = Some(mimic);
    model("hand", links, joints)
}

fn positions(physics: &Physics, added: &AddedModel) -> [f64; 2] {
    [0, 1].map(|joint| physics.joint_position(added.joints[joint]).unwrap())
}

const HINGES: [JointKind; 2] = [JointKind::Continuous; 2];

#[test]
fn leader_and_follower_feel_each_other() {
    for multiplier in [1.0, -3.0, 0.25] {
        for (joint, torque) in [(0, 0.1), (1, 0.1)] {
            let mut physics = weightless();
            let spec = hand(HINGES, follow(0, multiplier, 0.0));
            let added = physics.add_model(&spec).unwrap();
            physics.command_joint(added.joints[joint], JointCommand::Effort(torque)).unwrap();
            run(&mut physics, 1.0);
            let [leader, follower] = positions(&physics, &added);
            assert!((follower - multiplier * leader).abs() < 1e-6, "{multiplier}: {leader} {follower}");
            let share = if joint == 0 { 1.0 } else { multiplier };
            let wanted = 0.5 * share * torque / (LEADER + multiplier * multiplier * FOLLOWER);
            assert!((leader - wanted).abs() < 2e-3 * wanted.abs(), "{multiplier}: {leader}, wanted {wanted}");
        }
    }
}

#[test]
fn leader_and_follower_feel_each_other_in_two_trees() {
    let base = |name: &str, x: f64| rotor(name, at(x, 0.0, 0.0), 1e6, DVec3::splat(1e6));
    for (joint, multiplier) in [(0, -3.0), (1, -3.0), (0, 0.25)] {
        let mut spec = hand(HINGES, follow(0, multiplier, 0.0));
        for (index, name, x) in [(0, "left", 0.0), (1, "right", 1.0)] {
            spec.joints[index].parent = Some(spec.links.len());
            spec.links.push(base(name, x));
        }
        let mut physics = weightless();
        let added = physics.add_model(&spec).unwrap();
        physics.command_joint(added.joints[joint], JointCommand::Effort(0.1)).unwrap();
        run(&mut physics, 1.0);
        let [leader, follower] = positions(&physics, &added);
        assert!((follower - multiplier * leader).abs() < 1e-6, "{multiplier}: {leader} {follower}");
        let share = if joint == 0 { 1.0 } else { multiplier };
        let wanted = 0.5 * share * 0.1 / (LEADER + multiplier * multiplier * FOLLOWER);
        assert!((leader - wanted).abs() < 2e-3 * wanted.abs(), "{multiplier}: {leader}, wanted {wanted}");
    }
}

#[test]
fn a_follower_keeps_its_place_under_load() {
    let mut physics = weightless();
    let added = physics.add_model(&hand(HINGES, follow(0, 2.0, 0.3))).unwrap();
    let swing = JointCommand::Position { target: 0.5, stiffness: 200.0, damping: 20.0, max_effort: 1e3 };
    physics.command_joint(added.joints[0], swing).unwrap();
    run(&mut physics, 2.0);
    for _ in 0..500 {
        physics.apply_wrench(added.links[1], DVec3::ZERO, DVec3::Y * 3.0).unwrap();
        physics.step().unwrap();
    }
    let [leader, follower] = positions(&physics, &added);
    let off = follower - (2.0 * leader + 0.3);
    assert!(off.abs() < 1e-5, "{off} rad off under 3 N m");
    // The leader feels twice the load.
    assert!((leader - (0.5 + 6.0 / 200.0)).abs() < 1e-3, "{leader}");
}

#[test]
fn a_hinge_may_follow_a_slide() {
    let mut physics = weightless();
    let kinds = [JointKind::Prismatic, JointKind::Revolute];
    let added = physics.add_model(&hand(kinds, follow(0, 10.0, 0.0))).unwrap();
    let speed = JointCommand::Velocity { target: 0.1, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], speed).unwrap();
    run(&mut physics, 2.0);
    let [leader, follower] = positions(&physics, &added);
    assert!((leader - 0.2).abs() < 2e-3, "{leader} m");
    assert!((follower - 10.0 * leader).abs() < 1e-3, "{leader} m and {follower} rad");
    let speed = physics.joint_velocity(added.joints[1]).unwrap();
    assert!((speed - 1.0).abs() < 0.02, "{speed} rad/s");
}

#[test]
fn the_second_axis_of_a_joint_may_lead_and_follow() {
    let mut spec = hand(HINGES, MimicSpec { second_axis: true, ..follow(0, -2.0, 0.0) });
    spec.joints[0].kind = JointKind::Universal;
    let mimic = Some(follow(0, 0.5, 0.0));
    spec.joints[0].second = Some(AxisSpec { mimic, ..AxisSpec::new(DVec3::X) });
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    let speed = JointCommand::Velocity { target: 0.4, max_effort: f64::INFINITY };
    physics.command_joint(added.joints[0], speed).unwrap();
    run(&mut physics, 1.0);
    let [first, follower] = positions(&physics, &added);
    let second = physics.joint_position(added.second_axes[0].unwrap()).unwrap();
    assert!((first - 0.4).abs() < 5e-3, "{first}");
    assert!(
        (second - 0.5 * first).abs() < 1e-4 && (follower + 2.0 * second).abs() < 1e-4,
        "{second} {follower}"
    );
}

/// Steps, and how far each joint went in it.
fn strides(physics: &mut Physics, added: &AddedModel) -> [f64; 2] {
    let before = positions(physics, added);
    physics.step().unwrap();
    let after = positions(physics, added);
    [after[0] - before[0], after[1] - before[1]]
}

#[test]
fn an_offset_is_reached_without_a_jolt() {
    for (kind, limit, rate) in [
        (JointKind::Continuous, -1.0, 1.0),
        (JointKind::Continuous, 0.5, 0.5),
        (JointKind::Continuous, 0.0, 1.0),
        (JointKind::Prismatic, 7.0, 0.1),
        (JointKind::Prismatic, 0.05, 0.05),
    ] {
        let offset = -3.0 * rate;
        let mut spec = hand([JointKind::Continuous, kind], follow(0, 1.0, offset));
        spec.joints[1].velocity = limit;
        let mut physics = weightless();
        let added = physics.add_model(&spec).unwrap();
        for step in 1..=4000 {
            let [leader, follower] = strides(&mut physics, &added);
            let most = 1.001 * rate * physics.settings().step;
            assert!(leader.abs() < 1e-9, "step {step}: the leader goes {leader}");
            assert!(follower.abs() <= most, "step {step}: the follower goes {follower}");
            let is_under_way = step <= 2999;
            assert!(!is_under_way || follower.abs() > 0.999 * most / 1.001, "step {step}: {follower}");
        }
        let [leader, follower] = positions(&physics, &added);
        assert!((follower - leader - offset).abs() < 1e-6, "{leader} {follower}");
        let speed = physics.joint_velocity(added.joints[1]).unwrap();
        assert!(speed.abs() < 1e-6, "{speed} rad/s are left");
    }
}

#[test]
fn a_leader_goes_its_way_while_its_follower_comes() {
    let mut spec = hand(HINGES, follow(0, -2.0, 0.5));
    // One that follows the follower in turn, and lies fitting when that does not.
    spec.links.push(rotor("third", at(2.0, 0.0, 0.0), 1.0, DVec3::splat(0.1)));
    let third =
        JointSpec::new("joint_2", JointKind::Screw { pitch: 0.3 }, None, 2, at(2.0, 0.0, 0.0), DVec3::Y);
    spec.joints.push(JointSpec { mimic: Some(follow(1, 0.5, 0.0)), ..third });
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    for round in 0..2 {
        let speed = JointCommand::Velocity { target: 0.3, max_effort: f64::INFINITY };
        physics.command_joint(added.joints[0], speed).unwrap();
        for step in 1..=1000 {
            let [leader, follower] = strides(&mut physics, &added);
            assert!((leader - 3e-4).abs() < 2e-5 || step < 50, "round {round}, step {step}: {leader}");
            assert!((-1e-9..3.1e-4).contains(&leader), "round {round}, step {step}: {leader}");
            assert!(follower.abs() < 1.7e-3, "round {round}, step {step}: {follower}");
        }
        let [leader, follower] = positions(&physics, &added);
        let third = physics.joint_position(added.joints[2]).unwrap();
        assert!((leader - 0.3).abs() < 5e-3, "round {round}: {leader}");
        assert!((follower + 2.0 * leader - 0.5).abs() < 1e-6, "round {round}: {leader} {follower}");
        assert!((third - 0.5 * follower).abs() < 1e-6, "round {round}: {follower} {third}");
        let slid = physics.link_pose(added.links[2]).unwrap().position.y;
        assert!((slid - 0.3 * third / std::f64::consts::TAU).abs() < 1e-9, "round {round}: {slid} m");
        physics.reset_model(added.model).unwrap();
        assert_eq!(positions(&physics, &added), [0.0; 2]);
    }
}

#[test]
fn the_way_to_an_offset_goes_on_after_a_return() {
    let mut physics = weightless();
    physics.add_model(&hand(HINGES, follow(0, 1.0, 0.5))).unwrap();
    let beginning = physics.clone();
    run(&mut physics, 0.2);
    let mut others = [physics.clone(), restored(&physics), beginning.clone()];
    run(&mut physics, 0.4);
    let wanted = physics.state_hash();
    run(&mut others[2], 0.2);
    for mut other in others {
        run(&mut other, 0.4);
        assert_eq!(other.state_hash(), wanted);
    }
    physics.return_to(&beginning);
    run(&mut physics, 0.6);
    assert_eq!(physics.state_hash(), wanted, "returned");
}

#[test]
fn a_follower_approaching_its_offset_pushes_obstacles() {
    let mut spec = hand(HINGES, follow(0, 1.0, 1.5));
    let arm = CollisionShape::Box { size: DVec3::new(0.1, 0.1, 1.0) };
    spec.links[1].collisions.push(CollisionSpec { pose: at(0.0, 0.0, 0.5), ..collision(arm, 0.0) });
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    let hold = JointCommand::Position { target: 0.0, stiffness: 1e3, damping: 100.0, max_effort: 1e3 };
    physics.command_joint(added.joints[0], hold).unwrap();
    let cube = box_link("box", at(1.5, 0.0, 0.5), DVec3::splat(0.3), 1.0);
    let pushed = physics.add_model(&model("box", vec![cube], Vec::new())).unwrap();
    for _ in 0..2000 {
        physics.step().unwrap();
        let (speed, _) = physics.link_velocity(pushed.links[0]).unwrap();
        assert!(speed.length() < 2.0, "thrown at {} m/s", speed.length());
    }
    let place = physics.link_pose(pushed.links[0]).unwrap().position;
    assert!(place.x > 1.55, "{place}");
    let [leader, follower] = positions(&physics, &added);
    assert!(leader.abs() < 1e-2 && (follower - leader - 1.5).abs() < 1e-6, "{leader} {follower}");
}

#[test]
fn a_follower_stops_its_leader_at_its_own_limit() {
    let mut spec = hand([JointKind::Continuous, JointKind::Revolute], follow(0, 2.0, 0.0));
    spec.joints[1].limits = [-1.0, 0.5];
    let mut physics = weightless();
    let added = physics.add_model(&spec).unwrap();
    physics.command_joint(added.joints[0], JointCommand::Effort(1.0)).unwrap();
    run(&mut physics, 3.0);
    let [leader, follower] = positions(&physics, &added);
    assert!((follower - 0.5).abs() < 5e-3 && (leader - 0.25).abs() < 5e-3, "{leader} {follower}");
}

#[test]
fn circles_of_followers_are_named() {
    let mut spec = hand(HINGES, follow(0, 2.0, 0.1));
    spec.joints[0].mimic = Some(follow(1, 3.0, -0.2));
    let text = physics().add_model(&spec).unwrap_err().to_string();
    let wanted = "[BH-PHY-028] joint hand::joint_0 cannot follow another one: its leader follows it";
    assert_eq!(text, wanted);
}

#[test]
fn followers_endure() {
    let drive = |physics: &mut Physics, added: &AddedModel| {
        let command = JointCommand::Velocity { target: 1.0, max_effort: 2.0 };
        physics.command_joint(added.joints[0], command).unwrap();
    };
    check_joint_invariants(&hand(HINGES, follow(0, -1.5, 0.0)), drive);
    check_joint_invariants(&hand(HINGES, follow(0, -1.5, 0.4)), drive);
}
