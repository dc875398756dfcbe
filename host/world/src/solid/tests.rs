//! Heightmaps in a world: resting and rolling bodies, and ray hits, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;

use crate::{Built, RayQuery, World, build};
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::{Budget, Loaded, SearchPath, load};
use png::{BitDepth, ColorType, Encoder};
use tempfile::TempDir;

fn write_image(path: &Path, columns: u32, rows: u32, value: impl Fn(u32, u32) -> u16) {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Sixteen);
    let pixels: Vec<u8> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .flat_map(|(row, column)| value(row, column).to_be_bytes())
        .collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// A world with a heightmap of `map.png` as ground, in a folder that exists as long as this value.
struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new(columns: u32, rows: u32, value: impl Fn(u32, u32) -> u16) -> Self {
        let folder = TempDir::new().unwrap();
        write_image(&folder.path().join("map.png"), columns, rows, value);
        Stage { folder }
    }

    fn load(&self, heightmap: &str, is_static: bool, models: &str) -> Loaded {
        let path = self.folder.path().join("world.sdf");
        let text = format!(
            "<sdf version='1.9'><world name='w'><model name='ground'><static>{is_static}</static><pose>5 0 1 0 0 0</pose>
            <link name='l'><collision name='c'><geometry><heightmap><uri>map.png</uri>{heightmap}</heightmap></geometry>
            </collision></link></model>{models}</world></sdf>"
        );
        std::fs::write(&path, text).unwrap();
        load(&path, &SearchPath::default(), &Budget::default()).unwrap()
    }

    fn built(&self, heightmap: &str, models: &str) -> Built {
        let built = build(&self.load(heightmap, true, models).world, 0.001, 1).unwrap();
        assert_eq!(built.problems, Vec::<String>::new());
        built
    }
}

fn ball(name: &str, at: DVec3) -> String {
    format!(
        "<model name='{name}'><pose>{} {} {} 0 0 0</pose><link name='l'><inertial><mass>1</mass>
        <inertia><ixx>0.004</ixx><iyy>0.004</iyy><izz>0.004</izz></inertia></inertial>
        <collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link></model>",
        at.x, at.y, at.z
    )
}

fn state(world: &World, name: &str) -> (DVec3, DVec3) {
    let found = world.entities().find(|entity| entity.model.name == name).unwrap();
    (found.pose.position, found.linear)
}

/// Returns the height at which a ray straight down hits.
fn height_at(world: &mut World, x: f64, y: f64) -> f64 {
    let frame = Pose::from_position(DVec3::new(x, y, 100.0));
    let mut height = f64::NAN;
    let query = RayQuery {
        frame,
        directions: &[[0.0, 0.0, -1.0]],
        origins: None,
        range: [0.0, 1000.0],
        ignore: None,
    };
    world.cast_rays(&query, |_, hit| height = 100.0 - hit.distance);
    height
}

/// Returns one of 9 × 5 samples, which are not on a plane.
fn bumpy(row: u32, column: u32) -> u16 {
    u16::try_from((row * 7919 + column * 104_729 + row * column * 31) % 60_001).unwrap()
}

const BUMPY: &str = "<size>8 4 6</size><pos>0.5 -0.25 2</pos>";

fn bumpy_height(row: u32, column: u32) -> f64 {
    let brightest = (0..5).flat_map(|row| (0..9).map(move |column| bumpy(row, column))).max().unwrap();
    3.0 + 6.0 * f64::from(bumpy(row, column)) / f64::from(brightest)
}

/// Returns the position of a sample in the world; the model is at 5 0 1.
fn bumpy_place(row: u32, column: u32) -> [f64; 2] {
    [5.0 + 0.5 - 4.0 + f64::from(column), -0.25 + 2.0 - f64::from(row)]
}

#[test]
fn a_ray_straight_down_hits_each_sample_at_its_height() {
    let mut world = Stage::new(9, 5, bumpy).built(BUMPY, "").world;
    for (row, column) in (0..5).flat_map(|row| (0..9).map(move |column| (row, column))) {
        let [x, y] = bumpy_place(row, column);
        // At the edge a ray may miss the surface.
        let inside = |value: f64, middle: f64| value + (middle - value).signum() * 1e-9;
        let found = height_at(&mut world, inside(x, 5.5), inside(y, -0.25));
        assert!((found - bumpy_height(row, column)).abs() < 1e-6, "row {row}, column {column}: {found} m");
    }
    assert!(!height_at(&mut world, 20.0, 0.0).is_finite());
}

