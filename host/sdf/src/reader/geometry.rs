//! Shapes and surfaces.

use super::Reader;
use super::loss::loses_part;
use crate::address::{NotFound, locate};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;
use crate::element::{
    Blend, Bounce, Contact, Friction, Geometry, Heightmap, HeightmapTexture, Mesh, Optimization, Surface,
    Torsional,
};
use glam::DVec3;
use std::fmt::Display;
use std::path::PathBuf;

/// Default number of parts of a convex decomposition, and of voxels in all (SDF 1.11).
const MAX_PARTS: u32 = 16;
const VOXELS: u32 = 200_000;

/// Voxels along a side of a cube of so many.
fn per_side(voxels: u32) -> u32 {
    (2..1024).find(|side: &u32| side.pow(3) >= voxels).unwrap_or(1024)
}

impl Reader<'_> {
    /// The `<geometry>` of a collision or visual.
    pub(super) fn geometry(&mut self, parent: Element<'_>) -> Geometry {
        let Some(geometry) = parent.child("geometry") else {
            let found = format!("`<{}>` without `<geometry>`", parent.name());
            self.warning(Code::ElementMissing, parent, found, "`<geometry>` with one shape");
            return Geometry::Empty;
        };
        self.check_children(geometry);
        let Some(shape) = geometry.children().next() else {
            self.error(Code::GeometryInvalid, geometry, "an empty `<geometry>`", "one shape, or `<empty/>`");
            return Geometry::Empty;
        };
        self.shape(shape)
    }

    /// Sizes default as in sdformat `sdf/1.12/*_shape.sdf`.
    fn shape(&mut self, shape: Element<'_>) -> Geometry {
        match shape.name() {
            "empty" => Geometry::Empty,
            "box" => Geometry::Box { size: self.extents(shape, "size", DVec3::ONE) },
            "sphere" => Geometry::Sphere { radius: self.length(shape, "radius", 1.0) },
            "cylinder" => Geometry::Cylinder {
                radius: self.length(shape, "radius", 1.0),
                length: self.length(shape, "length", 1.0),
            },
            "capsule" => Geometry::Capsule {
                radius: self.length(shape, "radius", 0.5),
                length: self.length(shape, "length", 1.0),
            },
            "cone" => Geometry::Cone {
                radius: self.length(shape, "radius", 0.5),
                length: self.length(shape, "length", 1.0),
            },
            "ellipsoid" => Geometry::Ellipsoid { radii: self.extents(shape, "radii", DVec3::ONE) },
            "plane" => Geometry::Plane {
                normal: self.direction(shape, "normal").unwrap_or(DVec3::Z),
                size: self.vector2(shape, "size"),
            },
            "mesh" => self.mesh(shape),
            "heightmap" => self.heightmap(shape),
            "polyline" => self.polyline(shape),
            kind => Geometry::Unsupported { kind: kind.to_owned() },
        }
    }

    fn length(&mut self, shape: Element<'_>, name: &str, default: f64) -> f64 {
        self.report_missing(shape, name, default);
        self.length_of(shape, name).unwrap_or(default)
    }

    /// Reports a child that the standard requires, and for which a default is used.
    fn report_missing(&mut self, parent: Element<'_>, name: &str, default: impl Display) {
        if parent.child(name).is_none() {
            let found = format!("`<{}>` without `<{name}>`", parent.name());
            self.warning(Code::ElementMissing, parent, found, format!("`<{name}>`; {default} is used"));
        }
    }

    fn extents(&mut self, shape: Element<'_>, name: &str, default: DVec3) -> DVec3 {
        self.report_missing(shape, name, default);
        let Some(child) = shape.child(name) else { return default };
        let Some(size) = self.vector3(shape, name) else { return default };
        let is_positive = size.cmpgt(DVec3::ZERO).all();
        self.check(child, is_positive.then_some(size), "three numbers above 0").unwrap_or(default)
    }

    fn mesh(&mut self, shape: Element<'_>) -> Geometry {
        let Some(uri) = self.text(shape, "uri") else {
            self.error(Code::ElementMissing, shape, "`<mesh>` without `<uri>`", "`<uri>` with the mesh file");
            return Geometry::Empty;
        };
        let submesh = shape.child("submesh");
        Geometry::Mesh(Mesh {
            path: self.find_file(shape.child("uri").unwrap_or(shape), &uri, "mesh"),
            uri,
            scale: self.vector3(shape, "scale").unwrap_or(DVec3::ONE),
            submesh: submesh.and_then(|part| self.text(part, "name")),
            center_submesh: submesh.and_then(|part| self.flag(part, "center")).unwrap_or(false),
            optimization: self.optimization(shape),
        })
    }

    fn optimization(&mut self, mesh: Element<'_>) -> Option<Optimization> {
        match mesh.attribute("optimization")? {
            "" => None,
            "convex_hull" => Some(Optimization::ConvexHull),
            "convex_decomposition" => {
                let details = mesh.child("convex_decomposition");
                let number =
                    |reader: &mut Self, name| details.and_then(|details| reader.integer(details, name));
                let parts = number(self, "max_convex_hulls").unwrap_or(MAX_PARTS).max(1);
                let voxels = number(self, "voxel_resolution").unwrap_or(VOXELS);
                Some(Optimization::ConvexDecomposition { parts, resolution: per_side(voxels) })
            }
            other => {
                let expected = "`convex_hull`, `convex_decomposition` or nothing";
                self.warning(Code::ValueInvalid, mesh, format!("optimization=\"{other}\""), expected);
                None
            }
        }
    }

    /// Several `<polyline>`s of one geometry are one shape: the first is its outside, the others are holes.
    fn polyline(&mut self, shape: Element<'_>) -> Geometry {
        let siblings = shape.parent().map(|geometry| geometry.children_named("polyline").collect::<Vec<_>>());
        let mut outlines = Vec::new();
        for outline in siblings.unwrap_or_else(|| vec![shape]) {
            let points = outline.children_named("point").collect::<Vec<_>>();
            let corners = points.into_iter().filter_map(|point| {
                let numbers: Vec<f64> =
                    point.text().split_whitespace().filter_map(|n| n.parse().ok()).collect();
                let corner =
                    <[f64; 2]>::try_from(numbers).ok().filter(|corner| corner.iter().all(|n| n.is_finite()));
                self.check(point, corner, "two numbers")
            });
            outlines.push(corners.collect());
        }
        Geometry::Polyline { outlines, height: self.length(shape, "height", 1.0) }
    }

    fn heightmap(&mut self, shape: Element<'_>) -> Geometry {
        let Some(uri) = self.text(shape, "uri") else {
            self.error(Code::ElementMissing, shape, "`<heightmap>` without `<uri>`", "`<uri>` with an image");
            return Geometry::Empty;
        };
        self.check_children(shape);
        Geometry::Heightmap(Heightmap {
            path: self.find_file(shape.child("uri").unwrap_or(shape), &uri, "heightmap"),
            uri,
            size: self.vector3(shape, "size").unwrap_or(DVec3::ONE),
            position: self.vector3(shape, "pos").unwrap_or(DVec3::ZERO),
            sampling: self.integer(shape, "sampling").unwrap_or(1),
            textures: shape
                .children_named("texture")
                .map(|texture| self.heightmap_texture(texture))
                .collect(),
            blends: shape.children_named("blend").map(|blend| self.blend(blend)).collect(),
        })
    }

    /// Sizes default as in sdformat `sdf/1.12/heightmap_shape.sdf`.
    fn heightmap_texture(&mut self, element: Element<'_>) -> HeightmapTexture {
        self.check_children(element);
        HeightmapTexture {
            size: self.length(element, "size", 10.0),
            diffuse: self.texture(element, "diffuse"),
            normal: self.texture(element, "normal"),
        }
    }

    fn blend(&mut self, element: Element<'_>) -> Blend {
        self.check_children(element);
        self.report_missing(element, "min_height", 0.0);
        self.report_missing(element, "fade_dist", 0.0);
        Blend {
            min_height: self.number(element, "min_height").unwrap_or(0.0),
            fade_distance: self.not_negative(element, "fade_dist").unwrap_or(0.0),
        }
    }

    /// Returns the file of an address, or reports where it was searched.
    fn find_file(&mut self, at: Element<'_>, uri: &str, kind: &str) -> Option<PathBuf> {
        match locate(uri, at.document().source().folder(), self.search, self.files) {
            Ok(path) if self.files.is_file(&path) => Some(path),
            Ok(path) => {
                let found = format!("`{uri}` is a folder, {}", path.display());
                self.warning(Code::UriNotFound, at, found, format!("a {kind} file"));
                None
            }
            Err(reason) => {
                // No violation of the standard, which does not look at files.
                let finding = not_found(at, uri, kind, reason);
                self.diagnostics.push(Diagnostic { severity: Severity::Warning, ..finding });
                None
            }
        }
    }

    /// The `<surface>` of a collision.
    pub(super) fn surface(&mut self, collision: Element<'_>) -> Surface {
        let Some(surface) = self.single(collision, "surface") else { return Surface::default() };
        self.check_children(surface);
        Surface {
            friction: self.friction(surface),
            bounce: self.bounce(surface),
            contact: self.contact(surface),
        }
    }

    fn friction(&mut self, surface: Element<'_>) -> Friction {
        let default = Friction::default();
        let Some(friction) = surface.child("friction") else { return default };
        self.check_children(friction);
        let bullet = friction.child("bullet").and_then(|bullet| self.not_negative(bullet, "friction"));
        let torsional = friction.child("torsional").map(|torsional| self.torsional(torsional));
        let Some(ode) = friction.child("ode") else { return Friction { bullet, torsional, ..default } };
        let fdir1 = ode.child("fdir1");
        let link = fdir1.and_then(|fdir1| {
            ["gz:expressed_in", "ignition:expressed_in"].into_iter().find_map(|name| fdir1.attribute(name))
        });
        Friction {
            mu: self.not_negative(ode, "mu").unwrap_or(default.mu),
            mu2: self.not_negative(ode, "mu2").unwrap_or(default.mu2),
            has_mu2: ode.child("mu2").is_some(),
            // The default, 0 0 0, means no preferred direction.
            fdir1: self.vector3(ode, "fdir1").filter(|direction| *direction != DVec3::ZERO),
            fdir1_link: link.filter(|link| !link.is_empty()).map(str::to_owned),
            slip1: self.not_negative(ode, "slip1").unwrap_or(default.slip1),
            slip2: self.not_negative(ode, "slip2").unwrap_or(default.slip2),
            has_ode: true,
            bullet,
            torsional,
        }
    }

    fn torsional(&mut self, element: Element<'_>) -> Torsional {
        self.check_children(element);
        let default = Torsional::default();
        Torsional {
            coefficient: self.not_negative(element, "coefficient").unwrap_or(default.coefficient),
            use_patch_radius: self.flag(element, "use_patch_radius").unwrap_or(default.use_patch_radius),
            patch_radius: self.not_negative(element, "patch_radius").unwrap_or(default.patch_radius),
            surface_radius: self.not_negative(element, "surface_radius").unwrap_or(default.surface_radius),
        }
    }

    fn bounce(&mut self, surface: Element<'_>) -> Bounce {
        let default = Bounce::default();
        let Some(bounce) = surface.child("bounce") else { return default };
        let restitution = self.not_negative(bounce, "restitution_coefficient").unwrap_or(default.restitution);
        if restitution > 0.0 && bounce.child("threshold").is_none() {
            let found = "`<restitution_coefficient>` without `<threshold>` bounces only above 100 000 m/s, SDF's \
                         default (reported once)";
            self.note_limited_once("bounce/threshold", bounce, found, "`<threshold>0</threshold>` beside it");
        }
        Bounce { restitution, threshold: self.not_negative(bounce, "threshold").unwrap_or(default.threshold) }
    }

    fn contact(&mut self, surface: Element<'_>) -> Contact {
        let default = Contact::default();
        let Some(contact) = surface.child("contact") else { return default };
        self.check_children(contact);
        let ode = contact.child("ode");
        if let Some(ode) = ode.filter(|ode| ode.children().next().is_some()) {
            let what = "the stiffness of contacts (`<ode>`)";
            self.note_once("contact/ode", ode, what, "all contacts are equally stiff");
        }
        let collide_bitmask = self.bitmask(contact, "collide_bitmask").unwrap_or(default.collide_bitmask);
        Contact {
            collide_bitmask,
            category_bitmask: self.bitmask(contact, "category_bitmask").unwrap_or(collide_bitmask),
            collide_without_contact: self.flag(contact, "collide_without_contact").unwrap_or(false),
            kp: ode.and_then(|ode| self.not_negative(ode, "kp")).unwrap_or(default.kp),
            kd: ode.and_then(|ode| self.not_negative(ode, "kd")).unwrap_or(default.kd),
        }
    }

    fn bitmask(&mut self, contact: Element<'_>, name: &str) -> Option<u16> {
        let mask = self.integer(contact, name)?;
        let child = contact.child(name)?;
        self.check(child, u16::try_from(mask).ok(), "a whole number from 0 to 65535")
    }
}

