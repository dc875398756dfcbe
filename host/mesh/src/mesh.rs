//! Points and triangles.

use glam::DVec3;

/// A surface of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corners, metres.
    pub points: Vec<DVec3>,
    /// Three indices into the points for each triangle, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Lowest and highest corner of the box around it, metres; infinite and upside down where it has no points.
    #[must_use]
    pub fn bounds(&self) -> [DVec3; 2] {
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        self.points.iter().fold(none, |[low, high], point| [low.min(*point), high.max(*point)])
    }

    /// Adds the triangles of another.
    pub(crate) fn append(&mut self, other: &Mesh) {
        let offset = index(self.points.len());
        self.points.extend_from_slice(&other.points);
        self.triangles.extend(other.triangles.iter().map(|corners| corners.map(|at| at.saturating_add(offset))));
    }

    /// Moves every point; `mirrors` says that this turns the inside out, so that the triangles turn round as well.
    pub(crate) fn transform(&mut self, mirrors: bool, place: impl Fn(DVec3) -> DVec3) {
        self.points.iter_mut().for_each(|point| *point = place(*point));
        if mirrors {
            self.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
    }

    /// The corners of a triangle; `None` where it names points that are not there.
    pub(crate) fn corners(&self, triangle: &[u32; 3]) -> Option<[DVec3; 3]> {
        let point = |at: u32| self.points.get(at as usize).copied();
        let [a, b, c] = *triangle;
        Some([point(a)?, point(b)?, point(c)?])
    }

    /// Adds a polygon as triangles that share its first corner.
    pub(crate) fn add_fan(&mut self, corners: &[u32]) {
        let Some((first, rest)) = corners.split_first() else { return };
        self.triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
    }

    /// Adds a strip, of which every corner makes a triangle with the two before it.
    pub(crate) fn add_strip(&mut self, corners: &[u32]) {
        let turned = corners.windows(3).enumerate().map(|(at, corners)| {
            // Every second triangle of a strip runs the other way.
            let [a, b, c] = [corners[0], corners[1], corners[2]];
            if at % 2 == 0 { [a, b, c] } else { [b, a, c] }
        });
        self.triangles.extend(turned);
    }

    /// What is wrong with it.
    pub(crate) fn problem(&self) -> Option<String> {
        if let Some(at) = self.points.iter().position(|point| !point.is_finite()) {
            return Some(format!("point {at} has a coordinate that is not finite"));
        }
        let count = self.points.len();
        let stray = self.triangles.iter().flatten().find(|at| **at as usize >= count)?;
        Some(format!("a triangle names point {stray} of {count}"))
    }
}

/// Counts are limited well below this.
pub(crate) fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
