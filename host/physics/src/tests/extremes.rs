//! Masses, moments and sizes at the edges of what numbers can hold.

use super::*;

/// An arm of two links that falls onto the ground.
fn arm(masses: [f64; 2], moments: [f64; 2]) -> ModelSpec {
    let link = |name: &str, x: f64, index: usize, shape| {
        let moments = DVec3::splat(moments[index]);
        let inertial = Inertial { mass: masses[index], moments, ..Inertial::default() };
        LinkSpec { inertial, collisions: vec![collision(shape, 1.0)], ..LinkSpec::new(name, at(x, 0.0, 1.0)) }
    };
    let base = link("base", 0.0, 0, CollisionShape::Box { size: DVec3::splat(0.5) });
    let tip = link("tip", 0.6, 1, CollisionShape::Sphere { radius: 0.1 });
    let joint = JointSpec::new("j", JointKind::Revolute, Some(0), 1, at(0.0, 0.0, 1.0), DVec3::Y);
    let joint = JointSpec { limits: [-1.0, 1.0], damping: 0.1, ..joint };
    model("arm", vec![base, tip], vec![joint])
}

/// Runs for 0.7 s; returns the height of both links, or the text of the error.
fn outcome(spec: &ModelSpec) -> Result<[f64; 2], String> {
    let mut physics = physics();
    add_ground(&mut physics, 1.0, 0.0);
    let added = physics.add_model(spec).map_err(|error| error.to_string())?;
    for _ in 0..700 {
        physics.step().map_err(|error| error.to_string())?;
    }
    Ok([0, 1].map(|link| physics.link_pose(added.links[link]).unwrap().position.z))
}

#[test]
fn every_mass_and_moment_falls_or_is_refused() {
    for value in [1e-300, 1e-30, 1e-12, 1e-6, 1e-3, 1e3, 1e6, 1e12, 1e30, 1e300] {
        for index in 0..2 {
            let with = |old: f64| if index == 0 { [value, old] } else { [old, value] };
            for spec in [arm(with(1.0), [0.1; 2]), arm([1.0; 2], with(0.1)), arm(with(1.0), with(0.1))] {
                match outcome(&spec) {
                    Ok(heights) => {
                        // What no body has, such as 10¹² kg with 0.1 kg m², spins without measure where it lands.
                        let is_plausible = (1e-6..=1e6).contains(&value);
                        let range = if is_plausible { -0.05..2.0 } else { f64::NEG_INFINITY..1e3 };
                        let is_down = heights.iter().all(|height| range.contains(height));
                        assert!(is_down, "{value:e} of link {index}: {heights:?} m");
                    }
                    Err(text) => assert!(text.contains("BH-PHY-013"), "{value:e} of link {index}: {text}"),
                }
            }
        }
    }
}
