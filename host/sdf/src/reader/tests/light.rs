//! Lights.

use super::{codes, link};
use crate::Diagnostic;
use crate::diagnostic::{Code, Severity};
use crate::element::{Attenuation, Light, LightKind, Spot};
use glam::DVec3;

fn light(attributes: &str, content: &str) -> (Light, Vec<Diagnostic>) {
    let (mut link, diagnostics) = link(&format!("<light name='lamp' {attributes}>{content}</light>"));
    (link.lights.remove(0), diagnostics)
}

#[test]
fn an_empty_light_has_the_defaults_of_sdf() {
    let (read, diagnostics) = light("", "");
    assert_eq!(diagnostics, []);
    assert_eq!((read.name.as_str(), read.kind), ("lamp", LightKind::Point));
    assert_eq!((read.diffuse, read.specular), ([1.0; 4], [0.1, 0.1, 0.1, 1.0]));
    assert_eq!((read.intensity, read.direction), (1.0, DVec3::NEG_Z));
    let attenuation = Attenuation { range: 10.0, constant: 1.0, linear: 1.0, quadratic: 0.0 };
    let spot = Spot { inner_angle: 0.0, outer_angle: 0.0, falloff: 0.0 };
    assert_eq!((read.attenuation, read.spot), (attenuation, spot));
    assert_eq!((read.is_on, read.visualize, read.cast_shadows), (true, true, false));
}

#[test]
fn every_value_of_a_light_is_read() {
    let (read, diagnostics) = light(
        "type='spot'",
        "<pose>1 2 3 0 0 0</pose><cast_shadows>1</cast_shadows><light_on>0</light_on><visualize>false</visualize>
         <intensity>2.5</intensity><diffuse>1 0.5 0 1</diffuse><specular>0 0 1</specular><direction>0 3 0</direction>
         <attenuation><range>7</range><constant>0.5</constant><linear>0.1</linear><quadratic>0.01</quadratic></attenuation>
         <spot><inner_angle>0.2</inner_angle><outer_angle>0.6</outer_angle><falloff>2</falloff></spot>",
    );
    assert_eq!(diagnostics, []);
    assert_eq!((read.kind, read.pose.pose.position), (LightKind::Spot, DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!((read.is_on, read.visualize, read.cast_shadows), (false, false, true));
    assert_eq!((read.intensity, read.direction), (2.5, DVec3::Y));
    assert_eq!((read.diffuse, read.specular), ([1.0, 0.5, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]));
    let attenuation = Attenuation { range: 7.0, constant: 0.5, linear: 0.1, quadratic: 0.01 };
    assert_eq!(read.attenuation, attenuation);
    assert_eq!(read.spot, Spot { inner_angle: 0.2, outer_angle: 0.6, falloff: 2.0 });
}

#[test]
fn parts_of_an_attenuation_and_of_a_spot_that_are_missing_have_their_defaults() {
    let (read, diagnostics) =
        light("type='spot'", "<attenuation><range>3</range></attenuation><spot><falloff>1</falloff></spot>");
    assert_eq!(diagnostics, []);
    assert_eq!(read.attenuation, Attenuation { range: 3.0, ..Attenuation::default() });
    assert_eq!(read.spot, Spot { falloff: 1.0, ..Spot::default() });
}

#[test]
fn invalid_values_of_a_light_are_reported_and_replaced_by_defaults() {
    let default = light("", "").0;
    for wrong in [
        "<diffuse>1 1</diffuse>",
        "<specular>white</specular>",
        "<intensity>-1</intensity>",
        "<intensity>nan</intensity>",
        "<light_on>maybe</light_on>",
        "<visualize>yes</visualize>",
        "<cast_shadows>no</cast_shadows>",
        "<direction>0 0 0</direction>",
        "<attenuation><range>far</range></attenuation>",
        "<attenuation><linear>nan</linear></attenuation>",
        "<attenuation><quadratic>inf</quadratic></attenuation>",
        "<spot><inner_angle>wide</inner_angle></spot>",
        "<spot><outer_angle/></spot>",
    ] {
        let (read, diagnostics) = light("", wrong);
        assert_eq!(codes(&diagnostics), [Code::ValueInvalid], "{wrong}");
        assert_eq!(diagnostics[0].severity, Severity::Error, "{wrong}");
        assert_eq!((read.diffuse, read.specular), (default.diffuse, default.specular), "{wrong}");
        assert_eq!((read.attenuation, read.spot), (default.attenuation, default.spot), "{wrong}");
        assert_eq!((read.intensity, read.direction), (default.intensity, default.direction), "{wrong}");
    }
}

#[test]
fn negative_values_that_libsdformat_accepts_are_zero_with_a_warning() {
    let negative = "<attenuation><range>-1</range><constant>-1</constant><linear>-1</linear><quadratic>-1</quadratic>
        </attenuation><spot><inner_angle>-1</inner_angle><outer_angle>-1</outer_angle><falloff>-1</falloff></spot>";
    let (read, diagnostics) = light("type='spot'", negative);
    let found: Vec<_> = diagnostics.iter().map(|finding| (finding.severity, finding.code)).collect();
    assert_eq!(found, [(Severity::Warning, Code::ValueInvalid); 7]);
    let nothing = Attenuation { range: 0.0, constant: 0.0, linear: 0.0, quadratic: 0.0 };
    assert_eq!((read.attenuation, read.spot), (nothing, Spot::default()));
}

#[test]
fn unknown_children_of_lights_are_named() {
    let (_, diagnostics) =
        light("", "<glow/><attenuation><cubic/></attenuation><spot><angle/></spot><bridgehead:own/>");
    let unknown: Vec<_> = diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(
        unknown,
        [Code::UnknownElement, Code::NotSimulated, Code::UnknownElement, Code::UnknownElement]
    );
}

#[test]
fn an_unknown_type_is_a_point_light() {
    let (read, diagnostics) = light("type='area'", "");
    assert_eq!((read.kind, codes(&diagnostics)), (LightKind::Point, vec![Code::ValueInvalid]));
}
