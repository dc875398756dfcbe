//! Setting states of entities.

use bridgehead_physics::JointCommand;

use super::*;
use crate::WorldCommand;

#[expect(clippy::needless_pass_by_value, reason = "changes are written where they are made")]
fn set(world: &mut World, name: &str, change: StateChange) -> Result<(), StateError> {
    world.set_state(name, &change)
}

fn moving(linear: DVec3, angular: DVec3) -> Option<Twist> {
    Some(Twist { linear, angular })
}

#[test]
fn a_pose_and_a_twist_are_set_at_once_and_independently() {
    let mut world = yard();
    let pose = at(-2.0, 1.0, 5.5);
    set(&mut world, "box_a", StateChange { pose: Some(pose), ..Default::default() }).expect("set");
    assert_eq!(position(&world, "box_a"), pose.position);
    let twist = moving(DVec3::new(1.0, 2.0, 3.0), DVec3::Z);
    set(&mut world, "box_a", StateChange { twist, ..Default::default() }).expect("set");
    assert_eq!(position(&world, "box_a"), pose.position);
    assert!(velocity(&world, "box_a").abs_diff_eq(DVec3::new(1.0, 2.0, 3.0), 1e-12));
    set(&mut world, "box_a", StateChange { pose: Some(at(0.0, 0.0, 7.0)), ..Default::default() })
        .expect("set");
    assert!(velocity(&world, "box_a").abs_diff_eq(DVec3::new(1.0, 2.0, 3.0), 1e-12));
    let hash = world.state_hash();
    set(&mut world, "box_a", StateChange::default()).expect("nothing is set");
    assert_eq!(world.state_hash(), hash);
    steps(&mut world, 1);
    assert!((position(&world, "box_a").x - 0.001).abs() < 1e-6);
}

