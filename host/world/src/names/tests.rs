//! Spellings of names, the whole table, translated parameters, and unsupported names.

mod cloisim;
mod gazebo;
mod ros;
mod table;
mod unsupported;

use bridgehead_sdf as sdf;

use super::*;
use crate::{Built, PluginSlot, SlotKind, build};

/// Returns a world in `w.sdf` whose elements begin on line 2.
pub(super) fn world(elements: &str) -> Built {
    let text = format!("<sdf version='1.9'><world name='w'>\n{elements}</world></sdf>");
    let loaded = sdf::parse_str("w.sdf", &text).expect("loads");
    build(&loaded.world, 0.001, 1).expect("builds")
}

/// Returns the only slot of a world with that plugin.
fn plugin(filename: &str, name: &str) -> PluginSlot {
    let mut built = world(&format!("<plugin filename='{filename}' name='{name}'/>"));
    assert_eq!(built.slots.len(), 1);
    built.slots.remove(0)
}

fn named(name: &str) -> Resolution {
    Resolution::Plugin(name.to_owned())
}

/// Returns the provider of a plugin if no plugins are loaded.
fn served(filename: &str, name: &str) -> Resolution {
    resolve(&plugin(filename, name), |_| false)
}

#[test]
fn all_spellings_of_a_system_are_one_name() {
    for filename in [
        "gz-sim-diff-drive-system",
        "gz-sim-diff-drive",
        "libgz-sim-diff-drive-system.so",
        "gz-sim8-diff-drive-system",
        "libgz-sim10-diff-drive-system.so",
        "/usr/lib/gz-sim-8/plugins/libgz-sim-diff-drive-system.so",
        "ignition-gazebo-diff-drive-system",
        "libignition-gazebo-diff-drive-system.so",
        "ignition-gazebo6-diff-drive-system",
        "static://gz::sim::systems::DiffDrive",
        "diff_drive",
        "libbridgehead_plugin_diff_drive.so",
    ] {
        assert_eq!(served(filename, "drive"), named("diff_drive"), "{filename}");
    }
}

#[test]
fn the_class_is_used_if_the_file_is_unknown() {
    for name in [
        "gz::sim::systems::DiffDrive",
        "gz::sim::v9::systems::DiffDrive",
        "ignition::gazebo::systems::DiffDrive",
    ] {
        assert_eq!(served("my_build_of_it", name), named("diff_drive"), "{name}");
        assert_eq!(served("", name), named("diff_drive"), "{name}");
    }
    assert_eq!(served("", "gz::sim::systems::MulticopterVelocityControl"), named("multicopter_control"));
    let row = served("", "gz::sim::systems::ModelPhotoShoot");
    assert_eq!(row, Resolution::NoCounterpart(file("gz-sim-model-photo-shoot-system").expect("a row")));
    assert_eq!(served("", "gz::sim::systems::DopplerVelocityLogSystem"), Resolution::BuiltIn);
    assert_eq!(served("", "gz::sim::systems::Physics"), Resolution::BuiltIn);
    assert_eq!(served("mine", "gz::sim::DiffDrive"), named("mine"), "not a class of a system");
}

#[test]
fn the_file_takes_precedence_over_the_class() {
    let class = "gz::sim::systems::DiffDrive";
    assert_eq!(served("gz-sim-joint-controller-system", class), named("joint_velocity"));
    let slot = plugin("my_drive", class);
    assert_eq!(resolve(&slot, |name| name == "my_drive"), named("my_drive"), "a loaded plugin");
}

#[test]
fn a_loaded_plugin_serves_its_name_without_counterpart() {
    let slot = plugin("libgz-sim8-lens-flare-system.so", "t");
    assert!(matches!(resolve(&slot, |_| false), Resolution::NoCounterpart(_)));
    let is_loaded = |name: &str| name == "gz-sim-lens-flare-system";
    assert_eq!(resolve(&slot, is_loaded), named("gz-sim-lens-flare-system"));
    let slot = plugin("libCameraPlugin.so", "c");
    assert_eq!(resolve(&slot, |name| name == "CameraPlugin"), named("CameraPlugin"));
}

#[test]
fn other_files_are_names_or_ids_of_plugins() {
    assert_eq!(served("org.example.sensor.barometer", "b"), named("org.example.sensor.barometer"));
    assert_eq!(served("libOwnController.so", "c"), named("OwnController"));
    assert_eq!(served("gz-sim-own-system", "o"), named("gz-sim-own-system"));
    assert_eq!(served("libbridgehead_bridge_logging.so", "l"), named("logging"));
}

#[test]
fn a_custom_sensor_is_served_by_its_plugin_and_keeps_link_pose_topic_and_rate() {
    let built = world(
        "<model name='car'><link name='mast'><sensor name='front' type='custom'><pose>1 2 3 0 0 0</pose>\
         <topic>depth</topic><update_rate>20</update_rate><plugin name='p' filename='libmy_radar.so'>\
         <range>5</range></plugin><plugin name='q' filename='other'/></sensor>\
         <sensor name='bare' type='custom'/></link></model>",
    );
    let [radar, other, bare] = built.slots.as_slice() else { panic!("{:?}", built.slots) };
    assert_eq!(
        (radar.asked.as_str(), radar.kind, radar.label()),
        ("my_radar", SlotKind::Sensor, "car/mast/front")
    );
    assert_eq!(radar.params.get("range"), Some("5"));
    let at = &radar.attachment;
    assert_eq!((at.topic.as_str(), at.update_period_ns, at.pose.position.z), ("depth", 50_000_000, 3.0));
    assert!(at.parent_link.is_some() && at.parent_link == other.attachment.parent_link);
    assert_eq!((other.asked.as_str(), other.kind), ("other", SlotKind::Plugin));
    assert_eq!((other.sensor.as_str(), bare.asked.as_str()), ("car/mast/front", "custom"));
}

#[test]
fn sensors_are_resolved_by_their_type() {
    let sensor = |kind: &str| {
        let built =
            world(&format!("<model name='m'><link name='l'><sensor name='s' type='{kind}'/></link></model>"));
        resolve(&built.slots[0], |_| false)
    };
    for kind in ["lidar", "gpu_lidar", "ray", "gpu_ray"] {
        assert_eq!(sensor(kind), named("lidar"), "{kind}");
    }
    assert_eq!(sensor("gps"), named("navsat"));
    assert_eq!(sensor("radar"), named("radar"), "an unknown type is the name of a plugin");
    assert_eq!(
        sensor("wireless_receiver"),
        Resolution::NoCounterpart(sensor_type("wireless_receiver").expect("a row")),
        "a known type without a counterpart"
    );
}
