//! Shapes.

use super::children::check_children;
use super::lookup::{Lookup, find_file};
use super::report::Report;
use super::texture::texture;
use super::value::{
    check, direction, flag, integer, length_of, not_negative, number, text, vector2, vector3,
};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Blend, Geometry, Heightmap, HeightmapTexture, Mesh, Optimization};
use glam::DVec3;
use std::fmt::Display;

/// Default number of parts of a convex decomposition, and of voxels in all (SDF 1.11).
const MAX_PARTS: u32 = 16;
const VOXELS: u32 = 200_000;

/// Voxels along a side of a cube of so many.
fn per_side(voxels: u32) -> u32 {
    (2..1024).find(|side: &u32| side.pow(3) >= voxels).unwrap_or(1024)
}

/// The `<geometry>` of a collision or visual.
pub(super) fn geometry(parent: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Geometry {
    let Some(geometry) = parent.child("geometry") else {
        let found = format!("`<{}>` without `<geometry>`", parent.name());
        report.warning(Code::ElementMissing, parent, found, "`<geometry>` with one shape");
        return Geometry::Empty;
    };
    check_children(geometry, report);
    let Some(shape) = geometry.children().next() else {
        report.error(Code::GeometryInvalid, geometry, "an empty `<geometry>`", "one shape, or `<empty/>`");
        return Geometry::Empty;
    };
    shape_of(shape, lookup, report)
}

/// Sizes default as in sdformat `sdf/1.12/*_shape.sdf`.
fn shape_of(shape: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Geometry {
    match shape.name() {
        "empty" => Geometry::Empty,
        "box" => Geometry::Box { size: extents(shape, "size", DVec3::ONE, report) },
        "sphere" => Geometry::Sphere { radius: length(shape, "radius", 1.0, report) },
        "cylinder" => Geometry::Cylinder {
            radius: length(shape, "radius", 1.0, report),
            length: length(shape, "length", 1.0, report),
        },
        "capsule" => Geometry::Capsule {
            radius: length(shape, "radius", 0.5, report),
            length: length(shape, "length", 1.0, report),
        },
        "cone" => Geometry::Cone {
            radius: length(shape, "radius", 0.5, report),
            length: length(shape, "length", 1.0, report),
        },
        "ellipsoid" => Geometry::Ellipsoid { radii: extents(shape, "radii", DVec3::ONE, report) },
        "plane" => Geometry::Plane {
            normal: direction(shape, "normal", report).unwrap_or(DVec3::Z),
            size: vector2(shape, "size", report),
        },
        "mesh" => mesh(shape, lookup, report),
        "heightmap" => heightmap(shape, lookup, report),
        "polyline" => polyline(shape, report),
        kind => Geometry::Unsupported { kind: kind.to_owned() },
    }
}

fn length(shape: Element<'_>, name: &str, default: f64, report: &mut Report) -> f64 {
    report_missing(shape, name, default, report);
    length_of(shape, name, report).unwrap_or(default)
}

/// Reports a child that the standard requires, and for which a default is used.
fn report_missing(parent: Element<'_>, name: &str, default: impl Display, report: &mut Report) {
    if parent.child(name).is_none() {
        let found = format!("`<{}>` without `<{name}>`", parent.name());
        report.warning(Code::ElementMissing, parent, found, format!("`<{name}>`; {default} is used"));
    }
}

fn extents(shape: Element<'_>, name: &str, default: DVec3, report: &mut Report) -> DVec3 {
    report_missing(shape, name, default, report);
    let Some(child) = shape.child(name) else { return default };
    let Some(size) = vector3(shape, name, report) else { return default };
    let is_positive = size.cmpgt(DVec3::ZERO).all();
    check(child, is_positive.then_some(size), "three numbers above 0", report).unwrap_or(default)
}

fn mesh(shape: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Geometry {
    let Some(uri) = text(shape, "uri") else {
        report.error(Code::ElementMissing, shape, "`<mesh>` without `<uri>`", "`<uri>` with the mesh file");
        return Geometry::Empty;
    };
    let submesh = shape.child("submesh");
    Geometry::Mesh(Mesh {
        path: find_file(shape.child("uri").unwrap_or(shape), &uri, "mesh", lookup, report),
        uri,
        scale: vector3(shape, "scale", report).unwrap_or(DVec3::ONE),
        submesh: submesh.and_then(|part| text(part, "name")),
        center_submesh: submesh.and_then(|part| flag(part, "center", report)).unwrap_or(false),
        optimization: optimization(shape, report),
    })
}

fn optimization(mesh: Element<'_>, report: &mut Report) -> Option<Optimization> {
    match mesh.attribute("optimization")? {
        "" => None,
        "convex_hull" => Some(Optimization::ConvexHull),
        "convex_decomposition" => {
            let details = mesh.child("convex_decomposition");
            let mut number = |name| details.and_then(|details| integer(details, name, report));
            let parts = number("max_convex_hulls").unwrap_or(MAX_PARTS).max(1);
            let voxels = number("voxel_resolution").unwrap_or(VOXELS);
            Some(Optimization::ConvexDecomposition { parts, resolution: per_side(voxels) })
        }
        other => {
            let expected = "`convex_hull`, `convex_decomposition` or nothing";
            report.warning(Code::ValueInvalid, mesh, format!("optimization=\"{other}\""), expected);
            None
        }
    }
}

/// Several `<polyline>`s of one geometry are one shape: the first is its outside, the others are holes.
fn polyline(shape: Element<'_>, report: &mut Report) -> Geometry {
    let siblings = shape.parent().map(|geometry| geometry.children_named("polyline").collect::<Vec<_>>());
    let mut outlines = Vec::new();
    for outline in siblings.unwrap_or_else(|| vec![shape]) {
        let points = outline.children_named("point").collect::<Vec<_>>();
        let corners = points.into_iter().filter_map(|point| {
            let numbers: Vec<f64> = point.text().split_whitespace().filter_map(|n| n.parse().ok()).collect();
            let corner =
                <[f64; 2]>::try_from(numbers).ok().filter(|corner| corner.iter().all(|n| n.is_finite()));
            check(point, corner, "two numbers", report)
        });
        outlines.push(corners.collect());
    }
    Geometry::Polyline { outlines, height: length(shape, "height", 1.0, report) }
}

fn heightmap(shape: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Geometry {
    let Some(uri) = text(shape, "uri") else {
        report.error(Code::ElementMissing, shape, "`<heightmap>` without `<uri>`", "`<uri>` with an image");
        return Geometry::Empty;
    };
    check_children(shape, report);
    Geometry::Heightmap(Heightmap {
        path: find_file(shape.child("uri").unwrap_or(shape), &uri, "heightmap", lookup, report),
        uri,
        size: vector3(shape, "size", report).unwrap_or(DVec3::ONE),
        position: vector3(shape, "pos", report).unwrap_or(DVec3::ZERO),
        sampling: integer(shape, "sampling", report).unwrap_or(1),
        textures: shape
            .children_named("texture")
            .map(|texture| heightmap_texture(texture, lookup, report))
            .collect(),
        blends: shape.children_named("blend").map(|element| blend(element, report)).collect(),
    })
}

/// Sizes default as in sdformat `sdf/1.12/heightmap_shape.sdf`.
fn heightmap_texture(element: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> HeightmapTexture {
    check_children(element, report);
    HeightmapTexture {
        size: length(element, "size", 10.0, report),
        diffuse: texture(element, "diffuse", lookup, report),
        normal: texture(element, "normal", lookup, report),
    }
}

fn blend(element: Element<'_>, report: &mut Report) -> Blend {
    check_children(element, report);
    report_missing(element, "min_height", 0.0, report);
    report_missing(element, "fade_dist", 0.0, report);
    Blend {
        min_height: number(element, "min_height", report).unwrap_or(0.0),
        fade_distance: not_negative(element, "fade_dist", report).unwrap_or(0.0),
    }
}
