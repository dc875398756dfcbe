//! Single scenes, each with a figure, its value in theory, and a bound.

use std::collections::BTreeMap;

use bridgehead_sdf::pose::DVec3;

use crate::Outcome;
use crate::motion::{Motion, State};
use crate::page::{Row, Section, figure};
use crate::peers::{ENGINES, Peers};

const GRAVITY: f64 = 9.8;

/// A figure of a scene.
struct Case {
    scene: &'static str,
    /// What is measured, with its unit.
    what: &'static str,
    /// The figure of a motion, given the motion of the reference.
    measure: fn(&Motion, &Motion) -> Option<f64>,
    /// The engine whose motion is the reference.
    reference: Option<&'static str>,
    /// The value in theory.
    expected: f64,
    /// How far the figure of this project may be from it; infinite without a bound.
    within: f64,
}

/// A case without a reference.
const fn case(
    scene: &'static str,
    what: &'static str,
    measure: fn(&Motion, &Motion) -> Option<f64>,
    expected: f64,
    within: f64,
) -> Case {
    Case { scene, what, measure, reference: None, expected, within }
}

/// All cases.
fn cases() -> Vec<Case> {
    [slow_motions(), contacts(), free_motions(), piles()].into_iter().flatten().collect()
}

/// What must not come to rest.
fn slow_motions() -> Vec<Case> {
    let (slope, rolling) = (0.01_f64.sin() * GRAVITY, 5.0 / 7.0);
    vec![
        case(
            "drift",
            "way of a body at 5 cm/s in weightlessness in 10 s, m",
            |motion, _| way(motion, "box::box"),
            0.5,
            1e-3,
        ),
        case(
            "ice",
            "way of a box at 5 cm/s without friction in 10 s, m",
            |motion, _| way(motion, "box::box"),
            0.5,
            1e-3,
        ),
        case(
            "gentle_slope",
            "way of a ball on a slope of 0.01 rad in 5 s, m",
            |motion, _| way(motion, "ball::ball"),
            0.5 * rolling * slope * 25.0,
            0.01,
        ),
        case(
            "slow_ball",
            "way of a ball that rolls at 5 cm/s in 10 s, m",
            |motion, _| way(motion, "ball::ball"),
            0.5,
            0.01,
        ),
    ]
}

/// Overlaps, friction and impacts.
fn contacts() -> Vec<Case> {
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    vec![
        case(
            "sunk",
            "largest speed of a box that begins 5 cm deep in the ground, m/s",
            fastest_rise,
            0.0,
            0.006,
        ),
        case(
            "groove",
            "height of a ball in a groove, m",
            |motion, _| Some(motion.last("ball::ball")?.pose.position.z),
            1.0 + (0.25_f64 - 0.0025).sqrt(),
            1e-3,
        ),
        case(
            "conveyor",
            "way of a box that falls onto a belt with 0.5 m/s in 3 s, m",
            |motion, _| way(motion, "box0::box0"),
            0.5 * (3.0 - (0.1 / GRAVITY).sqrt()),
            0.003,
        ),
        case("conveyor", "largest tilt of three boxes on the belt, °", belt_tilt, 0.0, 0.1),
        case(
            "hold_20",
            "slide of a box with friction 0.5 on 20° in 3 s, mm",
            |motion, _| Some(1e3 * way(motion, "box::box")?),
            0.0,
            0.1,
        ),
        case(
            "slide_30",
            "slide of the box on 30° in 1 s, m",
            |motion, _| way(motion, "box::box"),
            0.5 * GRAVITY * (sin - 0.5 * cos),
            0.003,
        ),
        case("bounce", "rebound of a ball from 1.75 m with restitution 0.8, m", rebound, 1.75 * 0.64, 0.012),
        Case {
            reference: Some("dart"),
            ..case(
                "tumble",
                "distance from DART of a box that tumbles down 30° for 3 s, m",
                from_reference_at_end,
                0.0,
                0.05,
            )
        },
    ]
}

