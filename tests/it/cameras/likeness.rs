//! How alike two images of one scene are, of which each has a class and a depth for each pixel.

use super::shapes::{HEIGHT, WIDTH};

/// Depths differ by at most so many metres, or by this share of the larger number of metres.
const DEPTH: f64 = 1e-3;
/// Objects with so many pixels in one of the images or both are compared.
const LARGE: u32 = 2000;
/// Least share of pixels in both images among those in one or both.
const OVERLAP: f64 = 0.99;
/// Depths are not compared so near to an edge, pixels.
const EDGE: usize = 3;

/// An image, by rows from the top.
pub(crate) struct Seen {
    /// Class of each pixel, from 0.
    pub(crate) classes: Vec<u8>,
    /// Depth of each pixel, m; infinity for nothing.
    pub(crate) depths: Vec<f32>,
}

/// What was compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likeness {
    /// Number of compared depths.
    pub(crate) depths: u32,
    /// The largest difference of depths, as a share of what is allowed.
    pub(crate) worst: f64,
    /// Number of compared objects.
    pub(crate) objects: u32,
    /// The least overlap of an object, 0 to 1.
    pub(crate) overlap: f64,
}

impl Likeness {
    /// What is true of no images.
    pub(crate) const NOTHING: Likeness = Likeness { depths: 0, worst: 0.0, objects: 0, overlap: 1.0 };

    /// Returns what is true of both sets of images.
    pub(crate) fn and(self, other: Likeness) -> Likeness {
        Likeness {
            depths: self.depths + other.depths,
            worst: self.worst.max(other.worst),
            objects: self.objects + other.objects,
            overlap: self.overlap.min(other.overlap),
        }
    }
}

impl Seen {
    /// True if all pixels at most `reach` away have the class of this one. What is beyond the edge of the image is not
    /// known.
    fn is_inside(&self, column: usize, row: usize, reach: usize) -> bool {
        if column < reach || row < reach || column + reach >= WIDTH || row + reach >= HEIGHT {
            return false;
        }
        let own = self.classes[row * WIDTH + column];
        (row - reach..=row + reach).all(|row| {
            let first = row * WIDTH + column - reach;
            self.classes[first..=first + 2 * reach].iter().all(|class| *class == own)
        })
    }
}

/// Compares two images.
///
/// # Errors
/// Returns what is different and must not be: a class away from an edge, a depth beyond its bound, an overlap below its
/// bound.
pub(crate) fn compare(one: &Seen, other: &Seen) -> Result<Likeness, String> {
    let mut out = Likeness::NOTHING;
    // For each class: pixels in one image, in the other, and in both.
    let mut counts = vec![[0_u32; 3]; 256];
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let index = row * WIDTH + column;
            let inside = |reach| {
                [one.is_inside(column, row, reach), other.is_inside(column, row, reach)] == [true, true]
            };
            let classes = [one, other].map(|seen| seen.classes[index]);
            let [class, of_other] = classes.map(usize::from);
            counts[class][0] += 1;
            counts[of_other][1] += 1;
            if class != of_other {
                if inside(1) {
                    return Err(format!(
                        "pixel {column} {row}: class {class} in one, {of_other} in the other"
                    ));
                }
                continue;
            }
            counts[class][2] += 1;
            let depths = [one, other].map(|seen| f64::from(seen.depths[index]));
            if let Some(error) = difference(depths).filter(|_| inside(EDGE)) {
                out.depths += 1;
                out.worst = out.worst.max(error);
                if error > 1.0 {
                    let [depth, of_other] = depths;
                    return Err(format!("pixel {column} {row}: {depth} m in one, {of_other} m in the other"));
                }
            }
        }
    }
    for (class, [one, other, both]) in counts.into_iter().enumerate().skip(1) {
        let union = one + other - both;
        if union >= LARGE {
            let overlap = f64::from(both) / f64::from(union);
            out.objects += 1;
            out.overlap = out.overlap.min(overlap);
            if overlap < OVERLAP {
                return Err(format!("class {class}: {both} of {union} pixels are in both"));
            }
        }
    }
    Ok(out)
}

/// The difference of two depths as a share of what is allowed; `None` if both are infinite.
fn difference([one, other]: [f64; 2]) -> Option<f64> {
    let is_nothing = one.is_infinite() && other.is_infinite();
    (!is_nothing).then(|| (one - other).abs() / DEPTH.max(DEPTH * other))
}