#[test]
fn a_frame_turns_the_pose_and_the_axes_of_the_twist() {
    let mut world = yard();
    let quarter = Pose::from_rpy(DVec3::new(5.0, 0.0, 2.0), 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    set(&mut world, "box_b", StateChange { pose: Some(quarter), ..Default::default() }).expect("set");
    let change = StateChange {
        frame: "box_b".into(),
        pose: Some(at(2.0, 0.0, 1.0)),
        twist: moving(DVec3::X, DVec3::Y),
        acceleration: Some(Twist::default()),
    };
    set(&mut world, "box_a", change).expect("set");
    assert!(position(&world, "box_a").abs_diff_eq(DVec3::new(5.0, 2.0, 3.0), 1e-9));
    let state = world.entity(world.find_entity("box_a").expect("there")).expect("a state");
    assert!(state.linear.abs_diff_eq(DVec3::Y, 1e-9), "{}", state.linear);
    assert!(state.angular.abs_diff_eq(DVec3::NEG_X, 1e-9), "{}", state.angular);
}

#[test]
fn the_twist_is_of_the_model_frame_wherever_its_first_link_is() {
    let mut world = yard();
    let far = CRATE.replace("<link name='l'>", "<link name='l'><pose>0 3 0 0 0 0</pose>");
    world.spawn_now(&request(&far, "far", at(0.0, 0.0, 20.0))).expect("spawned");
    let twist = moving(DVec3::ZERO, DVec3::Z);
    set(&mut world, "far", StateChange { twist, ..Default::default() }).expect("set");
    assert!(velocity(&world, "far").abs_diff_eq(DVec3::ZERO, 1e-9), "{}", velocity(&world, "far"));
    let link = world.link_state(world.find_link("far::l").expect("there")).expect("a state");
    assert!(link.linear.abs_diff_eq(DVec3::new(-3.0, 0.0, 0.0), 1e-9), "{}", link.linear);
}

#[test]
fn a_static_entity_is_placed_and_never_moved() {
    let mut world = yard();
    let pose = Some(at(-6.0, 0.0, 1.0));
    let still = StateChange { pose, twist: Some(Twist::default()), ..Default::default() };
    set(&mut world, "wall", still.clone()).expect("set");
    assert_eq!(position(&world, "wall"), DVec3::new(-6.0, 0.0, 1.0));
    let hash = world.state_hash();
    let twist = moving(DVec3::X, DVec3::ZERO);
    let pose = Some(at(-7.0, 0.0, 1.0));
    for change in [
        StateChange { pose, twist, ..Default::default() },
        StateChange { pose, acceleration: twist, ..Default::default() },
    ] {
        assert_eq!(set(&mut world, "wall", change), Err(StateError::Static("wall".into())));
    }
    assert_eq!(world.state_hash(), hash);
    let region = Region::sphere(&[DVec3::new(-6.0, 0.0, 1.0), DVec3::X * 0.05]).expect("a region");
    assert_eq!(world.overlapping(&region), [1]);
}

#[test]
fn a_refused_state_changes_nothing_and_the_error_has_its_code() {
    let mut world = yard();
    let hash = world.state_hash();
    let zero =
        Pose { rotation: bridgehead_sdf::pose::DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Pose::IDENTITY };
    let twist = moving(DVec3::X, DVec3::ZERO);
    let pose = Some(at(1.0, 1.0, 1.0));
    let cases = [
        ("nope", StateChange::default(), "BH-ENT-031"),
        ("box_a", StateChange { frame: "nobody".into(), pose, ..Default::default() }, "BH-ENT-032"),
        ("box_a", StateChange { pose: Some(zero), twist, ..Default::default() }, "BH-ENT-033"),
        (
            "box_a",
            StateChange { pose: Some(at(0.0, f64::INFINITY, 0.0)), ..Default::default() },
            "BH-ENT-033",
        ),
        (
            "box_a",
            StateChange { pose, twist: moving(DVec3::NAN, DVec3::ZERO), ..Default::default() },
            "BH-ENT-034",
        ),
    ];
    for (name, change, code) in cases {
        let error = set(&mut world, name, change).expect_err(code).to_string();
        assert!(error.contains(code), "{code}: {error}");
    }
    assert_eq!(world.state_hash(), hash);
}

#[test]
fn an_acceleration_has_no_effect_so_that_a_state_can_be_written_back() {
    let states = [None, moving(DVec3::X, DVec3::Y)].map(|acceleration| {
        let mut world = yard();
        let pose = Some(at(1.0, 1.0, 1.0));
        let twist = moving(DVec3::Y, DVec3::ZERO);
        set(&mut world, "box_a", StateChange { pose, twist, acceleration, ..Default::default() })
            .expect("accepted");
        world.state_hash()
    });
    assert_eq!(states[0], states[1]);
}

#[test]
fn an_actor_is_neither_moved_nor_deleted() {
    let text = "<sdf version='1.9'><world name='w'><actor name='walker'><script><trajectory id='0' type='walk'>
        <waypoint><time>0</time><pose>0 0 0 0 0 0</pose></waypoint><waypoint><time>9</time><pose>9 0 0 0 0 0</pose></waypoint>
        </trajectory></script></actor></world></sdf>";
    let loaded = sdf::parse_str("w.sdf", text).expect("loads");
    let mut world = build(&loaded.world, 0.001, 1).expect("builds").world;
    let pose = Some(at(1.0, 1.0, 1.0));
    let refused = set(&mut world, "walker", StateChange { pose, ..Default::default() });
    assert_eq!(refused, Err(StateError::Actor("walker".into())));
    assert_eq!(world.deletable("walker"), Err(DeleteError::Actor("walker".into())));
}

#[test]
fn joints_keep_their_positions_when_a_model_is_placed() {
    let arm = "<model name='arm'><link name='base'/><link name='rod'><pose>0 0 1 0 0 0</pose></link>
        <joint name='j' type='revolute'><parent>base</parent><child>rod</child><axis><xyz>1 0 0</xyz></axis></joint></model>";
    let mut world = yard();
    world.spawn_now(&request(arm, "arm", at(0.0, 0.0, 90.0))).expect("spawned");
    let drive = JointCommand::Velocity { target: 1.0, max_effort: f64::INFINITY };
    world.queue(WorldCommand::Joint(0, drive)).expect("queued");
    steps(&mut world, 300);
    let before = world.joint_state(0).expect("a joint").position;
    assert!(before > 0.1, "{before}");
    set(&mut world, "arm", StateChange { pose: Some(at(3.0, 3.0, 50.0)), ..Default::default() })
        .expect("set");
    assert!((world.joint_state(0).expect("a joint").position - before).abs() < 1e-9);
}

#[test]
fn a_body_on_an_entity_that_is_placed_elsewhere_falls() {
    let mut world = yard();
    spawn(&mut world, "low", at(2.0, 5.0, 0.5));
    spawn(&mut world, "high", at(2.0, 5.0, 1.5));
    steps(&mut world, 3000);
    set(&mut world, "low", StateChange { pose: Some(at(9.0, 9.0, 0.5)), ..Default::default() }).expect("set");
    steps(&mut world, 1000);
    assert!((position(&world, "high").z - 0.5).abs() < 0.02, "{}", position(&world, "high"));
}
