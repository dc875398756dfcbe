//! Buoyancy through its C functions, of a cube with a side of one metre.

use bridgehead_plugin_api::host::{Body, EntityId, Level, LinkState, Pose, Volume};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

fn body(host: TestHost, link: &str, moves: bool) -> Body {
    Body {
        link: host.link(link).id,
        name: format!("boat::{link}"),
        entity: EntityId(1),
        moves,
        is_in_wind: false,
        has_gravity: true,
        mass: 500.0,
        center: [0.0; 3],
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    }
}

/// A cube whose middle is at a height, beside a second link without a volume.
fn cube(builder: TestHostBuilder, height: f64) -> TestHost {
    let host = builder.vehicle("boat").link("hull").link("mast").build();
    host.set_body(body(host, "hull", true));
    host.set_body(body(host, "mast", true));
    let pose = Pose { position: [2.0, 0.0, height], ..Pose::IDENTITY };
    host.set_link_state("hull", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    host.set_volume(host.link("hull").id, move |_, level| {
        let depth = (level - (height - 0.5)).clamp(0.0, 1.0);
        Volume { volume: depth, center: [2.0, 0.0, height - 0.5 + depth / 2.0] }
    });
    host
}

/// The only force of the last step, and its point.
fn force(host: TestHost) -> ([f64; 3], [f64; 3]) {
    let round = |vector: [f64; 3]| vector.map(|value| (value * 1e6).round() / 1e6);
    match host.take_commands().as_slice() {
        [] => ([0.0; 3], [0.0; 3]),
        [TestCommand::ForceAt { force, point, .. }] => (round(*force), round(*point)),
        others => panic!("{others:?}"),
    }
}

#[test]
fn one_fluid_pushes_with_the_weight_of_the_whole_volume() {
    let host = cube(TestHost::builder().param("uniform_fluid_density", 1025), 7.0);
    let mut model = TestModel::<Buoyancy>::started(host);
    model.step().expect_done();
    assert_eq!(force(host), ([0.0, 0.0, 1025.0 * 9.8], [2.0, 0.0, 7.0]));
    host.set_gravity([0.0, 0.0, -1.6]);
    model.step().expect_done();
    assert_eq!(force(host).0, [0.0, 0.0, 1025.0 * 1.6]);
}

#[test]
fn each_layer_pushes_with_the_weight_of_the_part_in_it() {
    // Water below 0, oil up to 0.3, air above.
    let layers = [
        ("graded_buoyancy/default_density", "1000"),
        ("graded_buoyancy/density_change[0]/above_depth", "0.3"),
        ("graded_buoyancy/density_change[0]/density", "0"),
        ("graded_buoyancy/density_change[1]/above_depth", "0"),
        ("graded_buoyancy/density_change[1]/density", "800"),
    ];
    let at = |height: f64| {
        let host = cube(TestHost::builder().params(layers), height);
        TestModel::<Buoyancy>::started(host).step().expect_done();
        force(host)
    };
    // From -0.4 to 0.6: 0.4 m³ of water and 0.3 m³ of oil.
    let mass = 400.0 + 240.0;
    let middle = (400.0 * -0.2 + 240.0 * 0.15) / mass;
    assert_eq!(at(0.1), ([0.0, 0.0, mass * 9.8], [2.0, 0.0, middle]));
    assert_eq!(at(-5.0), ([0.0, 0.0, 9800.0], [2.0, 0.0, -5.0]));
    assert_eq!(at(5.0), ([0.0; 3], [0.0; 3]));
}

#[test]
fn only_enabled_and_moving_links_float() {
    for (enabled, floats) in [("boat", true), ("boat::hull", true), ("boa", false), ("boat::mast", false)] {
        let host = cube(TestHost::builder().param("enable", enabled), 0.0);
        TestModel::<Buoyancy>::started(host).step().expect_done();
        assert_eq!(force(host).0 != [0.0; 3], floats, "{enabled}");
        assert_eq!(host.has_logged(Level::Warn, "nothing floats yet"), !floats);
    }
    let host = cube(TestHost::builder(), 0.0);
    host.set_body(body(host, "hull", false));
    TestModel::<Buoyancy>::started(host).step().expect_done();
    assert_eq!(force(host).0, [0.0; 3]);
}

#[test]
fn a_link_that_comes_later_floats_too() {
    let host = cube(TestHost::builder(), 0.0);
    let mut model = TestModel::<Buoyancy>::started(host);
    model.step().expect_done();
    assert_eq!(host.take_commands().len(), 1);
    let later = LinkId(150);
    host.set_body(Body { link: later, name: "raft::deck".to_owned(), ..body(host, "hull", true) });
    host.set_volume(later, |_, _| Volume { volume: 2.0, center: [0.0; 3] });
    model.step().expect_done();
    let pushed = host.take_commands();
    assert!(
        matches!(pushed.as_slice(), [_, TestCommand::ForceAt { link, .. }] if *link == later),
        "{pushed:?}"
    );
}

/// A change without a height or a density is one at 0 or to 0.
#[test]
fn missing_numbers_of_a_change_are_0_with_a_warning() {
    for (path, value) in [("above_depth", 0), ("density", 0)] {
        let builder = TestHost::builder().param(&format!("graded_buoyancy/density_change[0]/{path}"), value);
        let host = cube(builder, 0.1);
        TestModel::<Buoyancy>::started(host).step().expect_done();
        assert_eq!(force(host).0, [0.0, 0.0, 3920.0]);
        let other = if path == "density" { "above_depth" } else { "density" };
        assert!(host.has_logged(Level::Warn, &format!("<density_change> has no <{other}>; 0 is used")));
    }
}

#[test]
fn one_fluid_counts_before_layers() {
    let params = [("uniform_fluid_density", "900"), ("graded_buoyancy/default_density", "1000")];
    let host = cube(TestHost::builder().params(params), 7.0);
    TestModel::<Buoyancy>::started(host).step().expect_done();
    assert_eq!(force(host).0, [0.0, 0.0, 900.0 * 9.8]);
}

#[test]
fn densities_are_refused_with_their_place() {
    for (path, text, expected) in [
        ("uniform_fluid_density", "-1", "`uniform_fluid_density` is `-1`; expected 0 or more"),
        ("uniform_fluid_density", "wet", "`uniform_fluid_density` is `wet`; expected a number"),
        (
            "graded_buoyancy/density_change/above_depth",
            "inf",
            "`graded_buoyancy/density_change[0]/above_depth` is `inf`; expected a finite number",
        ),
    ] {
        let host = cube(TestHost::builder().param(path, text), 0.0);
        let error = TestModel::<Buoyancy>::create(host).awake().expect_failed();
        assert!(error.text().contains(expected), "{error}");
    }
}

/// Poses with numbers that rounding changes.
fn pose(number: u32) -> Pose {
    let angle = 0.7 * f64::from(number);
    let (sin, cos) = (angle / 2.0).sin_cos();
    let position = [0.1, -7.3, 1.7].map(|part| part * f64::from(number));
    let axis = [0.36, 0.48, 0.8].map(|part| part * sin);
    Pose { position, orientation: [axis[0], axis[1], axis[2], cos] }
}

/// Places a hull whose centre of volume is beside its origin.
fn place(host: TestHost, pose: Pose) {
    host.set_link_state("hull", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    host.set_volume(host.link("hull").id, move |_, level| {
        let offset = pose.rotate([0.1, 0.2, 0.3]);
        let center = std::array::from_fn(|axis| pose.position[axis] + offset[axis]);
        Volume { volume: if level > center[2] { 1.3 } else { 0.7 }, center }
    });
}

/// The bits of the force of the next step, and of its point.
fn next_bits(model: &mut TestModel<Buoyancy>) -> [[u64; 3]; 2] {
    model.step().expect_done();
    match model.host().take_commands().as_slice() {
        [TestCommand::ForceAt { force, point, .. }] => [*force, *point].map(|one| one.map(f64::to_bits)),
        others => panic!("{others:?}"),
    }
}

#[test]
fn the_force_depends_on_the_present_pose_and_not_on_that_of_the_start() {
    let layers = [
        ("graded_buoyancy/density_change/above_depth", "0"),
        ("graded_buoyancy/density_change/density", "1.2"),
    ];
    for has_layers in [false, true] {
        let start = |number: u32| {
            let builder = TestHost::builder();
            let host = cube(if has_layers { builder.params(layers) } else { builder }, 0.0);
            place(host, pose(number));
            TestModel::<Buoyancy>::started(host)
        };
        for end in 1..20 {
            let expected = next_bits(&mut start(end));
            for number in 0..20 {
                let mut model = start(number);
                next_bits(&mut model);
                place(model.host(), pose(end));
                assert_eq!(next_bits(&mut model), expected, "from pose {number} to pose {end}");
            }
        }
    }
}

/// A plugin may hold a link by the time of the snapshot, and release it with a reset.
#[test]
fn a_restored_run_has_the_links_of_the_interrupted_one() {
    let host = cube(TestHost::builder().param("enable", "boat"), 0.0);
    let mut model = TestModel::<Buoyancy>::started(host);
    let expected = next_bits(&mut model);
    let saved = model.save();
    let host = cube(TestHost::builder().param("enable", "boat"), 0.0);
    host.set_body(body(host, "hull", false));
    let mut restored = TestModel::<Buoyancy>::started(host);
    restored.load(&saved).expect_done();
    assert_eq!(next_bits(&mut restored), expected);
}
