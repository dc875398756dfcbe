//! Surfaces: values, and findings about settings with limited effect.

use super::link;
use crate::Diagnostic;
use crate::element::{Surface, Torsional};
use glam::DVec3;

fn read(content: &str) -> (Surface, Vec<Diagnostic>) {
    let collision =
        format!("<collision name='c'><geometry><empty/></geometry><surface>{content}</surface></collision>");
    let (mut link, diagnostics) = link(&collision);
    (link.collisions.remove(0).surface, diagnostics)
}

#[test]
fn surfaces_read_friction_bounce_and_masks() {
    let surface = |content: &str| read(content).0;
    let read = surface(
        "<friction><ode><mu>0.3</mu><mu2>0.4</mu2><fdir1 gz:expressed_in='l'>1 0 0</fdir1></ode>
         <bullet><friction>0.9</friction></bullet></friction>
         <bounce><restitution_coefficient>0.5</restitution_coefficient><threshold>0.1</threshold></bounce>
         <contact><collide_bitmask>0x0f</collide_bitmask><ode><kp>1e6</kp><kd>10</kd></ode></contact>",
    );
    assert_eq!((read.friction.coefficient(), read.friction.mu2), (0.3, 0.4));
    assert_eq!(read.friction.fdir1, Some(DVec3::X));
    assert_eq!((read.bounce.restitution, read.bounce.threshold), (0.5, 0.1));
    assert_eq!((read.contact.collide_bitmask, read.contact.kp, read.contact.kd), (15, 1e6, 10.0));
    assert_eq!(surface("").friction.coefficient(), 1.0);
    let bullet = surface("<friction><bullet><friction>0.2</friction></bullet></friction>");
    assert_eq!(bullet.friction.coefficient(), 0.2, "Bullet's value stands in where there is no other");
}

#[test]
fn friction_is_the_same_in_both_directions_unless_the_second_is_written() {
    let second = |ode: &str| {
        let (surface, diagnostics) = read(&format!("<friction><ode>{ode}</ode></friction>"));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        (surface.friction.coefficient(), surface.friction.second_coefficient())
    };
    assert_eq!(second(""), (1.0, 1.0));
    assert_eq!(second("<mu>0.5</mu>"), (0.5, 0.5));
    assert_eq!(second("<mu>0.5</mu><mu2>0.25</mu2>"), (0.5, 0.25));
    assert_eq!(second("<mu2>0.25</mu2>"), (1.0, 0.25));
    assert_eq!(
        read("<friction><bullet><friction>0.3</friction></bullet></friction>")
            .0
            .friction
            .second_coefficient(),
        0.3
    );
}

#[test]
fn slip_and_torsion_are_read() {
    let (surface, diagnostics) = read(
        "<friction><ode><slip1>0.1</slip1><slip2>0.2</slip2><fdir1 gz:expressed_in='base'>0 1 0</fdir1></ode>
         <torsional><coefficient>0.7</coefficient><use_patch_radius>false</use_patch_radius>
         <surface_radius>0.5</surface_radius></torsional></friction>",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let friction = surface.friction;
    assert_eq!((friction.slip1, friction.slip2, friction.fdir1_link.as_deref()), (0.1, 0.2, Some("base")));
    let torsional = friction.torsional.expect("torsional friction");
    assert_eq!((torsional.coefficient, torsional.use_patch_radius), (0.7, false));
    assert_eq!((torsional.patch_radius, torsional.surface_radius), (0.0, 0.5));
    assert_eq!(read("<friction><torsional/></friction>").0.friction.torsional, Some(Torsional::default()));
    assert_eq!(read("<friction/>").0.friction.torsional, None);
}

#[test]
fn a_bounce_without_a_threshold_is_noted() {
    let notes = |bounce: &str| -> Vec<String> {
        let (_, diagnostics) = read(&format!("<bounce>{bounce}</bounce>"));
        diagnostics.iter().map(ToString::to_string).collect()
    };
    let restitution = "<restitution_coefficient>0.5</restitution_coefficient>";
    let said = notes(restitution);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("only above 100 000 m/s") && said[0].contains("<threshold>0</threshold>"),
        "{said:?}"
    );
    let with = format!("{restitution}<threshold>0</threshold>");
    for silent in ["", "<restitution_coefficient>0</restitution_coefficient>", &with] {
        assert_eq!(notes(silent), Vec::<String>::new(), "{silent}");
    }
}
