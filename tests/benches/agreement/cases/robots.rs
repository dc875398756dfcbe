//! Robots: at rest, outside of their limits, on legs, and with a gripper.

use bridgehead_sdf::pose::DVec3;

use super::{Case, case};
use crate::motion::{Motion, State};

/// The trunk of the quadruped.
const TRUNK: &str = "quadruped::trunk";
/// Links of the arm that starts outside of its limits, with their masses in kilograms.
const ARM: [(&str, f64); 3] = [("m::base", 3.0), ("m::arm", 2.0), ("m::hand", 0.5)];
/// Its joints: the link before, the link behind, and the limits in radians.
const ARM_JOINTS: [(&str, &str, [f64; 2]); 2] =
    [("m::base", "m::arm", [0.5, 2.0]), ("m::arm", "m::hand", [-3.0, -0.15])];
/// Height of the trunk by statics: the least energy of the springs of all joints and of the weights, if no foot slides.
const STANDING: f64 = 0.3210;
/// Samples in a second.
const RATE: usize = 100;

/// Robots that nothing moves, or only their wheels.
pub(super) fn at_rest() -> Vec<Case> {
    vec![
        case(
            "light_foot",
            "fastest turn of a body on two feet and a light caster in the last of 5 s, rad/s",
            |motion, _| last_turns(motion, "body::base"),
            0.0,
            1e-4,
        ),
        case(
            "wheels_rest",
            "fastest turn of a robot with two wheels and a light caster in the last of 5 s at rest, rad/s",
            |motion, _| last_turns(motion, "bot::body"),
            0.0,
            1e-4,
        ),
        case("wheels_rest", "its way at rest in 5 s, mm", |motion, _| strayed(motion, "bot::body"), 0.0, 0.1),
        case(
            "wheels_drive",
            "its way at 0.2 m/s in 5 s, m",
            |motion, _| ahead(motion, "bot::body"),
            1.0,
            0.03,
        ),
        case("wheels_drive", "its turn on this way, °", |motion, _| heading(motion, "bot::body"), 0.0, 0.5),
        case(
            "wheels_turn",
            "its turn at 0.5 rad/s in 5 s, °",
            |motion, _| heading(motion, "bot::body"),
            2.5_f64.to_degrees(),
            2.0,
        ),
        case(
            "wheels_turn",
            "its largest way in this turn, mm",
            |motion, _| strayed(motion, "bot::imu_link"),
            0.0,
            20.0,
        ),
    ]
}

/// An arm that floats, whose joints begin 0.5 and 0.15 rad outside of their limits.
pub(super) fn outside_limits() -> Vec<Case> {
    vec![
        case(
            "outside_limits",
            "drift of a floating arm that begins outside of its limits, mm",
            |motion, _| drift_of_arm(motion),
            0.0,
            1.0,
        ),
        case(
            "outside_limits",
            "largest speed of its joints on the way into their limits, rad/s",
            |motion, _| fastest_joint(motion),
            0.0,
            3.0,
        ),
        case(
            "outside_limits",
            "distance of its joints from their limits after 10 s, rad",
            |motion, _| out_of_limits(motion),
            0.0,
            1e-3,
        ),
        case(
            "outside_limits",
            "fastest turn of its links after 10 s, rad/s",
            |motion, _| {
                ARM.iter().map(|(link, _)| Some(motion.last(link)?.spin.length())).try_fold(0.0, most)
            },
            0.0,
            1e-3,
        ),
    ]
}

/// A quadruped of 11 kg with 12 joints.
pub(super) fn on_legs() -> Vec<Case> {
    // A leg of 0.306 m sweeps 0.15 rad to both sides, 1.5 times in a second; the amplitude grows in the first of 6 s.
    let sweep = 2.0 * 0.306 * 0.15_f64.sin();
    vec![
        case(
            "quadruped_stand",
            "height of the trunk of a quadruped that stands for 5 s, m",
            |motion, _| Some(motion.last(TRUNK)?.pose.position.z),
            STANDING,
            1e-3,
        ),
        Case {
            reference: Some("dart"),
            ..case("quadruped_stand", "distance of this trunk from DART, mm", trunk_from_reference, 0.0, 1.0)
        },
        case(
            "quadruped_stand",
            "fastest turn of its trunk in the last second, rad/s",
            |motion, _| last_turns(motion, TRUNK),
            0.0,
            1e-3,
        ),
        case(
            "quadruped_trot",
            "way of the quadruped in 6 s of trot, m",
            |motion, _| ahead(motion, TRUNK),
            sweep * 2.0 * 1.5 * 5.5,
            0.3,
        ),
        case(
            "quadruped_trot",
            "largest tilt of its trunk in the trot, °",
            |motion, _| tilt(motion, TRUNK),
            0.0,
            12.0,
        ),
        case(
            "quadruped_fall",
            "height of its trunk, which is 0.1 m high, 3 s after the joints are powerless, m",
            |motion, _| Some(motion.last(TRUNK)?.pose.position.z),
            0.05,
            // Higher if a thigh lies below it, which is 0.04 m thick.
            0.04,
        ),
        case(
            "quadruped_fall",
            "speed of its trunk then, m/s",
            |motion, _| Some(motion.last(TRUNK)?.velocity.length()),
            0.0,
            1e-3,
        ),
    ]
}

