//! Triangles of the shapes of SDF. `libm` computes the same numbers on all machines.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

/// Triangles with normals and texture coordinates, which have their origin at the upper left of the image.
#[derive(Clone, Debug, Default)]
pub(crate) struct Triangles {
    /// Eight numbers per vertex: position, normal, texture coordinates.
    pub(crate) vertices: Vec<f32>,
    pub(crate) indices: Vec<u32>,
}

/// Numbers of a vertex.
pub(crate) const VERTEX: usize = 8;

/// Segments around the axis of round shapes.
const AROUND: u16 = 96;
/// Rings from pole to pole of a sphere.
const RINGS: u16 = 48;

impl Triangles {
    pub(crate) fn push(&mut self, position: Vec3, normal: Vec3, uv: Vec2) -> u32 {
        let index = self.vertex_count();
        self.vertices.extend(position.to_array());
        self.vertices.extend(normal.to_array());
        self.vertices.extend(uv.to_array());
        index
    }

    pub(crate) fn vertex_count(&self) -> u32 {
        u32::try_from(self.vertices.len() / VERTEX).unwrap_or(u32::MAX)
    }

    pub(crate) fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.vertices.chunks_exact(VERTEX).map(Vec3::from_slice)
    }

    /// A quad whose corners are given against the clock.
    fn quad(&mut self, corners: [Vec3; 4], normal: Vec3) {
        let uvs = [Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 0.0)];
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner: usize| self.push(corners[corner], normal, uvs[corner]));
        self.indices.extend([a, b, c, a, c, d]);
    }

    /// A surface of revolution around z: radius, height, normal outwards and up, and texture row of each ring, from the
    /// top.
    fn revolve(&mut self, rings: &[(f32, f32, Vec2, f32)]) {
        let first = self.vertex_count();
        for (radius, height, normal, row) in rings {
            for segment in 0..=AROUND {
                let share = f32::from(segment) / f32::from(AROUND);
                let (sine, cosine) = libm::sincosf(share * TAU);
                let outwards = Vec3::new(cosine, sine, 0.0);
                let normal = (outwards * normal.x + Vec3::Z * normal.y).normalize_or(Vec3::Z);
                self.push(outwards * *radius + Vec3::Z * *height, normal, Vec2::new(share, *row));
            }
        }
        let line = u32::from(AROUND) + 1;
        let bands = u32::try_from(rings.len()).unwrap_or(0).saturating_sub(1);
        for band in 0..bands {
            for segment in 0..u32::from(AROUND) {
                let upper = first + band * line + segment;
                let lower = upper + line;
                self.indices.extend([upper, lower, lower + 1, upper, lower + 1, upper + 1]);
            }
        }
    }

    /// A disc at a height, which faces up or down.
    fn disc(&mut self, radius: f32, height: f32, up: bool) {
        let normal = if up { Vec3::Z } else { -Vec3::Z };
        let middle = self.push(Vec3::Z * height, normal, Vec2::splat(0.5));
        for segment in 0..=AROUND {
            let (sine, cosine) = libm::sincosf(f32::from(segment) / f32::from(AROUND) * TAU);
            let uv = Vec2::new(0.5 + cosine / 2.0, 0.5 - sine / 2.0);
            self.push(Vec3::new(cosine * radius, sine * radius, height), normal, uv);
        }
        for segment in 1..=u32::from(AROUND) {
            let (one, other) = if up { (segment, segment + 1) } else { (segment + 1, segment) };
            self.indices.extend([middle, middle + one, middle + other]);
        }
    }
}

/// Vertices of round shapes lie as far outside of the circle as the middles of edges lie inside.
fn round(radius: f32) -> f32 {
    let inside = 1.0 - libm::cosf(PI / f32::from(AROUND));
    radius * (1.0 + inside / 2.0)
}

/// A box with sides of 1.
pub(crate) fn unit_box() -> Triangles {
    let mut out = Triangles::default();
    for (axis, direction) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        for sign in [1.0, -1.0] {
            let normal = direction * sign;
            // The second and third axis, so that right × up = normal.
            let (right, up) = match axis {
                0 => (Vec3::Y * sign, Vec3::Z),
                1 => (-Vec3::X * sign, Vec3::Z),
                _ => (Vec3::X * sign, Vec3::Y),
            };
            let corner = |x: f32, y: f32| (normal + right * x + up * y) / 2.0;
            out.quad([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], normal);
        }
    }
    out
}

