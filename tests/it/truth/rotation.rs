//! Rotations as matrices, from the forms of SDF and of messages.

/// Rows.
pub(super) type Matrix = [[f64; 3]; 3];

/// SDF's roll, pitch and yaw: about the fixed axes x, y and z, in this order.
pub(super) fn from_rpy([roll, pitch, yaw]: [f64; 3]) -> Matrix {
    let about_x = [[1.0, 0.0, 0.0], [0.0, roll.cos(), -roll.sin()], [0.0, roll.sin(), roll.cos()]];
    let about_y = [[pitch.cos(), 0.0, pitch.sin()], [0.0, 1.0, 0.0], [-pitch.sin(), 0.0, pitch.cos()]];
    let about_z = [[yaw.cos(), -yaw.sin(), 0.0], [yaw.sin(), yaw.cos(), 0.0], [0.0, 0.0, 1.0]];
    product(about_z, product(about_y, about_x))
}

pub(super) fn from_quaternion([w, x, y, z]: [f64; 4]) -> Matrix {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

pub(super) fn product(left: Matrix, right: Matrix) -> Matrix {
    let column = |index: usize| right.map(|row| row[index]);
    left.map(|row| [0, 1, 2].map(|index| dot(row, column(index))))
}

/// Converts a vector of the outer frame to the axes of the rotated frame.
pub(super) fn into_turned(turn: Matrix, vector: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|index| dot(turn.map(|row| row[index]), vector))
}

fn dot(left: [f64; 3], right: [f64; 3]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
