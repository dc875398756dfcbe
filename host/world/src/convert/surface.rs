//! Converts the surface of a collision: friction, restitution and what it touches. Plain functions.

use bridgehead_physics::{DirectionalFriction, Patch, Surface as SurfaceSpec, Torsion};
use bridgehead_sdf::element::{Collision, Friction, Torsional};
use bridgehead_sdf::resolved::{Link, Model, Placed};

/// Returns the surface of a collision of a link.
pub(super) fn surface_spec(model: &Model, link: &Link, collision: &Placed<Collision>) -> SurfaceSpec {
    let surface = &collision.element.surface;
    SurfaceSpec {
        friction: surface.friction.coefficient(),
        restitution: surface.bounce.restitution,
        bounce_threshold: surface.bounce.threshold,
        collide_bitmask: surface.contact.collide_bitmask,
        category_bitmask: surface.contact.category_bitmask,
        without_contact: surface.contact.collide_without_contact,
        directional: directional(model, link, collision),
        first: first_direction(model, link, collision),
    }
}

/// Returns the friction of a collision if it is not the same in all directions, or more than a coefficient.
fn directional(model: &Model, link: &Link, collision: &Placed<Collision>) -> Option<DirectionalFriction> {
    let friction = &collision.element.surface.friction;
    let coefficients = [friction.coefficient(), friction.second_coefficient()];
    let slips = [friction.slip1, friction.slip2];
    let torsion = friction.torsional.as_ref().and_then(torsion);
    let is_plain = coefficients[0] == coefficients[1] && slips == [0.0; 2] && torsion.is_none();
    (!is_plain).then(|| DirectionalFriction {
        first: first_direction(model, link, collision),
        coefficients,
        slips,
        torsion,
    })
}

/// Returns the first direction with the link in whose frame it is.
fn first_direction(
    model: &Model,
    link: &Link,
    collision: &Placed<Collision>,
) -> Option<(usize, bridgehead_sdf::pose::DVec3)> {
    let friction = &collision.element.surface.friction;
    let direction = friction.fdir1?;
    if let Some(named) = direction_link(model, link, friction) {
        return Some((named, direction));
    }
    let own = model.links.iter().position(|other| other.name == link.name)?;
    Some((own, collision.pose.rotation * direction))
}

/// Returns the link that `<fdir1 gz:expressed_in>` names: one of the same model, or of the same nested model.
fn direction_link(model: &Model, link: &Link, friction: &Friction) -> Option<usize> {
    let name = friction.fdir1_link.as_deref()?;
    let scope = link.name.rsplit_once("::").map(|(scope, _)| format!("{scope}::{name}"));
    let is_named =
        |other: &Link| scope.as_deref().is_some_and(|scoped| other.name == scoped) || other.name == name;
    model.links.iter().position(is_named)
}

/// Returns true if the friction of a collision names a link that does not exist.
pub(crate) fn names_no_link(model: &Model, link: &Link, friction: &Friction) -> bool {
    friction.fdir1_link.is_some() && direction_link(model, link, friction).is_none()
}

/// Returns the friction about the normal; `None` if it has no effect, as with SDF's default radius of 0.
fn torsion(torsional: &Torsional) -> Option<Torsion> {
    let Torsional { coefficient, use_patch_radius, patch_radius, surface_radius } = *torsional;
    let (radius, patch) = if use_patch_radius {
        (patch_radius, Patch::Radius(patch_radius))
    } else {
        (surface_radius, Patch::OfSphere(surface_radius))
    };
    (coefficient > 0.0 && radius > 0.0).then_some(Torsion { coefficient, patch })
}
