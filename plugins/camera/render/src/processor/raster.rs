//! Triangles as runs of pixels.
//!
//! A pixel belongs to a triangle if one point of it, by default its centre, is inside. Corners are rounded to 1/256 of a
//! pixel, and an edge is computed from its upper end, so that each point belongs to exactly one of two triangles that
//! share the edge.

use std::ops::Range;

/// A place in the image, pixels from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Point {
    /// Rounds to the grid of corners.
    pub(super) fn snapped(x: f64, y: f64) -> Self {
        Point { x: snap(x), y: snap(y) }
    }
}

/// Rounds to multiples of 1/256. Faster than `round`, which is a call.
fn snap(value: f64) -> f64 {
    let scaled = value * 256.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "larger numbers are whole"
    )]
    let whole = (scaled + 0.5_f64.copysign(scaled)) as i64 as f64;
    whole / 256.0
}

/// The centre of a pixel.
pub(super) const CENTER: [f64; 2] = [0.5; 2];

#[derive(Clone, Copy, Debug)]
struct Edge {
    upper: Point,
    /// Columns per row.
    slope: f64,
}

impl Edge {
    fn new(upper: Point, lower: Point) -> Self {
        Edge { upper, slope: (lower.x - upper.x) / (lower.y - upper.y) }
    }

    fn at(&self, y: f64) -> f64 {
        self.upper.x + (y - self.upper.y) * self.slope
    }
}

/// The edges of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges {
    /// From the upper to the lower corner.
    long: Edge,
    /// From the upper to the middle corner, and from there to the lower one.
    short: [Edge; 2],
    is_long_left: bool,
    top: f64,
    middle: f64,
    bottom: f64,
}

impl Edges {
    /// `area` is that of [`area`], and not 0.
    pub(super) fn new(mut corners: [Point; 3]) -> Self {
        corners.sort_by(|one, other| one.y.total_cmp(&other.y).then(one.x.total_cmp(&other.x)));
        let [upper, middle, lower] = corners;
        let long = Edge::new(upper, lower);
        Edges {
            long,
            short: [Edge::new(upper, middle), Edge::new(middle, lower)],
            is_long_left: middle.x > long.at(middle.y),
            top: upper.y,
            middle: middle.y,
            bottom: lower.y,
        }
    }

    /// Returns the runs of pixels of which the point at this place, from their upper left corner, is inside.
    #[inline(always)]
    pub(super) fn runs(&self, place: [f64; 2], [width, height]: [usize; 2]) -> Runs {
        let [right, below] = place;
        let row = |y: f64| first_at(y - below, height);
        let (first, middle, end) = (row(self.top), row(self.middle), row(self.bottom));
        let walk = |edge: &Edge, row: usize| {
            #[expect(clippy::cast_precision_loss, reason = "a size of an image")]
            let y = row as f64 + below;
            // Half a unit below the next pixel, so that its whole part is the first pixel that is not left of the edge.
            Walk { at: fixed(edge.at(y) - right) + ONE - 1, step: fixed(edge.slope) }
        };
        let [upper, lower] = &self.short;
        Runs {
            row: first,
            middle,
            end,
            long: walk(&self.long, first),
            short: walk(if first < middle { upper } else { lower }, first),
            lower: walk(lower, middle),
            is_long_left: self.is_long_left,
            width,
        }
    }
}

/// The pixel at which an edge is, row by row.
#[derive(Clone, Copy)]
struct Walk {
    /// With 32 binary digits after the point.
    at: i64,
    step: i64,
}

const ONE: i64 = 1 << 32;

/// The nearest number with 32 binary digits after the point; the largest one if it is too large.
fn fixed(value: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "it saturates")]
    let fixed = (value * ONE as f64) as i64;
    // So that a step from the largest one does not overflow.
    fixed.clamp(i64::MIN / 4, i64::MAX / 4)
}

impl Walk {
    #[inline(always)]
    fn pixel(&self, width: usize) -> usize {
        usize::try_from(self.at >> 32).unwrap_or(0).min(width)
    }
}

/// Runs of pixels from row to row. The same edge of two triangles is followed from the same row on, with the same numbers.
pub(super) struct Runs {
    row: usize,
    middle: usize,
    end: usize,
    long: Walk,
    short: Walk,
    /// The lower one of the short edges, at the row of the middle corner.
    lower: Walk,
    is_long_left: bool,
    width: usize,
}

impl Runs {
    /// Returns its rows that are left.
    #[inline(always)]
    pub(super) fn rows(&self) -> Range<usize> {
        self.row..self.end
    }
}

impl Iterator for Runs {
    type Item = (usize, Range<usize>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.row >= self.end {
            return None;
        }
        if self.row == self.middle {
            self.short = self.lower;
        }
        let [long, short] = [self.long, self.short].map(|walk| walk.pixel(self.width));
        let run = if self.is_long_left { long..short } else { short..long };
        let row = self.row;
        self.row += 1;
        self.long.at = self.long.at.wrapping_add(self.long.step);
        self.short.at = self.short.at.wrapping_add(self.short.step);
        Some((row, run))
    }
}

