//! Flat impacts against the closed forms: a body leaves as fast as momentum predicts, straight and without
//! spin.
//!
//! A face touches in four points, and a solver that does not take opposite ones together leaves a body turned and too fast.

use super::*;

/// Metres between the faces at the start: the step in which they meet catches them at different distances.
const GAPS: [f64; 5] = [0.03, 0.030_13, 0.030_52, 0.031_17, 0.032_08];

/// A pusher that comes along +x at 1 m/s towards a crate of 1 kg.
#[derive(Clone, Copy)]
struct Scene {
    /// Kilograms; none for a pusher that nothing slows down.
    pusher: Option<f64>,
    /// Two links with a hinge between them instead of a single body.
    is_tree: bool,
    friction: f64,
    restitution: f64,
    on_ice: bool,
}

const FREE: Scene = Scene { pusher: None, is_tree: false, friction: 0.0, restitution: 0.0, on_ice: false };

/// The motion after the impact.
struct Outcome {
    crate_velocity: DVec3,
    crate_spin: DVec3,
    pusher_velocity: DVec3,
    pusher_spin: DVec3,
}

impl Scene {
    fn surfaced(self, mut link: LinkSpec) -> LinkSpec {
        let surface = &mut link.collisions[0].surface;
        (surface.friction, surface.restitution) = (self.friction, self.restitution);
        link
    }

    /// The body that hits, `gap` metres before the face of the crate.
    fn pusher(self, gap: f64, size: DVec3) -> ModelSpec {
        let pose = at(-0.25 - size.x / 2.0 - gap, 0.0, 0.0);
        let mass = self.pusher.unwrap_or(1.0);
        let mut link = self.surfaced(box_link("pusher", pose, size, mass));
        link.kinematic = self.pusher.is_none();
        if !self.is_tree {
            return model("pusher", vec![link], Vec::new());
        }
        let mut load = box_link("load", pose, size, mass);
        load.collisions.clear();
        let joint = JointSpec::new("joint", JointKind::Continuous, Some(0), 1, pose, DVec3::Z);
        model("pusher", vec![link, load], vec![joint])
    }

    /// An empty world, or ice below a crate half a metre high.
    fn place(self) -> Physics {
        if !self.on_ice {
            return weightless();
        }
        let mut physics = physics();
        let floor = collision(CollisionShape::Plane { normal: DVec3::Z }, 0.0);
        let link = LinkSpec { collisions: vec![floor], ..LinkSpec::new("link", at(0.0, 0.0, -0.25)) };
        physics.add_model(&ModelSpec { is_static: true, ..model("ice", vec![link], Vec::new()) }).unwrap();
        physics
    }

    fn run(self, gap: f64, pusher: DVec3) -> Outcome {
        let mut physics = self.place();
        let target = self.surfaced(box_link("crate", Pose::IDENTITY, DVec3::splat(0.5), 1.0));
        let target = physics.add_model(&model("crate", vec![target], Vec::new())).unwrap().links[0];
        let pusher = physics.add_model(&self.pusher(gap, pusher)).unwrap();
        // The crate settles on the ice first.
        run(&mut physics, 0.1);
        physics.set_model_velocity(pusher.model, DVec3::X, DVec3::ZERO).unwrap();
        run(&mut physics, 0.3);
        let (crate_velocity, crate_spin) = physics.link_velocity(target).unwrap();
        let (pusher_velocity, pusher_spin) = physics.link_velocity(pusher.links[0]).unwrap();
        Outcome { crate_velocity, crate_spin, pusher_velocity, pusher_spin }
    }
}

const CUBE: DVec3 = DVec3::splat(0.5);
/// Wider than the crate on both sides, and as high, so that it can be on the same ice.
const WIDE: DVec3 = DVec3::new(0.4, 1.2, 0.5);

