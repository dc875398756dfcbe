//! Links: mass, shapes, and frames for bodies that are parts of them.

use super::Writer;
use crate::mjcf::contacts::Bits;
use crate::mjcf::inertia::Inertia;
use crate::mjcf::placed::LinkMass;
use crate::mjcf::robot::{Geom, WORLD_BODY};
use crate::mjcf::shape::Shape;
use crate::number::{number, numbers};
use crate::scope::Scope;
use bridgehead_pose::Pose;

impl Writer<'_, '_> {
    /// The link of a body, with those between its joints.
    pub(super) fn link(&mut self, body: usize) {
        let (mass, between) = self.placed.shares(self.robot, body);
        let names = &self.placed.names;
        let name = names.bodies[body].clone();
        let (above, pose) = self.placed.above(self.robot, body);
        let above = (above != WORLD_BODY).then(|| names.bodies[above].clone());
        self.out.open("link", &[("name", &name)]);
        self.pose(above.as_deref(), &pose);
        if !self.robot.bodies[body].has_gravity {
            self.out.leaf("gravity", "false");
        }
        match mass {
            LinkMass::Known(inertia) => self.inertial(&inertia),
            LinkMass::Auto { total } => {
                self.out.open("inertial", &[("auto", "true")]);
                if let Some(total) = total {
                    self.out.leaf("mass", &number(total));
                }
                self.out.close("inertial");
            }
        }
        self.shapes(body, |_| true);
        self.out.close("link");
        for joint in 0..self.robot.bodies[body].joints.len() {
            let joint = crate::mjcf::robot::JointRef { body, joint };
            let Some(link) = self.placed.names.between.get(&joint).cloned() else { continue };
            self.out.open("link", &[("name", &link)]);
            self.out.leaf_with("pose", &[("relative_to", &name)], "");
            if !self.robot.bodies[body].has_gravity {
                self.out.leaf("gravity", "false");
            }
            self.inertial(&between);
            self.out.close("link");
        }
        self.frames(body, &name);
    }

    pub(super) fn inertial(&mut self, inertia: &Inertia) {
        self.out.open("inertial", &[]);
        self.pose(None, &Pose::from_position(inertia.center));
        self.out.leaf("mass", &number(inertia.mass));
        self.out.open("inertia", &[]);
        let m = inertia.moments;
        let moments = [
            ("ixx", m.x_axis.x),
            ("ixy", m.x_axis.y),
            ("ixz", m.x_axis.z),
            ("iyy", m.y_axis.y),
            ("iyz", m.y_axis.z),
            ("izz", m.z_axis.z),
        ];
        for (name, moment) in moments {
            self.out.leaf(name, &number(moment));
        }
        self.out.close("inertia");
        self.out.close("inertial");
    }

    /// Frames for the bodies that are parts of a link.
    pub(super) fn frames(&mut self, host: usize, link: &str) {
        let placed = self.placed;
        for body in self.members[host].clone().into_iter().filter(|body| *body != host) {
            let name = placed.names.bodies[body].clone();
            self.out.open("frame", &[("name", &name), ("attached_to", link)]);
            self.pose(Some(link), &placed.in_host[body]);
            self.out.close("frame");
        }
    }

    /// The wanted shapes of all bodies of a link.
    pub(super) fn shapes(&mut self, host: usize, is_wanted: impl Fn(&Shape) -> bool) {
        let (mut visuals, mut collisions) = (Scope::default(), Scope::default());
        let (robot, placed) = (self.robot, self.placed);
        for body in self.members[host].clone() {
            let of = placed.names.bodies[body].clone();
            for geom in robot.bodies[body].geoms.iter().filter(|geom| is_wanted(&geom.shape)) {
                let pose = placed.in_host[body].compose(&geom.pose);
                let name_of = |scope: &mut Scope, kind: &str| {
                    let name =
                        if geom.name.is_empty() { format!("{of}_{kind}") } else { geom.name.to_owned() };
                    scope.take(&name, kind)
                };
                if geom.collides() {
                    self.collision(body, geom, &pose, &name_of(&mut collisions, "collision"));
                }
                if let Some(color) = geom.color {
                    self.visual(geom, &pose, color, &name_of(&mut visuals, "visual"));
                }
            }
        }
    }

