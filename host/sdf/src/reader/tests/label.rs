//! Labels of visuals: by Gazebo's Label system or `<bridgehead:label>`, of the visual or the models around it.

use super::codes;
use crate::diagnostic::{Code, Severity};
use crate::{Budget, Diagnostic, InMemory, Loaded, SearchPath, load_with};

const SYSTEM: (&str, &str) = ("gz-sim-label-system", "gz::sim::systems::Label");

fn plugin((file, class): (&str, &str), content: &str) -> String {
    format!("<plugin filename='{file}' name='{class}'>{content}</plugin>")
}

fn system(label: &str) -> String {
    plugin(SYSTEM, &format!("<label>{label}</label>"))
}

fn own(label: &str) -> String {
    format!("<bridgehead:label>{label}</bridgehead:label>")
}

fn link(visuals: &[&str]) -> String {
    let visuals = visuals.iter().enumerate().map(|(number, content)| {
        format!("<visual name='v{number}'><geometry><empty/></geometry>{content}</visual>")
    });
    format!("<link name='l'>{}</link>", visuals.collect::<String>())
}

fn model(name: &str, content: &str) -> String {
    format!("<model name='{name}'>{content}</model>")
}

/// A world with this inside, beside `/arm.sdf`.
fn load(version: &str, world: &str, arm: &str) -> Loaded {
    let files = InMemory::new()
        .with("/w.sdf", format!("<sdf version='{version}'><world name='w'>{world}</world></sdf>"))
        .with("/arm.sdf", format!("<sdf version='{version}'>{arm}</sdf>"));
    load_with(&files, "/w.sdf".as_ref(), &SearchPath::default(), &Budget::default()).expect("loaded")
}

/// The labels of all visuals, by links: those of models, then those of actors.
fn labels_of(loaded: &Loaded) -> Vec<Option<u32>> {
    let actors = loaded.world.actors.iter().map(|actor| &actor.model);
    let links = loaded.world.models.iter().chain(actors).flat_map(|model| &model.links);
    links.flat_map(|link| &link.visuals).map(|visual| visual.element.label).collect()
}

#[track_caller]
fn labels(world: &str) -> Vec<Option<u32>> {
    let loaded = load("1.9", world, "");
    assert_eq!(loaded.diagnostics, []);
    labels_of(&loaded)
}

fn findings(world: &str) -> (Vec<Option<u32>>, Vec<Diagnostic>) {
    let loaded = load("1.9", world, "");
    (labels_of(&loaded), loaded.diagnostics)
}

#[test]
fn every_spelling_of_the_label_system_is_known() {
    for spelling in [
        SYSTEM,
        ("ignition-gazebo-label-system", "ignition::gazebo::systems::Label"),
        ("libgz-sim-label-system.so", ""),
        ("libgz-sim8-label-system.so", "any"),
        ("/usr/lib/libignition-gazebo6-label-system.so", "any"),
        ("any", "gz::sim::systems::Label"),
        ("any", "gz::sim::v8::systems::Label"),
        ("static://gz::sim::systems::Label", "any"),
        ("gz-sim-label", "any"),
    ] {
        let visual = plugin(spelling, "<label>10</label>");
        assert_eq!(labels(&model("m", &link(&[&visual]))), [Some(10)], "{spelling:?}");
    }
}

#[test]
fn other_plugins_of_a_visual_have_no_effect_and_are_named() {
    for other in [
        ("gz-sim-led-plugin", "gz::sim::systems::LedPlugin"),
        ("my-label-system", "mine::Label"),
        ("gz-sim-label-system-2", "gz::sim::systems::Labels"),
    ] {
        let (read, diagnostics) = findings(&model("m", &link(&[&plugin(other, "<label>10</label>")])));
        assert_eq!((read, codes(&diagnostics)), (vec![None], vec![Code::NotSimulated]), "{other:?}");
        assert_eq!(diagnostics[0].found, "`<plugin>` in `<visual>` is kept, not simulated (reported once)");
    }
}

#[test]
fn the_innermost_label_is_used() {
    let inner = model("inner", &format!("{}{}", own("3"), link(&["", &own("4")])));
    let deep = model("deep", &format!("{}{}", link(&[""]), model("deeper", &link(&["", &system("6")]))));
    let outer = model("outer", &format!("{}{inner}{deep}{}", system("5"), link(&[&system("7"), ""])));
    let read = labels(&format!("{outer}{}", model("plain", &link(&["", &own("9")]))));
    let of_outer = [Some(7), Some(5)];
    let of_inner = [Some(3), Some(4)];
    let of_deep = [Some(5), Some(5), Some(6)];
    assert_eq!(read, [&of_outer[..], &of_inner, &of_deep, &[None, Some(9)]].concat());
}

