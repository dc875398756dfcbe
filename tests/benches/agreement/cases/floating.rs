//! Five rods of 1 kg on joints in weightlessness, which a pulse of 0.1 s in each joint sets in motion. What is conserved
//! changes by the error of a step of first order, the same in all engines with joint coordinates; the bounds are just above
//! it.

use bridgehead_sdf::pose::DVec3;

use super::{Case, case};
use crate::motion::{Motion, State};

/// Sides of a rod, metres.
const ROD: DVec3 = DVec3::new(0.5, 0.05, 0.05);
/// Rods.
const COUNT: usize = 5;
/// The first sample after the pulse.
const START: usize = 11;

/// What the rods conserve.
pub(super) fn floating() -> Vec<Case> {
    vec![
        case(
            "chain_5",
            "largest change of the energy of five floating rods in 10 s, %",
            energy_change,
            0.0,
            7.5,
        ),
        case("chain_5", "drift of their centre of mass, mm", drift, 0.0, 80.0),
        case("chain_5", "largest change of their angular momentum, %", momentum_change, 0.0, 4.1),
    ]
}

/// All rods at a sample.
fn rods(motion: &Motion, index: usize) -> Option<Vec<&State>> {
    (0..COUNT).map(|rod| motion.of(&format!("p::l{rod}")).get(index)).collect()
}

fn center(rods: &[&State]) -> DVec3 {
    rods.iter().map(|rod| rod.pose.position).sum::<DVec3>() / 5.0
}

/// Angular momentum of a rod about its centre, world.
fn spin_of(rod: &State) -> DVec3 {
    let squares = ROD * ROD;
    let moments = DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) / 12.0;
    rod.pose.rotation * (moments * (rod.pose.rotation.conjugate() * rod.spin))
}

fn energy(rods: &[&State]) -> f64 {
    rods.iter().map(|rod| 0.5 * rod.velocity.length_squared() + 0.5 * spin_of(rod).dot(rod.spin)).sum()
}

fn momentum(rods: &[&State]) -> DVec3 {
    let center = center(rods);
    rods.iter().map(|rod| (rod.pose.position - center).cross(rod.velocity) + spin_of(rod)).sum()
}

/// The largest of a figure of all samples after the pulse, given the rods at its end.
fn largest(motion: &Motion, figure: impl Fn(&[&State], &[&State]) -> f64) -> Option<f64> {
    let start = rods(motion, START)?;
    let figures = (START..motion.times.len()).map(|index| Some(figure(&start, &rods(motion, index)?)));
    figures.reduce(|one, other| Some(one?.max(other?)))?
}

fn energy_change(motion: &Motion, _: &Motion) -> Option<f64> {
    Some(100.0 * largest(motion, |start, now| (energy(now) / energy(start) - 1.0).abs())?)
}

fn drift(motion: &Motion, _: &Motion) -> Option<f64> {
    // The pulse must not move it either.
    let first = center(&rods(motion, 0)?);
    Some(1e3 * largest(motion, |_, now| center(now).distance(first))?)
}

fn momentum_change(motion: &Motion, _: &Motion) -> Option<f64> {
    let change = |start: &[&State], now: &[&State]| {
        let before = momentum(start);
        (momentum(now) - before).length() / before.length()
    };
    Some(100.0 * largest(motion, change)?)
}
