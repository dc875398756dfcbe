//! `<inertial auto="true">`: mass, centre and inertia of a link from its collisions and their densities. Plain
//! functions.

use bridgehead_mesh::Volume;
use bridgehead_physics::Inertial;
use bridgehead_sdf::pose::{DMat3, DVec3, Pose};
use bridgehead_sdf::resolved::Link;

use super::solid::Solid;

/// Density of water, kg/m³: the default of SDF.
const DENSITY: f64 = 1000.0;

/// Returns the computed inertia of a link; `None` if it is not requested, or if no collision encloses a volume.
///
/// A given mass rescales the result, as in libsdformat since 14.7.
pub(super) fn of_link(link: &Link, solids: &[Option<Solid>]) -> Option<Inertial> {
    if !link.inertial.auto {
        return None;
    }
    let (mut mass, mut centre, mut about_origin) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for (placed, solid) in link.collisions.iter().zip(solids) {
        let Some(volume) =
            solid.as_ref().and_then(|solid| solid.volume).filter(|volume| volume.volume != 0.0)
        else {
            continue;
        };
        let density = placed.element.density.or(link.inertial.density).unwrap_or(DENSITY);
        let part = in_link(&volume, placed.pose, density);
        mass += part.0;
        centre += part.1 * part.0;
        about_origin += part.2 + parallel_axes(part.1, part.0);
    }
    if mass <= 0.0 {
        return None;
    }
    centre /= mass;
    let own = about_origin - parallel_axes(centre, mass);
    let scale = if link.inertial.mass_given { link.inertial.mass / mass } else { 1.0 };
    Some(Inertial {
        mass: mass * scale,
        pose: Pose::from_position(centre),
        moments: DVec3::new(own.x_axis.x, own.y_axis.y, own.z_axis.z) * scale,
        products: DVec3::new(own.x_axis.y, own.x_axis.z, own.y_axis.z) * scale,
    })
}

/// Returns mass, centre and inertia about the centre of a solid, in the axes of the link. The orientation of the
/// triangles does not matter.
fn in_link(volume: &Volume, pose: Pose, density: f64) -> (f64, DVec3, DMat3) {
    let density = density * volume.volume.signum();
    let turn = DMat3::from_quat(pose.rotation);
    let inertia = turn * volume.inertia * turn.transpose() * density;
    (volume.volume * density, pose.transform_point(volume.centre), inertia)
}

/// Returns the contribution of a mass at `offset` to the inertia about the origin (parallel axis theorem).
fn parallel_axes(offset: DVec3, mass: f64) -> DMat3 {
    let outer = DMat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z);
    (DMat3::from_diagonal(DVec3::splat(offset.length_squared())) - outer) * mass
}

#[cfg(test)]
mod tests {
    use super::super::solid::Meshes;
    use super::*;
    use bridgehead_sdf::{Budget, Origin, parse_str};

    fn inertia(link: &str) -> Option<Inertial> {
        let text = format!("<sdf version='1.11'><model name='m'><link name='l'>{link}</link></model></sdf>");
        let loaded = parse_str("m.sdf", &text).expect("a model");
        let link = &loaded.world.models[0].links[0];
        let solid = |geometry| {
            Meshes::default().solid(geometry, true, Budget::default().of(&Origin::default())).expect("sound")
        };
        let solids: Vec<_> = link.collisions.iter().map(|placed| solid(&placed.element.geometry)).collect();
        of_link(link, &solids)
    }

    fn collision(name: &str, pose: &str, geometry: &str) -> String {
        format!("<collision name='{name}'><pose>{pose}</pose><geometry>{geometry}</geometry></collision>")
    }

    const AUTO: &str = "<inertial auto='true'/>";

    #[track_caller]
    fn expect_moments(found: &Inertial, mass: f64, moments: [f64; 3]) {
        assert!((found.mass / mass - 1.0).abs() < 1e-9, "{found:?}");
        let is_near = found.moments.to_array().iter().zip(moments).all(|(a, b)| (a / b - 1.0).abs() < 1e-9);
        assert!(is_near, "{found:?}");
        assert!(found.products.abs().max_element() < 1e-9 * mass, "{found:?}");
    }

    #[test]
    fn two_halves_are_one_box() {
        let half = "<box><size>1 1 1</size></box>";
        let found = inertia(&format!(
            "{AUTO}{}{}",
            collision("a", "0.5 0 0 0 0 0", half),
            collision("b", "1.5 0 0 0 0 1.5707963267948966", half)
        ));
        let found = found.expect("a mass");
        assert!(found.pose.position.abs_diff_eq(DVec3::X, 1e-12), "{found:?}");
        expect_moments(&found, 2000.0, [2000.0 / 6.0, 2000.0 * 5.0 / 12.0, 2000.0 * 5.0 / 12.0]);
    }

    #[test]
    fn given_densities_and_masses_are_used() {
        let cube = "<box><size>1 1 1</size></box>";
        let of_link = inertia(&format!(
            "<inertial auto='true'><density>10</density></inertial>{}",
            collision("a", "0 0 0 0 0 0", cube)
        ));
        expect_moments(&of_link.expect("a mass"), 10.0, [10.0 / 6.0; 3]);
        let given = inertia(&format!(
            "<inertial auto='true'><mass>3</mass></inertial>{}",
            collision("a", "0 0 0 0 0 0", cube)
        ));
        expect_moments(&given.expect("a mass"), 3.0, [0.5; 3]);
        let own = format!("<collision name='c'><density>20</density><geometry>{cube}</geometry></collision>");
        let of_collision = inertia(&format!("<inertial auto='true'><density>10</density></inertial>{own}"));
        expect_moments(&of_collision.expect("a mass"), 20.0, [20.0 / 6.0; 3]);
    }

    /// A capsule without length is a sphere; the centre of a cone is a quarter of its height above the base.
    #[test]
    fn round_shapes_have_the_inertia_of_the_standard_formulas() {
        let round = |geometry: &str| {
            inertia(&format!("{AUTO}{}", collision("a", "0 0 0 0 0 0", geometry))).expect("a mass")
        };
        let ball = 4.0 / 3.0 * std::f64::consts::PI * 1000.0;
        expect_moments(&round("<sphere><radius>1</radius></sphere>"), ball, [0.4 * ball; 3]);
        expect_moments(&round("<ellipsoid><radii>1 1 1</radii></ellipsoid>"), ball, [0.4 * ball; 3]);
        let capsule = round("<capsule><radius>1</radius><length>1e-9</length></capsule>");
        assert!((capsule.moments / ball - 0.4).abs().max_element() < 1e-6, "{capsule:?}");
        let cone = round("<cone><radius>1</radius><length>2</length></cone>");
        assert!((cone.pose.position.z + 0.5).abs() < 1e-12, "{cone:?}");
        let mass = std::f64::consts::PI * 2.0 / 3.0 * 1000.0;
        expect_moments(&cone, mass, [mass * 0.3, mass * 0.3, mass * 0.3]);
    }

    #[test]
    fn a_link_without_auto_or_collisions_keeps_its_inertia() {
        assert!(inertia("<inertial><mass>2</mass></inertial>").is_none());
        assert!(inertia(AUTO).is_none());
        assert!(inertia(&format!("{AUTO}{}", collision("a", "0 0 0 0 0 0", "<plane/>"))).is_none());
    }
}