#[test]
fn an_own_label_precedes_a_system_and_the_last_system_is_used() {
    let both = format!("{}{}{}", system("1"), own("2"), system("3"));
    let twice = format!("{}{}", system("1"), system("3"));
    assert_eq!(labels(&model("m", &link(&[&both, &twice]))), [Some(2), Some(3)]);
}

#[test]
fn zero_is_a_label_and_255_the_largest() {
    assert_eq!(labels(&model("m", &link(&[&system("0"), &own(" 255 ")]))), [Some(0), Some(255)]);
}

#[test]
fn invalid_labels_are_warnings_and_leave_the_outer_label() {
    for wrong in ["", "256", "-1", "1.5", "car", "nan", "99999999999"] {
        for label in [system(wrong), own(wrong)] {
            let (read, diagnostics) = findings(&model("m", &format!("{}{}", own("8"), link(&[&label]))));
            assert_eq!((read, codes(&diagnostics)), (vec![Some(8)], vec![Code::ValueInvalid]), "{label}");
            assert_eq!(diagnostics[0].severity, Severity::Warning);
            assert_eq!(diagnostics[0].found, format!("`{wrong}` as a label"));
        }
    }
    let (read, diagnostics) = findings(&model("m", &format!("{}{}", plugin(SYSTEM, ""), link(&[""]))));
    assert_eq!((read, codes(&diagnostics)), (vec![None], vec![Code::ElementMissing]));
    let (read, diagnostics) = findings(&model("m", &link(&[&format!("{}{}", own("1"), own("2"))])));
    assert_eq!((read, codes(&diagnostics)), (vec![Some(1)], vec![Code::ElementRepeated]));
}

#[test]
fn the_label_of_an_include_replaces_that_of_its_model_but_not_inner_ones() {
    let arm = model(
        "arm",
        &format!(
            "{}{}{}",
            own("1"),
            link(&["", &own("2")]),
            model("hand", &format!("{}{}", own("3"), link(&[""])))
        ),
    );
    let include = |content: &str| format!("<include><uri>arm.sdf</uri>{content}</include>");
    let of = |world: &str| {
        let loaded = load("1.9", world, &arm);
        assert_eq!(loaded.diagnostics, []);
        labels_of(&loaded)
    };
    assert_eq!(of(&include("")), [Some(1), Some(2), Some(3)]);
    assert_eq!(of(&include(&own("9"))), [Some(9), Some(2), Some(3)]);
    assert_eq!(of(&include(&system("9"))), [Some(9), Some(2), Some(3)]);
    let nested = model("robot", &format!("{}{}", own("7"), include("")));
    assert_eq!(of(&nested), [Some(1), Some(2), Some(3)]);
}

#[test]
fn a_merged_model_keeps_its_label() {
    let include = "<include merge='true'><uri>arm.sdf</uri></include>";
    let labelled = model("arm", &format!("{}{}", own("1"), link(&["", &own("2")])));
    let loaded = load("1.10", &model("robot", &format!("{}{include}", own("7"))), &labelled);
    assert_eq!((labels_of(&loaded), loaded.diagnostics), (vec![Some(1), Some(2)], Vec::new()));
    let plain = model("arm", &link(&[""]));
    let loaded = load("1.10", &model("robot", &format!("{}{include}", own("7"))), &plain);
    assert_eq!((labels_of(&loaded), loaded.diagnostics), (vec![Some(7)], Vec::new()));
    let fleet = model("fleet", &format!("{}{}", own("4"), model("car", &link(&[""]))));
    let loaded = load("1.10", include, &fleet);
    assert_eq!((labels_of(&loaded), loaded.diagnostics), (vec![Some(4)], Vec::new()));
}

#[test]
fn flattened_models_of_old_files_have_the_label_of_their_model() {
    let visual = "<visual name='v'><geometry><empty/></geometry></visual>";
    let flat = format!("<link name='l'/><link name='arm::l'>{visual}</link>{}", system("5"));
    let loaded = load("1.7", &model("m", &flat), "");
    assert_eq!(loaded.world.models[0].submodels.len(), 1);
    assert_eq!(labels_of(&loaded), [Some(5)]);
}

#[test]
fn the_label_of_an_actor_is_that_of_its_visuals() {
    let actor = format!("<actor name='a'><script/>{}{}</actor>", system("8"), link(&["", &own("9")]));
    assert_eq!(labels(&actor), [Some(8), Some(9)]);
}