/// Returns what to try if nothing is at an address: which variable to set to which folder.
fn advice(uri: &str) -> String {
    let (scheme, rest) = uri.split_once("://").unwrap_or(("", uri));
    let first = rest.split('/').next().unwrap_or_default();
    match scheme {
        "package" => format!(
            "source the workspace that contains the package `{first}`, or set `ROS_PACKAGE_PATH` to the folder that \
             contains it"
        ),
        "" | "file" => {
            "check the spelling, or set `GZ_SIM_RESOURCE_PATH` to the folder that the address is relative to"
                .to_owned()
        }
        _ => format!(
            "check the spelling, or set `GZ_SIM_RESOURCE_PATH` or `GAZEBO_MODEL_PATH` to the folder that contains \
             `{first}`"
        ),
    }
}

/// The finding for an address that was not found, of a mesh or a model.
pub(super) fn not_found(at: Element<'_>, uri: &str, kind: &str, reason: NotFound) -> Diagnostic {
    let location = Some(at.location());
    let finding = match reason {
        NotFound::Network => {
            let found = format!("{kind} `{uri}` is on the network and in no Gazebo Fuel cache");
            Diagnostic::error(Code::UriNotLocal, location, found).expected("a file on this machine")
        }
        NotFound::Nowhere(places) => {
            let list: Vec<_> = places.iter().map(|place| format!("`{}`", place.display())).collect();
            let found = format!("{kind} `{uri}` was not found; looked for {}", list.join(", "));
            Diagnostic::error(Code::UriNotFound, location, found).hint(advice(uri))
        }
        NotFound::Refused(path, file) => {
            let found = format!("{kind} `{uri}` is `{}`, which is {file}", path.display());
            Diagnostic::error(Code::Unreadable, location, found).expected("a readable file")
        }
    };
    let loses_part = loses_part(finding.code, at);
    finding.losing_part(loses_part)
}
