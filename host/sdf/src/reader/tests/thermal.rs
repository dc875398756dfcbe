//! Temperatures of visuals: by Gazebo's Thermal system.

use super::codes;
use crate::diagnostic::{Code, Severity};
use crate::{Budget, Diagnostic, InMemory, SearchPath, load_with};

fn plugin(content: &str) -> String {
    format!("<plugin filename='gz-sim-thermal-system' name='gz::sim::systems::Thermal'>{content}</plugin>")
}

/// The temperature of a visual with this inside, and what was found.
fn read(visual: &str) -> (Option<f64>, Vec<Diagnostic>) {
    let text = format!(
        "<sdf version='1.9'><world name='w'><model name='m'><link name='l'><visual name='v'>\
         <geometry><empty/></geometry>{visual}</visual></link></model></world></sdf>"
    );
    let files = InMemory::new().with("/w.sdf", text);
    let loaded = load_with(&files, "/w.sdf".as_ref(), &SearchPath::default(), &Budget::default());
    let loaded = loaded.expect("loaded");
    (loaded.world.models[0].links[0].visuals[0].element.temperature, loaded.diagnostics)
}

#[test]
fn a_visual_has_the_temperature_of_its_last_thermal_system() {
    let one = plugin("<temperature>285.5</temperature>");
    let other = "<plugin filename='any' name='ignition::gazebo::systems::Thermal'><temperature> 0 </temperature></plugin>";
    for (visual, expected) in
        [("", None), (one.as_str(), Some(285.5)), (other, Some(0.0)), (&format!("{other}{one}"), Some(285.5))]
    {
        assert_eq!(read(visual), (expected, Vec::new()), "{visual}");
    }
}

#[test]
fn invalid_temperatures_are_warnings_and_leave_that_of_the_air() {
    for wrong in ["", "-1", "nan", "inf", "hot"] {
        let (temperature, found) = read(&plugin(&format!("<temperature>{wrong}</temperature>")));
        assert_eq!((temperature, codes(&found)), (None, vec![Code::ValueInvalid]), "{wrong}");
        assert_eq!(found[0].severity, Severity::Warning);
        assert_eq!(found[0].found, format!("`{wrong}` as a temperature"));
    }
    let (temperature, found) = read(&plugin(""));
    assert_eq!((temperature, codes(&found)), (None, vec![Code::ElementMissing]));
}

#[test]
fn a_heat_signature_becomes_one_temperature_and_is_noted() {
    let signature = "<heat_signature>a.png</heat_signature><temperature>10</temperature>";
    for (range, expected) in [
        ("<min_temp>300</min_temp><max_temp>310</max_temp>", Some(305.0)),
        ("<max_temp>310</max_temp>", Some(310.0)),
        ("", None),
    ] {
        let (temperature, found) = read(&plugin(&format!("{signature}{range}")));
        assert_eq!((temperature, codes(&found)), (expected, vec![Code::NotSimulated]), "{range}");
        assert_eq!(found[0].severity, Severity::Note);
    }
}

#[test]
fn a_thermal_system_of_a_model_is_not_read() {
    let text = format!(
        "<sdf version='1.9'><world name='w'><model name='m'><link name='l'><sensor name='s' type='imu'/>\
         <visual name='v'><geometry><empty/></geometry></visual></link>{}</model></world></sdf>",
        plugin("<temperature>285</temperature>")
    );
    let files = InMemory::new().with("/w.sdf", text);
    let loaded = load_with(&files, "/w.sdf".as_ref(), &SearchPath::default(), &Budget::default());
    let model = &loaded.expect("loaded").world.models[0];
    assert_eq!((model.links[0].visuals[0].element.temperature, model.plugins.len()), (None, 1));
}
