//! Files whose content is an `<include>` in place of a model.

use std::path::Path;

use crate::diagnostic::Code;
use crate::{Budget, InMemory, LoadError, Loaded, Root, SearchPath, Severity, load_with};

const BASE: &str =
    "<sdf version='1.9'><model name='base_box'><pose>1 0 0 0 0 0</pose><link name='l'/></model></sdf>";
const CONFIG: &str = "<model><name>base</name><sdf version='1.9'>model.sdf</sdf></model>";
const LAMP: &str = "<sdf version='1.9'><light name='lamp' type='point'/></sdf>";

fn load(file: &str) -> Result<Loaded, LoadError> {
    let files = InMemory::new()
        .with("/models/base_box/model.config", CONFIG)
        .with("/models/base_box/model.sdf", BASE)
        .with("/models/chain/model.config", CONFIG)
        .with("/models/chain/model.sdf", root("<uri>model://base_box</uri><name>link</name>"))
        .with("/models/lamp.sdf", LAMP)
        .with("/work/m.sdf", file);
    load_with(&files, Path::new("/work/m.sdf"), &SearchPath::new(["/models"]), &Budget::default())
}

fn root(include: &str) -> String {
    format!("<sdf version='1.9'><include>{include}</include></sdf>")
}

/// Every combination of the words of an include, for a model and for a file that includes one itself.
#[test]
fn the_included_model_takes_the_place_of_the_include() {
    for (uri, own) in [("model://base_box", "base_box"), ("model://chain", "link"), ("base_box", "base_box")]
    {
        for (name, renamed) in [("", own), ("<name>alias</name>", "alias")] {
            for (pose, x) in [("", 1.0), ("<pose>3 0 0 0 0 0</pose>", 3.0)] {
                for (flag, is_static) in [("", false), ("<static>true</static>", true)] {
                    let loaded =
                        load(&root(&format!("<uri>{uri}</uri>{name}{pose}{flag}"))).expect("a model");
                    assert_eq!(loaded.diagnostics, [], "{uri} {name} {pose} {flag}");
                    let Root::Model(model) = &loaded.root else { panic!("a model") };
                    assert_eq!((model.name.as_str(), model.is_static), (renamed, is_static));
                    let placed = &loaded.world.models[0];
                    assert_eq!((placed.name.as_str(), placed.pose.position.x), (renamed, x));
                }
            }
        }
    }
}

#[test]
fn an_included_light_takes_the_place_too() {
    let loaded = load(&root("<uri>lamp.sdf</uri>")).expect("a light");
    assert!(matches!(&loaded.root, Root::Light(light) if light.name == "lamp"));
}

#[test]
fn an_include_that_leads_to_nothing_is_an_error_with_its_cause() {
    let error = load(&root("<uri>model://absent</uri>")).expect_err("no model");
    assert_eq!((error.cause.code, error.diagnostics[0].code), (Code::NothingToLoad, Code::UriNotFound));
    assert!(error.diagnostics[0].hint.contains("GZ_SIM_RESOURCE_PATH"), "{}", error.diagnostics[0]);
}

#[test]
fn one_model_is_loaded_of_a_model_and_an_include() {
    let both = format!(
        "<sdf version='1.9'><include><uri>model://base_box</uri></include>{}",
        BASE.trim_start_matches("<sdf version='1.9'>")
    );
    let loaded = load(&both).expect("a model");
    let errors: Vec<_> =
        loaded.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.len() == 1 && errors[0].expected.starts_with("one model"), "{errors:?}");
    let world = "<sdf version='1.9'><world name='w'/><include><uri>model://base_box</uri></include></sdf>";
    let loaded = load(world).expect("a world");
    assert_eq!(loaded.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::NotSimulated]);
}
