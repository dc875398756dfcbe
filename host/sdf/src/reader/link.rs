//! Links and their content: inertia, collisions and visuals.

use super::Reader;
use super::names::Names;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Battery, Collision, Inertial, Link, VelocityDecay, Visual};
use glam::DVec3;

impl Reader<'_> {
    /// A `<link>`.
    pub(super) fn link(&mut self, element: Element<'_>) -> Link {
        self.check_children(element);
        let name = self.name(element);
        Link {
            name,
            pose: self.pose(element),
            inertial: self.inertial(element),
            gravity: self.flag(element, "gravity").unwrap_or(true),
            kinematic: self.flag(element, "kinematic").unwrap_or(false),
            self_collide: self.flag(element, "self_collide"),
            enable_wind: self.flag(element, "enable_wind").unwrap_or(false),
            velocity_decay: self.velocity_decay(element),
            collisions: self.collisions(element),
            visuals: self.visuals(element),
            sensors: self.sensors(element),
            lights: self.lights(element),
            batteries: self.batteries(element),
            origin: element.origin(),
        }
    }

    fn velocity_decay(&mut self, link: Element<'_>) -> VelocityDecay {
        let Some(decay) = self.single(link, "velocity_decay") else { return VelocityDecay::default() };
        VelocityDecay {
            linear: self.not_negative(decay, "linear").unwrap_or(0.0),
            angular: self.not_negative(decay, "angular").unwrap_or(0.0),
        }
    }

    fn batteries(&mut self, link: Element<'_>) -> Vec<Battery> {
        let read = |element: Element<'_>| {
            self.check_children(element);
            let voltage = self.not_negative(element, "voltage").unwrap_or(0.0);
            Battery { name: element.attribute("name").unwrap_or_default().to_owned(), voltage }
        };
        link.children_named("battery").map(read).collect()
    }

    fn inertial(&mut self, link: Element<'_>) -> Inertial {
        let default = Inertial::default();
        let Some(element) = self.single(link, "inertial") else { return default };
        self.check_children(element);
        let mass = self.number(element, "mass");
        let (diagonal, products) = self.inertia(element);
        let inertial = Inertial {
            mass: mass.unwrap_or(default.mass),
            mass_given: mass.is_some(),
            pose: self.pose(element).pose,
            diagonal,
            products,
            auto: self.flag_attribute(element, "auto"),
            density: self.positive(element, "density"),
        };
        self.check_inertial(element, inertial)
    }

    fn inertia(&mut self, inertial: Element<'_>) -> (DVec3, DVec3) {
        let default = Inertial::default();
        let Some(inertia) = self.single(inertial, "inertia") else {
            return (default.diagonal, default.products);
        };
        let [ixx, iyy, izz] = ["ixx", "iyy", "izz"].map(|name| self.number(inertia, name).unwrap_or(1.0));
        let [ixy, ixz, iyz] = ["ixy", "ixz", "iyz"].map(|name| self.number(inertia, name).unwrap_or(0.0));
        (DVec3::new(ixx, iyy, izz), DVec3::new(ixy, ixz, iyz))
    }

    /// Replaces an inertia that is physically impossible, which would make physics unstable.
    fn check_inertial(&mut self, element: Element<'_>, mut inertial: Inertial) -> Inertial {
        let default = Inertial::default();
        if inertial.mass <= 0.0 {
            let found = format!("a mass of {} kg", inertial.mass);
            self.error(Code::InertiaInvalid, element, found, "a mass above 0; 1 kg is used");
            inertial.mass = default.mass;
        }
        if !inertial.auto && !inertial.is_physical() {
            let (d, p) = (inertial.diagonal, inertial.products);
            let found = format!("moments {} {} {}, products {} {} {}", d.x, d.y, d.z, p.x, p.y, p.z);
            let (diagonal, how) = inertial.repaired();
            let [x, y, z] = diagonal.to_array();
            let expected = format!("the inertia of a body; {x} {y} {z} kg·m² is used, {how}");
            self.error(Code::InertiaInvalid, element, found, expected);
            (inertial.diagonal, inertial.products) = (diagonal, DVec3::ZERO);
        }
        inertial
    }

    fn collisions(&mut self, link: Element<'_>) -> Vec<Collision> {
        let mut names = Names::default();
        let mut collisions = Vec::new();
        for element in link.children_named("collision") {
            self.check_children(element);
            let mut collision = Collision {
                name: self.name(element),
                pose: self.pose(element),
                geometry: self.geometry(element),
                surface: self.surface(element),
                density: self.positive(element, "density"),
                origin: element.origin(),
            };
            if self.claim(&mut names, &mut collision.name, "collision", element) {
                collisions.push(collision);
            }
        }
        collisions
    }

    fn visuals(&mut self, link: Element<'_>) -> Vec<Visual> {
        let mut names = Names::default();
        let mut visuals = Vec::new();
        for element in link.children_named("visual") {
            let mut visual = self.visual(element);
            if self.claim(&mut names, &mut visual.name, "visual", element) {
                visuals.push(visual);
            }
        }
        visuals
    }

    fn visual(&mut self, element: Element<'_>) -> Visual {
        self.check_children(element);
        let default = Visual::default();
        Visual {
            name: self.name(element),
            pose: self.pose(element),
            geometry: self.geometry(element),
            material: self.material(element),
            transparency: self.not_negative(element, "transparency").unwrap_or(default.transparency),
            cast_shadows: self.flag(element, "cast_shadows").unwrap_or(default.cast_shadows),
            visibility_flags: self.integer(element, "visibility_flags").unwrap_or(default.visibility_flags),
            label: self.label(element),
            temperature: self.temperature(element),
            laser_retro: self.number(element, "laser_retro").unwrap_or(default.laser_retro),
            origin: element.origin(),
        }
    }
}