/// The crate leaves at `speed` along x within `tolerance`, and its other velocities are below `astray`.
fn check(scene: Scene, pusher: DVec3, speed: f64, tolerance: f64, astray: f64) {
    for gap in GAPS {
        let Outcome { crate_velocity: velocity, crate_spin: spin, .. } = scene.run(gap, pusher);
        assert!((velocity.x / speed - 1.0).abs() < tolerance, "from {gap} m: {velocity} instead of {speed}");
        assert!(velocity.y.hypot(velocity.z) < astray, "from {gap} m it goes sideways: {velocity}");
        assert!(spin.length() < astray, "from {gap} m it spins: {spin}");
    }
}

#[test]
fn crate_leaves_at_the_speed_of_what_pushes_it() {
    for on_ice in [false, true] {
        check(Scene { on_ice, ..FREE }, WIDE, 1.0, 0.005, 1e-3);
        let sled = Some(100_000.0);
        check(Scene { on_ice, pusher: sled, ..FREE }, WIDE, 1.0, 0.005, 1e-3);
    }
}

#[test]
fn two_crates_share_the_momentum_of_one() {
    for (mass, on_ice) in [(1.0, false), (1.0, true), (3.0, false), (0.25, false)] {
        let scene = Scene { pusher: Some(mass), on_ice, ..FREE };
        let together = mass / (mass + 1.0);
        check(scene, CUBE, together, 0.02, 1e-3);
        let after = scene.run(GAPS[0], CUBE);
        let momentum = after.crate_velocity + mass * after.pusher_velocity;
        assert!((momentum.x / mass - 1.0).abs() < 1e-9, "{mass} kg at 1 m/s became {momentum} N s");
    }
}

#[test]
fn bouncing_crates_keep_their_momentum_and_no_more_than_their_energy() {
    for restitution in [0.5, 0.8, 1.0] {
        for gap in GAPS {
            let after = Scene { pusher: Some(1.0), restitution, ..FREE }.run(gap, CUBE);
            let (one, two) = (after.crate_velocity, after.pusher_velocity);
            assert!((one + two - DVec3::X).length() < 1e-9, "1 N s became {}", one + two);
            // The engine throws the corners back one by one, so that a little of the bounce becomes spin.
            let apart = (one - two).x;
            assert!((apart / restitution - 1.0).abs() < 0.05, "{apart} m/s apart instead of {restitution}");
            // A cube of 1 kg: m a² / 6 about every axis.
            let turning =
                (after.crate_spin.length_squared() + after.pusher_spin.length_squared()) * 0.25 / 6.0;
            let energy = one.length_squared() + two.length_squared() + turning;
            assert!(energy < 1.01, "{energy} of the energy before");
        }
    }
}

#[test]
fn bouncing_balls_follow_the_closed_form() {
    let ball = |name: &str, x: f64| {
        let surface = Surface { friction: 0.0, restitution: 0.8, ..Surface::default() };
        let shape = CollisionSpec { surface, ..collision(CollisionShape::Sphere { radius: 0.25 }, 0.0) };
        let link = LinkSpec { collisions: vec![shape], ..LinkSpec::new(name, at(x, 0.0, 0.0)) };
        model(name, vec![link], Vec::new())
    };
    let mut physics = weightless();
    let target = physics.add_model(&ball("target", 0.0)).unwrap();
    let pusher = physics.add_model(&ball("pusher", -0.53)).unwrap();
    physics.set_model_velocity(pusher.model, DVec3::X, DVec3::ZERO).unwrap();
    run(&mut physics, 0.3);
    for (id, speed) in [(target.links[0], 0.9), (pusher.links[0], 0.1)] {
        let velocity = physics.link_velocity(id).unwrap().0;
        assert!((velocity - DVec3::X * speed).length() < 1e-6, "{velocity} instead of {speed}");
    }
}

#[test]
fn rough_faces_push_like_smooth_ones() {
    check(Scene { friction: 1.0, ..FREE }, WIDE, 1.0, 0.005, 1e-3);
}

