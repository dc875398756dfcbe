//! A triangle in the image, with what its pixels are computed from.

use glam::{Mat4, Vec2, Vec3};

use super::clip::{Corner, cut, outside};
use super::lanes::{STEPS, Vectors};
use super::raster::{Edges, Plane, Point, area};
use crate::batch::Instance;
use crate::shapes::{Triangles, VERTEX};
use wide::f32x4;

/// A triangle, or a part of one, that faces the camera or is seen from its back.
pub(super) struct Facet {
    pub(super) edges: Edges,
    /// One by the depth.
    pub(super) inverse: Plane,
    /// Least and largest value of it.
    pub(super) range: [f32; 2],
    pub(super) is_front: bool,
    pub(super) normal: Normal,
    /// Coordinates in textures by the depth.
    pub(super) uv: [Plane; 2],
    /// Two edges in space, and in textures, so that the first × the second points away from the camera.
    pub(super) frame: TangentFrame,
}

/// The direction of a surface.
pub(super) enum Normal {
    Flat(Vec3),
    /// Its components by the depth.
    Smooth([Plane; 3]),
}

/// Two directions in a triangle, and how coordinates in textures change along them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TangentFrame {
    pub(super) along: [Vec3; 2],
    pub(super) uv: [Vec2; 2],
}

impl Facet {
    /// Returns the inverse depths of four pixels from a place on.
    #[inline(always)]
    pub(super) fn inverses(&self, x: f64, y: f64) -> f32x4 {
        lanes(&self.inverse, x, y)
    }

    /// Returns unit normals of four pixels.
    #[inline(always)]
    pub(super) fn normals(&self, x: f64, y: f64) -> Vectors {
        match &self.normal {
            Normal::Flat(normal) => Vectors::splat(*normal),
            // Their length does not matter, so they need not be divided by the inverse depth.
            Normal::Smooth(planes) => {
                Vectors::of([0, 1, 2].map(|axis: usize| lanes(&planes[axis], x, y))).normalize()
            }
        }
    }
}

/// Returns the values of a plane at four pixels from a place on.
#[inline(always)]
pub(super) fn lanes(plane: &Plane, x: f64, y: f64) -> f32x4 {
    #[expect(clippy::cast_possible_truncation, reason = "pixels have 32 bits")]
    let (start, step) = (plane.at(x, y) as f32, plane.across as f32);
    f32x4::splat(start) + f32x4::splat(step) * STEPS
}

/// Which sides of a triangle are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides {
    Front,
    Both,
}

/// What a corner of a mesh is in the image.
#[derive(Clone, Copy)]
pub(super) struct Vertex {
    position: Vec3,
    corner: Corner,
    outside: u8,
}

/// Memory that is used again.
#[derive(Default)]
pub(super) struct Scratch {
    vertices: Vec<Vertex>,
}

/// Where and how the triangles of an instance are drawn.
pub(super) struct Drawn<'a> {
    pub(super) projection: &'a Mat4,
    /// Width and height of the image, pixels.
    pub(super) size: [usize; 2],
    pub(super) sides: Sides,
    /// Whether normals, and coordinates in textures, are needed.
    pub(super) has_normals: bool,
    pub(super) has_uvs: bool,
}

/// Calls `visit` with the visible parts of all triangles of an instance.
pub(super) fn visit(
    drawn: &Drawn<'_>,
    triangles: &Triangles,
    instance: &Instance,
    scratch: &mut Scratch,
    visit: &mut impl FnMut(&Facet),
) {
    let vertices = &mut scratch.vertices;
    vertices.clear();
    let mut all_outside = u8::MAX;
    for numbers in triangles.vertices.chunks_exact(VERTEX) {
        let (position, rest) = numbers.split_at(3);
        let position = instance.rotation * (Vec3::from_slice(position) * instance.scale) + instance.position;
        let normal = match drawn.has_normals {
            true => instance.rotation * (Vec3::from_slice(rest) / instance.scale),
            false => Vec3::ZERO,
        };
        let clip = *drawn.projection * position.extend(1.0);
        let outside = outside(clip);
        all_outside &= outside;
        let uv = Vec2::from_slice(&rest[3..]);
        vertices.push(Vertex { position, corner: Corner { clip, normal, uv }, outside });
    }
    if all_outside != 0 {
        return;
    }
    for indices in triangles.indices.chunks_exact(3) {
        let corner = |index: usize| vertices.get(indices[index] as usize);
        let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
        if a.outside & b.outside & c.outside != 0 {
            continue;
        }
        let corners = [a, b, c].map(|vertex| vertex.corner);
        let frame = || tangent_frame([a, b, c]);
        let planes = a.outside | b.outside | c.outside;
        if planes == 0 {
            facet(drawn, corners, frame).iter().for_each(&mut *visit);
        } else {
            let rest = cut(corners, planes);
            let parts = rest.triangles().filter_map(|part| facet(drawn, part.map(|corner| *corner), frame));
            parts.for_each(|facet| visit(&facet));
        }
    }
}

fn facet(drawn: &Drawn<'_>, corners: [Corner; 3], frame: impl Fn() -> TangentFrame) -> Option<Facet> {
    #[expect(clippy::cast_precision_loss, reason = "sizes of images")]
    let [width, height] = drawn.size.map(|size| size as f64);
    let inverse = corners.map(|corner| 1.0 / corner.clip.w);
    let points: [Point; 3] = std::array::from_fn(|index| {
        let (corner, inverse) = (&corners[index], f64::from(inverse[index]));
        let [x, y] = [corner.clip.x, corner.clip.y].map(|value| f64::from(value) * inverse);
        Point::snapped((x * 0.5 + 0.5) * width, (0.5 - y * 0.5) * height)
    });
    let area = area(points);
    let is_front = area < 0.0;
    let is_drawn = match drawn.sides {
        Sides::Front => is_front,
        Sides::Both => area != 0.0,
    };
    // An area that is not a number is not drawn either.
    if !is_drawn {
        return None;
    }
    let plane = |value: &dyn Fn(&Corner) -> f32| {
        let values: [f32; 3] = std::array::from_fn(|index| value(&corners[index]) * inverse[index]);
        Plane::new(points, area, values)
    };
    let [a, b, c] = corners.map(|corner| corner.normal);
    let normal = match a == b && b == c || !drawn.has_normals {
        true => Normal::Flat(a.normalize_or_zero()),
        false => Normal::Smooth([
            plane(&|corner| corner.normal.x),
            plane(&|corner| corner.normal.y),
            plane(&|corner| corner.normal.z),
        ]),
    };
    let uv = match drawn.has_uvs {
        true => [plane(&|corner| corner.uv.x), plane(&|corner| corner.uv.y)],
        false => [Plane::default(); 2],
    };
    let mut frame = if drawn.has_uvs { frame() } else { TangentFrame::default() };
    if is_front {
        frame.along.swap(0, 1);
        frame.uv.swap(0, 1);
    }
    Some(Facet {
        edges: Edges::new(points),
        inverse: Plane::new(points, area, inverse),
        range: [inverse.into_iter().fold(f32::MAX, f32::min), inverse.into_iter().fold(0.0, f32::max)],
        is_front,
        normal,
        uv,
        frame,
    })
}

fn tangent_frame([a, b, c]: [&Vertex; 3]) -> TangentFrame {
    TangentFrame {
        along: [b.position - a.position, c.position - a.position],
        uv: [b.corner.uv - a.corner.uv, c.corner.uv - a.corner.uv],
    }
}