/// A square with sides of 1 at a height of 0, which faces up.
pub(crate) fn unit_plane() -> Triangles {
    let mut out = Triangles::default();
    let corner = |x: f32, y: f32| Vec3::new(x, y, 0.0) / 2.0;
    out.quad([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], Vec3::Z);
    out
}

/// A sphere with a diameter of 1.
pub(crate) fn unit_sphere() -> Triangles {
    let mut out = Triangles::default();
    out.revolve(&arc(0.5, 0.0, 0.0, PI, RINGS, [0.0, 1.0]));
    out
}

/// A cylinder along z with a diameter and a length of 1.
pub(crate) fn unit_cylinder() -> Triangles {
    let mut out = Triangles::default();
    let radius = round(0.5);
    out.revolve(&[(radius, 0.5, Vec2::X, 0.0), (radius, -0.5, Vec2::X, 1.0)]);
    out.disc(radius, 0.5, true);
    out.disc(radius, -0.5, false);
    out
}

/// A cone along z with a diameter and a length of 1, and its tip above.
pub(crate) fn unit_cone() -> Triangles {
    let mut out = Triangles::default();
    let normal = Vec2::new(1.0, 0.5);
    out.revolve(&[(0.0, 0.5, normal, 0.0), (round(0.5), -0.5, normal, 1.0)]);
    out.disc(round(0.5), -0.5, false);
    out
}

/// A capsule along z; its length includes the caps.
pub(crate) fn capsule(diameter: f32, length: f32) -> Triangles {
    let mut out = Triangles::default();
    let radius = diameter / 2.0;
    let middle = (length / 2.0 - radius).max(0.0);
    let cap = 0.5 * (1.0 - middle / (middle + radius).max(f32::MIN_POSITIVE));
    let mut rings = arc(radius, middle, 0.0, PI / 2.0, RINGS / 2, [0.0, cap]);
    rings.extend(arc(radius, -middle, PI / 2.0, PI, RINGS / 2, [1.0 - cap, 1.0]));
    out.revolve(&rings);
    out
}

/// Rings of a sphere with its centre at a height, between two angles from the upper pole.
fn arc(
    radius: f32,
    height: f32,
    from: f32,
    to: f32,
    rings: u16,
    texture: [f32; 2],
) -> Vec<(f32, f32, Vec2, f32)> {
    let outer = round(radius);
    let ring = |ring: u16| {
        let share = f32::from(ring) / f32::from(rings);
        let (sine, cosine) = libm::sincosf(from + (to - from) * share);
        let row = texture[0] + (texture[1] - texture[0]) * share;
        (outer * sine, height + outer * cosine, Vec2::new(sine, cosine), row)
    };
    (0..=rings).map(ring).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(triangles: &Triangles) -> f64 {
        let points: Vec<_> = triangles.positions().map(|point| point.as_dvec3()).collect();
        let corner = |index: u32| points[index as usize];
        let volumes = triangles
            .indices
            .chunks_exact(3)
            .map(|triangle| corner(triangle[0]).dot(corner(triangle[1]).cross(corner(triangle[2]))) / 6.0);
        volumes.sum()
    }

    #[test]
    fn shapes_are_closed_face_outwards_and_have_their_volumes() {
        let pi = std::f64::consts::PI;
        let ball = pi / 6.0;
        for (name, shape, expected) in [
            ("box", unit_box(), 1.0),
            ("sphere", unit_sphere(), ball),
            ("cylinder", unit_cylinder(), pi / 4.0),
            ("cone", unit_cone(), pi / 12.0),
            ("capsule", capsule(1.0, 3.0), ball + 2.0 * pi / 4.0),
            ("short capsule", capsule(1.0, 0.5), ball),
        ] {
            let volume = volume(&shape);
            assert!((volume / expected - 1.0).abs() < 5e-3, "{name}: {volume} for {expected}");
        }
    }

    #[test]
    fn normals_point_to_the_side_from_which_a_triangle_is_seen() {
        for shape in
            [unit_box(), unit_plane(), unit_sphere(), unit_cylinder(), unit_cone(), capsule(1.0, 2.0)]
        {
            let points: Vec<_> = shape.positions().collect();
            for triangle in shape.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|corner| points[triangle[corner] as usize]);
                let face = (b - a).cross(c - a);
                for corner in triangle {
                    let at = *corner as usize * VERTEX + 3;
                    let normal = Vec3::from_slice(&shape.vertices[at..]);
                    assert!(face.dot(normal) >= -1e-7, "{normal}");
                }
            }
        }
    }
}
