//! The table of names: what world files call sensors and systems, and which plugin serves them.

/// SDF sensor types and the plugin that serves each.
pub const SENSOR_TYPES: &[(&str, &str)] =
    &[("lidar", "lidar"), ("ray", "lidar"), ("gpu_lidar", "lidar"), ("gpu_ray", "lidar"), ("imu", "imu")];

/// Gazebo systems (without `lib`, `.so`, and the `gz-sim-` or `ignition-gazebo-` prefix and `-system`
/// suffix) and the plugin that serves each.
pub const SYSTEM_NAMES: &[(&str, &str)] =
    &[("diff-drive", "diff_drive"), ("joint-state-publisher", "joint_state")];

/// Gazebo systems whose work the host does by itself.
pub const BUILT_IN_SYSTEMS: &[&str] =
    &["physics", "scene-broadcaster", "user-commands", "sensors", "imu", "contact"];

/// Who serves a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// A plugin of that name or id.
    Plugin(String),
    /// The host itself.
    BuiltIn,
}

/// Who serves a `<plugin>` with that filename.
#[must_use]
pub fn system_plugin(filename: &str) -> Resolution {
    let base = filename.rsplit('/').next().unwrap_or(filename);
    let base = base.strip_suffix(".so").unwrap_or(base);
    let base = base.strip_prefix("lib").unwrap_or(base);
    let system = ["gz-sim-", "ignition-gazebo-"]
        .iter()
        .find_map(|prefix| base.strip_prefix(prefix))
        .map(|system| system.strip_suffix("-system").unwrap_or(system));
    let Some(system) = system else {
        let own =
            ["bridgehead_plugin_", "bridgehead_bridge_"].iter().find_map(|prefix| base.strip_prefix(prefix));
        return Resolution::Plugin(own.unwrap_or(base).to_owned());
    };
    if BUILT_IN_SYSTEMS.contains(&system) {
        return Resolution::BuiltIn;
    }
    let known = SYSTEM_NAMES.iter().find(|(name, _)| *name == system);
    Resolution::Plugin(known.map_or(filename, |(_, plugin)| plugin).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gazebo_names_lead_to_our_plugins() {
        let plugin = |name: &str| Resolution::Plugin(name.to_owned());
        assert_eq!(system_plugin("gz-sim-diff-drive-system"), plugin("diff_drive"));
        assert_eq!(system_plugin("libignition-gazebo-diff-drive-system.so"), plugin("diff_drive"));
        assert_eq!(system_plugin("gz-sim-physics-system"), Resolution::BuiltIn);
        assert_eq!(system_plugin("diff_drive"), plugin("diff_drive"));
        assert_eq!(system_plugin("libbridgehead_plugin_clock.so"), plugin("clock"));
        assert_eq!(system_plugin("org.example.sensor.barometer"), plugin("org.example.sensor.barometer"));
        assert_eq!(system_plugin("gz-sim-thruster-system"), plugin("gz-sim-thruster-system"));
    }
}
