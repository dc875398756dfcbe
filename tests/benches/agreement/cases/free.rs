//! Bodies and joints without contacts.

use bridgehead_sdf::pose::DVec3;

use super::{Case, GRAVITY, case};
use crate::motion::{Motion, State};

/// Bodies and joints that touch nothing.
pub(super) fn free_motions() -> Vec<Case> {
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

fn fastest_turn(motion: &Motion, _: &Motion) -> Option<f64> {
    motion.of("p::l0").iter().map(|state| state.spin.length()).reduce(f64::max)
}

fn last_turn(motion: &Motion, _: &Motion) -> Option<f64> {
    Some(motion.last("p::l0")?.spin.length())
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