/// Two fingers that press a box.
pub(super) fn grips() -> Vec<Case> {
    vec![
        case(
            "grip_speed",
            "slip of a box of 0.3 kg in 60 s between fingers that close by a speed within 10 N, mm",
            |motion, _| slip(motion),
            0.0,
            0.1,
        ),
        case("grip_speed", "largest tilt of this box, °", |motion, _| tilt(motion, "box::box"), 0.0, 0.5),
        case(
            "grip_position",
            "slip of the box between fingers that close by a position within 10 N, mm",
            |motion, _| slip(motion),
            0.0,
            0.1,
        ),
        case("grip_position", "largest tilt of this box, °", |motion, _| tilt(motion, "box::box"), 0.0, 0.5),
    ]
}

/// For folds: the larger one of two numbers, or none.
fn most(largest: f64, next: Option<f64>) -> Option<f64> {
    next.map(|next| largest.max(next))
}

/// rad/s, in the last second.
fn last_turns(motion: &Motion, body: &str) -> Option<f64> {
    let samples = motion.of(body);
    let last = samples.get(samples.len().checked_sub(RATE)?..)?;
    last.iter().map(|state| state.spin.length()).reduce(f64::max)
}

/// The largest horizontal distance from the beginning, millimetres.
fn strayed(motion: &Motion, body: &str) -> Option<f64> {
    let [first, _] = motion.ends(body)?;
    let apart = motion.of(body).iter().map(|state| (state.pose.position - first).truncate().length());
    Some(1e3 * apart.reduce(f64::max)?)
}

fn ahead(motion: &Motion, body: &str) -> Option<f64> {
    let [first, last] = motion.ends(body)?;
    Some((last - first).x)
}

/// The turn about z, degrees, below half a turn between two samples.
fn heading(motion: &Motion, body: &str) -> Option<f64> {
    let yaw = |state: &State| {
        let ahead = state.pose.rotation * DVec3::X;
        ahead.y.atan2(ahead.x)
    };
    let samples = motion.of(body);
    samples.first()?;
    let turns = samples.windows(2).map(|pair| match pair {
        [one, other] => (yaw(other) - yaw(one)).sin().asin(),
        _ => 0.0,
    });
    Some(turns.sum::<f64>().to_degrees())
}

fn tilt(motion: &Motion, body: &str) -> Option<f64> {
    motion.of(body).iter().map(State::tilt).reduce(f64::max)
}

/// The largest distance of the centre of mass of the arm from its beginning, millimetres.
fn drift_of_arm(motion: &Motion) -> Option<f64> {
    let total: f64 = ARM.iter().map(|(_, mass)| mass).sum();
    let center = |index: usize| -> Option<DVec3> {
        let parts = ARM.iter().map(|(link, mass)| Some(*mass * motion.of(link).get(index)?.pose.position));
        Some(parts.sum::<Option<DVec3>>()? / total)
    };
    let first = center(0)?;
    let mut apart = (0..motion.times.len()).map(|index| Some(center(index)?.distance(first)));
    Some(1e3 * apart.try_fold(0.0, most)?)
}

fn fastest_joint(motion: &Motion) -> Option<f64> {
    let speeds = ARM_JOINTS.iter().flat_map(|(before, behind, _)| {
        motion.of(before).iter().zip(motion.of(behind)).map(|(one, other)| (other.spin - one.spin).length())
    });
    speeds.reduce(f64::max)
}

fn out_of_limits(motion: &Motion) -> Option<f64> {
    let mut outside = ARM_JOINTS.iter().map(|(before, behind, [lower, upper])| {
        let turn = motion.last(before)?.pose.rotation.conjugate() * motion.last(behind)?.pose.rotation;
        let angle = 2.0 * turn.y.atan2(turn.w);
        Some((lower - angle).max(angle - upper).max(0.0))
    });
    outside.try_fold(0.0, most)
}

/// Millimetres.
fn trunk_from_reference(motion: &Motion, reference: &Motion) -> Option<f64> {
    let place = |motion: &Motion| Some(motion.last(TRUNK)?.pose.position);
    Some(1e3 * place(motion)?.distance(place(reference)?))
}

/// How far the box sinks after the first half second, millimetres.
fn slip(motion: &Motion) -> Option<f64> {
    let samples = motion.of("box::box");
    Some(1e3 * (samples.get(RATE / 2)?.pose.position.z - samples.last()?.pose.position.z))
}
