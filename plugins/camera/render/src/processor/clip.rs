//! Cuts triangles at what the camera sees, so that what is left can be divided by its depth.

use glam::{Vec2, Vec3, Vec4};

/// A corner of a triangle in clip space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    pub(super) clip: Vec4,
    pub(super) normal: Vec3,
    pub(super) uv: Vec2,
}

impl Corner {
    fn between(&self, other: &Corner, share: f32) -> Corner {
        Corner {
            clip: self.clip.lerp(other.clip, share),
            normal: self.normal.lerp(other.normal, share),
            uv: self.uv.lerp(other.uv, share),
        }
    }
}

/// The sides of the image are this many times as far away here: what reaches beyond is cut, the rest ends at the last
/// pixel of a row.
const MARGIN: f32 = 8.0;

/// Planes: near, far, left, right, below, above. A corner is outside if its product with one is negative.
const PLANES: [Vec4; 6] = [
    Vec4::new(0.0, 0.0, -1.0, 1.0),
    Vec4::new(0.0, 0.0, 1.0, 0.0),
    Vec4::new(1.0, 0.0, 0.0, MARGIN),
    Vec4::new(-1.0, 0.0, 0.0, MARGIN),
    Vec4::new(0.0, 1.0, 0.0, MARGIN),
    Vec4::new(0.0, -1.0, 0.0, MARGIN),
];

/// A triangle cut by six planes has at most nine corners.
const MAX: usize = 9;

/// The part of a triangle that is inside of all planes.
#[derive(Default)]
pub(super) struct Polygon {
    corners: [Corner; MAX],
    count: usize,
}

impl Polygon {
    /// Returns the parts of a polygon: all have its first corner.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [&Corner; 3]> {
        let corners = &self.corners[..self.count];
        let (first, rest) = corners.split_first().unwrap_or((&self.corners[0], &[]));
        rest.windows(2).map(move |pair| [first, &pair[0], &pair[1]])
    }

    fn push(&mut self, corner: Corner) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }
}

/// Which planes a corner is outside of, as bits.
pub(super) fn outside(clip: Vec4) -> u8 {
    let bits = PLANES.iter().zip(0..).map(|(plane, bit)| u8::from(plane.dot(clip) < 0.0) << bit);
    bits.fold(0, |all, bit| all | bit)
}

/// Cuts a triangle at the planes of these bits.
pub(super) fn cut(triangle: [Corner; 3], planes: u8) -> Polygon {
    let mut polygon = Polygon::default();
    triangle.into_iter().for_each(|corner| polygon.push(corner));
    for (plane, _) in PLANES.iter().zip(0..).filter(|(_, bit)| planes >> bit & 1 == 1) {
        polygon = cut_at(&polygon, *plane);
    }
    polygon
}

fn cut_at(polygon: &Polygon, plane: Vec4) -> Polygon {
    let mut out = Polygon::default();
    let corners = &polygon.corners[..polygon.count];
    for (index, corner) in corners.iter().enumerate() {
        let next = &corners[(index + 1) % corners.len()];
        let (here, there) = (plane.dot(corner.clip), plane.dot(next.clip));
        if here >= 0.0 {
            out.push(*corner);
        }
        // From the corner inside, so that neighbours that share the edge are cut at the same point.
        if here >= 0.0 && there < 0.0 {
            out.push(corner.between(next, here / (here - there)));
        } else if here < 0.0 && there >= 0.0 {
            out.push(next.between(corner, there / (there - here)));
        }
    }
    out
}
