//! Links and their content: inertia, collisions and visuals.

use super::children::{check_children, single};
use super::geometry::geometry;
use super::label::label;
use super::light::lights;
use super::lookup::Lookup;
use super::material::material;
use super::names::{Names, name};
use super::plugin::sensors;
use super::report::Report;
use super::surface::surface;
use super::thermal::temperature;
use super::value::{flag, flag_attribute, integer, not_negative, number, pose, positive};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Battery, Collision, Inertial, Link, VelocityDecay, Visual};
use glam::DVec3;

/// A `<link>`.
pub(super) fn link(element: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Link {
    check_children(element, report);
    let name = name(element, report);
    Link {
        name,
        pose: pose(element, report),
        inertial: inertial(element, report),
        gravity: flag(element, "gravity", report).unwrap_or(true),
        kinematic: flag(element, "kinematic", report).unwrap_or(false),
        self_collide: flag(element, "self_collide", report),
        enable_wind: flag(element, "enable_wind", report).unwrap_or(false),
        velocity_decay: velocity_decay(element, report),
        collisions: collisions(element, lookup, report),
        visuals: visuals(element, lookup, report),
        sensors: sensors(element, report),
        lights: lights(element, report),
        batteries: batteries(element, report),
        origin: element.origin(),
    }
}

fn velocity_decay(link: Element<'_>, report: &mut Report) -> VelocityDecay {
    let Some(decay) = single(link, "velocity_decay", report) else { return VelocityDecay::default() };
    VelocityDecay {
        linear: not_negative(decay, "linear", report).unwrap_or(0.0),
        angular: not_negative(decay, "angular", report).unwrap_or(0.0),
    }
}

fn batteries(link: Element<'_>, report: &mut Report) -> Vec<Battery> {
    let read = |element: Element<'_>| {
        check_children(element, report);
        let voltage = not_negative(element, "voltage", report).unwrap_or(0.0);
        Battery { name: element.attribute("name").unwrap_or_default().to_owned(), voltage }
    };
    link.children_named("battery").map(read).collect()
}

fn inertial(link: Element<'_>, report: &mut Report) -> Inertial {
    let default = Inertial::default();
    let Some(element) = single(link, "inertial", report) else { return default };
    check_children(element, report);
    let mass = number(element, "mass", report);
    let (diagonal, products) = inertia(element, report);
    let inertial = Inertial {
        mass: mass.unwrap_or(default.mass),
        mass_given: mass.is_some(),
        pose: pose(element, report).pose,
        diagonal,
        products,
        auto: flag_attribute(element, "auto", report),
        density: positive(element, "density", report),
    };
    check_inertial(element, inertial, report)
}

fn inertia(inertial: Element<'_>, report: &mut Report) -> (DVec3, DVec3) {
    let default = Inertial::default();
    let Some(inertia) = single(inertial, "inertia", report) else {
        return (default.diagonal, default.products);
    };
    let [ixx, iyy, izz] = ["ixx", "iyy", "izz"].map(|name| number(inertia, name, report).unwrap_or(1.0));
    let [ixy, ixz, iyz] = ["ixy", "ixz", "iyz"].map(|name| number(inertia, name, report).unwrap_or(0.0));
    (DVec3::new(ixx, iyy, izz), DVec3::new(ixy, ixz, iyz))
}

/// Replaces an inertia that is physically impossible, which would make physics unstable.
fn check_inertial(element: Element<'_>, mut inertial: Inertial, report: &mut Report) -> Inertial {
    let default = Inertial::default();
    if inertial.mass <= 0.0 {
        let found = format!("a mass of {} kg", inertial.mass);
        report.error(Code::InertiaInvalid, element, found, "a mass above 0; 1 kg is used");
        inertial.mass = default.mass;
    }
    if !inertial.auto && !inertial.is_physical() {
        let (d, p) = (inertial.diagonal, inertial.products);
        let found = format!("moments {} {} {}, products {} {} {}", d.x, d.y, d.z, p.x, p.y, p.z);
        let (diagonal, how) = inertial.repaired();
        let [x, y, z] = diagonal.to_array();
        let expected = format!("the inertia of a body; {x} {y} {z} kg·m² is used, {how}");
        report.error(Code::InertiaInvalid, element, found, expected);
        (inertial.diagonal, inertial.products) = (diagonal, DVec3::ZERO);
    }
    inertial
}

fn collisions(link: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Vec<Collision> {
    let mut names = Names::default();
    let mut collisions = Vec::new();
    for element in link.children_named("collision") {
        check_children(element, report);
        let collision = Collision {
            name: name(element, report),
            pose: pose(element, report),
            geometry: geometry(element, lookup, report),
            surface: surface(element, report),
            density: positive(element, "density", report),
            origin: element.origin(),
        };
        names.keep(&mut collisions, collision, element, report);
    }
    collisions
}

fn visuals(link: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Vec<Visual> {
    let mut names = Names::default();
    let mut visuals = Vec::new();
    for element in link.children_named("visual") {
        let visual = visual(element, lookup, report);
        names.keep(&mut visuals, visual, element, report);
    }
    visuals
}

fn visual(element: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Visual {
    check_children(element, report);
    let default = Visual::default();
    Visual {
        name: name(element, report),
        pose: pose(element, report),
        geometry: geometry(element, lookup, report),
        material: material(element, lookup, report),
        transparency: not_negative(element, "transparency", report).unwrap_or(default.transparency),
        cast_shadows: flag(element, "cast_shadows", report).unwrap_or(default.cast_shadows),
        visibility_flags: integer(element, "visibility_flags", report).unwrap_or(default.visibility_flags),
        label: label(element, report),
        temperature: temperature(element, report),
        laser_retro: number(element, "laser_retro", report).unwrap_or(default.laser_retro),
        origin: element.origin(),
    }
}