/// Bodies and joints without contacts.
fn free_motions() -> Vec<Case> {
    vec![
        case(
            "spin",
            "change of the energy of a free spinning box in 10 s, %",
            |motion, _| Some(100.0 * energy_change(motion, 0.0)?),
            0.0,
            0.1,
        ),
        case("pendulum_2", "change of the energy of two rods in 10 s, % of their drop", two_rods, 0.0, 4.6),
        case("pendulum_5", "change of the energy of five rods in 5 s, % of their drop", five_rods, 0.0, 4.5),
        case("limit", "largest speed of a joint with a limit of 1 rad/s, rad/s", fastest_turn, 1.0, 1e-3),
        case("held", "speed of a rod that a motor has held out for 3 s, rad/s", last_turn, 0.0, 1e-3),
        Case {
            reference: Some("mujoco"),
            ..case(
                "arm",
                "distance from MuJoCo of the hand of an arm with seven axes after 8 s, mm",
                arm_from_reference,
                0.0,
                1.0,
            )
        },
    ]
}

/// Bodies that rest, and a robot that drives.
fn piles() -> Vec<Case> {
    vec![
        case(
            "stack_10",
            "sinking of the top of ten boxes in 3 s, mm",
            |motion, _| sinking(motion, "b9::b9"),
            0.0,
            0.2,
        ),
        case("stack_10", "drift of the top of ten boxes, mm", |motion, _| drift(motion, "b9::b9"), 0.0, 0.1),
        case(
            "stack_100kg",
            "sinking of 100 kg on four boxes of 1 kg in 3 s, mm",
            |motion, _| sinking(motion, "b4::b4"),
            0.0,
            1.0,
        ),
        case("stack_100kg", "drift of the 100 kg, mm", |motion, _| drift(motion, "b4::b4"), 0.0, 1.0),
        case(
            "pyramid_15",
            "sinking of the top of a wall of 120 boxes in 2 s, mm",
            |motion, _| sinking(motion, "b119::b119"),
            0.0,
            0.2,
        ),
        case(
            "drive",
            "turn of a robot with wheels at 4.0 and 3.6 rad/s in 5 s, °",
            turn,
            -30.0,
            f64::INFINITY,
        ),
    ]
}

fn way(motion: &Motion, body: &str) -> Option<f64> {
    let [first, last] = motion.ends(body)?;
    Some((last - first).x)
}

/// The largest rise between two samples, as a speed.
fn fastest_rise(motion: &Motion, _: &Motion) -> Option<f64> {
    let samples = motion.times.iter().zip(motion.of("box::box"));
    let rises = samples
        .clone()
        .zip(samples.skip(1))
        .map(|((from, one), (to, other))| (other.pose.position - one.pose.position).z / (to - from));
    rises.reduce(f64::max)
}

fn belt_tilt(motion: &Motion, _: &Motion) -> Option<f64> {
    let boxes = ["box0::box0", "box1::box1", "box2::box2"];
    boxes.iter().flat_map(|name| motion.of(name)).map(State::tilt).reduce(f64::max)
}

fn fastest_turn(motion: &Motion, _: &Motion) -> Option<f64> {
    motion.of("p::l0").iter().map(|state| state.spin.length()).reduce(f64::max)
}

fn last_turn(motion: &Motion, _: &Motion) -> Option<f64> {
    Some(motion.last("p::l0")?.spin.length())
}

/// The height above the ground after the first contact, at 0.6 s.
fn rebound(motion: &Motion, _: &Motion) -> Option<f64> {
    let after = motion.times.iter().zip(motion.of("ball::ball")).filter(|(time, _)| **time > 0.7);
    after.map(|(_, state)| state.pose.position.z - 0.25).reduce(f64::max)
}

fn from_reference_at_end(motion: &Motion, reference: &Motion) -> Option<f64> {
    let place = |motion: &Motion| Some(motion.last("box::box")?.pose.position);
    Some(place(motion)?.distance(place(reference)?))
}

fn arm_from_reference(motion: &Motion, reference: &Motion) -> Option<f64> {
    let place = |motion: &Motion| Some(motion.last("arm0::l6")?.pose.position);
    Some(1e3 * place(motion)?.distance(place(reference)?))
}

/// Energy of a body of 1 kg with the inertia of a box.
fn energy(state: &State, size: DVec3) -> f64 {
    let squares = size * size;
    let moments = DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) / 12.0;
    let spin = state.pose.rotation.conjugate() * state.spin;
    0.5 * state.velocity.length_squared() + 0.5 * (moments * spin * spin).element_sum()
}

