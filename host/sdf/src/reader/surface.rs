//! The `<surface>` of a collision.

use super::children::{check_children, single};
use super::report::Report;
use super::value::{check, flag, integer, not_negative, vector3};
use crate::document::Element;
use crate::element::{Bounce, Contact, Friction, Surface, Torsional};
use glam::DVec3;

/// The `<surface>` of a collision.
pub(super) fn surface(collision: Element<'_>, report: &mut Report) -> Surface {
    let Some(surface) = single(collision, "surface", report) else { return Surface::default() };
    check_children(surface, report);
    Surface {
        friction: friction(surface, report),
        bounce: bounce(surface, report),
        contact: contact(surface, report),
    }
}

fn friction(surface: Element<'_>, report: &mut Report) -> Friction {
    let default = Friction::default();
    let Some(friction) = surface.child("friction") else { return default };
    check_children(friction, report);
    let bullet = friction.child("bullet").and_then(|bullet| not_negative(bullet, "friction", report));
    let torsional = friction.child("torsional").map(|element| torsional_of(element, report));
    let Some(ode) = friction.child("ode") else { return Friction { bullet, torsional, ..default } };
    let fdir1 = ode.child("fdir1");
    let link = fdir1.and_then(|fdir1| {
        ["gz:expressed_in", "ignition:expressed_in"].into_iter().find_map(|name| fdir1.attribute(name))
    });
    Friction {
        mu: not_negative(ode, "mu", report).unwrap_or(default.mu),
        mu2: not_negative(ode, "mu2", report).unwrap_or(default.mu2),
        has_mu2: ode.child("mu2").is_some(),
        // The default, 0 0 0, means no preferred direction.
        fdir1: vector3(ode, "fdir1", report).filter(|direction| *direction != DVec3::ZERO),
        fdir1_link: link.filter(|link| !link.is_empty()).map(str::to_owned),
        slip1: not_negative(ode, "slip1", report).unwrap_or(default.slip1),
        slip2: not_negative(ode, "slip2", report).unwrap_or(default.slip2),
        has_ode: true,
        bullet,
        torsional,
    }
}

fn torsional_of(element: Element<'_>, report: &mut Report) -> Torsional {
    check_children(element, report);
    let default = Torsional::default();
    Torsional {
        coefficient: not_negative(element, "coefficient", report).unwrap_or(default.coefficient),
        use_patch_radius: flag(element, "use_patch_radius", report).unwrap_or(default.use_patch_radius),
        patch_radius: not_negative(element, "patch_radius", report).unwrap_or(default.patch_radius),
        surface_radius: not_negative(element, "surface_radius", report).unwrap_or(default.surface_radius),
    }
}

fn bounce(surface: Element<'_>, report: &mut Report) -> Bounce {
    let default = Bounce::default();
    let Some(bounce) = surface.child("bounce") else { return default };
    let restitution = not_negative(bounce, "restitution_coefficient", report).unwrap_or(default.restitution);
    if restitution > 0.0 && bounce.child("threshold").is_none() {
        let found = "`<restitution_coefficient>` without `<threshold>` bounces only above 100 000 m/s, SDF's \
                     default (reported once)";
        report.note_limited_once("bounce/threshold", bounce, found, "`<threshold>0</threshold>` beside it");
    }
    Bounce { restitution, threshold: not_negative(bounce, "threshold", report).unwrap_or(default.threshold) }
}

fn contact(surface: Element<'_>, report: &mut Report) -> Contact {
    let default = Contact::default();
    let Some(contact) = surface.child("contact") else { return default };
    check_children(contact, report);
    let ode = contact.child("ode");
    if let Some(ode) = ode.filter(|ode| ode.children().next().is_some()) {
        let what = "the stiffness of contacts (`<ode>`)";
        report.note_once("contact/ode", ode, what, "all contacts are equally stiff");
    }
    let collide_bitmask = bitmask(contact, "collide_bitmask", report).unwrap_or(default.collide_bitmask);
    Contact {
        collide_bitmask,
        category_bitmask: bitmask(contact, "category_bitmask", report).unwrap_or(collide_bitmask),
        collide_without_contact: flag(contact, "collide_without_contact", report).unwrap_or(false),
        kp: ode.and_then(|ode| not_negative(ode, "kp", report)).unwrap_or(default.kp),
        kd: ode.and_then(|ode| not_negative(ode, "kd", report)).unwrap_or(default.kd),
    }
}

fn bitmask(contact: Element<'_>, name: &str, report: &mut Report) -> Option<u16> {
    let mask = integer(contact, name, report)?;
    let child = contact.child(name)?;
    check(child, u16::try_from(mask).ok(), "a whole number from 0 to 65535", report)
}