#[test]
fn a_tree_pushes_like_a_single_body() {
    let sled = Scene { pusher: Some(50_000.0), is_tree: true, ..FREE };
    check(sled, WIDE, 1.0, 0.005, 1e-3);
}

/// Drops a box flat onto `floor` with this friction. Returns the largest tilt in degrees, and the speed one second after
/// the first contact, m/s, also that of turning corners.
fn drop_flat(link: &LinkSpec, height: f64, floor: CollisionShape) -> [f64; 2] {
    let friction = link.collisions[0].surface.friction;
    let mut physics = Physics::new(Settings { sleeping: false, ..Settings::default() }).unwrap();
    let ground =
        LinkSpec { collisions: vec![collision(floor, friction)], ..LinkSpec::new("link", Pose::IDENTITY) };
    physics.add_model(&ModelSpec { is_static: true, ..model("floor", vec![ground], Vec::new()) }).unwrap();
    let link = physics.add_model(&model("box", vec![link.clone()], Vec::new())).unwrap().links[0];
    let mut tilt: f64 = 0.0;
    for _ in 0..steps_in(&physics, (2.0 * height / GRAVITY).sqrt() + 1.0) {
        physics.step().unwrap();
        let up = physics.link_pose(link).unwrap().rotate(DVec3::Z);
        tilt = tilt.max(up.x.hypot(up.y).asin().to_degrees());
    }
    let (linear, angular) = physics.link_velocity(link).unwrap();
    [tilt, linear.length() + angular.length()]
}

#[test]
fn boxes_that_fall_flat_stay_flat() {
    let sizes = [
        [0.4, 0.4, 0.4],
        [0.1, 0.1, 0.1],
        [1.0, 0.5, 0.2],
        [0.3, 0.3, 1.0],
        [2.0, 1.0, 0.5],
        [0.6, 0.2, 0.4],
    ];
    let plane = || CollisionShape::Plane { normal: DVec3::Z };
    for (size, height) in
        sizes.iter().flat_map(|size| [0.05, 0.2, 0.5, 1.0, 1.8, 3.0].map(|height| (*size, height)))
    {
        for friction in [0.0, 0.5, 1.0] {
            // 1 kg m² about each axis is what a link of SDF has if it does not say anything else.
            for default_inertia in [false, true] {
                let size = DVec3::from_array(size);
                let yaw = 0.3 * height;
                let pose = Pose::from_rpy(DVec3::Z * (size.z / 2.0 + height), 0.0, 0.0, yaw);
                let mut link = box_link("box", pose, size, 1.0);
                link.collisions[0].surface.friction = friction;
                if default_inertia {
                    link.inertial.moments = DVec3::ONE;
                }
                let [tilt, speed] = drop_flat(&link, height, plane());
                let what =
                    format!("{size} from {height} m, friction {friction}, default inertia {default_inertia}");
                assert!(tilt < 1e-3, "{what}: it tilts by {tilt}°");
                assert!(speed < 1e-4, "{what}: {speed} m/s after a second");
            }
        }
    }
}

#[test]
fn boxes_that_fall_flat_onto_boxes_and_cylinders_onto_planes_stay_flat() {
    let slab = CollisionShape::Box { size: DVec3::new(0.3, 5.0, 0.2) };
    let link = box_link("box", at(0.0, 0.0, 0.1 + 0.2 + 1.0), DVec3::splat(0.4), 1.0);
    let [tilt, speed] = drop_flat(&link, 1.0, slab);
    assert!(tilt < 1e-3 && speed < 1e-4, "the box: {tilt}°, {speed} m/s");
    let mut can = box_link("can", at(0.0, 0.0, 0.2 + 1.0), DVec3::splat(0.4), 1.0);
    can.collisions[0].shape = CollisionShape::Cylinder { radius: 0.2, length: 0.4 };
    let [tilt, speed] = drop_flat(&can, 1.0, CollisionShape::Plane { normal: DVec3::Z });
    assert!(tilt < 1e-3 && speed < 1e-4, "the can: {tilt}°, {speed} m/s");
}
