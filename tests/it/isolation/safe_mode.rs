//! The safe mode, which uses only the plugins that come with the program.

use std::fs;

use crate::support::{Setup, plugin, vehicle, world};

#[test]
fn plugins_of_third_parties_are_left_out_and_those_of_the_program_run() {
    let own = "<plugin filename='clock' name='clock'/>";
    let foreign = "<plugin filename='rogue_model' name='zoo'><fault>sample=crashes</fault></plugin>";
    let setup = Setup::new().fixtures(&["rogue_model", "rogue_bridge"]);
    // Where an installed program has its plugins.
    let folder = setup.path("bin/plugins");
    fs::create_dir(&folder).expect("a folder");
    fs::copy(plugin("clock"), folder.join("libclock.so")).expect("a copy of the plugin");
    let setup = setup.world(&world(&format!("{own}{}", vehicle("car1", foreign))));
    let setup = setup.bridge("car1=rogue_bridge:connect=crashes").args(["--duration", "0.1s", "--safe-mode"]);
    let finished = setup.finish().expect_code(0);
    let finished = finished.expect_message(&["BH-BRG-026", "`rogue_bridge`", "`car1`"]);
    assert!(finished.reported("topics", "/clock").is_object());
    assert_eq!(finished.result()["plugins"].as_array().map(Vec::len), Some(1), "{finished}");
    assert_eq!(finished.result()["unsupported"][0]["name"], "rogue_model", "{finished}");
}