/// The change of the energy of the spinning box, or of the rods, relative to what it was, or to the drop of the rods.
fn energy_change(motion: &Motion, drop: f64) -> Option<f64> {
    let rods: Vec<&String> = motion.bodies.keys().filter(|name| name.starts_with("p::l")).collect();
    if rods.is_empty() {
        let of = |state: &State| energy(state, DVec3::new(0.1, 0.4, 0.9));
        let samples = motion.of("box::box");
        // The commanded velocity applies from the first step on.
        let (first, last) = (of(samples.get(1)?), of(samples.last()?));
        return Some(last / first - 1.0);
    }
    let of = |state: &State| energy(state, DVec3::new(0.5, 0.05, 0.05)) + GRAVITY * state.pose.position.z;
    let total = |at: fn(&[State]) -> Option<&State>| -> Option<f64> {
        rods.iter().map(|rod| at(motion.of(rod)).map(of)).sum()
    };
    Some((total(<[State]>::last)? - total(<[State]>::first)?) / drop)
}

fn two_rods(motion: &Motion, _: &Motion) -> Option<f64> {
    Some(100.0 * energy_change(motion, GRAVITY * (0.25 + 0.75))?)
}

fn five_rods(motion: &Motion, _: &Motion) -> Option<f64> {
    Some(100.0 * energy_change(motion, GRAVITY * (0.25 + 0.75 + 1.25 + 1.75 + 2.25))?)
}

/// Millimetres.
fn sinking(motion: &Motion, body: &str) -> Option<f64> {
    let [first, last] = motion.ends(body)?;
    Some(1e3 * (first.z - last.z))
}

/// The largest distance from the vertical of the beginning, millimetres.
fn drift(motion: &Motion, body: &str) -> Option<f64> {
    let [first, _] = motion.ends(body)?;
    let apart = motion.of(body).iter().map(|state| (state.pose.position - first).truncate().length());
    Some(1e3 * apart.reduce(f64::max)?)
}

/// The angle about z, degrees.
fn turn(motion: &Motion, _: &Motion) -> Option<f64> {
    let ahead = motion.last("robot0::chassis")?.pose.rotation * DVec3::X;
    Some(ahead.y.atan2(ahead.x).to_degrees())
}

/// Runs all scenes in all engines.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let cases = cases();
    let mut scenes: Vec<&str> = cases.iter().map(|case| case.scene).collect();
    scenes.dedup();
    let ours = scenes.iter().map(|scene| Ok(((*scene).to_owned(), peers.ours(scene)?)));
    let ours = ours.collect::<Outcome<BTreeMap<String, Motion>>>()?;
    let theirs = ENGINES.map(|[engine, _]| Ok((engine, peers.theirs(engine, &scenes)?)));
    let theirs = theirs.into_iter().collect::<Outcome<BTreeMap<&str, BTreeMap<String, Motion>>>>()?;
    let nothing = Motion::default();
    let row = |case: &Case| {
        let reference =
            case.reference.and_then(|engine| theirs.get(engine)?.get(case.scene)).unwrap_or(&nothing);
        let of = |motions: &BTreeMap<String, Motion>| (case.measure)(motions.get(case.scene)?, reference);
        let shown = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), figure);
        let found = of(&ours);
        let mut cells = vec![case.what.to_owned(), shown(found)];
        cells.extend(ENGINES.iter().map(|[engine, _]| shown(theirs.get(engine).and_then(of))));
        cells.push(figure(case.expected));
        let has_bound = case.within.is_finite();
        cells.push(if has_bound { format!("± {}", figure(case.within)) } else { String::new() });
        let holds = found.is_some_and(|found| (found - case.expected).abs() <= case.within);
        Row { cells, holds: has_bound.then_some(holds) }
    };
    Ok(Section {
        title: "Single scenes",
        method: "Theory is the closed form; for the robot, the kinematics of its wheels. A distance from another engine \
                 has that engine as its reference."
            .to_owned(),
        heads: vec!["", "Bridgehead", "DART", "MuJoCo", "PyBullet", "theory", "bound"],
        rows: cases.iter().map(row).collect(),
        notes: Vec::new(),
    })
}
