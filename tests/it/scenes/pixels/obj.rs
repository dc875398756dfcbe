//! Triangles of an OBJ file, read as plainly as possible. Numbers have the precision of glTF.

use super::Triangle;

/// Returns the triangles; a face with more corners is divided from its first one.
#[track_caller]
pub(super) fn triangles(text: &str) -> Vec<Triangle> {
    let (mut positions, mut coordinates, mut triangles) = (Vec::<[f32; 3]>::new(), Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => positions.push(numbers::<3>(words)),
            Some("vt") => coordinates.push(numbers::<2>(words)),
            Some("f") => {
                let corners: Vec<(usize, usize)> = words.map(corner).collect();
                for last in 2..corners.len() {
                    let of = [corners[0], corners[last - 1], corners[last]];
                    triangles.push(Triangle {
                        corners: of.map(|(position, _)| positions[position - 1].map(f64::from)),
                        // OBJ counts from the lower left.
                        coordinates: of.map(|(_, place)| {
                            let [u, v]: [f32; 2] = coordinates[place - 1];
                            [u, 1.0 - v].map(f64::from)
                        }),
                    });
                }
            }
            _ => {}
        }
    }
    triangles
}

fn numbers<'a, const N: usize>(mut words: impl Iterator<Item = &'a str>) -> [f32; N] {
    std::array::from_fn(|_| words.next().and_then(|word| word.parse().ok()).expect("a number"))
}

/// The indices of the position and the texture coordinates, from 1.
fn corner(word: &str) -> (usize, usize) {
    let mut parts = word.split('/').map(|part| part.parse().expect("an index"));
    (parts.next().expect("a position"), parts.next().expect("texture coordinates"))
}