/// Physics and rays have the same surface: a ball at rest in a ditch touches both sides at the heights that rays hit.
#[test]
fn a_ball_lies_in_a_ditch_between_its_sides() {
    let ditch = |_: u32, column: u32| u16::try_from(1000 * column.abs_diff(3)).unwrap();
    let stage = Stage::new(8, 5, ditch);
    // The bottom is column 3: x = 5 - 3.5 + 3; its sides rise by 0.25 m a metre.
    let ball = ball("ball", DVec3::new(4.3, 0.31, 1.3));
    let ball = ball.replace(
        "<inertial>",
        "<velocity_decay><linear>2</linear><angular>2</angular></velocity_decay><inertial>",
    );
    let mut world = stage.built("<size>7 4 1</size>", &ball).world;
    (0..8000).for_each(|_| world.step().unwrap());
    let (position, velocity) = state(&world, "ball");
    assert!(velocity.length() < 1e-3, "{velocity}");
    let wanted = DVec3::new(4.5, 0.31, 1.0 + 0.1 * (1.0_f64 + 0.25 * 0.25).sqrt());
    assert!((position - wanted).length() < 1e-3, "{position} instead of {wanted}");
    for (x, height) in [(4.5, 1.0), (5.1, 1.15), (4.1, 1.1)] {
        let found = height_at(&mut world, x, -1.0);
        assert!((found - height).abs() < 1e-9, "{found} m at {x} m");
    }
}

/// A ball that rolls without slipping has 5/7 of the acceleration of a sliding one; edges between triangles do not slow
/// it down.
#[test]
fn a_ball_rolls_down_a_ramp_as_on_a_plane() {
    let ramp = |_: u32, column: u32| u16::try_from(column * 500).unwrap();
    let stage = Stage::new(101, 21, ramp);
    let slope: f64 = 2.0 / 10.0;
    let angle = slope.atan();
    let start = DVec3::new(8.0, 0.013, 1.0 + 8.0 * slope + 0.1 / angle.cos());
    let mut world = stage.built("<size>10 2 2</size>", &ball("ball", start)).world;
    (0..1500).for_each(|_| world.step().unwrap());
    let (position, velocity) = state(&world, "ball");
    let wanted = 5.0 / 7.0 * 9.8 * angle.sin() * 1.5;
    assert!((velocity.length() / wanted - 1.0).abs() < 0.01, "{} m/s instead of {wanted}", velocity.length());
    let above = position.z - 1.0 - position.x * slope;
    assert!((above - 0.1 / angle.cos()).abs() < 1e-3, "the ball is {above} m above the ramp");
    assert!((position.y - 0.013).abs() < 0.01, "{position}");
}

#[test]
fn additional_samples_do_not_change_the_surface_for_rays() {
    let stage = Stage::new(9, 5, bumpy);
    let mut world = stage.built(&format!("{BUMPY}<sampling>4</sampling>"), "").world;
    for (row, column) in [(0, 1), (2, 3), (3, 7)] {
        let [x, y] = bumpy_place(row, column);
        let halfway = height_at(&mut world, x + 0.5, y - 1e-9);
        let wanted = bumpy_height(row, column).midpoint(bumpy_height(row, column + 1));
        assert!((halfway - wanted).abs() < 1e-6, "{halfway} instead of {wanted}");
    }
}

#[test]
fn a_moving_or_unusable_heightmap_is_reported_and_left_out() {
    let stage = Stage::new(9, 5, bumpy);
    let problems = |stage: &Stage, is_static, heightmap: &str| {
        build(&stage.load(heightmap, is_static, "").world, 0.001, 1).unwrap().problems.join("\n")
    };
    let moving = problems(&stage, false, BUMPY);
    assert!(moving.contains("BH-MSH-012") && moving.contains("world.sdf:2"), "{moving}");
    let flat = problems(&stage, true, "<size>0 1 1</size>");
    assert!(flat.contains("BH-MSH-011"), "{flat}");
    std::fs::write(stage.folder.path().join("map.png"), "hello").unwrap();
    let broken = problems(&stage, true, BUMPY);
    assert!(broken.contains("BH-MSH-009") && broken.contains("map.png"), "{broken}");
}

#[test]
fn a_restored_world_has_the_same_ground() {
    let stage = Stage::new(9, 5, bumpy);
    let source = stage.load(BUMPY, true, &ball("ball", DVec3::new(5.2, 0.3, 10.0)));
    let mut here = build(&source.world, 0.001, 1).unwrap().world;
    (0..1500).for_each(|_| here.step().unwrap());
    let bytes = here.snapshot().unwrap();
    let mut there = World::restored(&source.world, SearchPath::default(), &bytes).unwrap();
    for step in 0..1500 {
        here.step().unwrap();
        there.step().unwrap();
        assert_eq!(here.state_hash(), there.state_hash(), "step {step}");
    }
}