/// Returns the first number that is not less than `at`, from 0 to `most`.
fn first_at(at: f64, most: usize) -> usize {
    // Faster than `ceil`, which is a call without newer instructions; negative numbers become 0.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded towards the limits")]
    let below = at as u32;
    let first = below as usize + usize::from(at > f64::from(below));
    first.min(most)
}

/// Returns twice the area of a triangle, negative if its corners are seen against the clock.
pub(super) fn area([a, b, c]: [Point; 3]) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
}

/// A value that is linear in the image.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plane {
    start: f64,
    /// Changes from column to column, and from row to row.
    pub(super) across: f64,
    pub(super) down: f64,
}

impl Plane {
    /// Has these values at the corners of a triangle with this area.
    pub(super) fn new([a, b, c]: [Point; 3], area: f64, values: [f32; 3]) -> Self {
        let [at_a, at_b, at_c] = values.map(f64::from);
        let (to_b, to_c) = (at_b - at_a, at_c - at_a);
        let across = (to_b * (c.y - a.y) - to_c * (b.y - a.y)) / area;
        let down = (to_c * (b.x - a.x) - to_b * (c.x - a.x)) / area;
        Plane { start: at_a - across * a.x - down * a.y, across, down }
    }

    /// Returns the value at a place.
    #[inline(always)]
    pub(super) fn at(&self, x: f64, y: f64) -> f64 {
        self.start + self.across * x + self.down * y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that only look random.
    fn numbers() -> impl Iterator<Item = f64> {
        let mut state = 1_u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            #[expect(clippy::cast_precision_loss, reason = "40 bits")]
            let number = (state >> 24) as f64;
            number / f64::from(1_u32 << 20) / f64::from(1_u32 << 20)
        })
    }

    #[test]
    fn triangles_that_share_edges_cover_each_point_once() {
        let mut random = numbers();
        for _ in 0..300 {
            // A fan around a point, whose last triangle ends where the first begins.
            let mut point = || Point::snapped(random.next().unwrap() * 40.0, random.next().unwrap() * 30.0);
            let middle = Point { x: 20.0, y: 15.0 };
            let mut around: Vec<Point> = (0..7).map(|_| point()).collect();
            around.push(Point { x: 20.0, y: -2.0 });
            let angle = |p: &Point| (p.y - middle.y).atan2(p.x - middle.x);
            around.sort_by(|one, other| angle(one).total_cmp(&angle(other)));
            for at in [CENTER, [0.375, 0.125], [0.0, 0.0]] {
                let mut hits = vec![0; 40 * 30];
                for pair in around.windows(2) {
                    let corners = [middle, pair[0], pair[1]];
                    // Seen against the clock: the points are more than half a turn apart.
                    if area(corners) <= 0.0 {
                        continue;
                    }
                    let edges = Edges::new(corners);
                    for (row, run) in edges.runs(at, [40, 30]) {
                        run.for_each(|column| hits[row * 40 + column] += 1);
                    }
                }
                assert!(hits.iter().all(|count| *count <= 1), "{around:?} {at:?}");
                assert!(hits.iter().filter(|count| **count == 1).count() > 10);
            }
        }
    }

    #[test]
    fn the_pixels_of_a_triangle_are_those_whose_centres_are_inside() {
        let mut random = numbers();
        for _ in 0..300 {
            let mut point =
                || Point::snapped(random.next().unwrap() * 60.0 - 10.0, random.next().unwrap() * 50.0 - 10.0);
            let corners = [point(), point(), point()];
            let whole = area(corners);
            if whole.abs() < 1.0 {
                continue;
            }
            let mut runs = vec![0..0; 30];
            Edges::new(corners).runs(CENTER, [40, 30]).for_each(|(row, run)| runs[row] = run);
            for (row, run) in (0_u8..).zip(runs) {
                for column in 0..40_u8 {
                    let at = Point { x: f64::from(column) + 0.5, y: f64::from(row) + 0.5 };
                    let [a, b, c] = corners;
                    let parts =
                        [area([a, b, at]), area([b, c, at]), area([c, a, at])].map(|part| part / whole);
                    let least = parts.into_iter().fold(1.0, f64::min);
                    // Points on an edge belong to one of two.
                    if least.abs() > 1e-9 {
                        assert_eq!(run.contains(&usize::from(column)), least > 0.0, "{corners:?} {at:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_plane_has_the_values_of_the_corners() {
        let corners = [(1.0, 2.0), (30.0, 4.0), (7.0, 50.0)].map(|(x, y)| Point { x, y });
        let plane = Plane::new(corners, area(corners), [3.0, -1.0, 8.0]);
        for (corner, value) in corners.iter().zip([3.0, -1.0, 8.0]) {
            assert!((plane.at(corner.x, corner.y) - value).abs() < 1e-12);
        }
    }
}
