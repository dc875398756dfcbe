//! Which speeds of rotors give a wanted torque and thrust. Pure.

use bridgehead_plugin_api::vector::{Vector, add, cross, scale};
use serde::{Deserialize, Serialize};

/// Torque about x, y and z, N m, and thrust, N.
pub(crate) type Wrench = [f64; 4];

/// A rotor in the frame of the vehicle, whose origin is its centre of mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RotorPlace {
    pub(crate) position: Vector,
    /// Direction of the thrust.
    pub(crate) axis: Vector,
    /// Newtons per square of rad/s.
    pub(crate) force: f64,
    /// Torque per thrust, m.
    pub(crate) moment: f64,
    /// 1 for counterclockwise, -1 for clockwise.
    pub(crate) direction: f64,
}

/// The rotors of a vehicle.
#[derive(Serialize, Deserialize)]
pub(crate) struct Allocation {
    /// What the square of the speed of each rotor gives.
    columns: Vec<Wrench>,
    /// (B Bᵀ)⁻¹, by which the squares with the smallest sum are found.
    inverse: [Wrench; 4],
}

impl Allocation {
    /// Returns `None` if the rotors cannot give every torque and thrust.
    pub(crate) fn new(rotors: &[RotorPlace]) -> Option<Self> {
        let columns: Vec<Wrench> = rotors.iter().map(column).collect();
        let gram = |row: usize, other: usize| columns.iter().map(|one| one[row] * one[other]).sum();
        let matrix: [Wrench; 4] = std::array::from_fn(|row| std::array::from_fn(|other| gram(row, other)));
        Some(Allocation { inverse: inverted(&matrix)?, columns })
    }

    /// Speeds of the rotors, rad/s. A rotor that would have to pull stands.
    pub(crate) fn speeds(&self, wanted: &Wrench) -> Vec<f64> {
        let weights: Wrench = std::array::from_fn(|row| product(&self.inverse[row], wanted));
        self.columns.iter().map(|column| product(column, &weights).max(0.0).sqrt()).collect()
    }
}

fn column(rotor: &RotorPlace) -> Wrench {
    let thrust = scale(rotor.axis, rotor.force);
    let drag = scale(thrust, -rotor.direction * rotor.moment);
    let [x, y, z] = add(cross(rotor.position, thrust), drag);
    [x, y, z, thrust[2]]
}

fn product(a: &Wrench, b: &Wrench) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Inverts a symmetric matrix by Gauss and Jordan; the rows are scaled first, because torques and thrusts differ by orders
/// of magnitude.
fn inverted(matrix: &[Wrench; 4]) -> Option<[Wrench; 4]> {
    let scales: Wrench = std::array::from_fn(|row| matrix[row][row].sqrt());
    if scales.iter().any(|scale| !(scale.is_finite() && *scale > 0.0)) {
        return None;
    }
    let mut rows: [Wrench; 4] = std::array::from_fn(|row| {
        std::array::from_fn(|place| matrix[row][place] / (scales[row] * scales[place]))
    });
    let mut inverse: [Wrench; 4] =
        std::array::from_fn(|row| std::array::from_fn(|place| f64::from(u8::from(row == place))));
    for column in 0..4 {
        let pivot = (column..4).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        rows.swap(column, pivot);
        inverse.swap(column, pivot);
        let head = rows[column][column];
        if head.abs() < 1e-9 {
            return None;
        }
        (rows[column], inverse[column]) = (rows[column].map(|v| v / head), inverse[column].map(|v| v / head));
        let (pivot_row, pivot_inverse) = (rows[column], inverse[column]);
        for row in (0..4).filter(|row| *row != column) {
            let factor = rows[row][column];
            for place in 0..4 {
                rows[row][place] -= factor * pivot_row[place];
                inverse[row][place] -= factor * pivot_inverse[place];
            }
        }
    }
    Some(std::array::from_fn(|row| {
        std::array::from_fn(|place| inverse[row][place] / (scales[row] * scales[place]))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rotors on a circle that turn in alternating directions.
    fn rotors(count: u32) -> Vec<RotorPlace> {
        let place = |index: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(index) / f64::from(count) + 0.3).sin_cos();
            RotorPlace {
                position: [0.25 * cos, 0.25 * sin, 0.02],
                axis: [0.0, 0.0, 1.0],
                force: 8.548_58e-6,
                moment: 0.016,
                direction: if index.is_multiple_of(2) { 1.0 } else { -1.0 },
            }
        };
        (0..count).map(place).collect()
    }

    #[test]
    fn the_speeds_give_what_is_wanted() {
        for count in [4, 6, 8] {
            let rotors = rotors(count);
            let wanted = [0.05, -0.1, 0.02, 15.0];
            let speeds = Allocation::new(&rotors).expect("an allocation").speeds(&wanted);
            let squares = speeds.iter().map(|speed| speed * speed);
            let given = rotors.iter().zip(squares).fold([0.0; 4], |sum, (rotor, square)| {
                let column = column(rotor);
                std::array::from_fn(|row| sum[row] + column[row] * square)
            });
            assert!(given.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{count}: {given:?}");
        }
    }

    #[test]
    fn rotors_in_one_place_cannot_turn_a_vehicle() {
        let one = rotors(4).first().copied().expect("a rotor");
        assert!(Allocation::new(&[one; 4]).is_none());
        assert!(Allocation::new(&rotors(4)[..3]).is_none());
        assert!(Allocation::new(&[]).is_none());
    }
}
