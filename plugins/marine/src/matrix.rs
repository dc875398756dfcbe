//! Square matrices of six rows, for motions with six degrees of freedom. Pure.

/// Six numbers: along x, y and z, then about x, y and z.
pub(crate) type Six = [f64; 6];

/// Rows of six numbers.
pub(crate) type Matrix = [Six; 6];

/// `matrix · vector`.
pub(crate) fn times(matrix: &Matrix, vector: &Six) -> Six {
    std::array::from_fn(|row| matrix[row].iter().zip(vector).map(|(a, b)| a * b).sum())
}

/// `a + b`.
pub(crate) fn sum(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| a[row][column] + b[row][column]))
}

/// The two halves of six numbers.
pub(crate) fn halves(six: &Six) -> ([f64; 3], [f64; 3]) {
    let [a, b, c, d, e, f] = *six;
    ([a, b, c], [d, e, f])
}

/// Six numbers from two halves.
pub(crate) fn joined([a, b, c]: [f64; 3], [d, e, f]: [f64; 3]) -> Six {
    [a, b, c, d, e, f]
}

/// Solves `matrix · x = right` by Gauss's elimination with pivots; `None` if the matrix is singular.
pub(crate) fn solve(matrix: &Matrix, right: &Six) -> Option<Six> {
    let (mut rows, mut right) = (*matrix, *right);
    for column in 0..6 {
        let pivot = (column..6).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        rows.swap(column, pivot);
        right.swap(column, pivot);
        let head = rows[column][column];
        if head.abs() < 1e-12 || !head.is_finite() {
            return None;
        }
        for row in column + 1..6 {
            let factor = rows[row][column] / head;
            let above = rows[column];
            for (value, above) in rows[row].iter_mut().zip(above).skip(column) {
                *value -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..6).rev() {
        let known: f64 = (row + 1..6).map(|place| rows[row][place] * right[place]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_solves_its_equations() {
        let matrix: Matrix = std::array::from_fn(|row| {
            std::array::from_fn(
                |column| if row == column { 0.1 } else { ((row * 7 + column * 3) % 5) as f64 },
            )
        });
        let expected = [1.0, -2.0, 3.0, 0.5, 0.0, 4.0];
        let found = solve(&matrix, &times(&matrix, &expected)).expect("a solution");
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        assert_eq!(solve(&[[1.0; 6]; 6], &expected), None);
    }
}
