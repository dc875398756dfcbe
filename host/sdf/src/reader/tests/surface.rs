//! Surfaces: values, and findings about settings with limited effect.

use super::link;
use crate::Diagnostic;
use crate::element::Surface;
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
fn friction_by_direction_is_noted_where_it_is_asked_for() {
    let notes = |ode: &str| {
        let (_, diagnostics) = read(&format!("<friction><ode>{ode}</ode></friction>"));
        diagnostics.iter().filter(|finding| finding.found.contains("direction")).count()
    };
    for alike in
        ["", "<mu>0.5</mu>", "<mu>0.5</mu><mu2>0.5</mu2>", "<mu>0.5</mu><slip1>0</slip1><slip2>0</slip2>"]
    {
        assert_eq!(notes(alike), 0, "{alike}");
    }
    for directed in
        ["<mu2>0.5</mu2>", "<mu>0.5</mu><mu2>0.4</mu2>", "<slip1>0.1</slip1>", "<slip2>0.1</slip2>"]
    {
        assert_eq!(notes(directed), 1, "{directed}");
    }
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
