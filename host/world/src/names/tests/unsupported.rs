//! Unsupported names: each once, sorted, with count and first place.

use super::super::*;
use super::world;

/// Returns the reports about a world if only the plugin `clock` is loaded.
fn lines(elements: &str) -> Vec<String> {
    let mut names = UnsupportedNames::default();
    for slot in &world(elements).slots {
        match resolve(slot, |name| name == "clock") {
            Resolution::BuiltIn => {}
            Resolution::Plugin(name) if name == "clock" => {}
            Resolution::Plugin(name) => names.not_found(slot, format!("no plugin `{name}`")),
            Resolution::NoCounterpart(row) => names.no_counterpart(slot, row),
        }
    }
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn each_name_is_reported_once_for_all_its_spellings() {
    let found = lines(
        "<plugin filename='clock' name='c'/>\n\
         <plugin filename='gz-sim-physics-system' name='p'/>\n\
         <plugin filename='warp_drive' name='w'/>\n\
         <plugin filename='gz-sim-lens-flare-system' name='t1'/>\n\
         <plugin filename='libignition-gazebo6-lens-flare-system.so' name='t2'/>\n\
         <plugin filename='gz-sim-log-system' name='l'/>\n\
         <model name='m'><link name='l'>\n\
         <sensor name='a' type='rfid'/>\n\
         <sensor name='b' type='rfid'/>\n\
         <sensor name='d' type='rfid'/></link>\n\
         <plugin filename='libLaserPlugin.so' name='laser'/></model>",
    );
    let expected = [
        "[BH-PLG-110] sensor type `rfid` is not simulated (3 times, first at w.sdf:9)",
        "[BH-PLG-110] plugin `gz-sim-lens-flare-system` is not simulated (2 times, first at w.sdf:5)",
        "[BH-PLG-110] plugin `libLaserPlugin.so` is not simulated (at w.sdf:12): it belongs inside a `<sensor>`, \
         which then publishes itself",
        "[BH-PLG-093] plugin `warp_drive` is not supported (at w.sdf:4): no plugin `warp_drive`",
    ];
    assert_eq!(found, expected);
}

/// The log system records; here the command line does.
#[test]
fn a_system_whose_function_is_elsewhere_is_no_gap_and_has_a_hint() {
    let text = "<plugin filename='gz-sim-log-system' name='gz::sim::systems::LogRecord'/>";
    assert_eq!(lines(text), [""; 0]);
    let built = world(text);
    let hints: Vec<_> = built.slots.iter().filter_map(elsewhere).collect();
    let [hint] = hints.as_slice() else { panic!("{hints:?}") };
    assert!(hint.starts_with("record with `bridgehead run --record FILE.mcap`"), "{hint}");
    let slot = &built.slots[0];
    let filled = resolve(slot, |name| name == "gz-sim-log-system");
    assert_eq!(filled, Resolution::Plugin("gz-sim-log-system".to_owned()), "a loaded plugin counts");
}

#[test]
fn a_missing_plugin_is_reported_once_for_all_its_spellings() {
    let found = lines(
        "<plugin filename='gz-sim8-diff-drive-system' name='a'/>\n\
         <plugin filename='ignition-gazebo-diff-drive-system' name='b'/>",
    );
    let expected = "[BH-PLG-093] plugin `gz-sim-diff-drive-system` is not supported (2 times, first at w.sdf:2): \
                    no plugin `diff_drive`";
    assert_eq!(found, [expected]);
}

#[test]
fn plugins_of_the_gui_are_not_reported() {
    assert_eq!(lines("<gui><plugin filename='MinimalScene' name='3D View'/></gui>"), [""; 0]);
}