    fn visual(&mut self, geom: &Geom<'_>, pose: &Pose, color: [f64; 4], name: &str) {
        self.out.open("visual", &[("name", name)]);
        self.pose(None, pose);
        self.geometry(&geom.shape, false);
        self.out.open("material", &[]);
        self.out.leaf("ambient", &numbers(&color));
        self.out.leaf("diffuse", &numbers(&color));
        self.out.close("material");
        if color[3] < 1.0 {
            self.out.leaf("transparency", &number(1.0 - color[3]));
        }
        self.out.close("visual");
    }

    fn collision(&mut self, body: usize, geom: &Geom<'_>, pose: &Pose, name: &str) {
        self.out.open("collision", &[("name", name)]);
        self.pose(None, pose);
        self.geometry(&geom.shape, true);
        let host = self.placed.host[body];
        if geom.density > 0.0 && matches!(self.placed.masses[host], Some(LinkMass::Auto { .. })) {
            self.out.leaf("density", &number(geom.density));
        }
        let bits = self.contacts.bits(body, geom);
        if geom.friction != 1.0 || bits.is_some() {
            self.out.open("surface", &[]);
            self.friction(geom.friction);
            if let Some(bits) = bits {
                self.contact(bits);
            }
            self.out.close("surface");
        }
        self.out.close("collision");
    }

    fn friction(&mut self, friction: f64) {
        self.out.open("friction", &[]);
        self.out.open("ode", &[]);
        self.out.leaf("mu", &number(friction));
        self.out.leaf("mu2", &number(friction));
        self.out.close("ode");
        self.out.close("friction");
    }

    fn contact(&mut self, bits: Bits) {
        self.out.open("contact", &[]);
        self.out.leaf("collide_bitmask", &bits.mask.to_string());
        self.out.leaf("category_bitmask", &bits.category.to_string());
        self.out.close("contact");
    }

    fn geometry(&mut self, shape: &Shape, is_collision: bool) {
        let round = |radius: f64, half: f64| vec![("radius", number(radius)), ("length", number(2.0 * half))];
        let (name, parts) = match shape {
            Shape::Plane { half } => {
                let sides = half.map(|half| 2.0 * half);
                ("plane", vec![("normal", "0 0 1".to_owned()), ("size", numbers(&sides))])
            }
            Shape::Sphere { radius } => ("sphere", vec![("radius", number(*radius))]),
            Shape::Capsule { radius, half } => ("capsule", round(*radius, *half)),
            Shape::Cylinder { radius, half } => ("cylinder", round(*radius, *half)),
            Shape::Box { half } => ("box", vec![("size", numbers(&(*half * 2.0).to_array()))]),
            Shape::Ellipsoid { radii } => ("ellipsoid", vec![("radii", numbers(&radii.to_array()))]),
            Shape::Mesh { mesh } => return self.mesh(*mesh, is_collision),
        };
        self.out.open("geometry", &[]);
        self.out.open(name, &[]);
        for (name, value) in parts {
            self.out.leaf(name, &value);
        }
        self.out.close(name);
        self.out.close("geometry");
    }

    /// In contacts, MuJoCo takes the convex hull of a mesh.
    fn mesh(&mut self, mesh: usize, is_collision: bool) {
        let Some(mesh) = self.robot.meshes.get(mesh) else { return };
        let hull: &[(&str, &str)] = if is_collision { &[("optimization", "convex_hull")] } else { &[] };
        self.out.open("geometry", &[]);
        self.out.open("mesh", hull);
        self.out.leaf("uri", &mesh.uri);
        self.out.leaf("scale", &numbers(&mesh.scale.to_array()));
        self.out.close("mesh");
        self.out.close("geometry");
    }
}
