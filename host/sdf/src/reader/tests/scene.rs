//! The scene of a world.

use super::{codes, world};
use crate::Diagnostic;
use crate::diagnostic::{Code, Severity};
use crate::element::{Fog, Scene, Sky};

fn scene(content: &str) -> (Scene, Vec<Diagnostic>) {
    let (world, diagnostics) = world(&format!("<scene>{content}</scene>"));
    (world.scene, diagnostics)
}

#[test]
fn a_world_without_a_scene_and_an_empty_scene_have_the_defaults_of_sdf() {
    let expected = Scene {
        ambient: [0.4, 0.4, 0.4, 1.0],
        background: [0.7, 0.7, 0.7, 1.0],
        sky: None,
        shadows: true,
        grid: true,
        fog: None,
    };
    assert_eq!(world("").0.scene, expected);
    assert_eq!(scene(""), (expected, Vec::new()));
}

#[test]
fn every_value_of_a_scene_is_read() {
    let (read, diagnostics) = scene(
        "<ambient>0.1 0.2 0.3 1</ambient><background>0 0 0</background><shadows>0</shadows><grid>false</grid>
         <sky><time>18</time><sunrise>5.5</sunrise><sunset>21</sunset></sky>
         <fog><type>linear</type><start>2</start><end>50</end><density>0.2</density><color>1 0 0 1</color></fog>",
    );
    assert_eq!(diagnostics, []);
    let fog = Fog { color: [1.0, 0.0, 0.0, 1.0], kind: "linear".into(), start: 2.0, end: 50.0, density: 0.2 };
    let expected = Scene {
        ambient: [0.1, 0.2, 0.3, 1.0],
        background: [0.0, 0.0, 0.0, 1.0],
        sky: Some(Sky { time: 18.0, sunrise: 5.5, sunset: 21.0 }),
        shadows: false,
        grid: false,
        fog: Some(fog),
    };
    assert_eq!(read, expected);
}

#[test]
fn an_empty_sky_is_a_sky_with_the_defaults_of_sdf() {
    assert_eq!(scene("<sky/>").0.sky, Some(Sky { time: 10.0, sunrise: 6.0, sunset: 20.0 }));
}

#[test]
fn a_fog_without_a_type_is_none() {
    for none in ["<fog/>", "<fog><density>1</density></fog>", "<fog><type>none</type></fog>"] {
        assert_eq!(scene(none), (Scene::default(), Vec::new()), "{none}");
    }
    for kind in ["constant", "linear", "quadratic"] {
        let (read, diagnostics) = scene(&format!("<fog><type>{kind}</type></fog>"));
        let fog = Fog { color: [1.0; 4], kind: kind.to_owned(), start: 1.0, end: 100.0, density: 1.0 };
        assert_eq!((read.fog, diagnostics), (Some(fog), Vec::new()));
    }
    let (read, diagnostics) = scene("<fog><type>thick</type></fog>");
    assert_eq!((read.fog, codes(&diagnostics)), (None, vec![Code::ValueInvalid]));
    assert_eq!(diagnostics[0].severity, Severity::Warning);
}

#[test]
fn invalid_values_of_a_scene_are_reported_and_replaced_by_defaults() {
    for wrong in [
        "<ambient>0.4 0.4</ambient>",
        "<ambient>2 2 2 1</ambient>",
        "<background>sky</background>",
        "<shadows>dark</shadows>",
        "<grid>3</grid>",
    ] {
        let (read, diagnostics) = scene(wrong);
        assert_eq!((read, codes(&diagnostics)), (Scene::default(), vec![Code::ValueInvalid]), "{wrong}");
    }
    for wrong in ["<time>25</time>", "<time>nan</time>", "<sunrise>-1</sunrise>", "<sunset>late</sunset>"] {
        let (read, diagnostics) = scene(&format!("<sky>{wrong}</sky>"));
        assert_eq!(
            (read.sky, codes(&diagnostics)),
            (Some(Sky::default()), vec![Code::ValueInvalid]),
            "{wrong}"
        );
    }
    for wrong in ["<start>-1</start>", "<end>nan</end>", "<density>-0.1</density>", "<color>1 1</color>"] {
        let fog = |content: &str| scene(&format!("<fog><type>constant</type>{content}</fog>"));
        let (read, diagnostics) = fog(wrong);
        assert_eq!((read.fog, codes(&diagnostics)), (fog("").0.fog, vec![Code::ValueInvalid]), "{wrong}");
    }
}

#[test]
fn elements_of_a_scene_without_effect_are_named_and_a_second_scene_is_reported() {
    let (_, diagnostics) = scene(
        "<origin_visual>0</origin_visual><sun/><sky><clouds><speed>1</speed></clouds><moon/></sky><fog><mist/></fog>",
    );
    let kept_or_unknown: Vec<_> = diagnostics.iter().map(|finding| finding.severity).collect();
    let (note, warning) = (Severity::Note, Severity::Warning);
    assert_eq!(kept_or_unknown, [note, warning, note, warning, warning]);
    let (twice, diagnostics) = world("<scene><grid>0</grid></scene><scene/>");
    assert_eq!((twice.scene.grid, codes(&diagnostics)), (false, vec![Code::ElementRepeated]));
}
