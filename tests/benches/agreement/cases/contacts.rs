//! Bodies in contact: slow motions, friction, impacts and piles.

use bridgehead_sdf::pose::DVec3;

use super::{Case, GRAVITY, case};
use crate::motion::{Motion, State};

/// What must not come to rest.
pub(super) fn slow_motions() -> Vec<Case> {
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
pub(super) fn contacts() -> Vec<Case> {
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

/// Bodies that rest, and a robot that drives.
pub(super) fn piles() -> Vec<Case> {
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

/// The height above the ground after the first contact, at 0.6 s.
fn rebound(motion: &Motion, _: &Motion) -> Option<f64> {
    let after = motion.times.iter().zip(motion.of("ball::ball")).filter(|(time, _)| **time > 0.7);
    after.map(|(_, state)| state.pose.position.z - 0.25).reduce(f64::max)
}

fn from_reference_at_end(motion: &Motion, reference: &Motion) -> Option<f64> {
    let place = |motion: &Motion| Some(motion.last("box::box")?.pose.position);
    Some(place(motion)?.distance(place(reference)?))
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
